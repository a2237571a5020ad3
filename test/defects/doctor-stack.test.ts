import { synthesizeSpec } from "../../lib/cli/synthesize";
import type { MigrationSpec } from "../../lib/plan";
import { type DoctorWorld, startDoctorWorld } from "./doctor-world";

/**
 * References in synthesized stacks and in outputs that lead nowhere, and harmless ones: what `doctor --stack` and
 * `doctor --outputs` have to report.
 */
jest.setTimeout(30_000);

let world: DoctorWorld;
/** The stack of a migration in which nothing is wrong. */
let healthy: string;
beforeAll(async () => {
  world = await startDoctorWorld();
  const spec = {
    name: "shop",
    certificates: [{ domains: ["example.com", "www.example.com"], primary: true }],
    dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
    loadBalancer: {
      kind: "globalExternal",
      newTargetHttpsProxy: { urlMap: "global/urlMaps/web", forwardingRules: { ipv4Address: "203.0.113.7" } },
    },
  };
  healthy = JSON.stringify(synthesizeSpec(spec as MigrationSpec, "shop-1"));
  const additions = [
    { name: "cert-migration-ingress.example.com.", type: "A", ttl: 60, rrdatas: ["192.0.2.99"] },
    { name: "mail.example.com.", type: "A", ttl: 60, rrdatas: ["192.0.2.25"] },
  ];
  await world.cloud.make("POST", "/dns/v1/projects/shop-1/managedZones/example-com/changes", { additions });
  await world.cloud.clock.advance(1_000);
  const map = "projects/shop-1/locations/global/certificateMaps";
  await world.cloud.make("POST", `/v1/${map}?certificateMapId=there`, {});
  const certificateMap = `//certificatemanager.googleapis.com/${map}/there`;
  const proxy = { name: "there", urlMap: "global/urlMaps/web", certificateMap };
  await world.cloud.make("POST", "/compute/v1/projects/shop-1/global/targetHttpsProxies", proxy);
});
afterAll(() => world[Symbol.asyncDispose]());

type Values = Record<string, unknown>;
interface Stack {
  readonly resource: Record<string, Record<string, Values>>;
  readonly provider: { readonly google: Values[] };
  data?: Record<string, Record<string, Values>>;
  import?: { readonly to: string; readonly id: string }[];
  variable?: object;
}
type Change = (stack: Stack) => void;

/** Sets attributes of the first resource of a type. */
const set =
  (type: string, values: Values): Change =>
  ({ resource }) =>
    Object.assign(Object.values(resource[type] ?? {})[0] as Values, values);
/** Adds a resource, or a data source where the type begins with `data.`. */
const add =
  (type: string, values: Values, name = "more"): Change =>
  (stack) => {
    stack.data ??= {};
    const [blocks, key] = type.startsWith("data.") ? [stack.data, type.slice(5)] : [stack.resource, type];
    blocks[key] = { ...blocks[key], [name]: values };
  };
const all =
  (...changes: readonly Change[]): Change =>
  (stack) => {
    for (const change of changes) change(stack);
  };

const proxy = "google_compute_target_https_proxy";
const rule = "google_compute_global_forwarding_rule";
const record = "google_dns_record_set";
const entry = "google_certificate_manager_certificate_map_entry";

function examineStack(change: Change) {
  const stack = JSON.parse(healthy) as Stack;
  change(stack);
  return world.examine("--stack", "cdk.tf.json", stack);
}

const id = (rest: string) => `projects/shop-1/${rest}`;

