import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rootCertificates } from "node:tls";
import { type Cloud, createResolver, fitsStarPattern, type Resolver, startCloud } from "../cloud";
import { createHttpClient } from "../http";
import { makeFolder } from "../make-folder";
import {
  type RealProviderOptions,
  realProviderArguments,
  realProviderEnvironment,
  type StateBackend,
  startTerraformProvider,
} from "../terraform-provider";
import { operatorOf } from "./by-hand";
import { existingProxiesOf, makeExistingProxies } from "./existing-proxies";
import { bundleName, oldBundleName, oldCertificatesName, uploadedName } from "./folder";
import { lookAt } from "./look";
import { addressesOf, lookupsOf, makeLookedUp, makeLookedUpRules } from "./lookups";
import { routeBy, startOldSide } from "./old-side";
import { type DiscardedTry, Prober } from "./prober";
import { projectOf, withHttpState, withLocalState, withProviderArguments } from "./stack";
import { actionsOf } from "./stage-actions";
import type { StageOptions } from "./stage-options";
import { Terraform, type TerraformOptions } from "./terraform";
import { until } from "./until";
import { uploadedChainsOf } from "./uploaded";
import { bystander, makeWorld, worldOf } from "./world";

export type { StageOptions } from "./stage-options";

/** Everything that a rehearsal takes place in, at work; each method is something a pipeline or its operator does. */
export type Stage = Awaited<ReturnType<typeof buildStage>>;

/** Starts cloud, old provider, provider stand-in and prober, and returns when every hostname has been probed. */
export async function buildStage(options: StageOptions) {
  const { folder, signal, say } = options;
  makeFolder(folder);
  const kills = [...(options.kills ?? [])];
  const counted = { kills: 0, imports: 0 };
  /** Projects that anybody has asked for, as the cloud's log shows. */
  const projects = new Set<string>();
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    return await assemble();
  } catch (error) {
    await close();
    throw error;
  }

  async function assemble() {
    let terraform: Terraform | undefined;
    const cloud = await startCloud({
      speed: 30,
      ...options.cloud,
      faults: {},
      onIssued: (issued) => options.onIssued?.(issued),
      onUnbound: ({ forwardingRule, error }) => say(`nothing answers for ${forwardingRule}: ${error.message}`),
      onRequest: (request) => {
        options.onRequest?.(request);
        const project = projectIn(request.target);
        if (project !== undefined && project !== bystander) projects.add(project);
        const [next] = kills;
        if (
          next !== undefined &&
          request.status < 300 &&
          fitsStarPattern(next, request.method ?? "") &&
          terraform?.kill() === true
        ) {
          kills.shift();
          counted.kills += 1;
          say(`killed Terraform at ${request.method}`);
        }
      },
    });
    closing.push(() => cloud.stop());
    const http = createHttpClient();
    const first = await options.synthesize({ phase: "serve", traffic: "previous", rotated: true, mended: 0 });
    const world = worldOf(first, { hostnames: options.hostnames, moved: options.moved ?? false });
    await makeWorld(world, cloud.endpoints.http, http);
    await options.prepare?.(cloud);
    const resolver = resolverOf(cloud, undefined);
    await until(cloud, signal, async () => {
      const looks = world.records.map(({ name, type }) => resolver.resolve(name, type));
      const found = await Promise.allSettled(looks);
      return found.every((look) => look.status === "fulfilled" && look.value.answers.length > 0);
    });
    const old = await startOldSide(options.hostnames);
    closing.push(() => old.close());
    const { certificate } = old;
    const making = { cloudUrl: cloud.endpoints.http, http, certificate };
    const lookups = lookupsOf(first);
    await makeLookedUp(lookups, making);
    const existing = existingProxiesOf(first, lookups);
    const retireProxies = await makeExistingProxies(existing, making);
    const [proxy] = existing;
    const target =
      proxy === undefined ? undefined : `projects/${proxy.project}/global/${proxy.collection}/${proxy.name}`;
    const retireRules = await makeLookedUpRules(lookups, making, target);
    const retire = async () => {
      await retireProxies();
      await retireRules();
    };
    const look = lookAt(cloud, http, () => [projectOf(first), ...projects], world.zones);
    const before = await look.everything();
    const provider = await startTerraformProvider({
      cloudUrl: cloud.endpoints.http,
      alsoKept: options.alsoKept ?? [],
    });
    closing.push(() => provider.close());
    const { keepFile, assets, endSignal } = options;
    const others = [...(options.trusted ?? []), ...uploadedChainsOf(first)];
    const certificates = {
      [bundleName]: cloud.endpoints.trustBundle,
      [oldBundleName]: old.trustBundlePem,
      [oldCertificatesName]: old.certificatesPem,
      [uploadedName]: others.join(""),
    };
    for (const [name, pem] of Object.entries(certificates)) {
      writeFileSync(join(folder, name), pem);
      keepFile?.(name, pem);
    }
    const isReal = options.provider === "real";
    const real = { cloudUrl: cloud.endpoints.http };
    const terraformIn = (name: string) =>
      new Terraform({
        program: options.terraform ?? "terraform",
        folder: join(folder, name),
        signal,
        ...(keepFile === undefined ? {} : { keepFile: (file, text, how) => keepFile(`${name}/${file}`, text, how) }),
        ...(assets === undefined ? {} : { assets }),
        ...(endSignal === undefined ? {} : { endSignal }),
        strict: !isReal,
        usesSettings: isReal,
        now: () => cloud.clock.now(),
        ...(options.onTerraform === undefined ? {} : { onProgress: options.onTerraform }),
        onRun: (run) => options.onRun?.({ folder: name, ...run }),
        ...stateOf(name, options, provider.stateBackend, isReal ? real : undefined),
        env: {
          ...(isReal ? realProviderEnvironment(real) : { TF_REATTACH_PROVIDERS: provider.reattachConfig }),
          CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
          CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
          CERT_MIGRATION_REHEARSAL_TRUSTED: resolve(folder, uploadedName),
        },
      });
    terraform = terraformIn("terraform");
    // Those of public authorities lead to roots that everybody has.
    const trusted = [cloud.endpoints.trustBundle, ...others, ...(others.length === 0 ? [] : rootCertificates)];
    const route = routeBy(cloud.listeners, old.endpoint, world.records);
    const prober = new Prober({
      hostnames: options.hostnames,
      resolver: resolverOf(cloud, options.onAnswer),
      route,
      trusted: [...trusted, old.trustBundlePem],
      now: () => cloud.clock.now(),
      ...(options.probePauseMs === undefined ? {} : { pauseMs: options.probePauseMs }),
      ...(options.onProbe === undefined ? {} : { onProbe: options.onProbe }),
      onDiscarded: (discarded) => {
        options.onDiscarded?.(discarded);
        say(describeDiscarded(discarded));
      },
    });
    prober.start();
    closing.push(() => prober.stop());
    await prober.everyHostname();
    const addresses = addressesOf(first, lookups);
    const operator = operatorOf({ cloud, http, look, addresses, zones: world.zones, say, signal: options.signal });
    if (options.publishes === true) {
      operator.publish();
      closing.push(() => operator.withdraw());
    }
    if (options.faults !== undefined) cloud.faults.set(options.faults);
    const parts = { cloud, prober, terraform, terraformIn, route, trusted, look, before, operator, retire };
    return actionsOf({ ...parts, kills, counted }, options, close);
  }
}

