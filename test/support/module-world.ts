/** A module of `synth`, its root module, the rehearsal cloud, and Terraform with the stand-in or the real provider. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cloud, startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import type { Closing } from "../../lib/rehearsal/closing";
import { connectRealProvider, realOperationTimes } from "../../lib/rehearsal/real-provider";
import { inheritedEnvironment } from "../../lib/rehearsal/terraform";
import { makeWorld } from "../../lib/rehearsal/world";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { installGate } from "../rehearsal/gate-command";
import { installationSettings, versionsIn } from "../rehearsal/provider-mirror";
import { runCli } from "./io";
import { runLine } from "./terraform-page";

export const project = "shop-project";
/** The stand-in, and each version of the real provider that can be had. */
const mirror = process.env.CERT_MIGRATION_PROVIDER_MIRROR ?? "";
export const providers = ["stand-in", ...(mirror === "" ? [] : versionsIn(mirror))];

interface Variable {
  readonly ephemeral?: boolean;
  readonly sensitive?: boolean;
}

export interface World {
  readonly cloud: Cloud;
  readonly folder: string;
  readonly path: (name: string) => string;
  /** Runs Terraform, and fails if it fails. */
  readonly terraform: (line: string) => Promise<string>;
  /** Runs a line of a shell in the folder of the root module, and fails if it fails. */
  readonly shell: (line: string, variables?: Readonly<Record<string, string>>) => Promise<string>;
  /** Writes the module with the blocks of the root module. @returns what `synth` printed to stderr */
  readonly synthesize: (spec: string, ...more: readonly string[]) => Promise<string>;
  /** Returns the PEM of each certificate at Google. */
  readonly certificatePems: () => Promise<readonly string[]>;
  /** Returns the methods that changed something at Google since the last call. */
  readonly changes: () => readonly string[];
}

/**
 * @param gateCommand command line of the program of gates
 * @param values values of the variables of the module
 */
export async function openWorld(
  provider: string,
  {
    closing,
    gateCommand,
    values,
  }: {
    readonly closing: Closing;
    readonly gateCommand: string;
    readonly values: () => Readonly<Record<string, string>>;
  },
): Promise<World> {
  const isReal = provider !== "stand-in";
  let hasBegun = false;
  const operationMs = realOperationTimes(() => hasBegun, 60);
  const cloud = await startCloud({
    speed: 60,
    behavior: { propagationMs: 0, ...(isReal ? { operationMs } : {}) },
    servers: { https: isReal },
  });
  closing.add(() => cloud.stop());
  const folder = mkdtempSync(join(tmpdir(), "lost-state-"));
  closing.add(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  const zones = ["example.com", "example.net"].map((domain) => ({
    project,
    name: domain.replace(".", "-"),
    dnsName: `${domain}.`,
  }));
  const world = { zones, records: [], urlMaps: [{ project, name: "web" }], services: [], policies: [] };
  await makeWorld(world, { cloudUrl: cloud.endpoints.http, http: createHttpClient() });
  hasBegun = true;
  installGate(gateCommand, path("node_modules/.bin"));
  const settings = path("settings.tfrc");
  writeFileSync(settings, isReal ? installationSettings(mirror) : "");
  const connection = isReal ? await connectRealProvider(cloud, { folder, say: () => {}, closing }) : undefined;
  const standIn = isReal ? undefined : await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  closing.add(() => standIn?.close());
  const env = {
    ...inheritedEnvironment(process.env),
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: settings,
    TF_INPUT: "0",
    ...connection?.environment,
    ...(standIn === undefined ? {} : { TF_REATTACH_PROVIDERS: standIn.reattachConfig }),
    CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
    CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
    npm_config_offline: "true",
  };
  const shell: World["shell"] = async (line, variables = {}) => {
    const { exitCode, output } = await runLine(line, folder, { ...env, ...variables });
    if (exitCode !== 0) throw new Error(`${line} ended with ${exitCode}\n${output}`);
    return output;
  };
  let seen = 0;
  return {
    cloud,
    folder,
    path,
    terraform: (line) => shell(`terraform ${line} -no-color`),
    shell,
    synthesize: async (spec, ...more) => {
      writeFileSync(path("migration.yaml"), spec);
      const words = ["synth", "--spec", path("migration.yaml"), "--out", path("certificates")];
      const { exitCode, stderr } = await runCli([...words, "--root-blocks", path("imports.tf.json"), ...more]);
      if (exitCode !== 0) throw new Error(stderr);
      const version = isReal ? { version: provider } : {};
      const module = JSON.parse(readFileSync(path("certificates/main.tf.json"), "utf8"));
      const declared = Object.entries((module.variable ?? {}) as Readonly<Record<string, Variable>>);
      const given: Readonly<Record<string, string>> = { project, ...values() };
      const blocks = Object.fromEntries(
        declared.map(([name, { ephemeral, sensitive }]) => [name, { default: given[name], ephemeral, sensitive }]),
      );
      const root = {
        terraform: { required_providers: { google: { source: "hashicorp/google", ...version } } },
        provider: { google: { project, ...connection?.providerArguments } },
        // Terraform refuses an empty `variable` object.
        ...(declared.length === 0 ? {} : { variable: blocks }),
        module: {
          certificates: {
            source: "./certificates",
            ...Object.fromEntries(declared.map(([name]) => [name, `\${var.${name}}`])),
          },
        },
      };
      writeFileSync(path("main.tf.json"), JSON.stringify(root));
      return stderr;
    },
    certificatePems: async () => {
      const response = await fetch(`${cloud.endpoints.http}v1/projects/${project}/locations/global/certificates`);
      const { certificates } = (await response.json()) as {
        readonly certificates: readonly { readonly pemCertificate: string }[];
      };
      return certificates.map(({ pemCertificate }) => pemCertificate.replace(/\r/g, "").trim());
    },
    changes: () => {
      const all = cloud.requests().map(({ method }) => method ?? "unknown");
      const made = all.slice(seen).filter((method) => !/\.(?:get|list|wait)$/.test(method));
      seen = all.length;
      return made;
    },
  };
}
