import type { DoctorOptions } from "../../../../lib/live/doctor";
import type { SourceMigration } from "../../../../lib/source";
import { makeCertificate } from "../../../support/make-certificate";
import type { DoctorChange, Place, RecordOfTest, SpecOfTest, World } from "../world";

/** Inputs of an examination that are not in the cloud. */
interface Made {
  readonly options?: DoctorChange;
  readonly end?: () => Promise<void>;
}

/** A problem: how the test causes it, and which findings the doctor reports. */
export interface DoctorProblem {
  /** Describes the problem. */
  readonly title: string;
  /** Records in place of the usual ones. */
  readonly records?: (domain: string) => readonly RecordOfTest[];
  /** Changes the healthy spec. */
  readonly spec?: (spec: SpecOfTest, place: Place) => SpecOfTest;
  /** Causes the problem. Returns options of the examination. */
  readonly make?: (world: World, place: Place, spec: SpecOfTest) => Promise<Made | undefined>;
  /** Code and subject of everything that is found, sorted. */
  readonly found: (place: Place, planned: SourceMigration) => readonly string[];
  /** Expected texts of the finding, whole or in part: `what`, remedy, command. */
  readonly says: readonly (string | RegExp)[];
}

export const wwwOf = ({ domain }: Pick<Place, "domain">) => `www.${domain}`;
export const challengeOf = ({ domain }: Pick<Place, "domain">) => `_acme-challenge.${domain}`;
export const without = (spec: SpecOfTest, ...fields: readonly string[]): SpecOfTest =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !fields.includes(field)));
export const balancer = (more: object) => ({ loadBalancer: { kind: "globalExternal", ...more } });

/** Sets the state of a project. */
export function statingProject(more: object): NonNullable<DoctorProblem["make"]> {
  return async ({ cloud }, { project }) => {
    await cloud.make("PUT", "/_cloud/project", { project, ...more });
    return undefined;
  };
}

export function publishing(...records: ((place: Place) => RecordOfTest)[]): NonNullable<DoctorProblem["make"]> {
  return async (world, place) => {
    await world.publish(
      place,
      records.map((record) => record(place)),
    );
    return undefined;
  };
}

export type DnsFault = NonNullable<Parameters<World["cloud"]["faults"]["set"]>[0]["dns"]>[number];

export function answering(fault: (place: Place) => DnsFault): NonNullable<DoctorProblem["make"]> {
  return async ({ cloud }, place) => {
    cloud.faults.set({ dns: [fault(place)] });
    return undefined;
  };
}

export function refusing(method: string, status: string): NonNullable<DoctorProblem["make"]> {
  return async ({ cloud }) => {
    cloud.faults.set({ requests: [{ method, status }] });
    return undefined;
  };
}

export function withOld(
  old: (place: Place) => NonNullable<DoctorOptions["previousCertificates"]>,
): NonNullable<DoctorProblem["make"]> {
  return async (_world, place) => ({ options: { previousCertificates: old(place) } });
}

export const oldCertificate = ({ domain }: Place) => ({
  source: "old.pem",
  domains: [domain],
  mustStaple: false,
  ipAddresses: [],
});

/** Creates a target HTTPS proxy `web` and its backends, and with a scheme also a forwarding rule. */
export async function makeProxy(
  { cloud }: World,
  { project, address }: Place,
  proxy: object,
  rule?: { readonly scheme: string; readonly port?: number; readonly standardIn?: string },
): Promise<void> {
  const base = `/compute/v1/projects/${project}/global`;
  const loadBalancingScheme = rule?.scheme ?? "EXTERNAL_MANAGED";
  await cloud.make("POST", `${base}/backendServices`, { name: "web", loadBalancingScheme });
  await cloud.make("POST", `${base}/urlMaps`, { name: "web", defaultService: "global/backendServices/web" });
  await cloud.make("POST", `${base}/targetHttpsProxies`, { name: "web", urlMap: "global/urlMaps/web", ...proxy });
  if (rule === undefined) return;
  if (rule.standardIn !== undefined) {
    await cloud.make("POST", `/compute/v1/projects/${project}/regions/${rule.standardIn}/forwardingRules`, {
      name: "web",
      target: "global/targetHttpsProxies/web",
      loadBalancingScheme,
      networkTier: "STANDARD",
      portRange: "443",
    });
    return;
  }
  await cloud.make("POST", `${base}/forwardingRules`, {
    name: "web",
    target: "global/targetHttpsProxies/web",
    loadBalancingScheme,
    IPAddress: rule.scheme.startsWith("EXTERNAL") ? address : "10.0.0.7",
    portRange: String(rule.port ?? 443),
  });
}

