import { setTimeout as pause } from "node:timers/promises";
import type { Cloud } from "../cloud";
import { ServiceError } from "../errors";
import type { HttpClient } from "../http";
import { certificateManagerPrefix, projectIn, writeComputeScope, writeZoneName } from "../resource-names";
import type { Authorization, CloudReader } from "./cloud-reader";
import { forwardingRule } from "./post-resource";
import { newAddressAt } from "./script";
import { nearestZone, type World } from "./world";

export interface OperatorOptions {
  readonly cloud: Cloud;
  readonly http: HttpClient;
  readonly reader: CloudReader;
  /** IP addresses of the load balancers, as the migrations state them. */
  readonly addresses: readonly string[];
  readonly zones: World["zones"];
  readonly say: (line: string) => void;
  /** Aborts the work in progress; `withdraw` still works afterwards. */
  readonly signal: AbortSignal;
  /** Current time in milliseconds of the machine. @default - the machine's clock */
  readonly now?: () => number;
}

/** Interval at which authorizations are polled, in milliseconds of the machine. */
const pauseMs = 250;
/** Limit for retries after unexpected answers of a service, in milliseconds of the machine. */
const mostTryingMs = 60_000;

/** Does the tasks that a stack leaves to people. */
export type Operator = ReturnType<typeof createOperator>;

