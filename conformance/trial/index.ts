import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findTerraform } from "../../lib/rehearsal/find-terraform";
import { startPreviousProvider } from "../../lib/rehearsal/previous-provider";
import { inheritedEnvironment } from "../../lib/rehearsal/terraform";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { costsOf } from "../costs";
import type { Identity } from "../normalize";
import { permissionsOf } from "../permissions";
import type { RehearsalSide } from "../rehearsal-side";
import type { Side } from "../side";
import { starter } from "./programs";
import { runTrial, type TrialParts, trialHostname } from "./trial";

/** What both sides of a trial take from the command line and the process. */
export interface TrialOptions {
  /** Folder in which the folder of the trial is made. */
  readonly folder: string;
  readonly previousAddress?: string | undefined;
  readonly signal: AbortSignal;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Words that start `cert-migration`. @default - the sources of the repository, by tsx */
  readonly command?: readonly string[];
}

const root = join(__dirname, "..", "..");
const sources = [
  process.execPath,
  join(root, "node_modules", "tsx", "dist", "cli.mjs"),
  join(root, "lib", "cli", "main.ts"),
];

/** Migrates one hostname on Google Cloud, with the google provider that Terraform installs. */
export function tryOnGoogle(side: Side, options: TrialOptions): Promise<boolean> {
  const parts = partsOf(side, options, { ...withoutPlaces(process.env), TF_INPUT: "0" });
  // Ten minutes without a failure, as in a change window.
  return runTrial({ ...parts, watchSettings: ["--every", "5s"], watchOptions: ["--for", "10m", "--within", "90m"] });
}

/**
 * Migrates one hostname in the rehearsal cloud, whose clock has to run, with the stand-in for the provider. A server of
 * this machine answers at the previous address.
 */
export async function tryOnRehearsal({ side, cloud }: RehearsalSide, options: TrialOptions): Promise<boolean> {
  const { http, dns, control } = cloud.endpoints;
  const { folder, previousAddress } = options;
  mkdirSync(folder, { recursive: true });
  const inFolder = (name: string, text: string) => {
    const path = resolve(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const previous = previousAddress === undefined ? undefined : await startPreviousProvider([trialHostname(side)]);
  const provider = await startTerraformProvider({ cloudUrl: http });
  try {
    const parts = partsOf(side, options, {
      ...inheritedEnvironment(process.env),
      CHECKPOINT_DISABLE: "1",
      TF_CLI_CONFIG_FILE: inFolder("none.tfrc", ""),
      TF_INPUT: "0",
      TF_REATTACH_PROVIDERS: provider.reattachConfig,
      CERT_MIGRATION_ENDPOINT: http,
      CERT_MIGRATION_REHEARSAL: control,
      ...(previous === undefined || previousAddress === undefined
        ? {}
        : {
            CERT_MIGRATION_REHEARSAL_PREVIOUS: `${previous.endpoint.address}:${previous.endpoint.port},${previousAddress}`,
            CERT_MIGRATION_REHEARSAL_TRUSTED: inFolder("previous-roots.pem", previous.trustBundlePem),
          }),
      npm_config_offline: "true",
    });
    return await runTrial({
      ...parts,
      dnsServer: dns,
      watchSettings: ["--every", "200ms"],
      watchOptions: ["--for", "3s", "--within", "5m"],
    });
  } finally {
    await provider.close();
    await previous?.close();
  }
}

/** Leaves out variables with which Terraform would use another folder, workspace or other arguments. */
function withoutPlaces(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isPlace = (name: string) => /^TF_(?:DATA_DIR|WORKSPACE|CLI_ARGS)/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isPlace(name)));
}

function partsOf(
  side: Side,
  options: TrialOptions,
  env: NodeJS.ProcessEnv,
): Omit<TrialParts, "watchSettings" | "watchOptions"> {
  const { previousAddress, signal, out, err } = options;
  const folder = resolve(options.folder, `${side.prefix}-trial`);
  // The prefix of a rehearsal is always the same; a trial on Google Cloud has its own folder.
  if (side.kind === "rehearsal") rmSync(folder, { recursive: true, force: true });
  mkdirSync(options.folder, { recursive: true });
  mkdirSync(folder);
  return {
    side,
    folder,
    previousAddress,
    command: options.command ?? sources,
    terraform: findTerraform(undefined, process.env.PATH ?? ""),
    start: starter({ folder, env, signal, err }),
    signal,
    out,
  };
}

/** Collections of Google's APIs in which a trial creates something, with the number of resources. */
const created: Readonly<Record<string, number>> = {
  "compute.globalAddresses": 1,
  "compute.urlMaps": 1,
  "compute.targetHttpsProxies": 1,
  "compute.globalForwardingRules": 1,
  "certificatemanager.projects.locations.dnsAuthorizations": 1,
  "certificatemanager.projects.locations.certificates": 1,
  "certificatemanager.projects.locations.certificateMaps": 1,
  "certificatemanager.projects.locations.certificateMaps.certificateMapEntries": 1,
  "dns.resourceRecordSets": 2,
};

/** Requests of the suite itself: to check the zone, and for the record of a previous provider. */
const further = ["dns.managedZones.get", "dns.changes.create", "dns.changes.get"];

/** Returns what a trial creates, costs, takes and needs. */
export function trialAnnouncement({ project, zone, prefix, domain }: Identity, limitMs: number): string {
  const creating = (name: string) => `${name}.${/^compute/.test(name) ? "insert" : "create"}`;
  const ofKinds = Object.keys(created).flatMap((name) => [creating(name), `${name}.get`, `${name}.delete`]);
  const methods = [...ofKinds, ...further];
  return [
    `A trial migrates ${prefix}-trial.${prefix}.${domain} in project ${project}, zone ${zone}, with Terraform: it deploys,`,
    "moves traffic, with --previous also rolls back and moves it again, and destroys everything. Everything else stays",
    "untouched.",
    "",
    "Creates, and deletes at the end:",
    ...Object.entries(created).map(([name, count]) => `  ${count} ${name}`),
    "",
    "Costs:",
    ...costsOf(Object.keys(created)).map((line) => `  ${line}`),
    "",
    "Takes 30 to 90 minutes: the certificate is issued within minutes, at most an hour, and traffic is watched for",
    `ten minutes after the move. After ${limitMs / 60_000} minutes, the trial stops and deletes.`,
    "",
    "Needs these permissions, and those to list and update the same resources:",
    ...permissionsOf(methods).map((permission) => `  ${permission}`),
    "",
    "",
  ].join("\n");
}
