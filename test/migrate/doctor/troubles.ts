import { createZone, createZoneSource, startNameServer } from "../../../lib/cloud/name-server";
import type { DoctorOptions, SourceMigration } from "../../../lib/migrate";
import { makeCertificate } from "../../support/make-certificate";
import type { Place, RecordOfTest, SpecOfTest, World } from "./world";

/** What a trouble consists of beside what is in the cloud. */
interface Made {
  readonly options?: Partial<DoctorOptions>;
  readonly end?: () => Promise<void>;
}

/** One trouble: how it is made, and what is found. */
export interface Trouble {
  /** Says what is wrong. */
  readonly title: string;
  /** Records in place of the usual ones. */
  readonly records?: (domain: string) => readonly RecordOfTest[];
  /** Changes the healthy spec. */
  readonly spec?: (spec: SpecOfTest, place: Place) => SpecOfTest;
  /** Makes the trouble; what it answers is passed on to the examination. */
  readonly make?: (world: World, place: Place, spec: SpecOfTest) => Promise<Made | undefined>;
  /** Code and subject of everything that is found, sorted. */
  readonly found: (place: Place, planned: SourceMigration) => readonly string[];
  /** What the finding of the trouble says, whole or in part: `what`, remedy, command. */
  readonly says: readonly (string | RegExp)[];
}

const wwwOf = ({ domain }: Pick<Place, "domain">) => `www.${domain}`;
const challengeOf = ({ domain }: Pick<Place, "domain">) => `_acme-challenge.${domain}`;
const without = (spec: SpecOfTest, ...fields: readonly string[]): SpecOfTest =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !fields.includes(field)));
const balancer = (more: object) => ({ loadBalancer: { kind: "globalExternal", ...more } });

/** Says how a project stands. */
function standing(more: object): NonNullable<Trouble["make"]> {
  return async ({ cloud }, { project }) => {
    await cloud.make("PUT", "/_cloud/project", { project, ...more });
    return undefined;
  };
}

function publishing(...records: ((place: Place) => RecordOfTest)[]): NonNullable<Trouble["make"]> {
  return async (world, place) => {
    await world.publish(
      place,
      records.map((record) => record(place)),
    );
    return undefined;
  };
}

type DnsFault = NonNullable<Parameters<World["cloud"]["faults"]["set"]>[0]["dns"]>[number];

function answering(fault: (place: Place) => DnsFault): NonNullable<Trouble["make"]> {
  return async ({ cloud }, place) => {
    cloud.faults.set({ dns: [fault(place)] });
    return undefined;
  };
}

function refusing(method: string, status: string): NonNullable<Trouble["make"]> {
  return async ({ cloud }) => {
    cloud.faults.set({ requests: [{ method, status }] });
    return undefined;
  };
}

function withOld(old: (place: Place) => NonNullable<DoctorOptions["old"]>): NonNullable<Trouble["make"]> {
  return async (_world, place) => ({ options: { old: old(place) } });
}

const oldCertificate = ({ domain }: Place) => ({
  source: "old.pem",
  domains: [domain],
  mustStaple: false,
  ipAddresses: [],
});

/** A target HTTPS proxy `web` with what it leads to, and a forwarding rule on its address if it has a scheme. */
async function makeProxy(
  { cloud }: World,
  { project, address }: Place,
  proxy: object,
  rule?: { readonly scheme: string; readonly port?: number },
): Promise<void> {
  const base = `/compute/v1/projects/${project}/global`;
  const loadBalancingScheme = rule?.scheme ?? "EXTERNAL_MANAGED";
  await cloud.make("POST", `${base}/backendServices`, { name: "web", loadBalancingScheme });
  await cloud.make("POST", `${base}/urlMaps`, { name: "web", defaultService: "global/backendServices/web" });
  await cloud.make("POST", `${base}/targetHttpsProxies`, { name: "web", urlMap: "global/urlMaps/web", ...proxy });
  if (rule === undefined) return;
  await cloud.make("POST", `${base}/forwardingRules`, {
    name: "web",
    target: "global/targetHttpsProxies/web",
    loadBalancingScheme,
    IPAddress: rule.scheme.startsWith("EXTERNAL") ? address : "10.0.0.7",
    portRange: String(rule.port ?? 443),
  });
}

