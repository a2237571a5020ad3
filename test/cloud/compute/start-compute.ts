import type { compute_v1 } from "@googleapis/compute";
import { compute } from "@googleapis/compute";
import { type CertificateLookup, type ComputeOptions, createComputeService } from "../../../lib/cloud/compute";
import { createRequestLog, Front, startHttpServer } from "../../../lib/cloud/front";
import { createCloudClock, openStore } from "../../../lib/cloud/state";
import { sendJson } from "../../support/loopback";

/** The prefix of full links. */
export const base = "https://www.googleapis.com/compute/v1/projects/p1";
/** The prefix of links to Certificate Manager. */
export const manager = "//certificatemanager.googleapis.com/projects/p1/locations";

/** Creates a Certificate Manager stub that has exactly these certificates and maps. */
export function certificatesNamed(scopes: Readonly<Record<string, string>>): CertificateLookup {
  const name = (key: string) => key.replace(/^projects\/p1\/locations\//, "");
  return {
    hasMap: (map) => name(map) in scopes,
    hasCertificate: (certificate) => name(certificate) in scopes,
    certificateScope: (certificate) => scopes[name(certificate)],
  };
}

/** Starts Compute Engine alone on a port, with a stopped clock; operations take one second. */
export async function startCompute(options: Partial<ComputeOptions> = {}) {
  const clock = createCloudClock({ startAt: new Date("2026-11-21T00:00:00Z"), speed: 0 });
  const store = options.store ?? openStore();
  const changes = { count: 0 };
  const service = createComputeService({
    store,
    clock,
    operationMs: 1_000,
    certificates: certificatesNamed({
      "global/certificateMaps/m1": "",
      "global/certificateMaps/m2": "",
      "global/certificates/everywhere": "ALL_REGIONS",
      "global/certificates/plain": "DEFAULT",
      "europe-west1/certificates/c1": "DEFAULT",
      "us-east1/certificates/c1": "DEFAULT",
    }),
    onChange: () => {
      changes.count++;
    },
    ...options,
  });
  const sleep = async () => undefined;
  const front = new Front({ services: [service.service], store, clock, log: createRequestLog(), sleep });
  const server = await startHttpServer((request) => front.handle(request));
  const call = (httpMethod: string, path: string, body?: object): Promise<Answer> =>
    sendJson(httpMethod, new URL(`compute/v1/projects/${path}`, server.url), body);
  return {
    url: server.url,
    clock,
    store,
    compute: service,
    /** Number of change notifications to the load balancers. */
    changes,
    /** Sends an HTTP request; paths are relative to `projects/`. */
    call,
    get: async (path: string) => (await call("GET", path)).body,
    /** Creates resources; throws if a request fails. */
    async make(...resources: readonly (readonly [path: string, body: object])[]) {
      for (const [path, body] of resources) {
        const answer = await call("POST", path, body);
        if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
      }
    },
    [Symbol.asyncDispose]: async () => {
      service.release();
      clock.stop();
      await server.close();
    },
  };
}

export type Compute = Awaited<ReturnType<typeof startCompute>>;

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Returns the status, reason and message of an error response. */
export function refusal({ status, body }: Answer): string {
  const error = body.error as { message: string; errors: readonly { reason: string }[] } | undefined;
  return error === undefined ? `${status}` : `${status} ${error.errors[0]?.reason}: ${error.message}`;
}

/** Creates a client of the published library with this address. */
export function client({ url }: { readonly url: string }): compute_v1.Compute {
  // The library loads fetch with a dynamic import, which Jest does not support.
  return compute({ version: "v1", rootUrl: url, fetchImplementation: fetch });
}

/** The request bodies of a small load balancer, in creation order. */
export const loadBalancer = {
  backendService: ["p1/global/backendServices", { name: "b1", loadBalancingScheme: "EXTERNAL_MANAGED" }],
  urlMap: ["p1/global/urlMaps", { name: "u1", defaultService: "global/backendServices/b1" }],
  proxy: [
    "p1/global/targetHttpsProxies",
    { name: "x1", urlMap: "global/urlMaps/u1", certificateMap: `${manager}/global/certificateMaps/m1` },
  ],
  rule: [
    "p1/global/forwardingRules",
    {
      name: "r1",
      target: "global/targetHttpsProxies/x1",
      portRange: "443",
      IPAddress: "203.0.113.7",
      loadBalancingScheme: "EXTERNAL_MANAGED",
    },
  ],
} as const satisfies Readonly<Record<string, readonly [string, object]>>;
