import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import {
  type Cloud,
  type CloudOptions,
  createResolver,
  type FaultPlan,
  type LoggedRequest,
  type Resolver,
  startCloud,
} from "../cloud";
import { InputError } from "../errors";
import { createHttpClient } from "../http";
import { type Handshake, shakeHands, verifyServing } from "../migrate";
import {
  type RealProviderOptions,
  realProviderArguments,
  type StateBackend,
  startTerraformProvider,
} from "../terraform-provider";
import { type Operator, operatorOf } from "./by-hand";
import { existingProxiesOf, makeExistingProxies } from "./existing-proxies";
import { bundleName, oldBundleName, oldCertificatesName } from "./folder";
import { type Look, lookAt } from "./look";
import { routeBy, startOldSide } from "./old-side";
import { orphansOf } from "./orphans";
import { type Probe, Prober, type Route } from "./prober";
import type { StackVariant } from "./script";
import {
  importedZones,
  projectOf,
  type StackJson,
  withHttpState,
  withLocalState,
  withoutProtection,
  withProviderArguments,
} from "./stack";
import { lastLines, Terraform, type TerraformOptions } from "./terraform";
import { makeWorld, worldOf } from "./world";

export interface StageOptions {
  /** Synthesizes the stack as it is at one point of the migration. */
  readonly synthesize: (variant: StackVariant) => StackJson | Promise<StackJson>;
  /** Every hostname that is served today, and what may be added; no wildcards. */
  readonly hostnames: readonly string[];
  /** The one of them that no certificate has before it is added; undefined where none is added. */
  readonly addedHostname: string | undefined;
  /** Where Terraform works; state, logs and evidence stay there. */
  readonly folder: string;
  /** @default "terraform" */
  readonly terraform?: string;
  /**
   * `stand-in`: answers as the google provider, in this process. `real`: the one that `terraform init` installs, led to the cloud by its custom endpoints; for
   * machines that reach a registry.
   *
   * @default "stand-in"
   */
  readonly provider?: "stand-in" | "real";
  /** Whether Terraform's plans and states are kept in the folder, keys included. @default false */
  readonly keepsPlans?: boolean;
  /** Resource types beside those that it knows, that the provider stand-in keeps in the state alone. @default - none */
  readonly alsoKept?: readonly string[];
  /** Whether the stack is one that sends traffic to the load balancer from the first. @default false */
  readonly moved?: boolean;
  /** Whether CNAMEs that the stack does not write are published as soon as their authorizations are there. @default false */
  readonly publishes?: boolean;
  /** Makes what else is there before the migration. @default - zones, records of today, URL maps and backends alone */
  readonly prepare?: (cloud: Cloud) => Promise<void>;
  /** Begins when the old provider serves and the prober runs. @default - nothing goes wrong */
  readonly faults?: FaultPlan;
  /** Method ids, `*` for any text: at the first answer to each, in this order, Terraform is ended with SIGKILL. @default - none */
  readonly kills?: readonly string[];
  /** Roots that clients trust beside those of the old provider and the cloud, PEM. @default - none */
  readonly trusted?: readonly string[];
  /** How fast the cloud is; its `speed` is 30 unless said otherwise. */
  readonly cloud?: Pick<
    CloudOptions,
    "speed" | "pace" | "operationMs" | "propagationMs" | "renewingState" | "deletedCertificates"
  >;
  /** How often an apply is run before the migration counts as stuck, as a pipeline would; kills come on top. @default 3 */
  readonly attempts?: number;
  /** Told what happens, line by line. */
  readonly say: (line: string) => void;
  readonly onProbe?: (probe: Probe) => void;
  /** Told of each request to the cloud when it has been answered. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Told what DNS said to the prober. */
  readonly onAnswer?: (answer: DnsAnswer) => void;
  /** Told of each certificate that has been issued, as it is seen at the end of a step. */
  readonly onCertificate?: (certificate: IssuedCertificate) => void;
  readonly signal: AbortSignal;
}

