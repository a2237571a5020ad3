/** Describes what a rehearsal ran, for its report. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { RehearsalOptions, RehearsalResult } from "../../../rehearsal";
import type { SourceMigration } from "../../../source";
import type { Invocation } from "../../command";

/** The input of a rehearsal. */
export interface RehearsedInput {
  readonly kind: "spec" | "certificates" | "stack" | "app" | "terraform-dir";
  /** File, folder or command as the user wrote it. */
  readonly name: string;
  /**
   * SHA-256 in hexadecimal: of the file of a spec or stack; of the spec as JSON that was generated from certificates;
   * of the first stack that an app synthesized; of the generated modules of a Terraform folder as JSON.
   */
  readonly sha256: string;
  readonly migrations: readonly RehearsedMigration[];
}

export interface RehearsedMigration {
  readonly name: string;
  /** Google Cloud project, if the input contains it. */
  readonly project?: string;
  readonly certificates: readonly {
    readonly name: string;
    readonly kind: string;
    readonly domains: readonly string[];
  }[];
}

/** What was rehearsed, with which versions and faults. */
export interface Rehearsed {
  readonly input: RehearsedInput;
  readonly hostnames: readonly string[];
  /** Hostname that the rehearsal adds after the eight steps. */
  readonly addedHostname?: string;
  readonly versions: {
    readonly package: string;
    readonly terraform: { readonly program: string; readonly version: string };
    /** Version of the google provider: that of the bindings for the stand-in, the installed version otherwise. */
    readonly provider?: string;
    /** Installed packages for synthesis by name, for example `cdktf`. */
    readonly kit: Readonly<Record<string, string>>;
    readonly node: string;
  };
  readonly provider: "stand-in" | "real";
  readonly speed: number;
  /** Injected faults: name of a scenario, or file with its SHA-256; absent without faults. */
  readonly faults?: { readonly name: string; readonly sha256?: string };
  /** Machine's time, RFC 3339. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Kept evidence; absent without `--evidence`. */
  readonly evidence?: {
    readonly folder: string;
    /** SHA-256 of the file of digests, in hexadecimal. */
    readonly manifestSha256: string;
  };
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns the migrations of a stack, with the projects in the ids of their resources. */
export function rehearsedMigrations(migrations: readonly SourceMigration[]): readonly RehearsedMigration[] {
  return migrations.map(({ name, certificates, map }) => {
    const own = /^projects\/([^/]+)\//.exec(map?.id ?? certificates[0]?.id ?? "")?.[1];
    return {
      name,
      ...(own === undefined ? {} : { project: own }),
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
    ...(addedHostname === undefined ? {} : { addedHostname }),
    versions: {
      package: packageVersion(),
      terraform,
      ...(providerVersion === undefined ? {} : { provider: providerVersion }),
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
