import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Cloud } from "../cloud";
import { type Handshake, shakeHands, verifyServing } from "../live/verify";
import { certificateBlocksOf } from "../x509";
import { type CloudReader, missingRecordsOf } from "./cloud-reader";
import { terraformFolder, writeOwn } from "./folder";
import type { Operator } from "./operator";
import type { PausedWorld } from "./pauses";
import { pipelineOf } from "./pipeline";
import type { ClientCertificate } from "./probe";
import type { Prober, Route } from "./prober";
import type { ProxyOwner } from "./proxy-owner";
import type { StackVariant } from "./script";
import { type ServingProxy, servedAt } from "./serving-proxies";
import { isProtectedInState, outlivingOf, withoutProtection } from "./stack";
import type { StageOptions } from "./stage-options";
import type { Terraform } from "./terraform";
import { lastLines } from "./terraform-output";
import { until } from "./until";
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

/** Components of a stage. */
export interface Parts {
  readonly cloud: Cloud;
  readonly prober: Prober;
  readonly terraform: Terraform;
  readonly route: Route;
  readonly trusted: readonly string[];
  /** Certificate of clients; undefined without mutual TLS. */
  readonly clientCertificate: ClientCertificate | undefined;
  readonly reader: CloudReader;
  /** The previous provider: its roots in PEM, its listener, and its addresses in DNS. */
  readonly previous: PausedWorld["previous"] & { readonly trustBundlePem: string };
  readonly operator: Operator;
  /** Proxies that serve the hostnames before the migration, and the owner of those that the stack does not import. */
  readonly serving: readonly ServingProxy[];
  readonly owner: ProxyOwner;
  /** Deletes the forwarding rules of proxies that existed before the migration. */
  readonly retire: () => Promise<void>;
  /** Names of resources that existed before the migration, of all types that migrations create. */
  readonly before: readonly string[];
  readonly terraformIn: (name: string) => Terraform;
  /** Method ids at whose first answers Terraform will be killed. */
  readonly kills: string[];
  /** Counters of kills and imports so far. */
  readonly counted: { kills: number; imports: number };
}