test.each<readonly [string, Change, string]>([
  ["a URL map", set(proxy, { url_map: "global/urlMaps/wbe" }), `existing-missing ${id("global/urlMaps/wbe")}`],
  ["a URL map by its name", set(proxy, { url_map: "wbe" }), `existing-missing ${id("global/urlMaps/wbe")}`],
  [
    "a URL map of another project",
    set(proxy, { url_map: "projects/p2/global/urlMaps/web" }),
    "existing-missing projects/p2/global/urlMaps/web",
  ],
  [
    "a URL map for a proxy of the app",
    add("google_compute_target_http_proxy", { name: "plain", url_map: "global/urlMaps/plain" }),
    `existing-missing ${id("global/urlMaps/plain")}`,
  ],
  [
    "a regional URL map, by its name and the region of the proxy",
    add("google_compute_region_target_https_proxy", { name: "local", region: "us-central1", url_map: "web" }),
    `existing-missing ${id("regions/us-central1/urlMaps/web")}`,
  ],
  [
    "a regional URL map, by its name and the region of the provider",
    all(
      (stack) => Object.assign(stack.provider.google[0] as Values, { region: "us-east1" }),
      add("google_compute_region_target_https_proxy", { name: "local", url_map: "web" }),
    ),
    `existing-missing ${id("regions/us-east1/urlMaps/web")}`,
  ],
  [
    "a backend service of a URL map of the app",
    add("google_compute_url_map", { name: "own", default_service: "global/backendServices/wob" }),
    `existing-missing ${id("global/backendServices/wob")}`,
  ],
  [
    "a backend service in a path rule",
    add("google_compute_url_map", {
      name: "own",
      default_service: "global/backendServices/web",
      path_matcher: [{ name: "all", path_rule: [{ paths: ["/*"], service: "global/backendServices/img" }] }],
    }),
    `existing-missing ${id("global/backendServices/img")}`,
  ],
  [
    "a backend service that a data source looks up",
    add("data.google_compute_backend_service", { name: "wob" }),
    `existing-missing ${id("global/backendServices/wob")}`,
  ],
  [
    "a backend service of an SSL proxy",
    add("google_compute_target_ssl_proxy", { name: "tcp", backend_service: "tcp", ssl_certificates: [] }),
    `existing-missing ${id("global/backendServices/tcp")}`,
  ],
  ["an SSL policy", set(proxy, { ssl_policy: "modren" }), `existing-missing ${id("global/sslPolicies/modren")}`],
  [
    "an SSL certificate",
    set(proxy, { ssl_certificates: ["global/sslCertificates/old"] }),
    `existing-missing ${id("global/sslCertificates/old")}`,
  ],
  [
    "a server TLS policy",
    set(proxy, { server_tls_policy: "projects/shop-1/locations/global/serverTlsPolicies/mtls" }),
    `existing-missing ${id("locations/global/serverTlsPolicies/mtls")}`,
  ],
  ["an address by its name", set(rule, { ip_address: "shopp" }), `existing-missing ${id("global/addresses/shopp")}`],
  [
    "an address that a data source looks up",
    add("data.google_compute_global_address", { name: "shopp" }),
    `existing-missing ${id("global/addresses/shopp")}`,
  ],
  ["an address that is not reserved", set(rule, { ip_address: "203.0.113.70" }), "address-not-reserved 203.0.113.70"],
  [
    "a target proxy of a forwarding rule of the app",
    add(rule, { name: "app", target: "global/targetHttpsProxies/gone", ip_address: "203.0.113.7" }, "app"),
    `proxy-missing ${id("global/targetHttpsProxies/gone")}`,
  ],
  [
    "a network",
    add("google_compute_forwarding_rule", { name: "inner", region: "europe-west1", network: "defualt" }),
    `existing-missing ${id("global/networks/defualt")}`,
  ],
  [
    "a subnetwork",
    add("google_compute_forwarding_rule", { name: "inner", region: "europe-west1", subnetwork: "proxy" }),
    `existing-missing ${id("regions/europe-west1/subnetworks/proxy")}`,
  ],
  ["a DNS zone", set(record, { managed_zone: "exmaple-com" }), "zone-missing exmaple-com"],
  [
    "a DNS zone of another project",
    set(record, { managed_zone: "example-com", project: "dns-project" }),
    "zone-missing example-com",
  ],
  [
    "a DNS zone that a data source looks up",
    add("data.google_dns_managed_zone", { name: "example-net" }),
    "zone-missing example-net",
  ],
  [
    "a certificate in an entry",
    set(entry, { certificates: [id("locations/global/certificates/rsa")] }),
    `existing-missing ${id("locations/global/certificates/rsa")}`,
  ],
  ["a certificate map", set(entry, { map: "all" }), `existing-missing ${id("locations/global/certificateMaps/all")}`],
  [
    "an authorization",
    (stack) => {
      const [certificate] = Object.values(stack.resource.google_certificate_manager_certificate ?? {});
      const managed = certificate?.managed as Values;
      managed.dns_authorizations = [id("locations/global/dnsAuthorizations/shop")];
    },
    `existing-missing ${id("locations/global/dnsAuthorizations/shop")}`,
  ],
  [
    "a proxy that is imported",
    (stack) => {
      stack.import = [{ to: `${proxy}.${Object.keys(stack.resource[proxy] ?? {})[0]}`, id: "gone" }];
    },
    `proxy-missing ${id("global/targetHttpsProxies/gone")}`,
  ],
  [
    "a project of an aliased provider",
    all(
      (stack) => stack.provider.google.push({ alias: "other", project: "p9" }),
      set(proxy, { url_map: "global/urlMaps/web", provider: "google.other" }),
    ),
    "existing-missing projects/p9/global/urlMaps/web",
  ],
])("finds that a stack refers to something that does not exist: %s", async (_, change, wanted) => {
  const { exitCode, found } = await examineStack(change);
  expect([exitCode, found]).toEqual([4, expect.arrayContaining([wanted])]);
});