export function createOperator(options: OperatorOptions) {
  const { cloud, http, reader, addresses, zones, say, signal, now = () => performance.now() } = options;
  const ending = new AbortController();
  const ended = AbortSignal.any([ending.signal, signal]);
  const undo: (() => Promise<unknown>)[] = [];
  let publishing: Promise<void> = Promise.resolve();

  const send = (method: "POST" | "DELETE", path: string, body?: object, accept = [404, 409]) =>
    http.send({
      method,
      // Reverting changes must not be aborted by the signal.
      ...(ending.signal.aborted ? {} : { signal }),
      url: `${cloud.endpoints.http}${path}`,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      purpose: "the manual steps of the stack",
      // 404 or 409: the request was already fulfilled by another client.
      accept,
    });

  /** Names of authorizations whose CNAME is published or can't be published. */
  const done = new Set<string>();

  const publishOne = async ({ name, dnsResourceRecord: record }: Authorization): Promise<void> => {
    const zone = record === undefined ? undefined : nearestZone(zones, record.name);
    if (record === undefined || zone === undefined) {
      done.add(name);
      return say(
        `the CNAME of ${name} can't be published: ${record?.name ?? "its record"} is in no zone of the rehearsal`,
      );
    }
    const set = { name: record.name, type: record.type, ttl: 300, rrdatas: [record.data] };
    const changes = `dns/v1/${writeZoneName({ project: zone.project, zone: zone.name })}/changes`;
    const { status } = await send("POST", changes, { additions: [set] });
    done.add(name);
    if (status >= 400) return;
    undo.push(() => send("POST", changes, { deletions: [set] }));
    say(`published manually: ${record.name} ${record.type} ${record.data}`);
  };

  /** Publishes the CNAME of each existing authorization once. @returns whether all are done */
  const publishEach = async (isOver: () => boolean = () => false): Promise<boolean> => {
    const authorizations = await reader.authorizations().catch(() => undefined);
    for (const authorization of authorizations ?? []) {
      if (ended.aborted || isOver()) return false;
      if (!done.has(authorization.name)) await publishOne(authorization).catch(() => undefined);
    }
    return authorizations?.every(({ name }) => done.has(name)) ?? false;
  };

  const rest = () => pause(pauseMs, undefined, { signal: ended }).catch(() => undefined);

  const publishAll = async () => {
    while (!ended.aborted) {
      await publishEach();
      await rest();
    }
  };

  /** Retries until a limit, as a person would after an unexpected answer of a service. */
  const persist = async (work: () => Promise<unknown>): Promise<void> => {
    const until = now() + mostTryingMs;
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        const mayPass = error instanceof ServiceError && error.retryable;
        if (!mayPass || ended.aborted || now() > until) throw error;
        await rest();
      }
    }
  };

  const make = async (collection: string, body: { readonly name: string; readonly [field: string]: string }) => {
    const path = `compute/v1/${collection}`;
    await persist(() => send("POST", path, body));
    undo.push(() => send("DELETE", `${path}/${body.name}`));
  };

  /** Creates a target proxy for each map, in the map's project. */
  const makeProxies = async (): Promise<readonly string[]> => {
    const maps = await reader.maps();
    return Promise.all(
      maps.map(async (map, index) => {
        const name = `by-hand-${index + 1}`;
        const place = writeComputeScope({ project: projectIn(map.name) ?? "" });
        await make(`${place}/backendServices`, { name, loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "HTTP" });
        await make(`${place}/urlMaps`, { name, defaultService: `${place}/backendServices/${name}` });
        const certificateMap = certificateManagerPrefix + map.name;
        await make(`${place}/targetHttpsProxies`, { name, urlMap: `${place}/urlMaps/${name}`, certificateMap });
        say(`created manually: target proxy ${name} with ${map.name}`);
        return `${place}/targetHttpsProxies/${name}`;
      }),
    );
  };

  const stop = async () => {
    ending.abort();
    await publishing;
  };

  /** Returns the addresses of a proxy: all known addresses for the first proxy, a new address for each other proxy. */
  const addressesFor = (index: number): readonly string[] => {
    if (addresses.length === 0) return [newAddressAt(index)];
    if (index === 0) return addresses;
    const candidates = Array.from({ length: index + addresses.length }, (_, at) => newAddressAt(at));
    return candidates.filter((address) => !addresses.includes(address)).slice(index - 1, index);
  };

  return {
    /**
     * Publishes the CNAME of each authorization as soon as the authorization exists, unless Terraform publishes it.
     * Runs until `stop`.
     */
    publish: (): void => {
      publishing = publishAll();
    },
    /** Resolves when the CNAME of each existing authorization is published. Logs each CNAME that can't be published. */
    catchUp: async (): Promise<void> => {
      const until = now() + mostTryingMs;
      const isOver = () => now() > until;
      while (!ended.aborted && !isOver()) {
        if (await publishEach(isOver)) return;
        await rest();
      }
    },
    /**
     * Creates a forwarding rule for each target HTTPS proxy. Without proxies, creates a proxy for each map first.
     *
     * @returns whether a target proxy exists now
     */
    attach: async (): Promise<boolean> => {
      const made = await reader.targetHttpsProxies();
      const proxies = made.length > 0 ? made : await makeProxies();
      for (const [index, proxy] of proxies.entries()) {
        const scope = proxy.slice(0, proxy.indexOf("/targetHttpsProxies/"));
        for (const [number, ipAddress] of addressesFor(index).entries()) {
          const name = number === 0 ? `by-hand-${index + 1}` : `by-hand-${index + 1}-${number + 1}`;
          await make(`${scope}/forwardingRules`, forwardingRule(name, ipAddress, proxy));
          say(`created manually: a forwarding rule from ${ipAddress} to ${proxy}`);
        }
      }
      return proxies.length > 0;
    },
    /** Deletes a resource of Certificate Manager. @returns whether it no longer exists; a resource in use is kept */
    remove: async (name: string): Promise<boolean> => {
      const { status } = await send("DELETE", `v1/${name}`, undefined, [400, 404]);
      return status !== 400;
    },
    /**
     * Deletes a certificate of Compute Engine.
     *
     * @param id for example `projects/P/global/sslCertificates/C`
     * @returns whether the certificate no longer exists; a certificate in use is kept
     */
    removeClassic: async (id: string): Promise<boolean> => {
      const { status } = await send("DELETE", `compute/v1/${id}`, undefined, [400, 404]);
      if (status === 400) say(`${id} is not deleted: it is in use`);
      return status !== 400;
    },
    /** Stops publishing and keeps all changes. */
    stop,
    /** Stops publishing and reverts all changes. Logs each change that can't be reverted. */
    withdraw: async (): Promise<void> => {
      await stop();
      for (const back of undo.splice(0).reverse()) {
        await back().catch((error: Error) => say(`not taken back: ${error.message}`));
      }
    },
  };
}
