import { setTimeout as pause } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import type { Cloud } from "../cloud";
import { type Handshake, shakeHands, verifyServing } from "../live/verify";
import { ownAddresses } from "./own-addresses";
import type { Pipeline } from "./pipeline";
import type { ClientCertificate } from "./probe";
import type { Prober, Route } from "./prober";
import { type ServingProxy, servedAt } from "./serving-proxies";
import { sourceMigrationsIn } from "./stack";
import type { StageOptions } from "./stage-options";
import { uploadsByHostname } from "./uploaded";
import { watchMove } from "./watch";

/**
 * Maximum number of concurrent handshakes. Both ends are in this process, so on a busy machine more handshakes would
 * all time out.
 */
const handshakesAtOnce = 8;

/**
 * Time limit of step 7, in milliseconds of the machine: a minimum, and an addition per hostname. The handshakes of one
 * hostname take half a second on a busy machine.
 */
const verifyMs = { least: 20_000, perHostname: 500 } as const;

/** How clients connect. */
export interface Probing {
  readonly prober: Prober;
  readonly route: Route;
  /** Roots and uploaded chains that clients of the load balancer trust, in PEM. */
  readonly trusted: readonly string[];
  /** Certificate of clients; undefined without mutual TLS. */
  readonly certificate: ClientCertificate | undefined;
}

interface CheckParts {
  readonly cloud: Cloud;
  readonly probing: Probing;
  readonly serving: readonly ServingProxy[];
  readonly pipeline: Pick<Pipeline, "deployed">;
  readonly wait: (isDone: () => boolean) => Promise<boolean>;
  /** Returns the IP addresses of the load balancers' HTTPS listeners. */
  readonly tlsAddresses: () => readonly string[];
}

/** Returns the checks of the load balancer that the commands `verify` and `watch` make. */
export function createLoadBalancerChecks(parts: CheckParts, { migration, signal, output: { say } }: StageOptions) {
  const { cloud, probing, serving, pipeline, wait, tlsAddresses } = parts;
  const isServedBefore = (hostname: string) => hostname !== migration.hostnames.added;
  const hostnames = migration.hostnames.all.filter(isServedBefore);
  const moved = (migration.hostnames.moved ?? hostnames).filter(isServedBefore);
  const shakeHandsAt = createClient(probing);
  return {
    /** Runs step 7: makes handshakes with the load balancer directly, independent of DNS. */
    verify: async (): Promise<boolean> => {
      // New forwarding rules take time until a listener answers.
      await wait(() => tlsAddresses().length > 0);
      const addresses = tlsAddresses();
      if (addresses.length === 0)
        say("no forwarding rule leads to a proxy of the migration: add 'forwardingRules' to 'newTargetHttpsProxy'");
      const migrations = sourceMigrationsIn(pipeline.deployed ?? {});
      const uploads = uploadsByHostname(migrations, hostnames);
      const addressesOf = ownAddresses(migrations, addresses);
      const results = await verifyServing({
        targets: hostnames.map((hostname) => ({
          hostname,
          addresses: servedAt(serving, hostname) ?? addressesOf(hostname),
          uploads: uploads.get(hostname) ?? [],
        })),
        trusted: probing.trusted,
        shakeHands: shakeHandsAt,
        tryAllKeyTypes: false,
        withinMs: verifyMs.least + verifyMs.perHostname * hostnames.length,
        concurrency: handshakesAtOnce,
        signal,
        now: () => Date.now(),
        sleep: async (ms, abort) => void (await pause(ms, undefined, { signal: abort })),
        random: Math.random,
      });
      for (const result of results)
        if (!result.ok) {
          say(`${result.hostname} at ${result.address}: ${result.message} - ${result.remedy} [${result.code}]`);
        }
      return addresses.length > 0 && results.every(({ ok }) => ok);
    },
    /** Runs the watch after step 8. @returns whether all DNS answers lead to the load balancer, without failures */
    watch: async (): Promise<boolean> => {
      const { verdict, reason, attempts, failures } = await watchMove({
        hostnames: moved,
        nameServer: cloud.endpoints.dns,
        loadBalancerAddresses: tlsAddresses(),
        shakeHands: shakeHandsAt,
        concurrency: handshakesAtOnce,
        signal,
      });
      say(`watch: ${verdict}: ${reason}; ${attempts} attempts, ${failures} failed`);
      return verdict === "good";
    },
  };
}

/** Returns a client that connects to the listener of a public IP address. */
function createClient({ route, trusted, certificate }: Probing) {
  // Uploaded chains may end below their root, and are trusted as they are.
  const secureContext = createSecureContext({ ca: [...trusted], allowPartialTrustChain: true, ...certificate });
  return async (address: string, hostname: string): Promise<Handshake> => {
    const listener = route(address);
    if (listener === undefined) {
      return { ok: false, code: "connection-refused", detail: "no forwarding rule is answered" };
    }
    return shakeHands({ address: listener.host, port: listener.port, hostname, timeoutMs: 5_000, secureContext });
  };
}
