import { InputError } from "../errors";
import { type Kit, type KitName, kits, otherKit } from "../kits";

/** Kit of this entry point. The build writes the other name here for the entry of CDK Terrain, as in every import. */
export const kitName = "cdktf" as KitName;

/** Version of this copy of the package. */
export const packageVersion: string = require("../../package.json").version;

/** Loads what the imports of the constructs would load, so that a missing package has one clear error. */
const load: readonly (() => unknown)[] = [
  () => require("constructs"),
  () => require("cdktf"),
  () => require("@cdktf/provider-google/lib/dns-record-set"),
];

/**
 * Explains a failed import of a kit or its bindings.
 *
 * @returns undefined if the error is not about a missing package of the kit
 */
export function explainMissing(error: unknown, kit: Kit): InputError | undefined {
  if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") return undefined;
  const [, specifier = ""] = /Cannot find module '([^']+)'/.exec(String((error as Error).message)) ?? [];
  const missing = ["constructs", kit.name, kit.bindings].find((name) => `${specifier}/`.startsWith(`${name}/`));
  if (missing === undefined) return undefined;
  const installed = otherKit(kit);
  return new InputError(
    "kit-missing",
    `'${missing}' is not installed, and '${kit.entry}' needs it; run '${kit.install}', or import from '${installed.entry}' in an app of '${installed.name}'`,
  );
}

for (const each of load) {
  try {
    each();
  } catch (error) {
    throw explainMissing(error, kits[kitName]) ?? error;
  }
}
