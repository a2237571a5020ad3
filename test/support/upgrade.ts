import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type GateCall, gateCallOf, type ProgramRun } from "../../lib/gate-call";
import { createHttpClient } from "../../lib/http";
import { fieldsOf, listOf } from "../../lib/json/fields";
import { makeNamedPools } from "../../lib/rehearsal/ca-pools";
import { makeExistingCertificates } from "../../lib/rehearsal/existing-certificates";
import { existingProxiesOf, makeExistingProxies } from "../../lib/rehearsal/existing-proxies";
import { lookupsOf, makeLookedUp } from "../../lib/rehearsal/lookups";
import { withOtherStacks } from "../../lib/rehearsal/other-stacks";
import { createOwnStack } from "../../lib/rehearsal/own-stack";
import { makeWorld, worldOf } from "../../lib/rehearsal/world";
import { openKnownTypes, startTerraformProvider } from "../../lib/terraform-provider";
import { run } from "../providers/run-stacks";
import { startTestCloud } from "./cloud";
import { startLoadBalancerCloud } from "./load-balancer-cloud";
import { makeCertificate } from "./make-certificate";
import { until } from "./until";
import type { Configuration, Synthesized } from "./upgrade-examples";

/** Versions of the provider whose behavior the stand-in has, which differ for the resources of this package. */
export const providerVersions = ["6.50.0", "7.45.0", "8.0.0"] as const;

/** A configuration as Terraform reads it: files by name. */
type Files = Readonly<Record<string, Configuration>>;

type LoadBalancerCloud = Awaited<ReturnType<typeof startLoadBalancerCloud>>;

interface Upgrade {
  /** Output of the plan with this version, after an apply of the previous version. */
  readonly plan: string;
  /** Calls of gates, as the apply of the previous version ran them. */
  readonly formerCalls: readonly GateCall[];
  /** Programs that the plan with this version ran. */
  readonly planned: number;
  /** Calls of gates, as an apply of this version runs them without a state. */
  readonly calls: readonly GateCall[];
}

/**
 * Applies what the previous version synthesized, and plans what this version synthesizes, with real Terraform. Gates
 * run a program that only records its command line and its variables.
 *
 * @param isAnew whether this version is also applied without a state
 */
export async function upgrade(
  former: Synthesized,
  present: Synthesized,
  providerVersion: string,
  isAnew: boolean,
): Promise<readonly Upgrade[]> {
  const pairs = configurationsOf(former).map((one, index) => [one, configurationsOf(present)[index] ?? {}] as const);
  const upgrades: Upgrade[] = [];
  for (const [before, after] of pairs) upgrades.push(await upgradeOne(before, after, providerVersion, isAnew));
  return upgrades;
}

function configurationsOf({ stacks, module, rootBlocks = {} }: Synthesized): readonly Files[] {
  if (module === undefined) return filesOfStacks(stacks);
  const required = Object.entries(fieldsOf(module.variable)).filter(
    ([, variable]) => !("default" in fieldsOf(variable)),
  );
  const names = required.map(([name]) => name);
  const declared = names.map((name) => [name, { type: "string", sensitive: true }]);
  // Terraform refuses an empty object of blocks.
  const variables = declared.length === 0 ? {} : { variable: Object.fromEntries(declared) };
  const values = Object.fromEntries(names.map((name) => [name, `\${var.${name}}`]));
  const root = { ...rootBlocks, module: { module: { source: "./module", ...values } }, ...variables };
  const provider = { google: { project: "my-project" } };
  return [{ "main.tf.json": { ...root, provider }, "module/main.tf.json": withUploaded(module) }];
}

/** Returns the files of each stack. What a stack reads from other stacks exists beforehand, as in a rehearsal. */
function filesOfStacks(stacks: Synthesized["stacks"]): readonly Files[] {
  const known = openKnownTypes();
  const all = new Map(Object.entries(stacks));
  return Object.values(stacks).map((stack) => ({ "cdk.tf.json": withOtherStacks(stack, all, known) }));
}

/** Replaces the literal certificates that a module uploads by one whose private key the test has. */
function withUploaded({ resource, ...module }: Configuration): Configuration {
  const type = "google_certificate_manager_certificate";
  const { [type]: certificates, ...others } = fieldsOf(resource);
  if (certificates === undefined) return { resource, ...module };
  const replaced = Object.entries(fieldsOf(certificates)).map(([name, certificate]) => {
    const { self_managed: given, ...rest } = fieldsOf(certificate);
    const isLiteral = String(fieldsOf(given).pem_certificate ?? "").startsWith("-----BEGIN");
    const self_managed = isLiteral ? { ...fieldsOf(given), pem_certificate: uploaded.certificatePem } : given;
    return [name, given === undefined ? rest : { ...rest, self_managed }];
  });
  return { ...module, resource: { ...others, [type]: Object.fromEntries(replaced) } };
}

