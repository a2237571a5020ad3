import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import {
  type Cloud,
  createResolver,
  type FaultPlan,
  makeThirdPartyCertificates,
  startCloud,
  startOldProvider,
} from "../cloud";
import { ServiceError } from "../errors";
import { createHttpClient } from "../http";
import { type Handshake, shakeHands, verifyServing } from "../migrate";
import { startTerraformProvider } from "../terraform-provider";
import { type Probe, type ProbeCount, Prober, type Route } from "./prober";
import { lastLines, type StackJson, Terraform, type TerraformRun } from "./terraform";
import { makeWorld, type TodaysRecord, worldOf } from "./world";

/** What a pipeline deploys, one after the other. */
export interface StackVariant {
  readonly phase: "issue" | "serve";
  readonly traffic: "previous" | "loadBalancer";
  /** Whether a domain has been added to a certificate. */
  readonly rotated: boolean;
}

export interface RehearsalOptions {
  /** Synthesizes the stack as it is at one point of the migration. */
  readonly synthesize: (variant: StackVariant) => StackJson | Promise<StackJson>;
  /** Every hostname that is served today, and what may be added; no wildcards. */
  readonly hostnames: readonly string[];
  /** The one of them that no certificate has before it is added. */
  readonly addedHostname?: string;
  /** Where Terraform works; state, logs and evidence stay there. */
  readonly folder: string;
  /** @default "terraform" */
  readonly terraform?: string;
  readonly faults?: FaultPlan;
  /** The cloud's seconds in one of the machine's. @default 30 */
  readonly speed?: number;
  /** How often an apply that failed is run again, as a pipeline would. @default 3 */
  readonly attempts?: number;
  /** Told what happens, line by line. */
  readonly say: (line: string) => void;
  readonly onProbe?: (probe: Probe) => void;
  readonly signal: AbortSignal;
}

/** One of the eight steps of specification 3, and how it went. */
export interface StepResult {
  readonly number: number;
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly probes: number;
  readonly failedHandshakes: number;
}

export interface RehearsalResult {
  readonly ok: boolean;
  readonly steps: readonly StepResult[];
  readonly probes: number;
  readonly failedHandshakes: number;
  /** Whether a domain could be added to a certificate without a failed handshake. */
  readonly rotation: boolean;
  /** Whether traffic went back and forth without a failed handshake. */
  readonly rollback: boolean;
  /** Whether nothing was left in the cloud after destroying the stack. */
  readonly destroyed: boolean;
  /** Failed probes, the first thousand. */
  readonly failures: readonly Probe[];
}

const stepNames = [
  "certificates with DNS authorizations",
  "CNAME records published",
  "certificates ACTIVE",
  "map and one entry per hostname",
  "map entries ACTIVE",
  "map attached to the target proxy",
  "every hostname verified at the load balancer",
  "traffic on the load balancer",
] as const;