const proxyOf = ({ project }: Place) => `projects/${project}/global/targetHttpsProxies/web`;
const sslCertificateOf = ({ project }: Place) => `projects/${project}/global/sslCertificates/old`;

/** An SSL certificate of Compute Engine. */
async function makeSslCertificate({ cloud }: World, { project }: Place, names: readonly string[]): Promise<string> {
  const { certificatePem: certificate, privateKeyPem: privateKey } = makeCertificate(names);
  const body = { name: "old", certificate, privateKey };
  await cloud.make("POST", `/compute/v1/projects/${project}/global/sslCertificates`, body);
  return "global/sslCertificates/old";
}

/** A certificate map `old` with an entry, and a certificate for that. */
async function makeMap({ cloud }: World, { project }: Place, hostname: string): Promise<string> {
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

const adopted = {
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
const adopting = (spec: SpecOfTest, { address }: Place): SpecOfTest => ({
  ...spec,
  ...balancer({ adoptTargetHttpsProxies: [adopted], addresses: [address] }),
});

const ownTarget = "abc.1.authorize.certificatemanager.goog.";

export const troubles: readonly Trouble[] = [
  // The projects.
  {
    title: "nobody pays for the project",
    make: standing({ billingEnabled: false }),
    found: ({ project }) => [`billing-off ${project}`],
    says: ["has no open billing account", "link the project", /^gcloud billing projects describe p\d+$/],
  },
  {
    title: "an API is not enabled",
    make: async ({ cloud }, { project }) => {
      await cloud.make("POST", `/v1/projects/${project}/services/dns.googleapis.com:disable`, {});
      return undefined;
    },
    found: ({ project, domain }) => [`api-disabled ${project}`, `check-needs-api shop (${domain})`],
    says: ["dns.googleapis.com is not enabled", /^gcloud services enable dns\.googleapis\.com --project=p\d+$/],
  },
  {
    title: "the caller lacks a permission to make what comes next",
    make: standing({ deniedPermissions: ["dns.changes.create"] }),
    found: ({ project }) => [`permission-missing ${project}`],
    says: ["the caller lacks dns.changes.create", "grant roles/dns.admin", /--role=roles\/dns\.admin$/],
  },
  {
    title: "the caller is an editor of certificates, who may not delete",
    make: standing({ deniedPermissions: ["certificatemanager.*.delete"] }),
    found: ({ project }) => [`permission-to-delete-missing ${project}`],
    says: ["certificatemanager.certs.delete", "grant roles/certificatemanager.owner"],
  },
  {
    title: "a quota is used up",
    make: standing({ quotas: { TARGET_HTTPS_PROXIES: 0 } }),
    found: ({ project }) => [`quota-exceeded ${project}`],
    says: [/has 0 of 0 TARGET_HTTPS_PROXIES, and the migration makes 1 more/, "ask for a higher quota"],
  },
  {
    title: "a quota is all but used up",
    make: standing({ quotas: { FORWARDING_RULES: 1 } }),
    found: ({ project }) => [`quota-tight ${project}`],
    says: ["has 0 of 1 FORWARDING_RULES"],
  },
  {
    title: "the caller may not see what is checked",
    make: refusing("dns.managedZones.list", "PERMISSION_DENIED"),
    found: ({ domain }) => [`check-denied shop (${domain})`],
    says: ["listing the DNS zones of project", "grant the viewer role"],
  },
  {
    title: "a service does not answer",
    make: refusing("cloudbilling.projects.getBillingInfo", "UNAVAILABLE"),
    found: ({ project }) => [`check-unanswered ${project}`],
    says: ["HTTP 503", "run the command again"],
  },

  // The zones.
  {
    title: "the plan names a zone that is not there",
    spec: (spec, { domain }) => ({ ...spec, dns: { kind: "cloudDns", zones: { [domain]: "shopp" } } }),
    found: () => ["zone-missing shopp"],
    says: ["has no DNS zone shopp", /^name shop, which is for shop\d+\.com$/],
  },
  {
    title: "the plan names the private zone of the domain",
    make: async (world, { project, domain }) => {
      await world.zone(project, "inner", domain, { visibility: "private" });
      return undefined;
    },
    spec: (spec, { domain }) => ({ ...spec, dns: { kind: "cloudDns", zones: { [domain]: "inner" } } }),
    found: () => ["zone-private inner"],
    says: ["the DNS zone inner is private", "name the public zone"],
  },
  {
    title: "the plan names the zone of another domain",
    make: async (world, { project, domain }) => {
      await world.zone(project, "other", `other-${domain}`);
      return undefined;
    },
    spec: (spec, { domain }) => ({ ...spec, dns: { kind: "cloudDns", zones: { [domain]: "other" } } }),
    found: () => ["zone-mismatched other"],
    says: [/^the DNS zone other is for other-shop\d+\.com, and the plan writes/],
  },
  {
    title: "the domain is delegated to somebody else's name servers",
    make: answering(({ domain }) => ({ name: domain, type: "NS", rrdatas: ["ns1.old-provider.net."] })),
    found: ({ domain }) => [`zone-not-delegated ${domain}`],
    says: [/is delegated to ns1\.old-provider\.net, and the zone shop is at ns-cloud-/, "have the registrar delegate"],
  },
  {
    title: "nothing delegates the zone of the plan",
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "A", 60, "198.51.100.1"],
    ],
    make: async (world, { project, domain }) => {
      await world.zone(project, "www", wwwOf({ domain }));
      await world.publish({ project }, [[wwwOf({ domain }), "A", 60, "198.51.100.1"]], "www");
      world.cloud.faults.set({ dns: [{ name: wwwOf({ domain }), type: "NS", rrdatas: [] }] });
      return undefined;
    },
    spec: (spec, { domain }) => ({
      ...spec,
      dns: { kind: "cloudDns", zones: { [domain]: "shop", [wwwOf({ domain })]: "www" } },
    }),
    found: (place) => [`zone-not-delegated ${wwwOf(place)}`],
    says: [/^nothing delegates www\.shop\d+\.com: it is part of shop\d+\.com/],
  },
  {
    title: "the domain is delegated to further name servers",
    make: async ({ cloud }, { project, domain }) => {
      const { nameServers } = await cloud.make("GET", `/dns/v1/projects/${project}/managedZones/shop`);
      const [, ...most] = nameServers as readonly string[];
      cloud.faults.set({ dns: [{ name: domain, type: "NS", rrdatas: [...most, "ns1.old-provider.net."] }] });
      return undefined;
    },
    found: ({ domain }) => [`delegation-incomplete ${domain}`],
    says: [/also to ns1\.old-provider\.net and not to ns-cloud-.1\.googledomains\.com/],
  },
  {
    title: "a hostname of the zone is a zone of its own",
    make: async (world, { project, domain }) => {
      await world.zone(project, "www", wwwOf({ domain }));
      await world.publish({ project }, [[wwwOf({ domain }), "A", 60, "198.51.100.1"]], "www");
      return undefined;
    },
    found: (place) => [`delegation-below _acme-challenge.${wwwOf(place)}`, `delegation-below ${wwwOf(place)}`],
    says: [/is a zone of its own, so that _acme-challenge\.www/, "as another one of dns.zones"],
  },
  {
    title: "nobody says to whom the domain is delegated",
    make: answering(({ domain }) => ({ name: domain, type: "NS", rcode: "SERVFAIL" })),
    found: ({ domain }) => [`zone-unanswered ${domain}`],
    says: ["is answered with SERVFAIL", /^dig shop\d+\.com NS$/],
  },
  {
    title: "the parent announces signatures that the zone does not have",
    make: answering(({ domain }) => ({ name: domain, type: "DS", rrdatas: ["12345 8 2 ABCD"] })),
    found: ({ domain }) => [`dnssec-unsigned ${domain}`],
    says: ["has a DS record, and DNSSEC is off", /--dnssec-state=on/],
  },

  // The records that prove domains.
  {
    title: "another provider proves the domain by the record's name",
    make: publishing((place) => [challengeOf(place), "CNAME", 300, "shop.dcv.old-cdn.net."]),
    found: (place) => [`challenge-cname-elsewhere ${challengeOf(place)}`],
    says: ["leads to shop.dcv.old-cdn.net", "PER_PROJECT_RECORD"],
  },
  {
    title: "another project proves the domain by the record's name",
    make: publishing((place) => [challengeOf(place), "CNAME", 300, ownTarget]),
    found: (place) => [`challenge-of-other-project ${challengeOf(place)}`],
    says: ["abc.1.authorize.certificatemanager.goog", "existingAuthorizations"],
  },
  {
    title: "the record is published with the data of another authorization",
    make: async (world, place, spec) => {
      const [authorization] = world.planned(spec, place).authorizations;
      const id = authorization?.resourceName;
      const path = `/v1/projects/${place.project}/locations/global/dnsAuthorizations?dnsAuthorizationId=${id}`;
      await world.cloud.make("POST", path, { domain: place.domain });
      await world.publish(place, [[challengeOf(place), "CNAME", 300, ownTarget]]);
      return undefined;
    },
    found: (place) => [`challenge-wrong ${challengeOf(place)}`],
    says: [
      /and has to lead to .*\.authorize\.certificatemanager\.goog/,
      /^publish _acme-challenge\.shop\d+\.com\. CNAME/,
    ],
  },
  {
    title: "the record is published under a name that has the zone twice",
    make: publishing((place) => [`${challengeOf(place)}.${place.domain}`, "CNAME", 300, ownTarget]),
    found: (place) => [`challenge-doubled ${challengeOf(place)}`],
    says: [/is published as _acme-challenge\.(shop\d+\.com)\.\1$/, "keep the trailing dot"],
  },
  {
    title: "a TXT record stands where the CNAME has to be",
    make: publishing((place) => [challengeOf(place), "TXT", 60, '"left-by-the-old-authority"']),
    found: (place) => [`challenge-txt ${challengeOf(place)}`],
    says: ["has TXT records", "remove the TXT record"],
  },
  {
    title: "the record's name is delegated to somebody else",
    make: publishing((place) => [challengeOf(place), "NS", 300, "ns1.acme-dns.net."]),
    found: (place) => [`challenge-delegated ${challengeOf(place)}`],
    says: ["is delegated to ns1.acme-dns.net"],
  },
  {
    title: "other records stand where the CNAME has to be",
    make: publishing((place) => [challengeOf(place), "A", 60, "198.51.100.1"]),
    found: (place) => [`challenge-not-alone ${challengeOf(place)}`],
    says: ["has A records"],
  },
  {
    title: "the project has an authorization for the domain already",
    make: async (world, place) => {
      const path = `/v1/projects/${place.project}/locations/global/dnsAuthorizations`;
      await world.cloud.make("POST", `${path}?dnsAuthorizationId=old`, { domain: place.domain });
      await world.cloud.clock.advance(1_000);
      const { dnsResourceRecord } = (await world.cloud.make("GET", `${path}/old`)) as {
        dnsResourceRecord: { data: string };
      };
      await world.publish(place, [[challengeOf(place), "CNAME", 300, dnsResourceRecord.data]]);
      return undefined;
    },
    found: ({ domain }) => [`authorization-exists ${domain}`],
    says: [/^set existingAuthorizations to \{ shop\d+\.com: projects\/p\d+\/.*\/dnsAuthorizations\/old \}$/],
  },

  // What authorities may issue.
  {
    title: "CAA records name another authority",
    make: publishing(({ domain }) => [domain, "CAA", 300, '0 issue "other-ca.com"']),
    found: (place) => [`caa-forbids ${place.domain}`, `caa-forbids ${wwwOf(place)}`],
    says: ['0 issue "other-ca.com"', /^add the record shop\d+\.com CAA 0 issue "pki\.goog"$/, /^dig CAA shop\d+\.com$/],
  },
  {
    title: "the CAA records of an alias's target name another authority",
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "CNAME", 60, `edge.${domain}.`],
      [`edge.${domain}`, "A", 60, "198.51.100.1"],
      [`edge.${domain}`, "CAA", 60, '0 issue ";"'],
    ],
    spec: (spec, { domain }) => ({
      ...spec,
      traffic: {
        to: "previous",
        previous: { [domain]: { a: ["198.51.100.1"] }, [wwwOf({ domain })]: { cname: `edge.${domain}` } },
      },
    }),
    found: (place) => [`caa-forbids ${wwwOf(place)}`],
    says: [/^the CAA records of edge\.shop\d+\.com are 0 issue ";"$/],
  },
  {
    title: "CAA records name nobody for wildcards",
    make: publishing(({ domain }) => [domain, "CAA", 300, '0 issue "pki.goog"', '0 issuewild ";"']),
    spec: (spec, { domain }) => ({ ...spec, certificates: [{ domains: [domain, `*.${domain}`], primary: true }] }),
    found: ({ domain }) => [`caa-forbids-wildcard *.${domain}`],
    says: [/CAA 0 issuewild "pki\.goog"$/],
  },
  {
    title: "CAA records have a critical property that nobody knows",
    make: publishing(({ domain }) => [domain, "CAA", 300, '0 issue "pki.goog"', '128 tbs "unknown"']),
    found: (place) => [`caa-critical ${place.domain}`, `caa-critical ${wwwOf(place)}`],
    says: ["have the critical property tbs"],
  },
  {
    title: "CAA records can't be looked up",
    make: answering((place) => ({ name: wwwOf(place), type: "CAA", rcode: "SERVFAIL" })),
    found: (place) => [`caa-unanswered ${wwwOf(place)}`],
    says: ["(SERVFAIL)", "mend the name servers"],
  },
  {
    title: "CAA records allow Google for one account only",
    make: publishing(({ domain }) => [domain, "CAA", 300, '0 issue "pki.goog; accounturi=https://dv.acme.pki.goog/1"']),
    found: (place) => [`caa-restricted ${place.domain}`, `caa-restricted ${wwwOf(place)}`],
    says: ["under conditions", "take the parameters out"],
  },

  // The hostnames.
  {
    title: "a hostname does not exist",
    records: (domain) => [[domain, "A", 60, "198.51.100.1"]],
    spec: (spec) => without(spec, "traffic"),
    found: (place) => [`hostname-unresolved ${wwwOf(place)}`],
    says: ["does not exist", "leave it out"],
  },
  {
    title: "nobody can say where a hostname leads",
    make: answering((place) => ({ name: wwwOf(place), type: "AAAA", rcode: "SERVFAIL" })),
    found: (place) => [`hostname-unanswered ${wwwOf(place)}`],
    says: ["is answered with SERVFAIL"],
  },
  {
    title: "an address may be kept for an hour",
    records: (domain) => [
      [domain, "A", 300, "198.51.100.1"],
      [wwwOf({ domain }), "A", 3600, "198.51.100.1"],
    ],
    found: (place) => [`ttl-long ${wwwOf(place)}`],
    says: [
      /^A of www\.shop\d+\.com may be kept for 3600 s$/,
      "lower the time to live to 60 s: done now, it is in effect everywhere from 2026-11-21T13:00:00.000Z on",
    ],
  },
  {
    title: "the load balancer has no IPv4 address",
    spec: (spec) => ({ ...without(spec, "traffic"), ...balancer({ addresses: { ipv6: ["2001:db8::7"] } }) }),
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "AAAA", 60, "2001:db8::1"],
      [domain, "AAAA", 60, "2001:db8::1"],
    ],
    found: (place) => [`ipv4-lost ${place.domain}`, `ipv4-lost ${wwwOf(place)}`],
    says: ["has A 198.51.100.1", "give the load balancer an IPv4 address"],
  },
  {
    title: "a hostname has IPv6 addresses, the load balancer has none",
    spec: (spec) => without(spec, "traffic"),
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "AAAA", 60, "2001:db8::1"],
    ],
    found: (place) => [`ipv6-lost ${wwwOf(place)}`],
    says: ["has AAAA 2001:db8::1", "give the load balancer an IPv6 address"],
  },
  {
    title: "the load balancer has an IPv6 address, the hostnames have none",
    spec: (spec) => ({ ...spec, ...balancer({ addresses: ["203.0.113.7", "2001:db8::7"] }) }),
    found: (place) => [`ipv6-new ${place.domain}`, `ipv6-new ${wwwOf(place)}`],
    says: ["has no AAAA record", "allow lists"],
  },
  {
    title: "a hostname is an alias, and nothing is said of that",
    spec: (spec) => without(spec, "traffic"),
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "CNAME", 60, `${domain}.`],
    ],
    found: (place) => [`hostname-alias ${wwwOf(place)}`],
    says: [/^www\.shop\d+\.com is an alias of shop\d+\.com$/, /^state \{ cname: shop\d+\.com\. \}/],
  },
  {
    title: "what traffic.previous says is not what DNS has",
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "A", 60, "198.51.100.2", "198.51.100.3"],
    ],
    found: (place) => [`previous-differs ${wwwOf(place)}`],
    says: [/has A 198\.51\.100\.1 in the plan, 198\.51\.100\.2, 198\.51\.100\.3 in DNS$/],
  },
  {
    title: "what is stated as addresses is an alias",
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "CNAME", 60, `${domain}.`],
    ],
    found: (place) => [`previous-differs ${wwwOf(place)}`],
    says: [/has CNAME nothing in the plan, shop\d+\.com in DNS$/],
  },
  {
    title: "another resolver sends clients elsewhere",
    make: async (_world, { domain }) => {
      const name = `${domain}.`;
      const zone = createZone(name, [
        { name, type: "A", ttl: 60, rrdatas: ["198.51.100.9"] },
        { name: `www.${name}`, type: "A", ttl: 60, rrdatas: ["198.51.100.1"] },
      ]);
      const server = await startNameServer({ zones: createZoneSource([zone]) });
      return { options: { resolvers: [{ address: server.address, port: server.port }] }, end: server.close };
    },
    found: ({ domain }) => [`resolvers-disagree ${domain}`],
    says: [/^A of shop\d+\.com: 198\.51\.100\.1 here, 127\.0\.0\.1 port \d+ says 198\.51\.100\.9$/],
  },
  {
    title: "a wildcard record leads where step 8 does not reach",
    spec: (spec, { domain }) => ({ ...spec, certificates: [{ domains: [domain, `*.${domain}`], primary: true }] }),
    make: publishing(({ domain }) => [`*.${domain}`, "A", 60, "198.51.100.1"]),
    found: ({ domain }) => [`wildcard-not-moved *.${domain}`],
    says: [/^names below shop\d+\.com resolve to 198\.51\.100\.1$/],
  },

  // The load balancer.
  {
    title: "the proxy that is to be adopted is not there",
    spec: adopting,
    found: (place) => [`proxy-missing ${proxyOf(place)}`],
    says: [/^gcloud compute target-https-proxies describe web --project=p\d+ --global$/],
  },
  {
    title: "a proxy of the name exists already",
    spec: (spec) => ({ ...spec, ...balancer({ newTargetHttpsProxy: { name: "web", urlMap: "global/urlMaps/web" } }) }),
    make: async (world, place) => {
      await makeProxy(world, place, { sslCertificates: [await makeSslCertificate(world, place, [place.domain])] });
      return undefined;
    },
    found: (place) => [`proxy-exists ${proxyOf(place)}`],
    says: ["adoptTargetHttpsProxies"],
  },
  {
    title: "the proxy belongs to an internal load balancer",
    spec: (spec) => ({
      ...spec,
      ...balancer({ adoptTargetHttpsProxies: [adopted], addresses: ["10.0.0.7"] }),
    }),
    make: async (world, place) => {
      const certificate = await makeSslCertificate(world, place, [place.domain, wwwOf(place)]);
      await makeProxy(world, place, { sslCertificates: [certificate] }, { scheme: "INTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => [`proxy-certificates-ignored ${proxyOf(place)}`, `proxy-kind-mismatch ${proxyOf(place)}`],
    says: [/forwardingRules\/web is INTERNAL_MANAGED, and the migration is for globalExternal$/],
  },
  {
    title: "the proxy has another map, with the same names",
    spec: adopting,
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => [`proxy-map-replaced ${proxyOf(place)}`],
    says: [/^set existingCertificateMap to projects\/p\d+\/locations\/global\/certificateMaps\/old to add to it/],
  },
  {
    title: "the proxy has a map with names that would be lost",
    spec: adopting,
    make: async (world, place) => {
      const map = await makeMap(world, place, `api.${place.domain}`);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => [`proxy-map-replaced ${proxyOf(place)}`, `proxy-names-lost ${proxyOf(place)}`],
    says: [/certificateMaps\/old serves api\.shop\d+\.com, and the migration does not$/],
  },
  {
    title: "the proxy presents certificates directly, with a name that would be lost",
    spec: (spec, place) => ({
      ...spec,
      ...balancer({
        adoptTargetHttpsProxies: [{ ...adopted, sslCertificates: [sslCertificateOf(place)] }],
        addresses: [place.address],
      }),
    }),
    make: async (world, place) => {
      const certificate = await makeSslCertificate(world, place, [place.domain, `api.${place.domain}`]);
      await makeProxy(world, place, { sslCertificates: [certificate] }, { scheme: "EXTERNAL" });
      return undefined;
    },
    found: (place) => [`proxy-certificates-ignored ${proxyOf(place)}`, `proxy-names-lost ${proxyOf(place)}`],
    says: [/sslCertificates\/old directly$/, "verify every name of theirs"],
  },
  {
    title: "a proxy of TCP load balancers presents certificates directly, beside which no map is taken",
    spec: (spec, place) => ({
      ...spec,
      ...balancer({
        adoptTargetSslProxies: [
          {
            name: "web",
            backendService: "global/backendServices/web",
            sslCertificates: null,
            sslPolicy: null,
            proxyHeader: null,
            description: null,
          },
        ],
        addresses: [place.address],
      }),
    }),
    make: async (world, place) => {
      const base = `/compute/v1/projects/${place.project}/global`;
      const certificate = await makeSslCertificate(world, place, [place.domain]);
      const service = { name: "web", loadBalancingScheme: "EXTERNAL", protocol: "TCP" };
      await world.cloud.make("POST", `${base}/backendServices`, service);
      await world.cloud.make("POST", `${base}/targetSslProxies`, {
        name: "web",
        service: "global/backendServices/web",
        sslCertificates: [certificate],
      });
      await world.cloud.make("POST", `${base}/forwardingRules`, {
        name: "web",
        target: "global/targetSslProxies/web",
        IPAddress: place.address,
        portRange: "443",
      });
      return undefined;
    },
    found: ({ project }) => [`proxy-certificates-conflict projects/${project}/global/targetSslProxies/web`],
    says: [/^projects\/p\d+\/global\/targetSslProxies\/web presents .*\/old directly$/],
  },
  {
    title: "what is stated of the proxy is not what it is set to",
    spec: (spec, { address }) => ({
      ...spec,
      ...balancer({
        adoptTargetHttpsProxies: [{ ...adopted, urlMap: "global/urlMaps/other", httpKeepAliveTimeoutSeconds: 30 }],
        addresses: [address],
      }),
    }),
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      const proxy = { certificateMap, httpKeepAliveTimeoutSec: 60, description: "made by hand" };
      await makeProxy(world, place, proxy, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => [`proxy-map-replaced ${proxyOf(place)}`, `proxy-settings-differ ${proxyOf(place)}`],
    says: [
      /urlMap is projects\/p\d+\/global\/urlMaps\/web, stated as global\/urlMaps\/other; httpKeepAliveTimeoutSec is 60, stated as 30; description is made by hand, stated as not set$/,
    ],
  },
  {
    title: "no forwarding rule leads to the proxy on port 443",
    spec: adopting,
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED", port: 8443 });
      return undefined;
    },
    found: (place) => [`proxy-map-replaced ${proxyOf(place)}`, `proxy-unreached ${proxyOf(place)}`],
    says: [/^no forwarding rule leads to .* on port 443$/],
  },
  {
    title: "the load balancer does not answer at the planned address",
    spec: (spec) => ({
      ...spec,
      ...balancer({ adoptTargetHttpsProxies: [adopted], addresses: ["192.0.2.8"] }),
    }),
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => ["address-elsewhere 192.0.2.8", `proxy-map-replaced ${proxyOf(place)}`],
    says: [/^192\.0\.2\.8 leads to no proxy of the migration; .* is at 203\.0\.113\.\d+$/],
  },
  {
    title: "another forwarding rule has the new one's address and port",
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: ({ address }) => [`address-taken ${address}`],
    says: [/forwardingRules\/web has 203\.0\.113\.\d+ port 443, and leads to/, "adopt the proxy"],
  },
  {
    title: "the map that is added to has the hostname already",
    spec: (spec, { project, domain }) => ({
      ...spec,
      certificates: [{ domains: [domain, wwwOf({ domain })], primary: true }],
      existingCertificateMap: `projects/${project}/locations/global/certificateMaps/old`,
    }),
    make: async (world, place) => {
      await makeMap(world, place, place.domain);
      return undefined;
    },
    found: ({ domain }) => [`entry-exists ${domain}`],
    says: [
      /certificateMapEntries\/e1 is for shop\d+\.com$/,
      /^gcloud certificate-manager maps entries describe e1 --map=old/,
    ],
  },

  // What is taken for existing.
  {
    title: "a map that is to be added to is not there",
    spec: (spec, { project }) => ({
      ...spec,
      existingCertificateMap: `projects/${project}/locations/global/certificateMaps/none`,
    }),
    found: ({ project }) => [`existing-missing projects/${project}/locations/global/certificateMaps/none`],
    says: ["correct its id"],
  },
  {
    title: "an authorization that is to be used is not there",
    spec: (spec, { project, domain }) => ({
      ...spec,
      existingAuthorizations: { [domain]: `projects/${project}/locations/global/dnsAuthorizations/none` },
    }),
    found: ({ project }) => [`existing-missing projects/${project}/locations/global/dnsAuthorizations/none`],
    says: [/^there is no projects\/p\d+\/locations\/global\/dnsAuthorizations\/none$/],
  },
  {
    title: "a certificate that is to be used is not issued",
    spec: (spec, { project, domain }) => ({
      ...without(spec, "traffic"),
      certificates: [
        {
          domains: [domain],
          existingCertificateId: `projects/${project}/locations/global/certificates/early`,
          primary: true,
        },
      ],
    }),
    make: async ({ cloud }, { project, domain }) => {
      const parent = `projects/${project}/locations/global`;
      await cloud.make("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=early`, { domain });
      await cloud.make("POST", `/v1/${parent}/certificates?certificateId=early`, {
        managed: { domains: [domain], dnsAuthorizations: [`${parent}/dnsAuthorizations/early`] },
      });
      return undefined;
    },
    found: ({ project }) => [`existing-not-active projects/${project}/locations/global/certificates/early`],
    says: ["is PROVISIONING", "wait until it is ACTIVE"],
  },

  {
    title: "a certificate that is to be used lacks a name",
    spec: (spec, { project, domain }) => ({
      ...spec,
      certificates: [
        {
          domains: [domain, wwwOf({ domain })],
          existingCertificateId: `projects/${project}/locations/global/certificates/old`,
          primary: true,
        },
      ],
    }),
    make: async (world, place) => {
      await makeMap(world, place, place.domain);
      return undefined;
    },
    found: ({ project }) => [`existing-names-missing projects/${project}/locations/global/certificates/old`],
    says: [/is for shop\d+\.com, and not for www\.shop\d+\.com$/],
  },

  // The clients.
  {
    title: "clients without SNI would get no certificate",
    spec: (spec, { domain }) => ({ ...spec, certificates: [{ domains: [domain, wwwOf({ domain })] }] }),
    found: (_place, { map }) => [`clients-without-sni ${map?.id}`],
    says: ["the map has no PRIMARY entry", "set primary"],
  },
  {
    title: "an old certificate wants a stapled answer",
    make: withOld((place) => [{ ...oldCertificate(place), mustStaple: true }]),
    found: () => ["must-staple old.pem"],
    says: ["the certificate of old.pem is must-staple"],
  },
  {
    title: "an old certificate has a name that nobody listed",
    make: withOld((place) => [{ ...oldCertificate(place), domains: [place.domain, `shop.${place.domain}`] }]),
    found: ({ domain }) => [`name-not-served shop.${domain}`],
    says: ["and no hostname serves it", "add the name"],
  },
  {
    title: "an old certificate shows its owner",
    make: withOld((place) => [{ ...oldCertificate(place), validation: "EV" }]),
    found: () => ["validation-lost old.pem"],
    says: ["shows EV validation"],
  },
  {
    title: "an old certificate is for an IP address",
    make: withOld((place) => [{ ...oldCertificate(place), ipAddresses: ["198.51.100.1"] }]),
    found: () => ["address-clients 198.51.100.1"],
    says: ["have these clients use a name"],
  },
];