test.each<readonly [string, Change]>([
  ["everything where it is named", () => {}],
  [
    "a URL map that it creates itself, named by its path",
    all(
      add("google_compute_url_map", { name: "made", default_service: "global/backendServices/web" }),
      set(proxy, { url_map: "projects/shop-1/global/urlMaps/made" }),
    ),
  ],
  [
    "a reference to a resource that it creates",
    all(
      add("google_compute_url_map", { name: "made", default_service: "global/backendServices/web" }),
      set(proxy, { url_map: "${google_compute_url_map.more.id}" }),
    ),
  ],
  ["a value of a variable", set(proxy, { url_map: "${var.url_map}" })],
  [
    "a backend bucket as the default service of a URL map",
    add("google_compute_url_map", { name: "own", default_service: "global/backendBuckets/img" }),
  ],
  ["a data source of what is there", add("data.google_compute_backend_service", { name: "web" })],
  ["an address by its name", set(rule, { ip_address: "shop" })],
  [
    "an address that it reserves itself",
    all(
      add("google_compute_global_address", { name: "own", address: "203.0.113.70" }),
      set(rule, { ip_address: "203.0.113.70" }),
    ),
  ],
  [
    "an internal address, which need not be reserved",
    add("google_compute_forwarding_rule", {
      name: "inner",
      region: "europe-west1",
      ip_address: "10.0.0.9",
      load_balancing_scheme: "INTERNAL_MANAGED",
      network: "default",
      subnetwork: "proxies",
    }),
  ],
  [
    "a subnetwork by its name in a global rule, whose region only Terraform knows",
    set(rule, { subnetwork: "proxies" }),
  ],
  [
    "a proxy that is imported and exists",
    (stack) => {
      stack.import = [{ to: `${proxy}.${Object.keys(stack.resource[proxy] ?? {})[0]}`, id: "shop-1/there" }];
    },
  ],
  [
    "a zone that it creates",
    all(
      add("google_dns_managed_zone", { name: "made", dns_name: "example.net." }),
      add(record, { managed_zone: "made", name: "example.net.", type: "A" }),
    ),
  ],
])("accepts a stack with %s", async (_, change) => {
  const { exitCode, found } = await examineStack(change);
  expect([exitCode, found.filter((one) => /^(existing|address|zone|proxy)-/.test(one))]).toEqual([0, []]);
});

const created = (name: string, rrdatas: readonly string[], owner = "rehearsal/shop/traffic") =>
  add(record, {
    "//": { metadata: { path: owner } },
    managed_zone: "example-com",
    name: `${name}.`,
    type: "A",
    ttl: 60,
    rrdatas,
  });

test.each<readonly [string, Change]>([
  ["the ingress record", created("cert-migration-ingress.example.com", ["203.0.113.7"])],
  ["an address record", created("mail.example.com", ["203.0.113.7"])],
])("finds that a stack overwrites an unrelated record set: %s", async (_, change) => {
  const { exitCode, found } = await examineStack(change);
  expect([exitCode, found]).toEqual([4, expect.arrayContaining([expect.stringMatching(/^record-overwritten /)])]);
});

