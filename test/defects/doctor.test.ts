import { type DoctorWorld, startDoctorWorld } from "./doctor-world";

/**
 * Defects that `doctor --spec` has to report, and similar harmless settings that it must not report.
 */
jest.setTimeout(30_000);

let world: DoctorWorld;
beforeAll(async () => {
  world = await startDoctorWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = Readonly<Record<string, unknown>>;

const rules = { ipv4Address: "203.0.113.7" };
const https = (more: object = {}) => ({
  loadBalancer: {
    kind: "globalExternal",
    newTargetHttpsProxy: { urlMap: "global/urlMaps/web", forwardingRules: rules, ...more },
  },
});
const ruled = (forwardingRules: object) => ({
  loadBalancer: {
    kind: "globalExternal",
    addresses: ["203.0.113.7"],
    newTargetHttpsProxy: { urlMap: "global/urlMaps/web", forwardingRules },
  },
});
const ssl = (more: object) => ({
  loadBalancer: {
    kind: "globalExternal",
    newTargetSslProxy: { backendService: "global/backendServices/web", forwardingRules: rules, ...more },
  },
});
const unset = { sslCertificates: null, sslPolicy: null, description: null };
const adopted = (more: object) => ({
  loadBalancer: {
    kind: "globalExternal",
    addresses: ["203.0.113.7"],
    adoptTargetHttpsProxies: [
      {
        name: "there",
        urlMap: "global/urlMaps/web",
        ...unset,
        quicOverride: null,
        tlsEarlyData: null,
        httpKeepAliveTimeoutSeconds: null,
        serverTlsPolicy: null,
        ...more,
      },
    ],
  },
});
const adoptedSsl = (more: object) => ({
  loadBalancer: {
    kind: "globalExternal",
    addresses: ["203.0.113.7"],
    adoptTargetSslProxies: [
      { name: "there", backendService: "global/backendServices/web", ...unset, proxyHeader: null, ...more },
    ],
  },
});
const regional = (kind: string, more: object, region = "europe-west1") => ({
  certificates: [{ domains: ["example.com", "www.example.com"] }],
  loadBalancer: { kind, region, newTargetHttpsProxy: { urlMap: `regions/${region}/urlMaps/web`, ...more } },
});

/** Returns the report of `doctor` about a migration of `example.com`. */
function examine(change: Body, endpoint?: string) {
  const spec = {
    name: "shop",
    certificates: [{ domains: ["example.com", "www.example.com"], primary: true }],
    dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
    ...https(),
    ...change,
  };
  return world.examine("--spec", "migration.yaml", spec, endpoint);
}

const id = (rest: string) => `projects/shop-1/${rest}`;

test.each<readonly [string, Body, string]>([
  [
    "a URL map by a link to an invalid name",
    https({ urlMap: "https://www.googleapis.com/compute/v1/projects/shop-1/global/urlMaps/web2" }),
    `existing-missing ${id("global/urlMaps/web2")}`,
  ],
  ["a URL map by an invalid name", https({ urlMap: "frontend" }), `existing-missing ${id("global/urlMaps/frontend")}`],
  [
    "a URL map of another project, which has none",
    https({ urlMap: "projects/p2/global/urlMaps/web" }),
    "existing-missing projects/p2/global/urlMaps/web",
  ],
  [
    "a URL map that is in another region",
    regional("regionalExternal", { forwardingRules: { ipv4Address: "203.0.113.9" } }, "us-central1"),
    `existing-missing ${id("regions/us-central1/urlMaps/web")}`,
  ],
  [
    "the URL map of an adopted proxy",
    adopted({ urlMap: "global/urlMaps/wbe" }),
    `existing-missing ${id("global/urlMaps/wbe")}`,
  ],
  ["a proxy to adopt", adopted({ name: "gone" }), `proxy-missing ${id("global/targetHttpsProxies/gone")}`],
  ["an SSL proxy to adopt", adoptedSsl({ name: "gone" }), `proxy-missing ${id("global/targetSslProxies/gone")}`],
  [
    "the backend service of a new SSL proxy",
    ssl({ backendService: "global/backendServices/tcp" }),
    `existing-missing ${id("global/backendServices/tcp")}`,
  ],
  [
    "the backend service of an adopted SSL proxy",
    adoptedSsl({ backendService: "global/backendServices/wob" }),
    `existing-missing ${id("global/backendServices/wob")}`,
  ],
  [
    "an SSL certificate that an adopted proxy is stated to hold",
    adopted({ sslCertificates: ["global/sslCertificates/old"] }),
    `existing-missing ${id("global/sslCertificates/old")}`,
  ],
  [
    "the SSL policy of a new proxy",
    https({ sslPolicy: "global/sslPolicies/modren" }),
    `existing-missing ${id("global/sslPolicies/modren")}`,
  ],
  [
    "the SSL policy of a new SSL proxy",
    ssl({ sslPolicy: "strict" }),
    `existing-missing ${id("global/sslPolicies/strict")}`,
  ],
  [
    "the server TLS policy of an adopted proxy",
    adopted({ serverTlsPolicy: "projects/shop-1/locations/global/serverTlsPolicies/mtls" }),
    `existing-missing ${id("locations/global/serverTlsPolicies/mtls")}`,
  ],
  ["an IPv4 address that is not reserved", ruled({ ipv4Address: "203.0.113.70" }), "address-not-reserved 203.0.113.70"],
  ["an IPv6 address that is not reserved", ruled({ ipv6Address: "2001:DB8::70" }), "address-not-reserved 2001:db8::70"],
  [
    "a reserved address by a misspelled link",
    ruled({ ipv4Address: "projects/shop-1/global/addresses/sohp" }),
    `existing-missing ${id("global/addresses/sohp")}`,
  ],
  [
    "a reserved address by a misspelled name",
    ruled({ ipv4Address: "shopp" }),
    `existing-missing ${id("global/addresses/shopp")}`,
  ],
  [
    "a reserved address by a name that only a region has",
    ruled({ ipv4Address: "local" }),
    `existing-missing ${id("global/addresses/local")}`,
  ],
  [
    "a link to an address of a region, for a global rule",
    ruled({ ipv4Address: "regions/europe-west1/addresses/local" }),
    "address-scope-mismatch 203.0.113.8",
  ],
  [
    "an address of another region",
    regional("regionalExternal", { forwardingRules: { ipv4Address: "203.0.113.9" } }),
    "address-scope-mismatch 203.0.113.9",
  ],
  [
    "the network of a regional rule",
    regional("regionalExternal", { forwardingRules: { ipv4Address: "203.0.113.8", network: "defualt" } }),
    `existing-missing ${id("global/networks/defualt")}`,
  ],
  [
    "the subnetwork of an internal rule",
    regional("regionalInternal", { forwardingRules: { ipv4Address: "10.0.0.9", subnetwork: "proxy" } }),
    `existing-missing ${id("regions/europe-west1/subnetworks/proxy")}`,
  ],
  [
    "a zone of another project",
    { dns: { kind: "cloudDns", zones: { "example.com": { name: "example-com", project: "dns-project" } } } },
    "zone-missing example-com",
  ],
  [
    "a certificate beside the migration's own in an entry",
    {
      certificates: [
        {
          domains: ["example.com", "www.example.com"],
          alternatives: ["projects/shop-1/locations/global/certificates/rsa"],
          primary: true,
        },
      ],
    },
    `existing-missing ${id("locations/global/certificates/rsa")}`,
  ],
  [
    "a certificate in another project",
    {
      certificates: [
        {
          domains: ["example.com"],
          existingCertificateId: "projects/p3/locations/global/certificates/shop",
          primary: true,
        },
      ],
    },
    "existing-missing projects/p3/locations/global/certificates/shop",
  ],
  [
    "an authorization in another project",
    { existingAuthorizations: { "example.com": "projects/p3/locations/global/dnsAuthorizations/shop" } },
    "existing-missing projects/p3/locations/global/dnsAuthorizations/shop",
  ],
  [
    "a certificate map by its full name",
    {
      existingCertificateMap:
        "//certificatemanager.googleapis.com/projects/shop-1/locations/global/certificateMaps/all",
    },
    `existing-missing ${id("locations/global/certificateMaps/all")}`,
  ],
])("finds that a resource does not exist: %s", async (_, change, wanted) => {
  const { exitCode, found } = await examine(change);
  expect([exitCode, found]).toEqual([4, expect.arrayContaining([wanted])]);
});

test.each<readonly [string, string, string]>([
  ["a project that does not exist", "cloudresourcemanager.projects.get", "existing-missing shop-1"],
  ["a region that does not exist", "compute.regions.get", `existing-missing ${id("regions/europe-west1")}`],
])("finds %s", async (_, method, wanted) => {
  world.cloud.faults.set({ requests: [{ method, status: "NOT_FOUND" }] });
  const forwardingRules = { ipv4Address: "203.0.113.8" };
  const { exitCode, found } = await examine(regional("regionalExternal", { forwardingRules }));
  world.cloud.faults.set({});
  expect([exitCode, found]).toEqual([4, expect.arrayContaining([wanted])]);
});

test("finds a misspelled region once, and skips the checks that depend on it", async () => {
  const { exitCode, found } = await examine(
    regional("regionalExternal", { forwardingRules: { ipv4Address: "local" } }, "europe-wset1"),
  );
  expect([exitCode, found.filter((one) => one.includes("wset1") || one.startsWith("check-unanswered"))]).toEqual([
    4,
    [`existing-missing ${id("regions/europe-wset1")}`],
  ]);
});

test.each(["compute.urlMaps.list", "dns.*", "*"])("finds credentials that %s refuses", async (method) => {
  world.cloud.faults.set({ requests: [{ method, status: "UNAUTHENTICATED" }] });
  const { exitCode, found, text } = await examine({});
  world.cloud.faults.set({});
  expect([exitCode, found]).toEqual([4, expect.arrayContaining(["credentials-refused credentials"])]);
  expect(text).not.toMatch(/viewer role|needs roles/);
});

test.each<readonly [string, Body]>([
  ["everything where it is named", {}],
  [
    "a URL map by its link",
    https({ urlMap: "https://compute.googleapis.com/compute/v1/projects/shop-1/global/urlMaps/web" }),
  ],
  ["a URL map by its name alone", https({ urlMap: "web" })],
  ["a URL map that only Terraform knows", https({ urlMap: "${google_compute_url_map.web.id}" })],
  ["an SSL policy that is there", https({ sslPolicy: "projects/shop-1/global/sslPolicies/modern" })],
  ["a reserved address by its name", ruled({ ipv4Address: "shop" })],
  [
    "a reserved address by its link",
    ruled({ ipv4Address: "https://www.googleapis.com/compute/v1/projects/shop-1/global/addresses/shop" }),
  ],
  ["a reserved IPv6 address in another spelling", ruled({ ipv6Address: "2001:0DB8:0:0::0007" })],
  [
    "a reserved address of the load balancer's region",
    regional("regionalExternal", { forwardingRules: { ipv4Address: "local" } }),
  ],
  [
    "an internal address, which need not be reserved",
    regional("regionalInternal", {
      forwardingRules: { ipv4Address: "10.0.0.9", subnetwork: "proxies", network: "default" },
    }),
  ],
])("accepts %s", async (_, change) => {
  const { exitCode, found } = await examine(change);
  expect([exitCode, found.filter((one) => /^(existing|address|zone|proxy)-/.test(one))]).toEqual([0, []]);
});

test("accepts a resource type that the service does not have", async () => {
  const internal = regional("regionalInternal", {
    forwardingRules: { ipv4Address: "10.0.0.9", subnetwork: "proxies", network: "default" },
  });
  const { exitCode, found } = await examine(internal, world.cloud.endpoints.http);
  expect([exitCode, found]).toEqual([0, []]);
});