export const proxyOf = ({ project }: Place) => `projects/${project}/global/targetHttpsProxies/web`;
export const sslCertificateOf = ({ project }: Place) => `projects/${project}/global/sslCertificates/old`;

/** Creates a Compute Engine SSL certificate. */
export async function makeSslCertificate(
  { cloud }: World,
  { project }: Place,
  names: readonly string[],
): Promise<string> {
  const { certificatePem: certificate, privateKeyPem: privateKey } = makeCertificate(names);
  const body = { name: "old", certificate, privateKey };
  await cloud.make("POST", `/compute/v1/projects/${project}/global/sslCertificates`, body);
  return "global/sslCertificates/old";
}

/** Creates a certificate map `old` with an entry and its certificate. */
export async function makeMap({ cloud }: World, { project }: Place, hostname: string): Promise<string> {
  const parent = `projects/${project}/locations/global`;
  const { certificatePem, privateKeyPem } = makeCertificate([hostname]);
  const selfManaged = { pemCertificate: certificatePem, pemPrivateKey: privateKeyPem };
  await cloud.make("POST", `/v1/${parent}/certificates?certificateId=old`, { selfManaged });
  await cloud.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=old`, {});
  await cloud.clock.advance(1_000);
  await cloud.make("POST", `/v1/${parent}/certificateMaps/old/certificateMapEntries?certificateMapEntryId=e1`, {
    hostname,
    certificates: [`${parent}/certificates/old`],
  });
  await cloud.clock.advance(1_000);
  return `${parent}/certificateMaps/old`;
}

export const adopted = {
  name: "web",
  urlMap: "global/urlMaps/web",
  sslCertificates: null,
  sslPolicy: null,
  quicOverride: null,
  tlsEarlyData: null,
  httpKeepAliveTimeoutSeconds: null,
  serverTlsPolicy: null,
  description: null,
};
export const adopting = (spec: SpecOfTest, { address }: Place): SpecOfTest => ({
  ...spec,
  ...balancer({ adoptTargetHttpsProxies: [adopted], addresses: [address] }),
});

export const ownTarget = "abc.1.authorize.certificatemanager.goog.";

/** Changes the migration to a regional load balancer. */
export const inRegion = (spec: SpecOfTest, { domain, address }: Place): SpecOfTest => ({
  ...spec,
  certificates: [{ domains: [domain, wwwOf({ domain })] }],
  loadBalancer: {
    kind: "regionalExternal",
    region: "europe-west1",
    newTargetHttpsProxy: {
      urlMap: "regions/europe-west1/urlMaps/shop",
      forwardingRules: { ipv4Address: address },
    },
  },
});

/** Reserves a regional address for the migration instead of a global address. */
export function reserving(more: object): NonNullable<DoctorProblem["make"]> {
  return async ({ cloud }, { project, address }) => {
    await cloud.make("DELETE", `/compute/v1/projects/${project}/global/addresses/shop`);
    const path = `/compute/v1/projects/${project}/regions/europe-west1/addresses`;
    await cloud.make("POST", path, { name: "web", address, ...more });
    return undefined;
  };
}

/** Returns more names than the smallest quotas allow. */
export const manyNames = (domain: string): readonly string[] =>
  Array.from({ length: 101 }, (_, index) => `n${index}.${domain}`);