/** What DNS said at one time. */
interface DnsAnswer {
  /** The cloud's time, RFC 3339. */
  readonly time: string;
  readonly name: string;
  readonly type: string;
  readonly answers: readonly { readonly data: string; readonly ttl: number }[];
}

/** A certificate as Certificate Manager shows it. */
interface IssuedCertificate {
  /** The cloud's time at which it was seen, RFC 3339. */
  readonly time: string;
  readonly name: string;
  /** Leaf and chain. */
  readonly pemCertificate: string;
}

/** How long anything may take, in the cloud's time. */
const patienceMs = 2 * 3_600_000;
/** From a failed apply to the next, in the cloud's time. */
const retryMs = 20_000;

/** Everything that a rehearsal takes place in, at work; each method is something a pipeline or its operator does. */
export type Stage = Awaited<ReturnType<typeof buildStage>>;

/** Starts cloud, old provider, provider stand-in and prober, and returns when every hostname has been probed. */
export async function buildStage(options: StageOptions) {
  const { folder, signal, say } = options;
  mkdirSync(folder, { recursive: true });
  const kills = [...(options.kills ?? [])];
  const counted = { kills: 0, imports: 0 };
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
      onRequest: (request) => {
        options.onRequest?.(request);
        const [next] = kills;
        if (next !== undefined && request.status < 300 && fits(next, request.method) && terraform?.kill() === true) {
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
    const existing = existingProxiesOf(first);
    const retire = await makeExistingProxies(existing, { cloudUrl: cloud.endpoints.http, http, certificate });
    const look = lookAt(cloud, http, projectOf(first), world.zones);
    const before = await look.everything();
    const provider = await startTerraformProvider({
      cloudUrl: cloud.endpoints.http,
      alsoKept: options.alsoKept ?? [],
    });
    closing.push(() => provider.close());
    writeFileSync(join(folder, bundleName), cloud.endpoints.trustBundle);
    writeFileSync(join(folder, oldBundleName), old.trustBundlePem);
    writeFileSync(join(folder, oldCertificatesName), old.certificatesPem);
    const isReal = options.provider === "real";
    const terraformIn = (name: string) =>
      new Terraform({
        program: options.terraform ?? "terraform",
        folder: join(folder, name),
        signal,
        keepsPlans: options.keepsPlans ?? false,
        strict: !isReal,
        ...stateOf(name, options, provider.stateBackend, isReal ? { cloudUrl: cloud.endpoints.http } : undefined),
        env: {
          ...(isReal ? {} : { TF_REATTACH_PROVIDERS: provider.reattachConfig }),
          CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
          CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
        },
      });
    terraform = terraformIn("terraform");
    const trusted = [cloud.endpoints.trustBundle, ...(options.trusted ?? [])];
    const route = routeBy(cloud.listeners, old.endpoint, world.records);
    const prober = new Prober({
      hostnames: options.hostnames,
      resolver: resolverOf(cloud, options.onAnswer),
      route,
      trusted: [...trusted, old.trustBundlePem],
      now: () => cloud.clock.now(),
      ...(options.onProbe === undefined ? {} : { onProbe: options.onProbe }),
    });
    prober.start();
    closing.push(() => prober.stop());
    await prober.everyHostname();
    const operator = operatorOf({ cloud, http, look, project: projectOf(first), zones: world.zones, say });
    if (options.publishes === true) {
      operator.publish();
      closing.push(() => operator.withdraw());
    }
    if (options.faults !== undefined) cloud.faults.set(options.faults);
    return actions({ cloud, prober, terraform, terraformIn, route, trusted, look, before, operator, retire });
  }

  function actions({ cloud, prober, terraform, terraformIn, route, trusted, look, before, operator, retire }: Parts) {
    const wait = (isDone: () => boolean | Promise<boolean>) => until(cloud, signal, isDone);

    /** Lets so many seconds of the cloud's time go by. */
    const pass = async (seconds: number): Promise<void> => {
      const until = cloud.clock.now().getTime() + seconds * 1_000;
      await wait(() => cloud.clock.now().getTime() >= until);
    };

    /** A stack that is refused at one point of the migration ends it there: what was deployed before goes on serving. */
    const synthesized = async (variant: StackVariant): Promise<StackJson | undefined> => {
      try {
        const isMoved = variant.traffic === "loadBalancer";
        const addresses = isMoved ? [...new Set(cloud.listeners().map(({ ipAddress }) => ipAddress))] : [];
        return await options.synthesize(isMoved ? { ...variant, addresses } : variant);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        say(`refused before Terraform runs: ${error.message}`);
        return undefined;
      }
    };

    const deploy = async (variant: StackVariant): Promise<boolean> => {
      const stack = await synthesized(variant);
      return stack !== undefined && deployStack(stack);
    };

    /** Applies until it succeeds or counts as stuck, and plans again: nothing must be left to do. */
    const deployStack = async (stack: StackJson): Promise<boolean> => {
      deployed = stack;
      await terraform.write(stack);
      const most = (options.attempts ?? 3) + (options.kills?.length ?? 0);
      for (let attempt = 1; ; attempt++) {
        const { exitCode, output, killed } = await terraform.apply();
        if (exitCode === 0) break;
        say(`terraform apply ${killed ? "was killed" : "failed"} (${attempt} of ${most}): ${lastLines(output)}`);
        if (attempt >= most || signal.aborted) return false;
        for (const { address, id } of orphansOf(output, stack)) {
          const { exitCode: refused } = await terraform.import(address, id);
          say(`terraform import ${address} ${id}: ${refused === 0 ? "done" : "failed"}`);
          if (refused === 0) counted.imports += 1;
        }
        await pass(retryMs / 1_000);
      }
      return planIsEmpty();
    };

    /** Whether nothing is left to do, after one more run where something is; faults are over by then. */
    const converge = async (): Promise<boolean> => {
      cloud.faults.set({});
      return (await planIsEmpty()) || ((await terraform.apply()).exitCode === 0 && planIsEmpty());
    };

    const planIsEmpty = async (): Promise<boolean> => {
      const { exitCode, output } = await terraform.plan();
      if (exitCode === 2) say(`a second plan is not empty: ${plannedChanges(output)}`);
      if (exitCode === 1) say(`terraform plan failed: ${lastLines(output)}`);
      return exitCode === 0;
    };

    let deployed: StackJson | undefined;
    const noted = new Map<string, string>();
    const isNotAdded = (hostname: string) => hostname !== options.addedHostname;

    return {
      cloud,
      prober,
      terraform,
      /** Another state of Terraform's, in a folder of its own beside that of the migration. */
      terraformIn,
      deploy,
      deployStack,
      planIsEmpty,
      converge,
      wait,
      pass,
      authorizations: look.authorizations,
      certificates: look.certificates,
      maps: look.maps,
      entries: look.entries,
      /** Shows certificates that have been issued since it was called the last time. */
      noteCertificates: async (): Promise<void> => {
        if (options.onCertificate === undefined) return;
        for (const { name, pemCertificate } of await look.certificates()) {
          if (pemCertificate === undefined || pemCertificate === "" || noted.get(name) === pemCertificate) continue;
          noted.set(name, pemCertificate);
          options.onCertificate({ time: cloud.clock.now().toISOString(), name, pemCertificate });
        }
      },
      /** How often each fault of the plan has struck. */
      struck: () => cloud.faults.counts().map(({ list, count }) => ({ list, count })),
      /** How often Terraform was killed, and how much had to be imported because it was. */
      counted: () => ({ ...counted }),
      /** Terraform is ended with SIGKILL at the next answer to this method id. */
      killAt: (method: string) => void kills.push(method),
      /** Applies, and waits until nobody goes to the other side any more: clients keep the old answers for their time. */
      moveTraffic: async (side: "old" | "new", variant: StackVariant): Promise<boolean> => {
        if (!(await deploy(variant))) return false;
        const moved = options.hostnames.filter((hostname) => variant.rotated || isNotAdded(hostname));
        return wait(async () => {
          await prober.everyHostname();
          return moved.every((hostname) => prober.sideOf(hostname) === side);
        });
      },
      /** Where nothing answers yet: attaches maps to target proxies as a person would, and waits until they are answered. */
      attachByHand: async (): Promise<boolean> => {
        if (cloud.listeners().length === 0) await operator.attach();
        return wait(() => cloud.listeners().length > 0);
      },
      /** Step 7: handshakes with the load balancer itself, whatever DNS says. */
      verify: async (): Promise<boolean> => {
        const addresses = [...new Set(cloud.listeners().map(({ ipAddress }) => ipAddress))];
        const results = await verifyServing({
          targets: options.hostnames.filter(isNotAdded).map((hostname) => ({ hostname, addresses })),
          shakeHands: (address, hostname) => shakeAt(route(address), hostname, trusted),
          withinMs: 20_000,
          signal,
          now: () => Date.now(),
          sleep: async (ms, abort) => void (await pause(ms, undefined, { signal: abort })),
          random: Math.random,
        });
        for (const result of results)
          if (!result.ok) say(`${result.hostname} at ${result.address}: ${result.code} (${result.detail})`);
        return addresses.length > 0 && results.every(({ ok }) => ok);
      },
      /** @returns names of what is there after a destroy and was not before the migration, and whether Terraform said that all is gone */
      destroy: async (): Promise<{ readonly ended: boolean; readonly left: readonly string[] }> => {
        const most = (options.attempts ?? 3) + kills.length;
        let ended = false;
        await operator.withdraw();
        await retire();
        if (deployed !== undefined) {
          await terraform.write(withoutProtection(deployed));
          // They were there before, with more in them than the migration's.
          for (const zone of importedZones(deployed)) await terraform.run("state", "rm", zone);
        }
        for (let attempt = 1; attempt <= most && !ended; attempt++) {
          const { exitCode, output, killed } = await terraform.destroy();
          ended = exitCode === 0;
          if (!ended) say(`terraform destroy ${killed ? "was killed" : "failed"}: ${lastLines(output)}`);
        }
        const left = (await look.everything()).filter((name) => !before.includes(name));
        return { ended, left };
      },
      [Symbol.asyncDispose]: close,
    };
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

interface Parts {
  readonly cloud: Cloud;
  readonly prober: Prober;
  readonly terraform: Terraform;
  readonly route: Route;
  readonly trusted: readonly string[];
  readonly look: Look;
  readonly operator: Operator;
  /** Takes away the forwarding rules of proxies that were there before. */
  readonly retire: () => Promise<void>;
  /** What was there before the migration, of all that migrations make. */
  readonly before: readonly string[];
  readonly terraformIn: (name: string) => Terraform;
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

async function until(cloud: Cloud, signal: AbortSignal, isDone: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = cloud.clock.now().getTime() + patienceMs;
  while (!(await isDone())) {
    if (signal.aborted || cloud.clock.now().getTime() > deadline) return false;
    await pause(50, undefined, { signal }).catch(() => undefined);
  }
  return true;
}

function shakeAt(route: ReturnType<Route>, hostname: string, trusted: readonly string[]): Promise<Handshake> {
  if (route === undefined) {
    const detail = "no forwarding rule is answered";
    return Promise.resolve({ ok: false, code: "connection-refused", detail } as const);
  }
  const secureContext = createSecureContext({ ca: [...trusted] });
  return shakeHands({ address: route.host, port: route.port, hostname, timeoutMs: 5_000, secureContext });
}

/** Whether a method id is as a pattern says; a star is any text. */
function fits(pattern: string, method: string | undefined): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.\\+?^${}()|[\]]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(method ?? "");
}

/** What a plan would change, on one line. */
function plannedChanges(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => /^# \S+ (?:will|must) be|^[~+-] output|^Changes to Outputs/.test(line))
    .slice(0, 5)
    .join("; ")
    .slice(0, 1_000);
}