test.each<readonly [string, Change]>([
  ["a record set that an earlier apply created", created("mail.example.com", ["192.0.2.25"])],
  ["a record set of a name that has none", created("new.example.com", ["203.0.113.7"])],
  ["a record set of the app, which may be in its state", created("mail.example.com", ["203.0.113.7"], "rehearsal/app")],
  ["a record set whose data only Terraform knows", created("mail.example.com", ["${var.address}"])],
  [
    "a record set that is imported",
    all(created("mail.example.com", ["203.0.113.7"]), (stack) => {
      stack.import = [{ to: `${record}.more`, id: "example-com/mail.example.com./A" }];
    }),
  ],
])("accepts a stack that writes %s", async (_, change) => {
  const { exitCode, found } = await examineStack(change);
  expect([exitCode, found.filter((one) => one.startsWith("record-"))]).toEqual([0, []]);
});

describe("outputs", () => {
  const hosts = ["example.com", "www.example.com"];
  const authorization = { name: "example-com", domain: "example.com" };
  const place = id("locations/global");
  const outputs = {
    version: 1,
    migrations: {
      "stack/shop": {
        name: "shop",
        phase: "serve",
        gate: "none",
        loadBalancer: "globalExternal",
        certificates: [
          {
            name: "example.com",
            kind: "managed",
            id: `${place}/certificates/shop`,
            domains: hosts,
            location: "global",
            scope: "DEFAULT",
          },
        ],
        authorizations: [{ domain: "example.com", id: `${place}/dnsAuthorizations/example-com` }],
        map: `${place}/certificateMaps/shop`,
        entries: [
          { hostname: "PRIMARY", id: `${place}/certificateMaps/shop/certificateMapEntries/p`, certificates: [] },
        ],
        proxies: [id("global/targetHttpsProxies/there")],
      },
    },
  };
  beforeAll(async () => {
    const make = (collection: string, name: string, body: object) =>
      world.cloud.make("POST", `/v1/${place}/${collection}?${collection.slice(0, -1)}Id=${name}`, body);
    await make("dnsAuthorizations", "example-com", { domain: authorization.domain });
    await make("certificates", "shop", {
      managed: { domains: ["example.com"], dnsAuthorizations: [`${place}/dnsAuthorizations/example-com`] },
    });
    await make("certificateMaps", "shop", {});
    await world.cloud.clock.advance(1_000);
  });
  const examineOutputs = (from: RegExp, to: string) =>
    world.examine("--outputs", "outputs.json", JSON.parse(JSON.stringify(outputs).replaceAll(from, to)));

  test.each<readonly [string, RegExp, string, string]>([
    ["certificate", /certificates\/shop/, "certificates/gone", `existing-missing ${place}/certificates/gone`],
    [
      "authorization",
      /dnsAuthorizations\/example-com/,
      "dnsAuthorizations/gone",
      `existing-missing ${place}/dnsAuthorizations/gone`,
    ],
    ["map", /certificateMaps\/shop/, "certificateMaps/gone", `existing-missing ${place}/certificateMaps/gone`],
    ["proxy", /Proxies\/there/, "Proxies/gone", `proxy-missing ${id("global/targetHttpsProxies/gone")}`],
  ])("finds that the %s of the outputs no longer exists", async (_, from, to, wanted) => {
    const { exitCode, found, text } = await examineOutputs(new RegExp(from, "g"), to);
    expect([exitCode, found]).toEqual([4, expect.arrayContaining([wanted])]);
    expect(text).toContain("run 'terraform plan'");
  });

  test("accepts outputs whose resources exist, and reports what is missing in them and how to check it", async () => {
    const { exitCode, found, text } = await examineOutputs(/$^/g, "");
    expect([exitCode, found.filter((one) => /^(existing|proxy-missing)/.test(one))]).toEqual([0, []]);
    expect(found).toContain("references-not-in-outputs stack/shop");
    expect(text).toMatch(/name no URL map, backend service, SSL policy, .*reserved address/);
    expect(text).toContain("cert-migration doctor --stack cdktf.out/stacks/NAME");
  });
});
