import { type ModuleFolder, provisionersIn } from "../../terraform-folder";
import type { KnownTypes } from "../../terraform-provider";
import { quote } from "../../text/quote";
import type { Unrehearsed } from "../own-stack";
import { googleProviders, isGoogleProvider } from "../stack";

/**
 * Returns the parts of a configuration that a rehearsal can't run. Nothing is run to find them: a plan would already
 * start data sources of other providers.
 *
 * @param isGate whether a command is a gate of this package and nothing else
 * @returns `refused`: parts that would reach outside of this machine, or that the stand-in lacks; `keptTypes`: resource
 * types that only the state can keep, with `--skip-unknown`
 */
export function refusedPartsOf(
  folders: readonly ModuleFolder[],
  known: KnownTypes,
  isGate: (command: string) => boolean,
) {
  const refused = new Map<string, string>();
  const kept = new Set<string>();
  const refuse = (address: string, what: string) => void refused.set(address, what);
  for (const { files } of folders) {
    for (const { name, blocks, json, moduleSources, providerSources } of files) {
      for (const source of providerSources) {
        if (source === undefined) refuse(`a provider in ${name}`, computedSource);
        else if (!isGoogleSource(source)) refuse(source, "another provider");
      }
      for (const source of moduleSources) {
        if (source === undefined) refuse(`a module call in ${name}`, computedSource);
        else if (isElsewhere(source)) refuse(`module source ${quote(source)}`, "a folder with an absolute path");
      }
      for (const { type, labels } of blocks) {
        const [kind = ""] = labels;
        if (type === "provider" && !isGoogleProvider(kind)) refuse(`provider.${kind}`, "another provider");
        if (type === "resource") judgeResource(kind, known, refuse, kept);
        if (type === "data" || type === "ephemeral") judgeData(type, kind, known, refuse);
        if (type === "provisioner" && json === undefined) {
          refuse(`provisioner ${quote(kind)} in ${name}`, ownCommand);
        }
      }
      const { gateCommands, others } = provisionersIn(json ?? {});
      for (const command of gateCommands) {
        if (!isGate(command)) refuse(`${quote(command)} in ${name}`, "a command that is not a gate of this package");
      }
      for (const kind of others) refuse(`provisioner ${quote(kind)} in ${name}`, ownCommand);
    }
  }
  const parts = [...refused].map(([address, what]): Unrehearsed => ({ address, what }));
  return { refused: parts, keptTypes: [...kept].sort() };
}

const computedSource = "a part whose source is not a plain string, so that it can't be read beforehand";
const ownCommand = "a command of your own; only gates of generated modules run";

type Refuse = (address: string, what: string) => void;

function judgeResource(type: string, known: KnownTypes, refuse: Refuse, kept: Set<string>): void {
  if (type === "terraform_data") return;
  if (!type.startsWith("google_")) refuse(type, "a resource of another provider");
  else if (known.resource(type) === "unknown") refuse(type, "a resource that the stand-in does not know");
  else if (known.resource(type) === "bindings") kept.add(type);
}

function judgeData(block: string, type: string, known: KnownTypes, refuse: Refuse): void {
  const address = `${block}.${type}`;
  if (type === "external") refuse(address, "a program that the plan would run");
  else if (type === "terraform_remote_state") refuse(address, "the state of another configuration");
  else if (!type.startsWith("google_")) refuse(address, "a look-up of another provider");
  else if (block !== "data" || !known.hasDataSource(type)) refuse(address, "a look-up that the stand-in does not know");
}

function isGoogleSource(source: string): boolean {
  return googleProviders.some((own) =>
    ["", "registry.terraform.io/", "registry.opentofu.org/"].some((host) => source === `${host}hashicorp/${own}`),
  );
}

/** Terraform itself installs such a module, without the network. */
function isElsewhere(source: string): boolean {
  return /^(?:file:|[\\/~]|[A-Za-z]:[\\/])/.test(source);
}
