import { join, relative } from "node:path";
import { InputError } from "../../../errors";
import type { CourseOptions, ServingProxy, StackJson } from "../../../rehearsal";
import type { SourceMigration } from "../../../source";
import type { ModuleFolder } from "../../../terraform-folder";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import * as load from "../../load";
import type { WorkFolder } from "./folders";
import { migrationSummary, rehearsalAsItStands } from "./own-stack";
import { type RehearsalSource, rehearsedMigrations, sha256Of } from "./rehearsed";

export interface TerraformDirOptions {
  readonly gateCommand: string;
  /** Whether resource types that the cloud lacks are kept in the state only. */
  readonly skips: boolean;
  readonly isReal: boolean;
  /** `terraform`, `tofu` or a path. */
  readonly terraform: string;
  readonly io: Io;
}

/** Reads a root module, which is rehearsed unchanged in a copy: neither its backend nor its state is used. */
export async function readTerraformDir(
  root: string,
  { gateCommand, skips, isReal, terraform, io }: TerraformDirOptions,
  work: WorkFolder,
): Promise<RehearsalSource> {
  const { readModuleFolders } = load.terraformFolder();
  const { servingProxiesOf, surveyFolder, withoutCreatedServing } = load.rehearsal();
  const { sourceFromStack } = load.source();
  if (isReal) {
    throw new InputError(
      "rehearsal-source",
      "--terraform-dir uses the stand-in for the provider; leave out --provider real",
    );
  }
  const modules = generatedModulesOf(root);
  const migrations = modules.flatMap(({ json, file }) => sourceFromStack(JSON.stringify(json), file).migrations);
  const folders = readModuleFolders(root);
  const workFolder = join(work.path, "survey");
  const { signal } = io;
  const { endSignal } = work;
  const survey = await surveyFolder({ root, folders, workFolder, gateCommand, terraform, skips, signal, endSignal });
  const { configuration, keptTypes, replacedTypes, leftOut } = survey;
  const { stack, created } = withoutCreatedServing({ ...survey.stack, output: outputOf(modules[0]?.json) });
  const serving = servingProxiesOf(stack);
  const withoutVariants = rehearsalAsItStands(migrations);
  return {
    input: {
      kind: "terraform-dir",
      name: root,
      sha256: sha256Of(JSON.stringify(modules.map(({ json }) => json))),
      migrations: rehearsedMigrations(migrations),
    },
    migration: {
      synthesize: () => stack,
      configuration,
      ...withoutVariants.migration,
      // Records of other DNS hosts are published by Terraform, and not by the operator.
      publishes: withoutVariants.migration.publishes && survey.pendingRecords === 0,
      hasRecordHosts: replacedTypes.length > 0,
      alsoKept: keptTypes,
    },
    course: {
      ...withoutVariants.course,
      ...(withoutVariants.course.order === "certificates alone" || serving.length > 0 ? {} : manualStepOf(stack)),
    },
    notes: [
      `${root}: ${countOf(withoutVariants.migration.hostnames.all.length, "hostname")}, ${migrationSummary(migrations)}`,
      "a copy of the folder is rehearsed as it stands, without its backend and its state",
      ...leftOutCredentials(root, folders),
      ...replacedTypes.map(
        (type) => `${type}: its records are records in the rehearsal's DNS, and no request goes to the DNS host`,
      ),
      ...(leftOut.length === 0 ? [] : [`left out: ${leftOut.join(", ")}`]),
      ...keptTypes.map((type) => `not rehearsed: ${type} is kept in the state only`),
      ...describeServing(serving, created),
      ...(serving.length > 0 ? [] : describeProxies(migrations, stack)),
    ],
  };
}

/** Returns the modules of `synth` that a root module is or calls. @throws InputError for a folder without modules */
function generatedModulesOf(root: string) {
  const modules = load.terraformFolder().generatedModulesIn(root);
  if (modules.length > 0) return modules;
  const message = `--terraform-dir: ${quote(root)} neither is nor calls a module of 'cert-migration synth'; give the folder of the root module that has the module block`;
  throw new InputError("terraform-dir-without-migration", message);
}

/** Describes the arguments of providers that the copy does not use. */
function leftOutCredentials(root: string, folders: readonly ModuleFolder[]): readonly string[] {
  return folders.flatMap(({ path, files }) =>
    files.flatMap(({ name: file, providers }) =>
      providers.credentials.map(({ name, argument, line }) => {
        return `${relative(root, join(path, file))}:${line}: '${argument}' of the provider ${quote(name)} is left out`;
      }),
    ),
  );
}

function outputOf(module: StackJson | undefined): object {
  const { output = {} } = (module ?? {}) as { readonly output?: object };
  return output;
}

const proxyType = /^google_compute_(?:region_)?target_(?:https|ssl)_proxy$/;
const ruleType = /^google_compute_(?:global_)?forwarding_rule$/;

function typesOf({ resource }: StackJson): readonly string[] {
  return Object.keys((resource ?? {}) as object);
}

/** Returns what the rehearsal creates manually, so that the load balancer answers. */
function manualStepOf(stack: StackJson): Pick<CourseOptions, "manualStep"> {
  const types = typesOf(stack);
  if (types.some((type) => ruleType.test(type))) return {};
  return { manualStep: types.some((type) => proxyType.test(type)) ? "addresses" : "proxies" };
}

function describeServing(serving: readonly ServingProxy[], created: readonly string[]): readonly string[] {
  const others = serving.filter(({ isAdopted }) => !isAdopted).map(({ name }) => name);
  return [
    ...(others.length === 0
      ? []
      : [
          `${others.join(", ")}: the rehearsal creates what these proxies serve today, and attaches the map as their owner`,
        ]),
    ...(created.length === 0
      ? []
      : [
          `${created.join(", ")}: part of the folder, so the rehearsal creates these proxies with the map; 'rehearse --spec' attaches it in place`,
        ]),
  ];
}

function describeProxies(migrations: readonly SourceMigration[], stack: StackJson): readonly string[] {
  const hasMap = migrations.some(({ map }) => map !== undefined);
  if (!hasMap || typesOf(stack).some((type) => proxyType.test(type))) return [];
  return ["no target proxy is in the folder: the rehearsal creates one and attaches the map, as its owner would"];
}