/** Plays a migration through on this machine: real Terraform, real DNS, real handshakes, from the old provider to the load balancer and back. */
export async function rehearse(options: RehearsalOptions): Promise<RehearsalResult> {
  await using stage = await buildStage(options);
  const { prober, cloud } = stage;
  const steps: StepResult[] = [];
  const timed = async (numbers: readonly number[], work: () => Promise<boolean>) => {
    const before = prober.count();
    const startedAt = performance.now();
    const ok = await work();
    await prober.everyHostname();
    const after = prober.count();
    const seconds = (performance.now() - startedAt) / 1_000;
    for (const number of numbers) steps.push(stepOf(number, ok, seconds, before, after));
    options.say(line(numbers, ok, seconds, before, after));
    return ok;
  };
  const deploy = (variant: StackVariant) => stage.deploy(variant);

  let ok =
    (await timed([1, 2], () => deploy({ phase: "issue", traffic: "previous", rotated: false }))) &&
    (await timed([3], () => until(cloud, options.signal, () => stage.certificates().then(allActive)))) &&
    (await timed([4, 6], () => deploy({ phase: "serve", traffic: "previous", rotated: false }))) &&
    (await timed([5], () => until(cloud, options.signal, () => stage.entries().then(allActive)))) &&
    (await timed([7], () => stage.verified())) &&
    (await timed([8], () => stage.moveTraffic("new", { phase: "serve", traffic: "loadBalancer", rotated: false })));

  const rotation = ok && (await extra("rotation: a domain added to a certificate", () => stage.rotate()));
  const rollback =
    ok &&
    (await extra("rollback: traffic to the old provider, and forth", async () => {
      const back = await stage.moveTraffic("old", { phase: "serve", traffic: "previous", rotated: true });
      return back && stage.moveTraffic("new", { phase: "serve", traffic: "loadBalancer", rotated: true });
    }));
  const { probes, failed } = prober.count();
  await prober.stop();
  const destroyed = await stage.destroy();
  ok = ok && rotation && rollback && destroyed && failed === 0;
  const sorted = [...steps].sort((a, b) => a.number - b.number);
  return {
    ok,
    steps: sorted,
    probes,
    failedHandshakes: failed,
    rotation,
    rollback,
    destroyed,
    failures: prober.failures(),
  };

  async function extra(what: string, work: () => Promise<boolean>): Promise<boolean> {
    const before = prober.count();
    const startedAt = performance.now();
    const done = await work();
    const after = prober.count();
    const good = done && after.failed === before.failed;
    options.say(
      `${good ? "ok " : "FAILED"} ${what}: ${told(after, before)}, ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
    );
    return good;
  }
}

function stepOf(number: number, ok: boolean, seconds: number, before: ProbeCount, after: ProbeCount): StepResult {
  return {
    number,
    name: stepNames[number - 1] ?? "",
    ok: ok && after.failed === before.failed,
    seconds: Math.round(seconds * 100) / 100,
    probes: after.probes - before.probes,
    failedHandshakes: after.failed - before.failed,
  };
}

function line(numbers: readonly number[], ok: boolean, seconds: number, before: ProbeCount, after: ProbeCount): string {
  const names = numbers.map((number) => `${number} ${stepNames[number - 1]}`).join(", ");
  return `${ok ? "ok " : "FAILED"} ${names}: ${told(after, before)}, ${seconds.toFixed(1)} s`;
}

function told(after: ProbeCount, before: ProbeCount): string {
  return `${after.probes - before.probes} handshakes (${after.old - before.old} old, ${after.new - before.new} new), ${after.failed - before.failed} failed`;
}

interface Listed {
  readonly state?: string;
  readonly managed?: { readonly state?: string };
}

function allActive(items: readonly Listed[]): boolean {
  return items.length > 0 && items.every(({ state, managed }) => (managed?.state ?? state ?? "ACTIVE") === "ACTIVE");
}

/** How long anything may take, in the cloud's time. */
const patienceMs = 2 * 3_600_000;

async function until(cloud: Cloud, signal: AbortSignal, isDone: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = cloud.clock.now().getTime() + patienceMs;
  while (!(await isDone())) {
    if (signal.aborted || cloud.clock.now().getTime() > deadline) return false;
    await pause(50, undefined, { signal }).catch(() => undefined);
  }
  return true;
}

async function buildStage(options: RehearsalOptions) {
  const { folder, signal, say } = options;
  mkdirSync(folder, { recursive: true });
  const cloud = await startCloud({
    speed: options.speed ?? 30,
    ...(options.faults === undefined ? {} : { faults: {} }),
  });
  const http = createHttpClient();
  const first = await options.synthesize({ phase: "serve", traffic: "previous", rotated: true });
  const world = worldOf(first);
  await makeWorld(world, cloud.endpoints.http, http);
  const old = await startOld(options.hostnames);
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  writeFileSync(join(folder, "trust-bundle.pem"), cloud.endpoints.trustBundle);
  const terraform = new Terraform({
    program: options.terraform ?? "terraform",
    folder: join(folder, "terraform"),
    signal,
    env: {
      TF_REATTACH_PROVIDERS: provider.reattachConfig,
      CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
      CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
    },
  });
  const [dnsAddress = "", dnsPort = ""] = cloud.endpoints.dns.split(":");
  const routes = routeBy(cloud, old, world.records);
  const prober = new Prober({
    hostnames: options.hostnames,
    resolver: createResolver({ server: { address: dnsAddress, port: Number(dnsPort) } }),
    route: routes,
    trusted: [cloud.endpoints.trustBundle, old.trustBundlePem],
    now: () => cloud.clock.now(),
    ...(options.onProbe === undefined ? {} : { onProbe: options.onProbe }),
  });
  prober.start();
  await prober.everyHostname();
  if (options.faults !== undefined) cloud.faults.set(options.faults);

  const list = async (path: string, field: string): Promise<readonly Listed[]> => {
    const { text } = await http.send({
      method: "GET",
      url: `${cloud.endpoints.http}${path}`,
      purpose: "looking at the rehearsal",
    });
    return (JSON.parse(text) as Record<string, readonly Listed[] | undefined>)[field] ?? [];
  };
  const locations = `v1/projects/${projectOf(first)}/locations/-`;
  const certificates = () => list(`${locations}/certificates?pageSize=1000`, "certificates");
  const maps = () =>
    list(`${locations}/certificateMaps`, "certificateMaps") as Promise<readonly { readonly name: string }[]>;
  const entries = async () =>
    (
      await Promise.all(
        (
          await maps()
        ).map(({ name }) => list(`v1/${name}/certificateMapEntries?pageSize=1000`, "certificateMapEntries")),
      )
    ).flat();

  const deploy = async (variant: StackVariant): Promise<boolean> => {
    await terraform.write(await options.synthesize(variant));
    const most = options.attempts ?? 3;
    for (let attempt = 1; ; attempt++) {
      const run = await terraform.apply();
      if (run.exitCode === 0) break;
      say(`terraform apply failed (${attempt} of ${most}): ${lastLines(run.output)}`);
      if (attempt >= most || signal.aborted) return false;
    }
    return isEmpty(await terraform.plan(), say);
  };

  const moveTraffic = async (side: "old" | "new", variant: StackVariant): Promise<boolean> => {
    if (!(await deploy(variant))) return false;
    const moved = options.hostnames.filter((hostname) => variant.rotated || hostname !== options.addedHostname);
    // Clients keep the old answers for their time; the move is done when nobody goes to the other side any more.
    return until(cloud, signal, async () => {
      await prober.everyHostname();
      return moved.every((hostname) => prober.sideOf(hostname) === side);
    });
  };

  return {
    cloud,
    prober,
    certificates,
    entries,
    deploy,
    moveTraffic,
    verified: async () => {
      const addresses = cloud.listeners().map(({ ipAddress }) => ipAddress);
      const results = await verifyServing({
        hostnames: options.hostnames.filter((hostname) => hostname !== options.addedHostname),
        addresses,
        shakeHands: (address, hostname) => shakeAt(routes(address), hostname, cloud.endpoints.trustBundle),
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
    rotate: async () => {
      if (!(await deploy({ phase: "serve", traffic: "loadBalancer", rotated: true }))) return false;
      await prober.everyHostname();
      return allActive(await certificates());
    },
    destroy: async (): Promise<boolean> => {
      const { exitCode, output } = await terraform.destroy();
      if (exitCode !== 0) say(`terraform destroy failed: ${lastLines(output)}`);
      const left = [...(await certificates()), ...(await maps())];
      if (left.length > 0) say(`${left.length} resources were left behind`);
      return exitCode === 0 && left.length === 0;
    },
    [Symbol.asyncDispose]: async () => {
      await prober.stop();
      await provider.close();
      await old.close();
      await cloud.stop();
    },
  };
}

function isEmpty({ exitCode, output }: TerraformRun, say: (line: string) => void): boolean {
  if (exitCode === 0) return true;
  say(exitCode === 2 ? "a second plan is not empty" : `terraform plan failed: ${lastLines(output)}`);
  return false;
}

function shakeAt(route: ReturnType<Route>, hostname: string, trusted: string): Promise<Handshake> {
  if (route === undefined) {
    return Promise.resolve({
      ok: false,
      code: "connection-refused",
      detail: "no forwarding rule is answered",
    } as const);
  }
  const secureContext = createSecureContext({ ca: trusted });
  return shakeHands({ address: route.host, port: route.port, hostname, timeoutMs: 5_000, secureContext });
}

/** The old provider, with certificates of an authority of its own for every hostname. */
async function startOld(hostnames: readonly string[]) {
  const { certificates, authority } = await makeThirdPartyCertificates(
    hostnames.map((name) => ({ names: [name] })),
    { now: () => new Date() },
  );
  const provider = await startOldProvider({ certificates });
  const [endpoint] = provider.endpoints;
  if (endpoint === undefined)
    throw new ServiceError("the old provider could not listen", { code: "old-provider", retryable: false });
  return { endpoint, trustBundlePem: authority.trustBundlePem, close: () => provider.close() };
}

type Old = Awaited<ReturnType<typeof startOld>>;

/** Addresses of the internet lead to listeners of this machine: those of today to the old provider, all others to forwarding rules. */
function routeBy(cloud: Cloud, old: Old, records: readonly TodaysRecord[]) {
  const today = new Set(records.flatMap(({ rrdatas }) => rrdatas.map(normal)));
  return (address: string) => {
    if (today.has(normal(address)))
      return { host: old.endpoint.address, port: old.endpoint.port, side: "old" as const };
    const listening = cloud
      .listeners()
      .find((listener) => normal(listener.ipAddress) === normal(address) && listener.port === 443);
    const match = /^\[?(.*?)\]?:(\d+)$/.exec(listening?.listen ?? "");
    return match === null ? undefined : { host: match[1] ?? "", port: Number(match[2]), side: "new" as const };
  };
}

/** One spelling of an address of IPv6. */
function normal(address: string): string {
  return address.includes(":") ? new URL(`http://[${address}]/`).hostname : address;
}

function projectOf(stack: StackJson): string {
  const providers = (stack.provider as { readonly google?: readonly { readonly project?: string }[] } | undefined)
    ?.google;
  return providers?.[0]?.project ?? "my-project";
}
