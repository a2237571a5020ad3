import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { defined } from "../../../json/defined";
import { kits } from "../../../kits";
import type { CourseOptions, MigrationOptions, RehearsalResult, StackJson } from "../../../rehearsal";
import type { Rehearsed, RehearsedInput, RehearsedMigration } from "../../../report";
import { projectIn } from "../../../resource-names";
import type { SourceMigration } from "../../../source";
import * as load from "../../load";
import type { RehearseOptions } from "./options";

export function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns the migrations of a stack, with the projects in the ids of their resources. */
export function rehearsedMigrations(migrations: readonly SourceMigration[]): readonly RehearsedMigration[] {
  return migrations.map(({ name, certificates, map }) => {
    const project = projectIn(map?.id ?? certificates[0]?.id ?? "");
    return {
      name,
      ...defined({ project }),
      certificates: certificates.map(({ name: of, kind, domains }) => ({ name: of, kind, domains })),
    };
  });
}

export function describeRehearsed(
  {
    input,
    migration: { hostnames },
    stack,
  }: {
    readonly input: RehearsedInput;
    readonly migration: Pick<MigrationOptions, "hostnames">;
    /** A stack of the rehearsal. @default - no stack was synthesized */
    readonly stack: StackJson | undefined;
  },
  { providerVersion }: RehearsalResult,
  options: Pick<RehearseOptions, "provider" | "faults">,
  { terraform, ...run }: Pick<Rehearsed, "speed" | "startedAt" | "endedAt"> & Pick<Rehearsed["versions"], "terraform">,
): Rehearsed {
  return {
    input,
    hostnames: hostnames.all.filter((hostname) => hostname !== hostnames.added),
    ...defined({ addedHostname: hostnames.added }),
    versions: {
      package: packageVersion(),
      terraform,
      ...defined({ provider: providerVersion }),
      kit: kitVersions(stack),
      node: process.versions.node,
    },
    provider: options.provider,
    ...run,
    ...faultsOf(options),
  };
}

function faultsOf({ faults: given }: Pick<RehearseOptions, "faults">): Pick<Rehearsed, "faults"> {
  if (given === undefined) return {};
  const { disturbances } = load.rehearsal();
  if (disturbances.some(({ name }) => name === given)) return { faults: { name: given } };
  return { faults: { name: basename(given), sha256: sha256Of(readFileSync(given)) } };
}

/**
 * Returns the versions of the kit that synthesized a stack and of its bindings, from the user's project or beside this
 * package. Empty if the metadata of the stack has no version of an installed kit.
 */
export function kitVersions(
  stack: StackJson | undefined,
  searchIn: readonly string[] = [process.cwd(), __dirname],
): Readonly<Record<string, string>> {
  const { metadata } = (stack?.["//"] ?? {}) as { readonly metadata?: { readonly version?: string } };
  const kit = Object.values(kits).find(
    ({ name }) => metadata?.version !== undefined && versionOf(name, searchIn) === metadata.version,
  );
  if (kit === undefined) return {};
  return Object.fromEntries(
    [kit.name, kit.bindings].flatMap((name) => {
      const version = versionOf(name, searchIn);
      return version === undefined ? [] : [[name, version]];
    }),
  );
}

function versionOf(name: string, searchIn: readonly string[]): string | undefined {
  try {
    const file = require.resolve(`${name}/package.json`, { paths: [...searchIn] });
    return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
  } catch {
    return undefined;
  }
}

function packageVersion(): string {
  const { version } = require("../../../../package.json") as { readonly version: string };
  return version;
}

/** The source of a rehearsal. */
export interface RehearsalSource {
  readonly migration: MigrationOptions;
  /** @default - all steps, rotation and rollback */
  readonly course?: CourseOptions;
  readonly input: RehearsedInput;
  readonly notes: readonly string[];
}
