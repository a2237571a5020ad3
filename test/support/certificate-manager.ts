import type { LookUpAnswer, ValidationLookUp } from "../../lib/cloud/certificate-manager";
import { CertificateManager, type CertificateManagerOptions } from "../../lib/cloud/certificate-manager";
import { createRequestLog, Front, startHttpServer } from "../../lib/cloud/front";
import { createCloudClock, openStore, type Store } from "../../lib/cloud/state";
import { type JsonAnswer, sendJson } from "./loopback";

/** The parent of the resources in the tests of Certificate Manager. */
export const parent = "projects/p1/locations/global";
export const startAt = "2026-11-21T00:00:00.000Z";
export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export interface ManagerOptions extends Partial<Omit<CertificateManagerOptions, "users">> {
  /** @default - nothing uses its resources */
  readonly users?: Partial<CertificateManagerOptions["users"]>;
  readonly startAt?: string;
  readonly store?: Store;
}

/** Starts Certificate Manager alone on a port, with a stopped clock and DNS records that the test sets. */
export async function startCertificateManager(options: ManagerOptions = {}) {
  const clock = createCloudClock({ startAt: new Date(options.startAt ?? startAt), speed: 0 });
  const store = options.store ?? openStore();
  const records = new Map<string, LookUpAnswer>();
  const lookUp: ValidationLookUp = async (name, type) =>
    records.get(`${type} ${name}`) ?? { rcode: "NXDOMAIN", data: [] };
  const manager = new CertificateManager({
    clock,
    operationMs: 500,
    propagatedMs: () => clock.now().getTime() - 60_000,
    lookUp,
    issue: async (domains) => ({
      chainPem: `certificate for ${domains.join(", ")} of ${clock.now().toISOString()}`,
      privateKeyPem: "key",
      notAfter: new Date(clock.now().getTime() + 90 * dayMs),
    }),
    privateCas: { issue: async () => ({ refusal: "there is no CA" }), hasPool: () => false },
    visibility: { addressesOf: async () => [], frontends: () => [] },
    onChange: () => undefined,
    ...options,
    users: { ofMap: () => [], ofCertificate: () => [], ...options.users },
    store,
  });
  const log = createRequestLog();
  const front = new Front({ services: [manager.service], store, clock, log, sleep: async () => undefined });
  const server = await startHttpServer((request) => front.handle(request));
  const call = (httpMethod: string, path: string, body?: object) =>
    sendJson(httpMethod, new URL(path, server.url), body);
  const put = (type: string, name: string, data: readonly string[], rcode?: string) =>
    void records.set(`${type} ${name}`, { rcode: rcode ?? (data.length === 0 ? "NXDOMAIN" : "NOERROR"), data });
  return {
    url: server.url,
    clock,
    manager,
    log,
    store,
    lookUp,
    /** Sets a DNS record, or removes it. */
    publish: (name: string, ...data: readonly string[]) => put("CNAME", name, data),
    publishCaa: (name: string, ...data: readonly string[]) => put("CAA", name, data),
    /** Makes DNS queries fail. */
    failLookUp: (type: "CNAME" | "CAA", name: string, rcode: string) => put(type, name, [], rcode),
    /** Sends an HTTP request. */
    call,
    /** Creates a resource over HTTP; `within` is the parent. */
    create: (collection: keyof typeof idParameters, id: string, body: object, within: string = parent) =>
      call("POST", `v1/${within}/${collection}?${idParameters[collection]}=${id}`, body),
    /** Reads a resource over HTTP; `name` begins with `projects/`. */
    get: async (name: string) => (await call("GET", `v1/${name}`)).body,
    [Symbol.asyncDispose]: async () => {
      clock.stop();
      await server.close();
    },
  };
}

export type StartedManager = Awaited<ReturnType<typeof startCertificateManager>>;

const idParameters = {
  dnsAuthorizations: "dnsAuthorizationId",
  certificates: "certificateId",
  certificateIssuanceConfigs: "certificateIssuanceConfigId",
  certificateMaps: "certificateMapId",
  certificateMapEntries: "certificateMapEntryId",
  trustConfigs: "trustConfigId",
} as const;

/** Creates an authorization and returns its DNS record. */
export async function authorize(cloud: StartedManager, domain: string, id = domain.replaceAll(".", "-")) {
  const name = `${parent}/dnsAuthorizations/${id}`;
  await cloud.create("dnsAuthorizations", id, { domain });
  const { dnsResourceRecord: record } = await cloud.get(name);
  return { name, record: record as { readonly name: string; readonly data: string } };
}

/**
 * Creates a managed certificate and an authorization for each of its domains. `published`: whether their records are
 * set, too.
 */
export async function makeManaged(
  cloud: StartedManager,
  id: string,
  domains: readonly string[],
  { published = true }: { readonly published?: boolean } = {},
) {
  const bases = [...new Set(domains.map((domain) => domain.replace(/^\*\./, "")))];
  const authorizations = [];
  for (const base of bases) authorizations.push(await authorize(cloud, base));
  if (published) for (const { record } of authorizations) cloud.publish(record.name, record.data);
  const managed = { domains, dnsAuthorizations: authorizations.map(({ name }) => name) };
  await cloud.create("certificates", id, { managed });
  return { name: `${parent}/certificates/${id}`, records: authorizations.map(({ record }) => record) };
}

/** The issuance of a certificate in the API. */
interface Managed {
  readonly state: string;
  readonly authorizationAttemptInfo: readonly {
    readonly domain: string;
    readonly state: string;
    readonly failureReason?: string;
    readonly details?: string;
  }[];
  readonly provisioningIssue?: { readonly reason: string; readonly details: string };
}

export async function managedPartOf(cloud: StartedManager, name: string): Promise<Managed> {
  return (await cloud.get(name)).managed as Managed;
}

/** Returns the parts of an error response: HTTP status, status name, and the first invalid field. */
export function refusalOf({ status, body }: JsonAnswer): {
  status: number;
  word: string;
  field: string;
  message: string;
} {
  const { error } = body as {
    error: { status: string; message: string; details?: readonly { fieldViolations?: readonly { field: string }[] }[] };
  };
  const field = error.details?.flatMap(({ fieldViolations = [] }) => fieldViolations)[0]?.field ?? "";
  return { status, word: error.status, field, message: error.message };
}
