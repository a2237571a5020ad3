import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { timed } from "./run";

const bindings = "@cdktn/provider-google";
/** Newest bindings that the tests use. */
export const newestBindings = "21.1.0";

/**
 * Fetches the npm tarball of the bindings: from npm or, where npm does not have it, from the wheel on PyPI, which
 * contains the same tarball.
 *
 * @param kept folder with tarballs named `VERSION.tgz`, to save the download. @default - always download
 * @returns path of the tarball
 */
export async function fetchBindings(version: string, folder: string, kept?: string): Promise<string> {
  const path = join(folder, `bindings-${version}.tgz`);
  if (kept !== undefined) {
    copyFileSync(join(kept, `${version}.tgz`), path);
    return path;
  }
  const pack = ["npm", "pack", "--silent", "--pack-destination", folder, `${bindings}@${version}`];
  try {
    await timed(`${bindings} ${version} from npm`, pack, { folder });
    copyFileSync(join(folder, `cdktn-provider-google-${version}.tgz`), path);
  } catch {
    const wheel = ["pip", "download", "--quiet", "--no-deps", "--dest", folder, `cdktn-provider-google==${version}`];
    await timed(`${bindings} ${version} from PyPI`, wheel, { folder });
    const unpacked = join(folder, `wheel-${version}`);
    const file = `cdktn_provider_google-${version}-py3-none-any.whl`;
    await timed("unpack the wheel", ["python3", "-m", "zipfile", "-e", file, unpacked], { folder });
    const inside = join(unpacked, "cdktn_provider_google", "_jsii");
    const [name = ""] = readdirSync(inside).filter((each) => each.endsWith(".tgz"));
    copyFileSync(join(inside, name), path);
  }
  return path;
}
