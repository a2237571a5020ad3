import { readdirSync } from "node:fs";
import { join } from "node:path";
import { timed } from "./run";

/** Packs this package into a folder. @returns path of the tarball */
export async function packTarball(folder: string): Promise<string> {
  const pack = ["npm", "pack", "--silent", "--pack-destination", folder];
  await timed("npm pack", pack, { folder: join(__dirname, "..", "..") });
  return tarballIn(folder);
}

/** Returns the path of the tarball of this package in a folder. */
export function tarballIn(folder: string): string {
  const [tarball = ""] = readdirSync(folder).filter((name) => name.startsWith("cdktf-google-cert-migration-"));
  return join(folder, tarball);
}
