import { setTimeout as pause } from "node:timers/promises";
import type { Cloud } from "../cloud";
import type { HttpClient } from "../http";
import type { Authorization, Look } from "./look";
import { newAddress } from "./script";
import type { World } from "./world";

export interface OperatorOptions {
  readonly cloud: Cloud;
  readonly http: HttpClient;
  readonly look: Look;
  readonly project: string;
  readonly zones: World["zones"];
  readonly say: (line: string) => void;
}

/** Does what a stack leaves to people. */
export interface Operator {
  /** Publishes the CNAME of each authorization as soon as that is there, unless Terraform does; until {@link withdraw}. */
  readonly publish: () => void;
  /**
   * Makes a forwarding rule for each target HTTPS proxy; where there is none, a proxy for each map first.
   *
   * @returns whether there is anything to be reached
   */
  readonly attach: () => Promise<boolean>;
  /** Takes all of it back. */
  readonly withdraw: () => Promise<void>;
}

/** How often authorizations are looked for, in milliseconds of the machine. */
const pauseMs = 250;

export function operatorOf({ cloud, http, look, project, zones, say }: OperatorOptions): Operator {
  const ending = new AbortController();
  const undo: (() => Promise<unknown>)[] = [];
  let publishing: Promise<void> = Promise.resolve();

  const send = (method: "POST" | "DELETE", path: string, body?: object) =>
    http.send({
      method,
      url: `${cloud.endpoints.http}${path}`,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      purpose: "doing by hand what the stack leaves to people",
      // Somebody else was faster.
      accept: [404, 409],
    });

  const publishOne = async ({ dnsResourceRecord: record }: Authorization): Promise<void> => {
    const zone = zones.find(({ dnsName }) => `.${record?.name ?? ""}`.endsWith(`.${dnsName}`));
    if (record === undefined || zone === undefined) return;
    const set = { name: record.name, type: record.type, ttl: 300, rrdatas: [record.data] };
    const changes = `dns/v1/projects/${zone.project}/managedZones/${zone.name}/changes`;
    const { status } = await send("POST", changes, { additions: [set] });
    if (status >= 400) return;
    undo.push(() => send("POST", changes, { deletions: [set] }));
    say(`published by hand: ${record.name} ${record.type} ${record.data}`);
  };

  const publishAll = async () => {
    const done = new Set<string>();
    while (!ending.signal.aborted) {
      for (const authorization of await look.authorizations().catch(() => [])) {
        if (done.has(authorization.name)) continue;
        const published = await publishOne(authorization).then(
          () => true,
          () => false,
        );
        if (published) done.add(authorization.name);
      }
      await pause(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };

  const make = async (collection: string, body: { readonly name: string; readonly [field: string]: string }) => {
    const path = `compute/v1/projects/${project}/${collection}`;
    await send("POST", path, body);
    undo.push(() => send("DELETE", `${path}/${body.name}`));
  };

  /** One for each map. */
  const makeProxies = async (): Promise<readonly string[]> => {
    const maps = await look.maps();
    return Promise.all(
      maps.map(async (map, index) => {
        const name = `by-hand-${index + 1}`;
        await make("global/backendServices", { name, loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "HTTP" });
        await make("global/urlMaps", { name, defaultService: `global/backendServices/${name}` });
        const certificateMap = `//certificatemanager.googleapis.com/${map.name}`;
        await make("global/targetHttpsProxies", { name, urlMap: `global/urlMaps/${name}`, certificateMap });
        say(`made by hand: target proxy ${name} with ${map.name}`);
        return `global/targetHttpsProxies/${name}`;
      }),
    );
  };

  return {
    publish: () => {
      publishing = publishAll();
    },
    attach: async () => {
      const made = await look.targetHttpsProxies();
      const proxies = made.length > 0 ? made : await makeProxies();
      for (const [index, proxy] of proxies.entries()) {
        const ipAddress = newAddress.replace(/\d+$/, (last) => String(Number(last) + index));
        const scope = proxy.slice(0, proxy.indexOf("/targetHttpsProxies/"));
        await make(`${scope}/forwardingRules`, {
          name: `by-hand-${index + 1}`,
          IPAddress: ipAddress,
          IPProtocol: "TCP",
          portRange: "443",
          loadBalancingScheme: "EXTERNAL_MANAGED",
          target: `projects/${project}/${proxy}`,
        });
        say(`made by hand: a forwarding rule from ${ipAddress} to ${proxy}`);
      }
      return proxies.length > 0;
    },
    withdraw: async () => {
      ending.abort();
      await publishing;
      for (const back of undo.splice(0).reverse()) await back();
    },
  };
}