/** From so many hostnames on, the state's file would be written for longer than all the rest takes. */
const manyHostnames = 50;

/** Where the state is, and what the provider is told. A killed run leaves a lock at an address, so those have the state in the folder. */
function stateOf(
  name: string,
  { hostnames, kills }: StageOptions,
  backend: StateBackend,
  real: RealProviderOptions | undefined,
): Pick<TerraformOptions, "adapt" | "readState"> {
  const isRemote = hostnames.length >= manyHostnames && kills === undefined;
  return {
    adapt: (stack) => {
      const placed = isRemote ? withHttpState(stack, backend.backendOf(name)) : withLocalState(stack);
      return real === undefined ? placed : withProviderArguments(placed, realProviderArguments(real));
    },
    ...(isRemote ? { readState: () => backend.stateOf(name) } : {}),
  };
}

function resolverOf(cloud: Cloud, onAnswer: StageOptions["onAnswer"]): Resolver {
  const [address = "", port = ""] = cloud.endpoints.dns.split(":");
  const resolver = createResolver({ server: { address, port: Number(port) } });
  if (onAnswer === undefined) return resolver;
  return {
    resolve: async (name, type, given) => {
      const resolution = await resolver.resolve(name, type, given);
      const answers = resolution.answers.map(({ data, ttl }) => ({ data, ttl }));
      onAnswer({ time: cloud.clock.now().toISOString(), name, type, answers });
      return resolution;
    },
  };
}

function describeDiscarded({ hostname, address = "no address", error, waitedMs, ranMs }: DiscardedTry): string {
  const [still, waited] = [waitedMs - ranMs, waitedMs].map((milliseconds) => (milliseconds / 1_000).toFixed(1));
  return `${hostname} at ${address}: ${error}, but this process itself stood still for ${still} of ${waited} s: no verdict, tried again`;
}

/** The project that a request is about. */
function projectIn(target: string): string | undefined {
  return /^[^?]*?\/projects\/([a-z0-9][a-z0-9.:-]*)(?:[/?:]|$)/.exec(target)?.[1];
}
