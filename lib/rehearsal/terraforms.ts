/** Terraform in its folders, connected to the cloud by the stand-in or by the real provider. */
import { join, resolve } from "node:path";
import { rehearsalProcess } from "../gate-call";
import { defined } from "../json/defined";
import {
  type RecordProviders,
  type StateBackend,
  startRecordProviders,
  startTerraformProvider,
  type TerraformProvider,
} from "../terraform-provider";
import type { Clients } from "./clients";
import type { Closing } from "./closing";
import { clientNames, terraformFolder, uploadedName } from "./folder";
import type { Emit } from "./observer";
import { type ProxyOwner, proxyOwnerOf } from "./proxy-owner";
import { connectRealProvider, lockedProviderVersion, type RealConnection } from "./real-provider";
import { recordHostOf } from "./record-host";
import type { ServingProxy } from "./serving-proxies";
import { requirementOf, type StackJson, withHttpState, withLocalState, withProviderArguments } from "./stack";
import type { StageOptions } from "./stage-options";
import { Terraform, type TerraformOptions } from "./terraform";
import type { Today } from "./today";

/** Runs of Terraform, each in its own folder with its own state. */
export interface Terraforms {
  /** Terraform of the migration. */
  readonly migration: Terraform;
  /** Returns a Terraform with another state, in its own folder beside that of the migration. */
  readonly inFolder: (name: string) => Terraform;
  /** The owner of proxies that the stack does not import. */
  readonly owner: ProxyOwner;
  /** Returns the version of the google provider: that of the bindings for the stand-in. */
  readonly providerVersion: () => string | undefined;
}

interface TerraformParts {
  readonly stack: StackJson;
  readonly today: Pick<Today, "cloud" | "http" | "world">;
  readonly clients: Pick<Clients, "probing">;
  readonly serving: readonly ServingProxy[];
  readonly emit: Emit;
  readonly closing: Closing;
}

/** Starts the provider of the migration, and that of the owner of its proxies. */
export async function connectTerraform(parts: TerraformParts, options: StageOptions): Promise<Terraforms> {
  const { stack, today, closing } = parts;
  const { terraform, migration, output } = options;
  const isReal = terraform.provider === "real";
  const cloudUrl = today.cloud.endpoints.http;
  const alsoKept = migration.alsoKept ?? [];
  // With the real provider, the stand-in only keeps the state.
  const provider = await startTerraformProvider({
    ...{ cloudUrl, alsoKept },
    ...(isReal ? {} : { requirement: requirementOf(stack) }),
  });
  closing.add(() => provider.close());
  const hosts =
    migration.hasRecordHosts === true
      ? await startRecordProviders(recordHostOf({ cloudUrl, http: today.http }, today.world.zones))
      : undefined;
  if (hosts !== undefined) closing.add(() => hosts.close());
  const real = isReal
    ? await connectRealProvider(today.cloud, { folder: terraform.folder, say: output.say, closing })
    : undefined;
  const terraformIn = (name: string, standIn = provider): Terraform => {
    const made = new Terraform(terraformOptions({ name, standIn, hosts, real }, parts, options));
    // After an error, Terraform may still be running.
    closing.add(() => made.kill());
    return made;
  };
  const ofMigration = terraformIn(terraformFolder);
  return {
    migration: ofMigration,
    inFolder: terraformIn,
    owner: await startOwner(parts, { ofMigration, provider, terraformIn, say: output.say }),
    providerVersion: () =>
      isReal ? lockedProviderVersion(join(terraform.folder, terraformFolder)) : provider.providerVersion,
  };
}

/** The first version of the provider with which a target SSL proxy holds a map beside its certificates. */
const sslOwnersVersion = "7.19.0";

interface OwnerParts {
  readonly ofMigration: Terraform;
  readonly provider: TerraformProvider;
  readonly terraformIn: (name: string, standIn: TerraformProvider) => Terraform;
  readonly say: (line: string) => void;
}