async function upgradeOne(before: Files, after: Files, providerVersion: string, isAnew: boolean): Promise<Upgrade> {
  const first = await openFolder(before, providerVersion);
  try {
    await first.apply();
    const formerCalls = first.takeCalls();
    first.write(after);
    const plan = await first.terraform("plan");
    const planned = first.takeCalls().length;
    return { plan, formerCalls, planned, calls: isAnew ? await applyAnew(after, providerVersion) : [] };
  } finally {
    await first.close();
  }
}

async function applyAnew(files: Files, providerVersion: string): Promise<readonly GateCall[]> {
  const folder = await openFolder(files, providerVersion);
  try {
    await folder.apply();
    return folder.takeCalls();
  } finally {
    await folder.close();
  }
}

/**
 * Opens a folder for Terraform, with a cloud that has what the configuration presupposes, and with programs in place of
 * those that gates run.
 */
export async function openFolder(files: Files, providerVersion: string) {
  const path = mkdtempSync(join(tmpdir(), "upgrade-"));
  const closing: (() => unknown)[] = [() => rmSync(path, { recursive: true, force: true })];
  const close = async () => {
    for (const one of closing.reverse()) await one();
  };
  try {
    const cloud = await startCloudFor(files);
    closing.push(() => cloud[Symbol.asyncDispose]());
    const { write, alsoKept } = writerOf(path);
    write(files);
    const provider = await startTerraformProvider({
      cloudUrl: cloud.url,
      behaviorOf: providerVersion,
      alsoKept: alsoKept(files),
    });
    closing.push(() => provider.close());
    await makePresupposed(worldStackOf(files), cloud.url);
    const { folder: programs, takeCalls } = makePrograms(path);
    const environment = {
      ...variables,
      TF_REATTACH_PROVIDERS: provider.reattachConfig,
      PATH: `${programs}${delimiter}${process.env.PATH}`,
    };
    const terraform = (...words: readonly string[]) => run(path, [...words, "-input=false", "-no-color"], environment);
    await terraform("init");
    const apply = async (...words: readonly string[]) => {
      const failure = await terraform("apply", "-auto-approve", ...words).catch((error: Error) => error);
      if (typeof failure === "string") return;
      // The gate 'precondition' stops the first apply of a stack whose records are published manually.
      if (!failure.message.includes("Resource precondition failed")) throw failure;
      await publishRecords(cloud);
      await terraform("apply", "-auto-approve", ...words);
    };
    return { path, write, terraform, apply, takeCalls, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the small cloud, or for private CAs and alerts the whole rehearsal cloud, whose start takes longer. */
async function startCloudFor(files: Files): Promise<Pick<LoadBalancerCloud, "url" | "call"> & AsyncDisposable> {
  const types = /google_(certificate_manager_certificate_issuance_config|monitoring_\w+)/;
  if (!types.test(JSON.stringify(files))) return startLoadBalancerCloud();
  const cloud = await startTestCloud({ speed: 30, behavior: { operationMs: 0 } });
  return {
    url: cloud.endpoints.http,
    call: cloud.call,
    [Symbol.asyncDispose]: () => cloud.stop(),
  };
}

/** Values of the variables of the examples. */
const uploaded = makeCertificate(["legacy.example.org", "partner.example.org"]);
const variables = {
  TF_VAR_legacy_certificate: uploaded.certificatePem,
  TF_VAR_legacy_key: uploaded.privateKeyPem,
  TF_VAR_partner_key: uploaded.privateKeyPem,
};

/** Creates zones, records, proxies and other resources that exist before a migration. */
async function makePresupposed(stack: Configuration, cloudUrl: string): Promise<void> {
  const http = createHttpClient();
  await makeWorld(worldOf(stack), { cloudUrl, http });
  await makeNamedPools(stack, { cloudUrl, http });
  await makeExistingCertificates(stack, { cloudUrl, http });
  await makeNamedMaps(stack, cloudUrl);
  const issue = async (domains: readonly string[]) => {
    const { certificatePem, privateKeyPem } = makeCertificate(domains);
    return { chainPem: certificatePem, privateKeyPem };
  };
  const certificate = await issue(["today.example.com"]);
  await makeLookedUp(lookupsOf(stack), { cloudUrl, http, certificate });
  await makeExistingProxies(existingProxiesOf(stack), { cloudUrl, http, certificate, issue });
}

/** Creates the certificate maps that a stack names by their ids. */
async function makeNamedMaps(stack: Configuration, cloudUrl: string): Promise<void> {
  const ids = JSON.stringify(stack).match(/projects\/[\w-]+\/locations\/global\/certificateMaps\/[\w-]+/g);
  for (const id of new Set(ids)) {
    const [parent, name] = id.split("/certificateMaps/");
    const url = new URL(`/v1/${parent}/certificateMaps?certificateMapId=${name}`, cloudUrl);
    const { status } = await fetch(url, { method: "POST", body: "{}" });
    if (status !== 200) throw new Error(`the map ${id} was not created: HTTP ${status}`);
  }
}

/** Publishes the CNAME record of each authorization, as a person does with another DNS provider. */
async function publishRecords({ call }: Pick<LoadBalancerCloud, "call">): Promise<void> {
  const { body } = await call("GET", "/v1/projects/my-project/locations/global/dnsAuthorizations");
  for (const one of listOf(body.dnsAuthorizations).map(fieldsOf)) {
    const { name, type, data } = fieldsOf(one.dnsResourceRecord);
    const zone = {
      name: `manual-${String(one.domain).replaceAll(".", "-")}`,
      dnsName: `${one.domain}.`,
      description: "",
    };
    await call("POST", "/dns/v1/projects/my-project/managedZones", zone);
    const record = { name, type, ttl: 300, rrdatas: [data] };
    await call("POST", `/dns/v1/projects/my-project/managedZones/${zone.name}/rrsets`, record);
  }
  const listCertificates = () => call("GET", "/v1/projects/my-project/locations/global/certificates");
  await until(listCertificates, (listed) =>
    listOf(listed.body.certificates).every((one) => fieldsOf(fieldsOf(one).managed).state === "ACTIVE"),
  );
}

/** Returns a stack with all blocks of a configuration, whose addresses are those in the module. */
function worldStackOf(files: Files): Configuration {
  const all = Object.assign({ provider: { google: { project: "my-project" } } }, ...Object.values(files));
  return JSON.parse(JSON.stringify(all).replaceAll("module.module.", ""));
}

/** Writes configurations as a rehearsal does, but with their own commands: existing zones are imported. */
function writerOf(path: string) {
  const known = openKnownTypes();
  const adapt = (stack: Configuration) => createOwnStack(stack, { gateCommand: "none", known, env: variables });
  return {
    alsoKept: (files: Files) => Object.values(files).flatMap((file) => adapt(file).alsoKept),
    write: (files: Files) => {
      for (const [name, file] of Object.entries(files)) {
        const isStack = name === "cdk.tf.json";
        if (name.includes("/")) mkdirSync(join(path, name, ".."), { recursive: true });
        const text = JSON.stringify(isStack ? withCommandsOf(file, adapt(file).stack) : file, undefined, 1);
        writeFileSync(join(path, name), text);
      }
    },
  };
}

function withCommandsOf(given: Configuration, stack: Configuration): Configuration {
  const { terraform_data } = fieldsOf(given.resource);
  return {
    ...stack,
    resource: { ...fieldsOf(stack.resource), ...(terraform_data === undefined ? {} : { terraform_data }) },
  };
}

/** Makes programs in place of `npx` and `node`, which record how they are called. */
function makePrograms(path: string) {
  const folder = join(path, "programs");
  const calls = join(path, "calls");
  for (const one of [folder, calls]) mkdirSync(one);
  const script = `#!${process.execPath}
const environment = Object.entries(process.env).filter(([name]) => name.startsWith("CERT_MIGRATION_"));
const call = { command: process.argv.slice(2).join(" "), environment: Object.fromEntries(environment) };
require("node:fs").writeFileSync(${JSON.stringify(calls)} + "/" + process.pid, JSON.stringify(call));
`;
  for (const name of ["npx", "node"]) {
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }
  const takeCalls = (): readonly GateCall[] => {
    const files = readdirSync(calls).map((name) => join(calls, name));
    const texts = files.map((file) => readFileSync(file, "utf8"));
    for (const file of files) rmSync(file);
    return texts.flatMap((text) => gateCallOf(runOf(text)) ?? []).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  };
  return { folder, takeCalls };
}

/** Returns a recorded call as the arguments of a provisioner. */
function runOf(text: string): ProgramRun {
  const { command, environment } = JSON.parse(text) as Required<ProgramRun>;
  return Object.keys(environment).length === 0 ? { command } : { command, environment };
}

function textOf({ verb, environment }: GateCall): string {
  return JSON.stringify([verb, Object.entries(environment).sort()]);
}
