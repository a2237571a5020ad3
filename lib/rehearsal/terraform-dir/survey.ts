import { join } from "node:path";
import { checkPlan, readTerraformPlan } from "../../check-plan";
import { InputError } from "../../errors";
import { parseJson } from "../../json/fields";
import {
  copyModuleFolders,
  type ForeignParts,
  gateNamesIn,
  leftOutParts,
  type ModuleFolder,
  rootPathOf,
} from "../../terraform-folder";
import {
  openKnownTypes,
  recordProviderSources,
  startRecordProviders,
  startTerraformProvider,
} from "../../terraform-provider";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import { startClosedProxy, throughProxy } from "../closed-proxy";
import { isGateAlone, ownGateRun } from "../gate-runs";
import type { Unrehearsed } from "../own-stack";
import type { FolderConfiguration } from "../stage-options";
import { type Protection, Terraform } from "../terraform";
import { lastLines } from "../terraform-output";
import { attachedBy } from "../terraforms";
import { type DescribedStack, describedStackOf } from "./described-stack";
import { foreignProvisioners } from "./plan-provisioners";
import { refusedPartsOf } from "./refused-parts";

interface SurveyOptions {
  /** Folder of the root module; it is only read. */
  readonly root: string;
  /** The root module and all modules that it calls. */
  readonly folders: readonly ModuleFolder[];
  /** Folder in which Terraform plans. */
  readonly workFolder: string;
  readonly gateCommand: string;
  /** `terraform`, `tofu` or a path. */
  readonly terraform: string;
  /** Whether resource types that the cloud lacks are kept in the state only, instead of refused. */
  readonly skips: boolean;
  readonly signal: AbortSignal;
  readonly endSignal: AbortSignal;
}

interface Survey {
  readonly configuration: FolderConfiguration;
  readonly stack: DescribedStack["stack"];
  readonly keptTypes: readonly string[];
  /** Record types of other DNS hosts, which become records of the rehearsal's DNS. */
  readonly replacedTypes: readonly string[];
  /** Addresses of parts of other DNS hosts that the copy does not have. */
  readonly leftOut: readonly string[];
  /** Names of the replaced records that are known before an apply. */
  readonly hostedNames: readonly string[];
  /** Number of replaced records whose names only an apply knows: those of authorizations. */
  readonly pendingRecords: number;
}

/**
 * Plans a copy of a Terraform configuration, and returns what it would create. The plan uses an empty state, a provider
 * that answers every look-up itself, and no network.
 *
 * @throws InputError `rehearsal-unknown` with every part that can't be rehearsed; `terraform-plan-failed`;
 * `created-twice`
 */
export async function surveyFolder(options: SurveyOptions): Promise<Survey> {
  const { root, folders, gateCommand } = options;
  const parts = refusedPartsOf(folders, { root, known: openKnownTypes(), isGate: isGateAlone });
  const { refused, keptTypes, replacedTypes } = parts;
  const foreign = foreignPartsOf(parts.ofHosts);
  const left = folders.map((folder) => leftOutParts(folder, foreign));
  refuseParts([
    ...refused,
    ...(options.skips
      ? left.flatMap(({ used }) =>
          used.map(({ address, file }) => ({ address, what: `used in ${file}, so that it can't be left out` })),
        )
      : [...keptTypes.map((type) => ({ address: type, what: keptOnly })), ...parts.ofHosts]),
  ]);
  const gateNames = new Set(folders.flatMap(({ files }) => files.flatMap(({ json }) => gateNamesIn(json ?? {}))));
  const rootPath = rootPathOf(folders, root);
  const copyTo = (folder: string, { isProtected }: Protection) =>
    copyModuleFolders(folders, root, folder, {
      isProtected,
      foreign,
      gateRunOf: (run) => ownGateRun(run, gateCommand) ?? run,
    });
  const { plan, described } = await planCopy(options, { rootPath, copyTo }, keptTypes);
  refuseParts(foreignProvisioners(described, { names: gateNames, gateCommand }));
  refuseCreatedTwice(plan, root);
  const { stack, addresses, hostedNames, pendingRecords } = describedStackOf(described);
  return {
    stack,
    keptTypes,
    replacedTypes,
    hostedNames,
    pendingRecords,
    leftOut: left.flatMap(({ leftOut }) => leftOut),
    configuration: { rootPath, copyTo, addresses },
  };
}

