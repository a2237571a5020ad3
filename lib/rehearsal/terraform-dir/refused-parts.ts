import { join, normalize, relative, resolve } from "node:path";
import type { ProgramRun } from "../../gate-call";
import {
  countsOverCopy,
  foreignLinksIn,
  installedModulesIn,
  isInstalledListUnclear,
  isLocal,
  type ModuleFolder,
  provisionersIn,
} from "../../terraform-folder";
import { hostedRecordTypes, type KnownTypes, recordProviderSources, zoneLookups } from "../../terraform-provider";
import { quote } from "../../text/quote";
import type { Unrehearsed } from "../own-stack";
import { googleProviders, isGoogleProvider } from "../stack";

/** A part of a configuration that a rehearsal can't run, with its place. */
export interface RefusedPart extends Unrehearsed {
  /** File, relative to the root module, and line, for example `main.tf:12`. */
  readonly at: string;
}

interface Judging {
  /** Folder of the root module. */
  readonly root: string;
  readonly known: KnownTypes;
  /** Returns whether a command with its variables is a gate of this package and nothing else. */
  readonly isGate: (run: ProgramRun) => boolean;
}

/** Parts of DNS hosts other than Google Cloud. */
interface HostParts {
  /** Types whose resources become records of the rehearsal's DNS. */
  readonly replacedTypes: Set<string>;
  /** Further resources and look-ups, which can only be left out. */
  readonly others: RefusedPart[];
}

type ConfigurationFile = ModuleFolder["files"][number];

/**
 * Returns the parts of a configuration that a rehearsal can't run. Nothing is run to find them: a plan would already
 * start data sources of other providers.
 *
 * @returns `refused`: parts that would reach outside of this machine, or that the stand-in lacks; `keptTypes`: resource
 * types that only the state can keep, with `--skip-unknown`; `replacedTypes`: types of records of other DNS hosts,
 * which become records of the rehearsal's DNS; `ofHosts`: further parts of these providers
 */
export function refusedPartsOf(folders: readonly ModuleFolder[], judging: Judging) {
  const { root } = judging;
  const installed = installedModulesIn(root);
  const refused = new Map<string, RefusedPart>();
  const kept = new Set<string>();
  const hosts: HostParts = { replacedTypes: new Set(), others: [] };
  const refuseAt = (at: string, address: string, what: string) => {
    if (!refused.has(address)) refused.set(address, { address, what, at });
  };
  for (const link of foreignLinksIn(folders, root)) {
    const name = relative(root, link);
    refuseAt(name, `the link ${quote(name)}`, "to a place outside of the configuration");
  }
  if (isInstalledListUnclear(root)) {
    refuseAt(moduleList, "the list of installed modules", "not in the form that 'terraform init' writes");
  }
  for (const { source, folder } of installed) {
    const isElsewhere = !isLocal(source) && !/^\.terraform[\\/]modules[\\/]/.test(normalize(folder));
    if (isElsewhere) refuseAt(moduleList, `the folder ${quote(folder)}`, "no folder of installed modules");
  }
  for (const { path, files } of folders) {
    for (const file of files) {
      const name = relative(root, join(path, file.name));
      const refuse = (line: number, address: string, what: string) => refuseAt(`${name}:${line}`, address, what);
      judgeSources(
        file,
        installed.map(({ source }) => source),
        refuse,
      );
      judgeBlocks(file, judging.known, refuse, { kept, hosts, name });
      judgeCommands(file, judging.isGate, refuse);
      for (const { text = "", line } of file.providers.chosen) {
        if (!isGoogleProvider(text) && text !== "terraform" && !isRecordProvider(text))
          refuse(line, `provider ${quote(text)}`, "another provider");
      }
      if (file.unclearLine !== undefined) {
        const [part, what] =
          file.json === undefined ? ["an expression", unclearExpression] : ["a repeated key", repeatedKey];
        refuse(file.unclearLine, `${part} in ${name}`, what);
      }
      if (file.isMalformed) refuse(1, name, "a file that is not a JSON object");
      const isLast = path === resolve(root) && countsOverCopy(file.name);
      if (isLast) refuse(1, name, "a file that Terraform merges after the file by which the copy replaces the backend");
    }
  }
  return {
    refused: [...refused.values()],
    keptTypes: [...kept].sort(),
    replacedTypes: [...hosts.replacedTypes].sort(),
    ofHosts: hosts.others,
  };
}

const moduleList = join(".terraform", "modules", "modules.json");

function judgeSources(
  { name, providers, modules }: ConfigurationFile,
  installed: readonly string[],
  refuse: Refuse,
): void {
  for (const { text, line } of providers.sources) {
    if (text === undefined) refuse(line, `a provider in ${name}`, computedSource);
    else if (!isGoogleSource(text) && !isRecordSource(text)) refuse(line, text, "another provider");
  }
  for (const { text, line } of modules.sources) {
    if (text === undefined) refuse(line, `a module call in ${name}`, computedSource);
    else if (isElsewhere(text)) refuse(line, `module source ${quote(text)}`, "a folder with an absolute path");
    else if (!isLocal(text) && !installed.some((installedSource) => bareSource(installedSource) === bareSource(text))) {
      refuse(line, `module source ${quote(text)}`, "a module that 'terraform init' has not installed in the folder");
    }
  }
}

