import { openCacheFolder } from "../../../lib/discovery/client/cache-folder";

/**
 * Writes copies of one URL to a folder without pause, each made of one letter only, until it is killed. Started by
 * `processes.robustness.ts`.
 */
async function main([path = "", url = "", letter = ""]: readonly string[]): Promise<never> {
  const folder = openCacheFolder(path);
  for (let length = 1; ; length = (length * 7) % 1_000_003) {
    const body = Buffer.alloc(length, letter);
    await folder.write({ url, fetchedAtMs: length, maxAgeSeconds: length, etag: `"${letter}"`, body });
    if (process.send !== undefined) process.send(length);
  }
}

void main(process.argv.slice(2));
