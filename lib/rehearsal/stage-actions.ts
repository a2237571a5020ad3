import { setTimeout as pause } from "node:timers/promises";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Cloud } from "../cloud";
import { type Handshake, shakeHands, verifyServing } from "../live/verify";
import { certificateBlocksOf } from "../x509";
import type { Operator } from "./by-hand";
import type { Look } from "./look";
import { unmadeOf } from "./made";
import { pipelineOf } from "./pipeline";
import type { Prober, Route } from "./prober";
import type { StackVariant } from "./script";
import { outlivingOf, withoutProtection } from "./stack";
import type { StageOptions } from "./stage-options";
import { lastLines, type Terraform } from "./terraform";
import { until } from "./until";
import { uploadsByHostname } from "./uploaded";
import { watchMove } from "./watch";

/** Both ends of a handshake are in this process: on a busy machine many at once would all come too late. */
const handshakesAtOnce = 8;

/** How long step 7 waits for what may still become good, in time of the machine: for a few hostnames, and for each. A busy machine takes half a second for the handshakes of one. */
const verifyMs = { least: 20_000, perHostname: 500 } as const;

/** What a stage is put together of. */
export interface Parts {
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
  /** Method ids at whose first answers Terraform is still to be killed. */
  readonly kills: string[];
  /** What has happened so far. */
  readonly counted: { kills: number; imports: number };
}

/** What a pipeline or its operator does. @param close ends all that was started */
export function actionsOf(parts: Parts, options: StageOptions, close: () => Promise<void>) {
  const { cloud, prober, terraform, terraformIn, route, trusted, look, before, operator, retire, kills, counted } =
    parts;
  const { signal, say } = options;
  // What was uploaded may end below its root, and is trusted as it is.
  const secureContext = createSecureContext({ ca: [...trusted], allowPartialTrustChain: true });
  const wait = (isDone: () => boolean | Promise<boolean>) => until(cloud, signal, isDone);

  /** Lets so many seconds of the cloud's time go by. */
  const pass = async (seconds: number): Promise<void> => {
    const end = cloud.clock.now().getTime() + seconds * 1_000;
    await wait(() => cloud.clock.now().getTime() >= end);
  };

  /** Where load balancers are met by HTTPS; other forwarding rules are no affair of a migration. */
  const tlsAddresses = (): readonly string[] => {
    const met = cloud.listeners().filter(({ port }) => port === 443);
    return [...new Set(met.map(({ ipAddress }) => ipAddress))];
  };

  const pipeline = pipelineOf(
    { cloud, terraform, pass, tlsAddresses, remove: (name) => operator.remove(name), counted },
    options,
  );
  const { deploy, deployStack, planIsEmpty, converge } = pipeline;

  /** Whether what was deployed last has made its authorizations, and their CNAMEs are published, by it or by hand, whatever Terraform said. */
  const hasMade = async (): Promise<boolean> => {
    const deployed = pipeline.deployed();
    if (deployed === undefined) return false;
    const publishes = options.publishes === true;
    if (publishes) await operator.catchUp();
    const unmade = unmadeOf(deployed, await look.authorizations(), await look.records(), publishes);
    if (unmade.length > 0) say(`not in the cloud, though Terraform ended well: ${unmade.slice(0, 5).join(", ")}`);
    return unmade.length === 0;
  };

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
    hasMade,
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
        const pem = certificateBlocksOf(pemCertificate);
        options.onCertificate({ time: cloud.clock.now().toISOString(), name, pemCertificate: pem });
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
      if (tlsAddresses().length === 0 && !(await operator.attach())) return false;
      return wait(() => tlsAddresses().length > 0);
    },
    /** Step 7: handshakes with the load balancer itself, whatever DNS says. */
    verify: async (): Promise<boolean> => {
      // New forwarding rules take their time to be answered.
      await wait(() => tlsAddresses().length > 0);
      const addresses = tlsAddresses();
      const hostnames = options.hostnames.filter(isNotAdded);
      const deployed = pipeline.deployed();
      const uploads = deployed === undefined ? undefined : uploadsByHostname(deployed, hostnames);
      const results = await verifyServing({
        targets: hostnames.map((hostname) => ({ hostname, addresses, uploads: uploads?.get(hostname) ?? [] })),
        trusted,
        shakeHands: (address, hostname) => shakeAt(route(address), hostname, secureContext),
        withinMs: verifyMs.least + verifyMs.perHostname * hostnames.length,
        concurrency: handshakesAtOnce,
        signal,
        now: () => Date.now(),
        sleep: async (ms, abort) => void (await pause(ms, undefined, { signal: abort })),
        random: Math.random,
      });
      for (const result of results)
        if (!result.ok) {
          say(`${result.hostname} at ${result.address}: ${result.code} (${result.detail}) - ${result.remedy}`);
        }
      return addresses.length > 0 && results.every(({ ok }) => ok);
    },
    /** After step 8: whether all that DNS says leads to the load balancer, and stays good. */
    watch: async (): Promise<boolean> => {
      const { verdict, reason, attempts, failures } = await watchMove({
        hostnames: options.hostnames.filter(isNotAdded),
        nameServer: cloud.endpoints.dns,
        newAddresses: tlsAddresses(),
        shakeHands: (address, hostname) => shakeAt(route(address), hostname, secureContext),
        concurrency: handshakesAtOnce,
        signal,
      });
      say(`watch: ${verdict}: ${reason}; ${attempts} attempts, ${failures} failed`);
      return verdict === "good";
    },
    /** @returns names of what is there after a destroy and was not before the migration, and whether Terraform said that all is gone */
    destroy: async (): Promise<{ readonly ended: boolean; readonly left: readonly string[] }> => {
      const most = (options.attempts ?? 3) + kills.length;
      let ended = false;
      await operator.withdraw();
      await retire().catch((error: Error) => say(`not taken away: ${error.message}`));
      const deployed = pipeline.deployed();
      if (deployed !== undefined) {
        await terraform.write(withoutProtection(deployed));
        for (const address of outlivingOf(deployed)) await terraform.run("state", "rm", address);
      }
      for (let attempt = 1; attempt <= most && !ended; attempt++) {
        const { exitCode, output, killed } = await terraform.destroy();
        ended = exitCode === 0;
        if (!ended) say(`terraform destroy ${killed ? "was killed" : "failed"}: ${lastLines(output)}`);
      }
      // What is left is told, whatever else could go wrong.
      cloud.faults.set({});
      const left = (await look.everything()).filter((name) => !before.includes(name));
      return { ended, left };
    },
    [Symbol.asyncDispose]: close,
  };
}

function shakeAt(route: ReturnType<Route>, hostname: string, secureContext: SecureContext): Promise<Handshake> {
  if (route === undefined) {
    const detail = "no forwarding rule is answered";
    return Promise.resolve({ ok: false, code: "connection-refused", detail } as const);
  }
  return shakeHands({ address: route.host, port: route.port, hostname, timeoutMs: 5_000, secureContext });
}