/** Returns a source without the parts that Terraform adds when it installs the module. */
function bareSource(source: string): string {
  return source
    .replace(/^registry\.(?:terraform\.io|opentofu\.org)\//, "")
    .replace(/^(?:git::)?(?:https:\/\/|ssh:\/\/git@|git@)?(github\.com|bitbucket\.org|gitlab\.com)[/:]/, "$1/")
    .replace(/\.git(?=$|\/\/|\?)/, "");
}

interface Found {
  readonly kept: Set<string>;
  readonly hosts: HostParts;
  /** Path of the file, relative to the root module. */
  readonly name: string;
}

function judgeBlocks(
  { name, json, blocks }: ConfigurationFile,
  known: KnownTypes,
  refuse: Refuse,
  { kept, hosts, name: path }: Found,
): void {
  for (const { type, labels, line } of blocks) {
    const [kind = ""] = labels;
    if (isOfRecordProvider(type, kind)) {
      judgeHostBlock(type, labels, `${path}:${line}`, hosts);
      continue;
    }
    const refuseHere = (address: string, what: string) => refuse(line, address, what);
    if (type === "provider" && !isGoogleProvider(kind)) refuseHere(`provider.${kind}`, "another provider");
    if (type === "resource") judgeResource(kind, known, refuseHere, kept);
    if (type === "data" || type === "ephemeral") judgeData(type, kind, known, refuseHere);
    if (type === "action" && labels.length === 2) refuseHere(`action.${kind}`, "an action of a provider");
    if (type === "provisioner" && json === undefined) refuseHere(`provisioner ${quote(kind)} in ${name}`, ownCommand);
  }
}

/** Returns whether a block belongs to the provider of a DNS host that the rehearsal knows. */
function isOfRecordProvider(type: string, kind: string): boolean {
  if (type === "provider") return isRecordProvider(kind);
  return (type === "resource" || type === "data") && isRecordProvider(kind.split("_")[0] ?? "");
}

function judgeHostBlock(type: string, [kind = "", name = ""]: readonly string[], at: string, hosts: HostParts): void {
  if (type === "provider" || (type === "data" && Object.hasOwn(zoneLookups, kind))) return;
  if (type === "resource" && Object.hasOwn(hostedRecordTypes, kind)) hosts.replacedTypes.add(kind);
  else {
    const address = `${type === "data" ? "data." : ""}${kind}.${name}`;
    const what = type === "data" ? "a look-up of a DNS host" : "a resource of a DNS host that is not a record";
    hosts.others.push({ at, address, what: `${what}; --skip-unknown leaves it out` });
  }
}

function judgeCommands({ name, json, blocks }: ConfigurationFile, isGate: Judging["isGate"], refuse: Refuse): void {
  const { gateRuns, others: otherProvisioners } = provisionersIn(json ?? {});
  const line = blocks.find(({ type }) => type === "provisioner")?.line ?? 1;
  for (const run of gateRuns) {
    if (!isGate(run)) refuse(line, `${quote(run.command)} in ${name}`, "a command that is not a gate of this package");
  }
  for (const kind of otherProvisioners) refuse(line, `provisioner ${quote(kind)} in ${name}`, ownCommand);
}

const computedSource = "a part whose source is not a plain string, so that it can't be read beforehand";
const unclearExpression =
  "an expression over several lines in a heredoc, or with a comment in a string, so that it can't be read beforehand";
const repeatedKey = "a second value of the same key, which Terraform reads as a further block";
const ownCommand = "a command of your own; only gates of generated modules run";

type Refuse = (line: number, address: string, what: string) => void;
type RefuseHere = (address: string, what: string) => void;

function judgeResource(type: string, known: KnownTypes, refuse: RefuseHere, kept: Set<string>): void {
  if (type === "terraform_data") return;
  if (!type.startsWith("google_")) refuse(type, "a resource of another provider");
  else if (known.resource(type) === "unknown") refuse(type, "a resource that the stand-in does not know");
  else if (known.resource(type) === "bindings") kept.add(type);
}

function judgeData(block: string, type: string, known: KnownTypes, refuse: RefuseHere): void {
  const address = `${block}.${type}`;
  if (type === "external") refuse(address, "a program that the plan would run");
  else if (type === "terraform_remote_state") refuse(address, "the state of another configuration");
  else if (!type.startsWith("google_")) refuse(address, "a look-up of another provider");
  else if (block !== "data" || !known.hasDataSource(type)) refuse(address, "a look-up that the stand-in does not know");
}

function isGoogleSource(source: string): boolean {
  return isSourceOf(
    source,
    googleProviders.map((googleProvider) => `hashicorp/${googleProvider}`),
  );
}

function isRecordSource(source: string): boolean {
  return isSourceOf(source, Object.values(recordProviderSources));
}

function isSourceOf(source: string, known: readonly string[]): boolean {
  return known.some((name) =>
    ["", "registry.terraform.io/", "registry.opentofu.org/"].some((host) => source === `${host}${name}`),
  );
}

/** @param name local name of a provider */
function isRecordProvider(name: string): boolean {
  return Object.hasOwn(recordProviderSources, name);
}

/** Terraform itself installs such a module, without the network. */
function isElsewhere(source: string): boolean {
  return /^(?:file:|[\\/~]|[A-Za-z]:[\\/])/.test(source);
}
