import { setTimeout as pause } from "node:timers/promises";
import type { Cloud } from "../cloud";
import type { HttpClient } from "../http";
import type { Authorization, Look } from "./look";
import type { World } from "./world";

export interface PublishOptions {
  readonly cloud: Cloud;
  readonly http: HttpClient;
  readonly look: Look;
  readonly zones: World["zones"];
  readonly say: (line: string) => void;
}

/** How often authorizations are looked for, in milliseconds of the machine. */
const pauseMs = 250;

/**
 * Does what the operator of a name server elsewhere does: publishes the CNAME of each authorization as soon as that is there, unless Terraform does.
 */
export function publishByHand({ cloud, http, look, zones, say }: PublishOptions): {
  readonly stop: () => Promise<void>;
} {
  const ending = new AbortController();
  const published = new Set<string>();

  const publish = async ({ name, dnsResourceRecord: record }: Authorization): Promise<void> => {
    published.add(name);
    const zone = zones.find(({ dnsName }) => `.${record?.name ?? ""}`.endsWith(`.${dnsName}`));
    if (record === undefined || zone === undefined) return;
    const body = JSON.stringify({
      additions: [{ name: record.name, type: record.type, ttl: 300, rrdatas: [record.data] }],
    });
    await http.send({
      method: "POST",
      url: `${cloud.endpoints.http}dns/v1/projects/${zone.project}/managedZones/${zone.name}/changes`,
      headers: { "content-type": "application/json" },
      body,
      purpose: "publishing a CNAME by hand",
      // Somebody else was faster.
      accept: [409],
    });
    say(`published by hand: ${record.name} ${record.type} ${record.data}`);
  };

  const work = async () => {
    while (!ending.signal.aborted) {
      const found = await look.authorizations().catch(() => []);
      for (const authorization of found) {
        if (!published.has(authorization.name))
          await publish(authorization).catch(() => published.delete(authorization.name));
      }
      await pause(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const working = work();
  return {
    stop: async () => {
      ending.abort();
      await working;
    },
  };
}
