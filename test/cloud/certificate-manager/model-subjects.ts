import { X509Certificate } from "node:crypto";
import { minuteMs, parent, startCertificateManager } from "../../support/certificate-manager";
import { makeZone, startTestCloud, type TestCloud } from "../../support/cloud";

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** The implementation that the tests compare with the model. Changes reach load balancers after a minute. */
export interface Subject extends AsyncDisposable {
  readonly clock: { readonly advance: (ms: number) => Promise<void> };
  /** How much earlier than one minute a change may reach load balancers, in milliseconds. */
  readonly earlierMs: number;
  /** Sends an HTTP request. */
  readonly call: (httpMethod: string, path: string, body?: object) => Promise<Answer>;
  /** Replaces the CNAME record of a name in DNS, or deletes it. */
  readonly publish: (name: string, data: string | undefined) => Promise<void>;
  /** Returns the domains of an issued certificate. */
  readonly namesIn: (pem: string) => readonly string[];
}

/** Starts Certificate Manager alone, with stubs for DNS and for the CA. */
export async function startAlone(): Promise<Subject> {
  const manager = await startCertificateManager();
  return {
    clock: manager.clock,
    earlierMs: 0,
    call: manager.call,
    publish: async (name, data) => manager.publish(name, ...(data === undefined ? [] : [data])),
    namesIn: (pem) => (/^certificate for (.*) of /.exec(pem)?.[1] ?? "").split(", "),
    [Symbol.asyncDispose]: () => manager[Symbol.asyncDispose](),
  };
}

/** Starts a whole cloud, with Cloud DNS, its name server and a CA that signs. */
export function startWhole(): Promise<TestCloud> {
  return startTestCloud({ behavior: { operationMs: 0, propagationMs: minuteMs } });
}

/** Prepares the cloud for one run; disposal empties the cloud again. */
export async function useWhole(cloud: TestCloud): Promise<Subject> {
  await makeZone(cloud, "example", "example.");
  const rrsets = "/dns/v1/projects/p1/managedZones/example/rrsets";
  return {
    clock: cloud.clock,
    // The cloud applies changes in batches, each a tenth of the delay long.
    earlierMs: minuteMs / 10,
    call: (httpMethod, path, body) => cloud.call(httpMethod, `/${path}`, body),
    publish: async (name, data) => {
      await cloud.call("DELETE", `${rrsets}/${name}/CNAME`);
      if (data !== undefined) await cloud.make("POST", rrsets, { name, type: "CNAME", ttl: 60, rrdatas: [data] });
    },
    namesIn: (pem) =>
      [...(new X509Certificate(pem).subjectAltName ?? "").matchAll(/DNS:([^,]+)/g)].map(([, name = ""]) => name),
    [Symbol.asyncDispose]: () => cloud.reset(),
  };
}

const idParameters = {
  dnsAuthorizations: "dnsAuthorizationId",
  certificates: "certificateId",
  certificateMaps: "certificateMapId",
  certificateMapEntries: "certificateMapEntryId",
} as const;

/** Returns the path that creates a resource; `within` is the parent. */
export function creation(collection: keyof typeof idParameters, id: string, within: string = parent): string {
  return `v1/${within}/${collection}?${idParameters[collection]}=${id}`;
}
