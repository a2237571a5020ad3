import { type Cloud, type CloudOptions, startCloud } from "../../lib/cloud";
import { type Seen, seenBy } from "./tls-client";

/** The parent of Certificate Manager's global resources in project `p1`. */
export const parent = "projects/p1/locations/global";

/** A JSON object; each test checks the members that it expects. */
type Body = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface TestCloud extends Cloud, AsyncDisposable {
  /** Sends an HTTP request and parses the JSON response; a text is sent unchanged. */
  readonly call: (
    httpMethod: string,
    path: string,
    body?: object | string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
  /** Does the same, and fails unless the request succeeds. */
  readonly make: (httpMethod: string, path: string, body?: object) => Promise<Body>;
  /** One handshake with the listener of a forwarding rule, checked against the trust bundle. */
  readonly handshake: (rule: string, servername: string | undefined) => Promise<Seen>;
}

/**
 * Starts a cloud whose time advances only in steps, and whose keys are faster to generate. Everything else has the
 * defaults of users.
 */
export async function startTestCloud(options: CloudOptions = {}): Promise<TestCloud> {
  const certificates = { managedKeyAlgorithm: "ecdsa-p256", ...options.certificates } as const;
  const cloud = await startCloud({ speed: 0, ...options, certificates });
  const call: TestCloud["call"] = async (httpMethod, path, body, headers = {}) => {
    const response = await fetch(`${cloud.endpoints.http.slice(0, -1)}${path}`, {
      method: httpMethod,
      headers,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? ({} as Body) : JSON.parse(text), headers: response.headers };
  };
  return Object.assign(Object.create(cloud, Object.getOwnPropertyDescriptors(cloud)) as Cloud, {
    call,
    make: async (httpMethod: string, path: string, body?: object) => {
      const answer = await call(httpMethod, path, body);
      if (answer.status >= 300) throw new Error(`${httpMethod} ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    handshake: (rule: string, servername: string | undefined) => {
      const place = cloud.loadBalancers.listeners().find(({ forwardingRule }) => forwardingRule.endsWith(`/${rule}`));
      const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(place?.listen ?? "") ?? [];
      const ca = cloud.endpoints.trustBundle;
      return seenBy({ host, port: Number(port), ca, ...(servername === undefined ? {} : { servername }) });
    },
    [Symbol.asyncDispose]: () => cloud.stop(),
  });
}

/** Creates a public zone. */
export async function makeZone(cloud: TestCloud, name: string, dnsName: string, project = "p1"): Promise<void> {
  await cloud.make("POST", `/dns/v1/projects/${project}/managedZones`, { name, dnsName, description: "" });
}

/** Adds the record of a DNS authorization to a zone. @param authorization its name */
export async function publishProof(
  cloud: TestCloud,
  authorization: string,
  zone: string,
  project = "p1",
): Promise<void> {
  const { dnsResourceRecord } = await cloud.make("GET", `/v1/${authorization}`);
  const { name, type, data } = dnsResourceRecord as Readonly<Record<"name" | "type" | "data", string>>;
  await cloud.make("POST", `/dns/v1/projects/${project}/managedZones/${zone}/changes`, {
    additions: [{ name, type, ttl: 300, rrdatas: [data] }],
  });
}

/**
 * Creates a managed certificate with its authorizations and its CNAMEs in a zone, and advances the time until it is
 * ACTIVE.
 */
export async function makeActiveCertificate(
  cloud: TestCloud,
  certificateId: string,
  zone: string,
  domains: readonly string[],
  project = "p1",
): Promise<string> {
  const parent = `projects/${project}/locations/global`;
  const dnsAuthorizations: string[] = [];
  for (const domain of new Set(domains.map((name) => name.replace(/^\*\./, "")))) {
    const id = domain.replaceAll(".", "-");
    const name = `${parent}/dnsAuthorizations/${id}`;
    dnsAuthorizations.push(name);
    if ((await cloud.call("GET", `/v1/${name}`)).status === 200) continue;
    await cloud.make("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=${id}`, { domain });
    await publishProof(cloud, name, zone, project);
  }
  const name = `${parent}/certificates/${certificateId}`;
  await cloud.make("POST", `/v1/${parent}/certificates?certificateId=${certificateId}`, {
    managed: { domains, dnsAuthorizations },
  });
  await cloud.clock.advance(60_000);
  const { managed } = (await cloud.make("GET", `/v1/${name}`)) as { managed?: Record<string, unknown> };
  if (managed?.state !== "ACTIVE") throw new Error(`${name} is ${JSON.stringify(managed)}`);
  return name;
}

/** Creates a certificate map with an entry for each hostname; "PRIMARY" gives the PRIMARY entry. */
export async function makeMap(
  cloud: TestCloud,
  id: string,
  entries: Readonly<Record<string, readonly string[]>>,
): Promise<string> {
  await cloud.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=${id}`, {});
  for (const [index, [hostname, certificates]] of Object.entries(entries).entries()) {
    const place = hostname === "PRIMARY" ? { matcher: "PRIMARY" } : { hostname };
    const path = `/v1/${parent}/certificateMaps/${id}/certificateMapEntries?certificateMapEntryId=e${index}`;
    await cloud.make("POST", path, { ...place, certificates });
  }
  return `//certificatemanager.googleapis.com/${parent}/certificateMaps/${id}`;
}

/** Creates a global load balancer on 127.0.0.1: backend service, URL map, proxy `id`, forwarding rule `id`. */
export async function makeLoadBalancer(
  cloud: TestCloud,
  id: string,
  proxy: object,
  rule: object = {},
  project = "p1",
): Promise<void> {
  const base = `/compute/v1/projects/${project}/global`;
  await cloud.make("POST", `${base}/backendServices`, { name: id, loadBalancingScheme: "EXTERNAL_MANAGED" });
  await cloud.make("POST", `${base}/urlMaps`, { name: id, defaultService: `global/backendServices/${id}` });
  await cloud.make("POST", `${base}/targetHttpsProxies`, { name: id, urlMap: `global/urlMaps/${id}`, ...proxy });
  await cloud.make("POST", `${base}/forwardingRules`, {
    name: id,
    target: `global/targetHttpsProxies/${id}`,
    loadBalancingScheme: "EXTERNAL_MANAGED",
    portRange: "443",
    ...rule,
  });
}
