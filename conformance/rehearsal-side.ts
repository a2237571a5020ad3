import { type Cloud, type CloudOptions, startCloud } from "../lib/cloud";
import { createLookUp } from "../lib/dns";
import { createHttpClient } from "../lib/http";
import { connectTls } from "./connect";
import { type Journal, memoryJournal } from "./journal";
import type { Identity } from "./normalize";
import { Side, type Transport } from "./side";
import { httpTransport } from "./transport";

export const rehearsalIdentity: Identity = {
  project: "conformance-sandbox",
  prefix: "cf000000",
  domain: "sandbox.example.com",
  zone: "sandbox-zone",
};

export interface RehearsalOptions {
  /** Whether requests are sent over HTTPS. @default false */
  readonly https?: boolean;
  /** Changes requests or answers, to test the suite itself. @default - none */
  readonly around?: (transport: Transport) => Transport;
  readonly cloud?: CloudOptions;
  readonly journal?: Journal;
  readonly signal?: AbortSignal;
  /** Side that the behaviors take it for. @default "rehearsal" */
  readonly kind?: Side["kind"];
}

/** The rehearsal cloud as a side. */
export interface RehearsalSide extends AsyncDisposable {
  readonly side: Side;
  readonly cloud: Cloud;
  /** Returns how far the clock of the cloud was moved, in milliseconds. */
  readonly movedMs: () => number;
}

/** Starts a rehearsal cloud in this process with a public zone. Its clock moves only when the suite waits. */
export async function startRehearsalSide(options: RehearsalOptions = {}): Promise<RehearsalSide> {
  const { https = false, around = (transport) => transport, signal } = options;
  const cloud = await startCloud({ speed: 0, servers: { https }, ...options.cloud });
  const { endpoints, clock } = cloud;
  const startedMs = clock.now().getTime();
  const endpoint = https ? (endpoints.https ?? "") : endpoints.http;
  const http = createHttpClient({
    ...(https ? { fetch: trusting(endpoints.httpsTrustBundle ?? "") } : {}),
  });
  const identity = rehearsalIdentity;
  const side = new Side({
    kind: options.kind ?? "rehearsal",
    identity,
    endpoint,
    transport: around(httpTransport({ http, isRetried: false, ...(signal === undefined ? {} : { signal }) })),
    journal: options.journal ?? memoryJournal(),
    now: () => clock.now(),
    wait: (ms) => clock.advance(ms),
    resolve: resolveAt(endpoints.dns),
    handshake: (input) => {
      const found = cloud.loadBalancers
        .listeners()
        .find(({ ipAddress, port }) => ipAddress === input.address && port === (input.port ?? 443));
      const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(found?.listen ?? "") ?? [];
      if (host === "") return Promise.resolve({ refused: "no forwarding rule listens" });
      return connectTls({ host, port: Number(port) }, input);
    },
    ...(signal === undefined ? {} : { signal }),
  });
  // The zone of the user, which the suite itself does not create.
  const zone = { name: identity.zone, dnsName: `${identity.domain}.`, description: "the sandbox of the user" };
  await fetch(`${endpoints.http}dns/v1/projects/${identity.project}/managedZones`, {
    method: "POST",
    body: JSON.stringify(zone),
  });
  return {
    side,
    cloud,
    movedMs: () => clock.now().getTime() - startedMs,
    [Symbol.asyncDispose]: () => cloud.stop(),
  };
}

/** Returns a look-up at one server. @throws Error if the server does not answer */
export function resolveAt(server: string): Side["resolve"] {
  const lookUp = createLookUp(server);
  return async (name, type) => {
    const answer = await lookUp(name, type);
    if (!answer.ok) throw new Error(`looking up ${name} at ${server}: ${answer.detail}`);
    return answer.data;
  };
}

/** Returns a `fetch` that trusts one CA. */
function trusting(ca: string): typeof fetch {
  const undici = require("undici") as typeof import("undici");
  const dispatcher = new undici.Agent({ connect: { ca } });
  return ((input: string, init: object) => undici.fetch(input, { ...init, dispatcher })) as unknown as typeof fetch;
}
