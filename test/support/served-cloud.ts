import { createHttpClient } from "../../lib/http";
import { CloudReader } from "../../lib/rehearsal/cloud-reader";
import { Prober } from "../../lib/rehearsal/prober";
import { resolverOf } from "../../lib/rehearsal/today";
import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  parent,
  startTestCloud,
  type TestCloud,
} from "./cloud";
import { makeCertificate } from "./make-certificate";

const zone = "/dns/v1/projects/p1/managedZones/example-com";
const pool = "projects/p1/locations/europe-west6/caPools/internal";

/** Hostnames of the cloud, by who issues their certificate. */
export const servedHostnames = {
  managed: "example.com",
  privateCa: "private.example.com",
  uploaded: "uploaded.example.com",
} as const;

/** Days until the uploaded certificate ends. */
const uploadDays = 60;

type ServedKind = keyof typeof servedHostnames;
const everyKind = Object.keys(servedHostnames) as readonly ServedKind[];

/** A cloud whose load balancer serves a hostname by each kind of certificate, with alerts on all of them. */
export async function startServedCloud(kinds: readonly ServedKind[] = everyKind) {
  const upload = makeCertificate([servedHostnames.uploaded], {
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + uploadDays * 86_400_000),
  });
  /** Replaces it. */
  const next = makeCertificate([servedHostnames.uploaded], {
    key: 1,
    notAfter: new Date(Date.now() + 3_650 * 86_400_000),
  });
  const roots = [upload.certificatePem, next.certificatePem];
  const cloud = await startTestCloud({ certificates: { uptimeRoots: () => roots } });
  await makeZone(cloud, "example-com", "example.com.");
  const makers: Readonly<Record<ServedKind, () => Promise<string>>> = {
    managed: () => makeActiveCertificate(cloud, "managed", "example-com", [servedHostnames.managed]),
    privateCa: () => makePrivate(cloud),
    uploaded: () => makeUploaded(cloud, "uploaded", upload),
  };
  const entries: [hostname: string, certificates: readonly string[]][] = [];
  for (const kind of kinds) entries.push([servedHostnames[kind], [await makers[kind]()]]);
  const hostnames = entries.map(([hostname]) => hostname);
  const certificateMap = await makeMap(cloud, "shop", Object.fromEntries(entries));
  await makeLoadBalancer(cloud, "shop", { certificateMap });
  await cloud.clock.advance(60_000);
  const address = cloud.loadBalancers.listeners()[0]?.ipAddress ?? "";
  const additions = hostnames.map((name) => {
    return { name: `${name}.`, type: "A", ttl: 300, rrdatas: [address] };
  });
  await cloud.make("POST", `${zone}/changes`, { additions });
  await cloud.clock.advance(10_000);
  await makeAlerts(cloud, kinds);
  const prober = new Prober({
    hostnames,
    resolver: resolverOf(cloud),
    route: () => {
      const [, host = "", port = ""] =
        /^\[?(.*?)\]?:(\d+)$/.exec(cloud.loadBalancers.listeners()[0]?.listen ?? "") ?? [];
      return { host, port: Number(port), side: "loadBalancer" };
    },
    trusted: [cloud.endpoints.trustBundle, ...roots],
    pace: { pauseMs: 1 },
    now: () => cloud.clock.now(),
  });
  prober.start();
  const reader = new CloudReader({ cloudUrl: cloud.endpoints.http, http: createHttpClient() }, () => ["p1"], []);
  const setApi = async (api: string, verb: "enable" | "disable") => {
    await cloud.make("POST", `/v1/projects/p1/services/${api}:${verb}`, {});
  };
  const entry = `/v1/${parent}/certificateMaps/shop/certificateMapEntries/e${kinds.indexOf("uploaded")}`;
  /** Replaces the uploaded certificate by one that ends in ten years. */
  const replaceUpload = async (): Promise<boolean> => {
    const name = await makeUploaded(cloud, "uploaded-2", next);
    await cloud.make("PATCH", `${entry}?updateMask=certificates`, { certificates: [name] });
    await cloud.clock.advance(60_000);
    await cloud.make("DELETE", `/v1/${parent}/certificates/uploaded`);
    return true;
  };
  return { cloud, prober, reader, setApi, replaceUpload };
}

