import { dirname } from "node:path";
import { InputError } from "../../errors";
import { kits } from "../../kits";
import { quote } from "../../text/quote";
import { compareVersions, satisfies } from "../../text/version";
import { type Bindings, bindingsAt } from "./bindings";

/** What a stack requires of the google provider, as in its `required_providers`. */
export interface ProviderRequirement {
  /** Source address, for example `hashicorp/google`. @default "hashicorp/google" */
  readonly source?: string | undefined;
  /** Version constraint, for example `~> 7.30`. @default any version */
  readonly version?: string | undefined;
}

/** Packages of bindings, with their versions by the major of the provider that they are generated for. */
const packages: readonly { readonly name: string; readonly majors: Readonly<Record<string, readonly string[]>> }[] = [
  { name: kits.cdktn.bindings, majors: { 6: ["18"], 7: ["19", "20"], 8: ["21"] } },
  { name: kits.cdktf.bindings, majors: { 6: ["16"] } },
];

/** Versions of the bindings that require an older kit than the versions that this package supports. */
const withOverride: readonly string[] = [`${kits.cdktn.bindings}@18`, `${kits.cdktn.bindings}@19`];

/**
 * Returns the installed packages of bindings, each once, the highest version of the provider first; of one version,
 * the bindings of CDK Terrain first.
 *
 * @param searchIn folders from which packages are looked up. @default the current folder and the folder of this package
 * @throws InputError `bindings-unreadable`
 */
export function installedBindings(searchIn: readonly string[] = defaultFolders()): readonly Bindings[] {
  const roots = packages.flatMap(({ name }) => searchIn.flatMap((folder) => rootOf(name, folder)));
  const installed = [...new Set(roots)].map(bindingsAt);
  return installed.sort((left, right) => compareVersions(right.providerVersion, left.providerVersion));
}

/**
 * Opens the bindings with which the provider of a stack was generated: of all installed packages that fit, the package
 * with the highest version of the provider, as Terraform chooses a version.
 *
 * @param searchIn folders from which packages are looked up. @default the current folder and the folder of this package
 * @throws InputError `bindings-missing` if no installed package fits, `bindings-unreadable`
 */
export function openBindings(
  requirement: ProviderRequirement = {},
  searchIn: readonly string[] = defaultFolders(),
): Bindings {
  const installed = installedBindings(searchIn);
  const best = isGoogle(requirement)
    ? installed.find(({ providerVersion }) => satisfies(providerVersion, requirement.version))
    : undefined;
  if (best !== undefined) return best;
  throw new InputError("bindings-missing", missing(requirement, installed));
}

function defaultFolders(): readonly string[] {
  return [process.cwd(), __dirname];
}

function rootOf(name: string, folder: string): readonly string[] {
  try {
    return [dirname(require.resolve(`${name}/package.json`, { paths: [folder] }))];
  } catch {
    return [];
  }
}

/** Both registries serve the provider, and both hosts may be left out. */
function isGoogle({ source = "hashicorp/google" }: ProviderRequirement): boolean {
  return /^(?:registry\.(?:terraform\.io|opentofu\.org)\/)?(?:hashicorp\/)?google$/.test(source.toLowerCase());
}

function missing(requirement: ProviderRequirement, installed: readonly Bindings[]): string {
  const { source = "hashicorp/google", version } = requirement;
  const wanted = version === undefined ? quote(source) : `${quote(source)} ${quote(version)}`;
  if (!isGoogle(requirement)) {
    return `the stack requires the provider ${wanted}, of which no bindings are known; set the source of the google provider to "hashicorp/google"`;
  }
  const found = installed.map((each) => `${each.packageName} (google ${each.providerVersion})`).join(", ");
  const state = found === "" ? "no bindings of it are installed" : `the installed bindings do not fit: ${found}`;
  return `the stack requires the provider ${wanted}, and ${state}; ${adviceFor(version)}`;
}

/** Returns what to install for a version constraint. */
function adviceFor(constraint: string | undefined): string {
  const commands = packages.flatMap(({ name, majors }) =>
    Object.entries(majors)
      .filter(([major]) => constraint === undefined || mayAllow(constraint, Number(major)))
      .flatMap(([major, versions]) => versions.map((version) => installWords(`${name}@${version}`, major))),
  );
  const known = commands.length > 0 ? commands : packages.map(({ name }) => `'npm install ${name}'`);
  return `the schema is read from the bindings: run ${known.join(" or ")}, in the version that was generated for the provider's version`;
}

function installWords(bindings: string, major: string): string {
  const override = withOverride.includes(bindings) ? ", with the override in docs/cdk-terrain.md" : "";
  return `'npm install ${bindings}' (google ${major}.x${override})`;
}

/** Returns whether some version with this major fits each part of a constraint. */
function mayAllow(constraint: string, major: number): boolean {
  return constraint.split(",").every((part) => {
    const named = /\d+(?:\.\d+)*/.exec(part)?.[0] ?? "";
    return [`${major}.0.0`, `${major}.999.999`, named].some(
      (version) => Number(version.split(".")[0]) === major && satisfies(version, part),
    );
  });
}