async function startOwner(
  { stack, today, serving, closing }: TerraformParts,
  { ofMigration, provider, terraformIn, say }: OwnerParts,
): Promise<ProxyOwner> {
  const proxies = serving.filter(({ isAdopted }) => !isAdopted);
  const isOfSsl = proxies.some(({ collection }) => collection === "targetSslProxies");
  // The owner of a target SSL proxy has its own version of the provider.
  const ownersProvider = isOfSsl
    ? await startTerraformProvider({
        cloudUrl: today.cloud.endpoints.http,
        behaviorOf: sslOwnersVersion,
        requirement: requirementOf(stack),
      })
    : provider;
  if (isOfSsl) closing.add(() => ownersProvider.close());
  return proxyOwnerOf({
    ...{ proxies, stack, say },
    migration: () => ofMigration,
    terraform: () => terraformIn("owner", ownersProvider),
  });
}

/** A working folder of Terraform, and its provider: the real one if there is a connection for it. */
interface Workplace {
  readonly name: string;
  readonly standIn: TerraformProvider;
  readonly hosts: RecordProviders | undefined;
  readonly real: RealConnection | undefined;
}

function terraformOptions(
  { name, standIn, hosts, real }: Workplace,
  { today, clients, emit }: TerraformParts,
  options: StageOptions,
): TerraformOptions {
  const { signal, endSignal, migration } = options;
  const { folder, program = "terraform" } = options.terraform;
  const { keepFile } = options.output;
  const { clock, endpoints } = today.cloud;
  // Only the migration's own folder is a copy of the user's folder; all other folders contain stacks.
  const configuration = name === terraformFolder ? migration.configuration : undefined;
  return {
    program,
    folder: join(folder, name, configuration?.rootPath ?? ""),
    signals: { interrupt: signal, ...defined({ kill: endSignal }) },
    configuration: {
      ...defined({ assets: migration.assets }),
      ...(configuration && { copy: (protection) => configuration.copyTo(resolve(folder, name), protection) }),
    },
    state: {
      // A copy of a folder contains its own setting for the state.
      ...(configuration === undefined ? stateOf({ name, real, backend: standIn.stateBackend }, options) : {}),
      losesChanges: options.faults?.losesState ?? false,
    },
    now: () => clock.now(),
    observers: {
      ...(keepFile && { keepFile: (file, text, how) => keepFile(`${name}/${file}`, text, how) }),
      onProgress: (progress) => emit("progress", progress),
      onText: (text) => emit("output", { text, time: clock.now().toISOString() }),
      onRun: (run) => emit("run", { folder: name, ...run }),
    },
    provider: {
      ...(real && { real: { env: real.environment } }),
      strict: real === undefined,
      env: {
        ...(real === undefined ? { TF_REATTACH_PROVIDERS: attachedBy(standIn, hosts) } : {}),
        CERT_MIGRATION_ENDPOINT: endpoints.http,
        CERT_MIGRATION_REHEARSAL: endpoints.control,
        [rehearsalProcess]: String(process.pid),
        CERT_MIGRATION_REHEARSAL_TRUSTED: resolve(folder, uploadedName),
        ...(clients.probing && {
          CERT_MIGRATION_CLIENT_CERTIFICATE: resolve(folder, clientNames.certificate),
          CERT_MIGRATION_CLIENT_KEY: resolve(folder, clientNames.key),
        }),
      },
    },
  };
}

/** Returns the value of `TF_REATTACH_PROVIDERS` for several servers. */
export function attachedBy(
  google: Pick<TerraformProvider, "reattachConfig">,
  hosts: Pick<RecordProviders, "reattachConfig"> | undefined,
): string {
  if (hosts === undefined) return google.reattachConfig;
  return JSON.stringify({ ...JSON.parse(google.reattachConfig), ...JSON.parse(hosts.reattachConfig) });
}

/**
 * Number of hostnames from which the state is kept over HTTP, because writing the state file would take longer than
 * everything else.
 */
const manyHostnames = 50;

/**
 * Returns where the state is kept, and the arguments of the provider. A rehearsal with kills keeps the state in the
 * folder, because a killed run leaves a lock in an `http` backend.
 */
function stateOf(
  { name, real, backend }: Pick<Workplace, "name" | "real"> & { readonly backend: StateBackend },
  { migration, faults }: StageOptions,
): NonNullable<TerraformOptions["state"]> {
  const isRemote = migration.hostnames.all.length >= manyHostnames && faults?.kills === undefined;
  return {
    adapt: (stack) => {
      const placed = isRemote ? withHttpState(stack, backend.backendOf(name)) : withLocalState(stack);
      return real === undefined ? placed : withProviderArguments(placed, real.providerArguments);
    },
    ...(isRemote ? { read: () => backend.stateOf(name) } : {}),
  };
}
