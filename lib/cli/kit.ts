import { InputError } from "../errors";
import { type Kit, kits } from "../kits";
import { installedBindings } from "../terraform-provider/schema";

/**
 * Returns the kit with which the command synthesizes a spec: the kit that is installed with its bindings. Of two kits,
 * the kit whose bindings are for the higher version of the provider; of one version, CDK Terrain.
 *
 * @param searchIn folder from which packages are looked up. @default the folder of this package, whose constructs load
 * the kit
 * @throws InputError `kit-missing` if no kit is complete, or `constructs` is missing; `bindings-unreadable`
 */
export function installedKit(searchIn: string = __dirname): Kit {
  const all = Object.values(kits);
  for (const { packageName } of installedBindings([searchIn])) {
    const kit = all.find(({ bindings }) => bindings === packageName);
    if (kit === undefined || !isInstalled(kit.name, searchIn)) continue;
    if (isInstalled("constructs", searchIn)) return kit;
    const message = `'constructs' is not installed, and '${kit.name}' needs it; run 'npm install ${kit.name === "cdktn" ? "constructs@10.7" : "constructs"}'`;
    throw new InputError("kit-missing", message);
  }
  const state = all.map(({ name, bindings }) => {
    const missing = [name, bindings].filter((each) => !isInstalled(each, searchIn));
    return missing.map((each) => `'${each}'`).join(" and ");
  });
  const installs = all.map(({ install }) => `'${install}'`).join(" or ");
  const message = `no kit is installed with its bindings of the google provider (missing: ${state.join("; ")}); run ${installs}`;
  throw new InputError("kit-missing", message);
}

function isInstalled(name: string, searchIn: string): boolean {
  try {
    require.resolve(`${name}/package.json`, { paths: [searchIn] });
    return true;
  } catch {
    return false;
  }
}