async function makePrivate(cloud: TestCloud): Promise<string> {
  const location = pool.split("/caPools/")[0];
  await cloud.make("POST", `/v1/${location}/caPools?caPoolId=internal`, { tier: "ENTERPRISE" });
  const authority = `${pool}/certificateAuthorities/root`;
  await cloud.make("POST", `/v1/${pool}/certificateAuthorities?certificateAuthorityId=root`, {
    type: "SELF_SIGNED",
    lifetime: "315360000s",
    keySpec: { algorithm: "EC_P256_SHA256" },
    config: {
      subjectConfig: { subject: { commonName: "Corp Root", organization: "Corp" } },
      x509Config: { caOptions: { isCa: true }, keyUsage: { baseKeyUsage: { certSign: true, crlSign: true } } },
    },
  });
  await cloud.make("POST", `/v1/${authority}:enable`, {});
  const issuanceConfig = `${parent}/certificateIssuanceConfigs/config`;
  await cloud.make("POST", `/v1/${parent}/certificateIssuanceConfigs?certificateIssuanceConfigId=config`, {
    keyAlgorithm: "ECDSA_P256",
    lifetime: "1814400s",
    rotationWindowPercentage: 66,
    certificateAuthorityConfig: { certificateAuthorityServiceConfig: { caPool: pool } },
  });
  const managed = { domains: [servedHostnames.privateCa], issuanceConfig };
  await cloud.make("POST", `/v1/${parent}/certificates?certificateId=private`, { managed });
  await cloud.clock.advance(60_000);
  return `${parent}/certificates/private`;
}

async function makeUploaded(
  cloud: TestCloud,
  id: string,
  { certificatePem, privateKeyPem }: { readonly certificatePem: string; readonly privateKeyPem: string },
): Promise<string> {
  const selfManaged = { pemCertificate: certificatePem, pemPrivateKey: privateKeyPem };
  await cloud.make("POST", `/v1/${parent}/certificates?certificateId=${id}`, { selfManaged });
  await cloud.clock.advance(60_000);
  return `${parent}/certificates/${id}`;
}

const metric = "monitoring.googleapis.com/uptime_check";

/** Creates the alerts that the constructs create, without their texts. */
async function makeAlerts(cloud: TestCloud, kinds: readonly ServedKind[]): Promise<void> {
  const policies = "/v3/projects/p1/alertPolicies";
  for (const state of ["CLOSE_TO_EXPIRY", "EXPIRED"]) {
    const filter = `log_id("certificatemanager.googleapis.com/certificates_expiry") AND jsonPayload.state="${state}"`;
    await cloud.make("POST", policies, {
      displayName: state,
      combiner: "OR",
      conditions: [{ displayName: state, conditionMatchedLog: { filter } }],
      alertStrategy: { notificationRateLimit: { period: "86400s" }, autoClose: "604800s" },
    });
  }
  // Uptime checks trust no private CA.
  for (const [kind, thresholdValue] of [
    ["managed", 25],
    ["uploaded", uploadDays / 4],
  ] as const) {
    if (!kinds.includes(kind)) continue;
    const host = servedHostnames[kind];
    const { name } = await cloud.make("POST", "/v3/projects/p1/uptimeCheckConfigs", {
      displayName: host,
      timeout: "10s",
      period: "900s",
      httpCheck: { useSsl: true, validateSsl: true },
      monitoredResource: { type: "uptime_url", labels: { host } },
    });
    const filter = `metric.type="${metric}/time_until_ssl_cert_expires" AND metric.labels.check_id="${String(name).split("/").at(-1)}"`;
    const conditionThreshold = { filter, comparison: "COMPARISON_LT", thresholdValue, duration: "600s" };
    const conditions = [{ displayName: "days", conditionThreshold }];
    await cloud.make("POST", policies, { displayName: `days of ${host}`, combiner: "OR", conditions });
  }
}
