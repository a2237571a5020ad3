/** Describes what a rehearsal ran, for its report. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { defined } from "../../../json/defined";
import type { RehearsalOptions, RehearsalResult } from "../../../rehearsal";
import type { Rehearsed, RehearsedInput, RehearsedMigration } from "../../../report";
import { projectIn } from "../../../resource-names";
import type { SourceMigration } from "../../../source";
import type { Invocation } from "../../command";

export function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns the migrations of a stack, with the projects in the ids of their resources. */
export function rehearsedMigrations(migrations: readonly SourceMigration[]): readonly RehearsedMigration[] {
  return migrations.map(({ name, certificates, map }) => {
    const own = projectIn(map?.id ?? certificates[0]?.id ?? "");
    return {
      name,
      ...defined({ project: own }),
      certificates: certificates.map(({ name: of, kind, domains }) => ({ name: of, kind, domains })),
    };
  });
}

/** Returns the description of a finished rehearsal, without its evidence. */
export function describeRehearsed(
  {
    input,
    options: { hostnames, addedHostname },
  }: {
    readonly input: RehearsedInput;
    readonly options: Pick<RehearsalOptions, "hostnames" | "addedHostname">;
  },
  { providerVersion }: RehearsalResult,
  options: Invocation["options"],
  { terraform, ...run }: Pick<Rehearsed, "speed" | "startedAt" | "endedAt"> & Pick<Rehearsed["versions"], "terraform">,
): Rehearsed {
  return {
    input,
    hostnames: hostnames.filter((hostname) => hostname !== addedHostname),
    ...defined({ addedHostname }),
    versions: {
      package: packageVersion(),
      terraform,
      ...defined({ provider: providerVersion }),
      kit: kitVersions(),
      node: process.versions.node,
    },
    provider: options.provider === "real" ? "real" : "stand-in",
    ...run,
    ...faultsOf(options),
  };
}

/** Returns the faults that the options name. */
function faultsOf(options: Invocation["options"]): Pick<Rehearsed, "faults"> {
  const given = options.faults as string | undefined;
  if (given === undefined) return {};
  const { disturbances } = require("../../../rehearsal") as typeof import("../../../rehearsal");
  if (disturbances.some(({ name }) => name === given)) return { faults: { name: given } };
  return { faults: { name: basename(given), sha256: sha256Of(readFileSync(given)) } };
}

/** Packages for synthesis; those that are not installed are left out. */
const kitPackages = ["cdktf", "cdktn", "@cdktf/provider-google", "@cdktn/provider-google"] as const;

/** Returns the installed versions of packages, in the user's project or beside this package. */
function kitVersions(): Readonly<Record<string, string>> {
  const found = kitPackages.flatMap((name) => {
    try {
      const file = require.resolve(`${name}/package.json`, { paths: [process.cwd(), __dirname] });
      const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
      return [[name, version] as const];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(found);
}

function packageVersion(): string {
  const { version } = require("../../../../package.json") as { readonly version: string };
  return version;
}