/** Returns the actions of a pipeline and its operator. @param close ends everything that was started */
export function actionsOf(parts: Parts, options: StageOptions, close: () => Promise<void>) {
  const { cloud, prober, terraform, terraformIn, route, trusted, reader, before, operator, retire, kills, counted } =
    parts;
  const { previous, serving, owner } = parts;
  const { signal, say } = options;
  // Uploaded chains may end below their root, and are trusted as they are.
  const secureContext = createSecureContext({
    ca: [...trusted],
    allowPartialTrustChain: true,
    ...parts.clientCertificate,
  });
  const wait = (isDone: () => boolean | Promise<boolean>) => until(cloud, signal, isDone);

  /** Waits for a number of seconds of the cloud's time. */
  const pass = async (seconds: number): Promise<void> => {
    const end = cloud.clock.now().getTime() + seconds * 1_000;
    await wait(() => cloud.clock.now().getTime() >= end);
  };

  /** Returns the IP addresses of HTTPS listeners; other forwarding rules are not part of a migration. */
  const tlsAddresses = (): readonly string[] => {
    const met = cloud.listeners().filter(({ port }) => port === 443);
    return [...new Set(met.map(({ ipAddress }) => ipAddress))];
  };

  const pipeline = pipelineOf(
    { cloud, terraform, pass, tlsAddresses, remove: (name) => operator.remove(name), counted },
    options,
  );
  const { deploy, deployStack, planIsEmpty, converge } = pipeline;

  /**
   * Returns whether the authorizations of the last deployed stack exist, and their CNAMEs are published by the stack or
   * manually. Terraform's own result is not trusted.
   */
  const hasMade = async (): Promise<boolean> => {
    const deployed = pipeline.deployed();
    if (deployed === undefined) return false;
    const publishes = options.publishes === true;
    if (publishes) await operator.catchUp();
    const missing = missingRecordsOf(deployed, await reader.authorizations(), await reader.records(), publishes);
    if (missing.length > 0) say(`not in the cloud, though Terraform ended well: ${missing.slice(0, 5).join(", ")}`);
    return missing.length === 0;
  };

  const noted = new Map<string, string>();
  const isNotAdded = (hostname: string) => hostname !== options.addedHostname;

  return {
    cloud,
    prober,
    terraform,
    /** Returns a Terraform with another state, in its own folder beside that of the migration. */
    terraformIn,
    deploy,
    deployStack,
    hasMade,
    planIsEmpty,
    converge,
    deployedVariant: pipeline.deployedVariant,
    /** Proxies that serve the hostnames before the migration; then traffic does not move. */
    serving,
    /** Changes the proxies that another configuration manages. */
    owner,
    /** Returns the stack that was deployed last, successfully or not. */
    deployed: pipeline.deployed,
    /** Deletes the direct certificates of serving proxies. @returns whether all are deleted */
    deleteDirectCertificates: async (): Promise<boolean> => {
      const ids = new Set(serving.flatMap(({ certificates }) => certificates.map(({ id }) => id)));
      for (const id of ids) if (!(await operator.removeClassic(id))) return false;
      return true;
    },
    savePlan: pipeline.savePlan,
    /** Returns the places of this world, and writes the file of all trusted roots. */
    pausedWorld: (): PausedWorld => {
      const stackFolder = resolve(options.folder, terraformFolder);
      const rootsFile = join(stackFolder, "roots.pem");
      writeOwn(rootsFile, [...trusted, previous.trustBundlePem].join(""));
      const { http: endpoint, control, dns: nameServer } = cloud.endpoints;
      const { listener, addresses: today } = previous;
      return {
        ...{ endpoint, control, nameServer, rootsFile, stackFolder },
        addresses: tlsAddresses(),
        previous: { listener, addresses: today },
      };
    },
    wait,
    pass,
    authorizations: reader.authorizations,
    certificates: reader.certificates,
    maps: reader.maps,
    entries: reader.entries,
    /** Reports the certificates that were issued since the last call. */
    noteCertificates: async (): Promise<void> => {
      if (options.onCertificate === undefined) return;
      for (const { name, pemCertificate } of await reader.certificates()) {
        if (pemCertificate === undefined || pemCertificate === "" || noted.get(name) === pemCertificate) continue;
        noted.set(name, pemCertificate);
        const pem = certificateBlocksOf(pemCertificate);
        options.onCertificate({ time: cloud.clock.now().toISOString(), name, pemCertificate: pem });
      }
    },
    /** Returns how often each fault of the plan took effect. */
    faultCounts: () => cloud.faults.counts().map(({ list, count }) => ({ list, count })),
    /** Returns how often Terraform was killed, and how many resources had to be imported afterwards. */
    counted: () => ({ ...counted }),
    /** Kills Terraform with SIGKILL at the next answer to a method id. */
    killAt: (method: string) => void kills.push(method),
    /**
     * Applies, and waits until no client uses the other side. Clients cache the previous answers for their time to
     * live.
     */
    moveTraffic: async (side: "old" | "new", variant: StackVariant): Promise<boolean> => {
      if (!(await deploy(variant))) return false;
      const moved = options.hostnames.filter((hostname) => variant.rotated || isNotAdded(hostname));
      return wait(async () => {
        await prober.everyHostname();
        return moved.every((hostname) => prober.sideOf(hostname) === side);
      });
    },
    /** If no HTTPS listener exists yet, attaches maps to target proxies as a person would, and waits for a listener. */
    attachManually: async (): Promise<boolean> => {
      if (tlsAddresses().length === 0 && !(await operator.attach())) return false;
      return wait(() => tlsAddresses().length > 0);
    },
    /** Runs step 7: makes handshakes with the load balancer directly, independent of DNS. */
    verify: async (): Promise<boolean> => {
      // New forwarding rules take time until a listener answers.
      await wait(() => tlsAddresses().length > 0);
      const addresses = tlsAddresses();
      if (addresses.length === 0)
        say("no forwarding rule leads to a proxy of the migration: add 'forwardingRules' to 'newTargetHttpsProxy'");
      const hostnames = options.hostnames.filter(isNotAdded);
      const deployed = pipeline.deployed();
      const uploads = deployed === undefined ? undefined : uploadsByHostname(deployed, hostnames);
      const results = await verifyServing({
        targets: hostnames.map((hostname) => ({
          hostname,
          addresses: servedAt(serving, hostname) ?? addresses,
          uploads: uploads?.get(hostname) ?? [],
        })),
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
          say(`${result.hostname} at ${result.address}: ${result.code} (${result.message}) - ${result.remedy}`);
        }
      return addresses.length > 0 && results.every(({ ok }) => ok);
    },
    /** Runs the watch after step 8. @returns whether all DNS answers lead to the load balancer, without failures */
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
    /**
     * Destroys the deployed stack.
     *
     * @returns names of resources that exist now and did not exist before the migration, and whether Terraform reported
     * success
     */
    destroy: async (): Promise<{ readonly ended: boolean; readonly left: readonly string[] }> => {
      const most = (options.attempts ?? 3) + kills.length;
      let ended = false;
      await operator.withdraw();
      await retire().catch((error: Error) => say(`not taken away: ${error.message}`));
      const deployed = pipeline.deployed();
      if (deployed !== undefined) {
        await terraform.write(withoutProtection(deployed), false);
        if (isProtectedInState(deployed)) await terraform.apply();
        for (const address of outlivingOf(deployed)) {
          await terraform.run("state", "rm", options.configuration?.addresses.get(address) ?? address);
        }
      }
      for (let attempt = 1; attempt <= most && !ended; attempt++) {
        const { exitCode, output, killed } = await terraform.destroy();
        ended = exitCode === 0;
        if (!ended) say(`terraform destroy ${killed ? "was killed" : "failed"}: ${lastLines(output)}`);
      }
      // Faults must not disturb the list of remaining resources.
      cloud.faults.set({});
      const left = (await reader.everything()).filter((name) => !before.includes(name));
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