/** Plans a copy with an empty state. @returns the plan as JSON text and as data */
async function planCopy(
  { root, workFolder, terraform, signal, endSignal }: SurveyOptions,
  { rootPath, copyTo }: Pick<FolderConfiguration, "rootPath" | "copyTo">,
  keptTypes: readonly string[],
): Promise<{ readonly plan: string; readonly described: Readonly<Record<string, unknown>> }> {
  const provider = await startTerraformProvider({
    cloudUrl: "http://127.0.0.1:1/",
    alsoKept: keptTypes,
    isSurvey: true,
  });
  const hosts = await startRecordProviders(undefined);
  const proxy = await startClosedProxy(() => undefined);
  let plan: string | undefined;
  try {
    const runner = new Terraform({
      program: terraform,
      folder: join(workFolder, rootPath),
      signals: { interrupt: signal, kill: endSignal },
      configuration: { copy: (protection) => copyTo(workFolder, protection) },
      provider: { env: { ...offline(proxy.url), TF_REATTACH_PROVIDERS: attachedBy(provider, hosts) }, strict: false },
      observers: {
        keepFile: (name, text) => {
          if (name.startsWith("plans/")) plan = text;
        },
      },
    });
    await runner.write({});
    const { exitCode, output } = await runner.plan();
    signal.throwIfAborted();
    const parsed = plan === undefined ? undefined : parseJson(plan);
    if (exitCode === 1 || plan === undefined || parsed === undefined) {
      throw new InputError(
        "terraform-plan-failed",
        `${quote(terraform)} plan failed in a copy of ${quote(root)}: ${lastLines(output)}`,
      );
    }
    return { plan, described: parsed as Readonly<Record<string, unknown>> };
  } finally {
    await Promise.all([provider.close(), hosts.close(), proxy.close()]);
  }
}

/** Returns what the copy leaves out: arguments of the providers, and the parts that are not records. */
function foreignPartsOf(others: readonly { readonly address: string }[]): ForeignParts {
  const types = new Set(others.map(({ address }) => address.replace(/^data\./, "").split(".")[0] ?? ""));
  return { emptied: new Set(Object.keys(recordProviderSources)), isLeftOut: (type) => types.has(type) };
}

/** Refuses a plan by the rule of check-plan whose applies would fail, and leave resources of one instance only. */
function refuseCreatedTwice(plan: string, root: string): void {
  const { dangers } = checkPlan(readTerraformPlan(plan, root));
  const [first, ...furtherDangers] = dangers.filter(({ code }) => code === "created-twice");
  if (first === undefined) return;
  const more = furtherDangers.length === 0 ? "" : ` (and ${countOf(furtherDangers.length, "more resource")})`;
  throw new InputError("created-twice", `${first.subject}: ${first.message}${more}; ${first.remedy}`);
}

/** Environment in which neither `terraform init` nor `git` reaches another machine. */
function offline(proxy: string): Readonly<Record<string, string>> {
  return { ...throughProxy(proxy), GIT_ALLOW_PROTOCOL: "none" };
}

const keptOnly =
  "a type of a service that the rehearsal cloud does not have; --skip-unknown keeps it in the state only";

function refuseParts(parts: readonly (Unrehearsed & { readonly at?: string })[]): void {
  if (parts.length === 0) return;
  throw new InputError(
    parts.map(({ address, what, at }) => ({
      code: "rehearsal-unknown",
      message: `${at === undefined ? "" : `${at}: `}${address} is ${what}; a rehearsal of a folder runs the folder unchanged, so move this part to another configuration, or rehearse the migration with --spec`,
    })),
  );
}
