import { chain, rsa } from "../check-plan/chains";
import {
  at,
  classic,
  classicId,
  classicProxy,
  cm,
  entry,
  type Fields,
  gone,
  id,
  mapId,
  newMap,
  other,
  planOf,
  proxy,
  record,
  toMap,
} from "../check-plan/plans";
import { testPlans } from "./check-plan-reported";
import { certificateAt, managedFor } from "./check-plan-resources";

const serviceAt = 'google_project_service.apis["x"]';
const service = (name: string, more: Fields = {}): Fields => ({
  service: name,
  project: "p",
  disable_on_destroy: true,
  ...more,
});
const disabled = (name: string, more: Fields = {}) =>
  planOf([{ address: serviceAt, actions: gone, before: service(name, more) }]);
const projectAt = "google_project.p";
const project: Fields = { project_id: "p", billing_account: "A-1", deletion_policy: "DELETE" };
const policyAt = "google_compute_ssl_policy.tls";
const regionalPolicyAt = "google_compute_region_ssl_policy.tls";
const policy = (more: Fields = {}): Fields => ({
  name: "tls",
  profile: "COMPATIBLE",
  min_tls_version: "TLS_1_0",
  ...more,
});
const custom = (...features: readonly string[]): Fields => ({ profile: "CUSTOM", custom_features: features });
const link = "https://www.googleapis.com/compute/v1/projects/p/global/sslPolicies/tls";
const rsaOnly = custom("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256");
const ecdsaOnly = custom("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");

/** A policy of the proxy that changes in place; the certificate that is served has an RSA or an ECDSA key. */
const toPolicy = (after: Fields, pem = rsa("example.com")) =>
  planOf([{ address: policyAt, actions: ["update"], after }], {
    there: {
      [policyAt]: policy(),
      [at.proxy]: { ...proxy, ssl_policy: link },
      [at.certificate]: { id: id("shop"), name: "shop", self_managed: [{ pem_certificate: pem }] },
    },
  });

const primaryAt = `${cm}_certificate_map_entry.primary`;
const primary = (name: string): Fields => ({ ...entry("", name), hostname: undefined, matcher: "PRIMARY" });
const net = { [certificateAt("net")]: managedFor("net", "ACTIVE", "example.net") };
const toDirect = { address: at.proxy, actions: ["update"], after: { certificate_map: null } };

const lost = (there: Record<string, Fields>, ...left: readonly string[]) => ({
  ...planOf(
    Object.entries(there).map(([address, after]) => ({ address, actions: ["create"], after })),
    {},
  ),
  prior_state: {
    values: {
      root_module: {
        resources: left.map((address) => ({ address, mode: "managed", type: address.split(".")[0], values: {} })),
      },
    },
  },
});
const whole: Record<string, Fields> = {
  [at.certificate]: { name: "shop", managed: [{ domains: ["example.com"] }] },
  [at.entry]: entry("example.com", "shop"),
  [at.map]: { name: "main" },
  [at.proxy]: proxy,
  [at.rule]: { name: "web" },
  [at.a]: record("example.com.", "A", "203.0.113.7"),
};

/** APIs, projects, SSL policies, maps and states that plans change, and what `check-plan` reports of each. */
testPlans([
  ...["certificatemanager", "dns", "compute"].map(
    (name) => [`finds the API ${name} disabled`, disabled(`${name}.googleapis.com`), "service-disabled "] as const,
  ),
  [
    "finds an API disabled by a stack that has nothing else",
    { ...disabled("dns.googleapis.com"), prior_state: {} },
    "service-disabled ",
  ],
  [
    "finds an API disabled in a module whose provider does not store the option",
    planOf([
      {
        address: "module.services.google_project_service.dns",
        actions: gone,
        before: { service: "dns.googleapis.com", project: "p" },
      },
    ]),
    "service-disabled ",
  ],
  ["accepts an API that stays enabled", disabled("dns.googleapis.com", { disable_on_destroy: false })],
  ["accepts an API that Terraform abandons", disabled("dns.googleapis.com", { deletion_policy: "ABANDON" })],
  ["accepts another API disabled", disabled("storage.googleapis.com")],
  [
    "accepts an API disabled with the last resources that need it",
    planOf([
      { address: serviceAt, actions: gone, before: service("networksecurity.googleapis.com") },
      { address: "google_network_security_server_tls_policy.x", actions: gone, before: { name: "x", project: "p" } },
    ]),
  ],
  ["finds a project deleted", planOf([{ address: projectAt, actions: gone, before: project }]), "project-deleted "],
  [
    "finds a project replaced",
    planOf([{ address: projectAt, actions: ["delete", "create"], before: project, after: { project_id: "q" } }]),
    "project-deleted ",
  ],
  [
    "finds the billing account of a project removed",
    planOf([{ address: projectAt, actions: ["update"], before: project, after: { billing_account: null } }]),
    "billing-removed ",
  ],
  ...[gone, ["update"]].map(
    (actions) =>
      [
        `finds the billing of a project ended by ${actions.join()} of 'google_billing_project_info'`,
        planOf([
          {
            address: "google_billing_project_info.p",
            actions,
            before: { project: "p", billing_account: "A-1" },
            after: { billing_account: "" },
          },
        ]),
        "billing-removed ",
      ] as const,
  ),
  [
    "accepts a project that only leaves the state",
    planOf([{ address: projectAt, actions: gone, before: { ...project, deletion_policy: "ABANDON" } }]),
  ],
  [
    "accepts a project that gets another billing account",
    planOf([{ address: projectAt, actions: ["update"], before: project, after: { billing_account: "B-2" } }]),
  ],
  [
    "finds an SSL policy that loses all ciphers for the served RSA key",
    toPolicy(ecdsaOnly),
    "ssl-policy-excludes-key example.com",
  ],
  [
    "finds an SSL policy that loses all ciphers for the served ECDSA key",
    toPolicy(rsaOnly, chain("example.com")),
    "ssl-policy-excludes-key example.com",
  ],
  [
    "finds an SSL policy that loses all ciphers of one kind for a managed certificate",
    planOf([{ address: policyAt, actions: ["update"], after: ecdsaOnly }], {
      there: { [policyAt]: policy(), [at.proxy]: { ...proxy, ssl_policy: link } },
    }),
    "ssl-policy-excludes-key example.com",
  ],
  ...["TLS_1_1", "TLS_1_2", "TLS_1_3"].map(
    (version) =>
      [
        `finds an SSL policy that begins with ${version}`,
        toPolicy({ min_tls_version: version }),
        "ssl-policy-excludes-clients example.com",
      ] as const,
  ),
  [
    "finds a proxy that gets its first SSL policy, which accepts TLS 1.2 and later",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_policy: link } }], {
      there: { [policyAt]: policy({ min_tls_version: "TLS_1_2" }) },
    }),
    "ssl-policy-excludes-clients example.com",
  ],
  [
    "finds an SSL proxy that gets a policy without ciphers for its key",
    planOf([{ address: "google_compute_target_ssl_proxy.ssl", actions: ["update"], after: { ssl_policy: link } }], {
      there: {
        [policyAt]: policy(rsaOnly),
        "google_compute_target_ssl_proxy.ssl": { name: "ssl", ssl_certificates: [classicId("old")] },
        "google_compute_ssl_certificate.old": {
          name: "old",
          self_link: classicId("old"),
          certificate: chain("example.org"),
        },
      },
    }),
    "ssl-policy-excludes-key example.org",
  ],
  [
    "finds a regional proxy whose policy begins with TLS 1.2",
    planOf([{ address: regionalPolicyAt, actions: ["update"], after: { min_tls_version: "TLS_1_2" } }], {
      there: {
        [regionalPolicyAt]: policy({ region: "europe-west1" }),
        "google_compute_region_target_https_proxy.r": {
          name: "r",
          region: "europe-west1",
          ssl_policy: "projects/p/regions/europe-west1/sslPolicies/tls",
          certificate_manager_certificates: [id("shop")],
        },
      },
    }),
    "ssl-policy-excludes-clients example.com",
  ],
  [
    "accepts a proxy that gets a stricter SSL policy than one of another configuration may be",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_policy: link } }], {
      there: {
        [policyAt]: policy({ min_tls_version: "TLS_1_2" }),
        [at.proxy]: { ...proxy, ssl_policy: link.replace("/tls", "/theirs") },
      },
    }),
  ],
  ["accepts an SSL policy that keeps the ciphers of the served key", toPolicy(rsaOnly)],
  ["accepts an SSL policy that gets another profile", toPolicy({ profile: "MODERN" })],
  [
    "accepts an SSL policy that accepts more versions",
    planOf([{ address: policyAt, actions: ["update"], after: { min_tls_version: "TLS_1_0" } }], {
      there: { [policyAt]: policy({ min_tls_version: "TLS_1_2" }), [at.proxy]: { ...proxy, ssl_policy: link } },
    }),
  ],
  [
    "accepts an SSL policy that no proxy has",
    planOf([{ address: policyAt, actions: ["update"], after: ecdsaOnly }], { there: { [policyAt]: policy() } }),
  ],
  [
    "finds a proxy that loses its map for certificates that the plan does not contain",
    planOf([toDirect], { there: { [at.proxy]: { ...proxy, ssl_certificates: [classicId("theirs")] } } }),
    "map-detached-to-unknown example.com",
  ],
  [
    "finds an SSL proxy that loses its map for certificates that the plan does not contain",
    planOf([{ ...toDirect, address: "google_compute_target_ssl_proxy.ssl" }], {
      there: {
        "google_compute_target_ssl_proxy.ssl": { ...proxy, name: "ssl", ssl_certificates: [classicId("theirs")] },
      },
    }),
    "map-detached-to-unknown example.com",
  ],
  [
    "accepts a proxy that loses its map for a certificate with the same names",
    planOf([toDirect], {
      there: {
        [at.proxy]: { ...proxy, ssl_certificates: [classicId("old")] },
        [other.classic]: classic("old", "example.com"),
      },
    }),
  ],
  [
    "warns of a first map for a proxy whose certificates the plan does not contain",
    planOf([toMap("main")], { there: { [at.proxy]: { ...classicProxy("theirs") } } }),
    "map-switched-unchecked ",
  ],
  [
    "warns of a first map for an SSL proxy whose certificates the plan does not contain",
    planOf(
      [
        {
          address: "google_compute_target_ssl_proxy.ssl",
          actions: ["update"],
          after: { certificate_map: mapId("main") },
        },
      ],
      {
        there: { "google_compute_target_ssl_proxy.ssl": { name: "ssl", ssl_certificates: [classicId("theirs")] } },
      },
    ),
    "map-switched-unchecked ",
  ],
  [
    "accepts a first map for a proxy whose certificates have the same names",
    planOf([toMap("main")], {
      there: { [at.proxy]: classicProxy("old"), [other.classic]: classic("old", "example.com") },
    }),
  ],
  [
    "warns of a PRIMARY entry that gets a certificate of other names",
    planOf([{ address: primaryAt, actions: ["update"], after: { certificates: [id("net")] } }], {
      there: { [primaryAt]: primary("shop"), ...net },
    }),
    "primary-certificate-switched example.com",
  ],
  [
    "warns of a proxy that gets a map whose PRIMARY entry has a certificate of other names",
    planOf([toMap("next")], {
      there: {
        [primaryAt]: primary("shop"),
        [other.map]: { name: "next" },
        [`${cm}_certificate_map_entry.n`]: { ...entry("example.com", "shop"), map: "next" },
        [`${cm}_certificate_map_entry.np`]: { ...primary("net"), map: "next" },
        ...net,
      },
    }),
    "primary-certificate-switched example.com",
  ],
  [
    "warns of a proxy whose first certificate becomes another one",
    planOf([{ address: at.proxy, actions: ["update"], after: classicProxy("net", "old") }], {
      there: {
        [at.proxy]: classicProxy("old", "net"),
        [other.classic]: classic("old", "example.com"),
        "google_compute_managed_ssl_certificate.net": classic("net", "example.net"),
      },
    }),
    "primary-certificate-switched example.com",
  ],
  [
    "accepts a PRIMARY entry that gets a certificate of the same names",
    planOf([{ address: primaryAt, actions: ["update"], after: { certificates: [id("again")] } }], {
      there: { [primaryAt]: primary("shop"), [certificateAt("again")]: managedFor("again", "ACTIVE", "example.com") },
    }),
  ],
  [
    "warns of a lost state with which everything is created again",
    lost(whole),
    "state-lost ",
    "traffic-appears example.com",
  ],
  [
    "accepts a plan that creates an environment beside others",
    lost(whole, "google_project.p"),
    "traffic-appears example.com",
  ],
  [
    "accepts the first apply of a load balancer without traffic",
    lost(Object.fromEntries(Object.entries(whole).filter(([address]) => address !== at.a))),
  ],
  [
    "accepts the first apply of certificates alone",
    lost({ [at.certificate]: whole[at.certificate] as Fields, [newMap.address]: { name: "next" } }),
  ],
  ...[
    ["validationmethods that exclude DNS", "pki.goog; validationmethods=http-01"],
    ["an account of another owner", "pki.goog; accounturi=https://example.net/acct/1"],
    ["both", "pki.goog; validationmethods=dns-01; accounturi=https://example.net/acct/1"],
  ].map(
    ([what, value]) =>
      [
        `finds a CAA record with ${what}`,
        planOf(
          [
            {
              address: "google_dns_record_set.caa",
              actions: ["create"],
              after: record("example.com.", "CAA", `0 issue "${value}"`),
            },
          ],
          {
            there: {
              [at.certificate]: {
                id: id("shop"),
                name: "shop",
                managed: [
                  {
                    domains: ["example.com"],
                    state: "ACTIVE",
                    dns_authorizations: ["projects/p/locations/global/dnsAuthorizations/a"],
                  },
                ],
              },
            },
          },
        ),
        "caa-forbids-issuance example.com",
      ] as const,
  ),
  [
    "finds a CAA record for wildcards with 'validationmethods' at Cloudflare",
    planOf(
      [
        {
          address: "cloudflare_record.caa",
          actions: ["create"],
          after: {
            name: "example.com",
            type: "CAA",
            zone_id: "z",
            data: [{ flags: 0, tag: "issuewild", value: "pki.goog; validationmethods=tls-alpn-01,http-01" }],
          },
        },
      ],
      {
        there: {
          [at.certificate]: {
            id: id("shop"),
            name: "shop",
            managed: [{ domains: ["*.example.com"], state: "ACTIVE", dns_authorizations: ["a"] }],
          },
        },
      },
    ),
    "caa-forbids-issuance *.example.com",
  ],
  [
    "finds a CAA record that excludes the load balancer for a classic managed certificate",
    planOf(
      [
        {
          address: "google_dns_record_set.caa",
          actions: ["create"],
          after: record("pay.example.net.", "CAA", '0 issue "pki.goog; validationmethods=dns-01"'),
        },
      ],
      {
        there: { [other.classic]: classic("old", "pay.example.net") },
      },
    ),
    "caa-forbids-issuance pay.example.net",
  ],
  ...['0 issue "pki.goog; validationmethods=dns-01"', '0 issue "pki.goog; validationmethods=http-01,DNS-01"'].map(
    (value) =>
      [
        `accepts a CAA record that allows validation by DNS: ${value}`,
        planOf([
          { address: "google_dns_record_set.caa", actions: ["create"], after: record("example.com.", "CAA", value) },
        ]),
      ] as const,
  ),
  [
    "accepts a CAA record with 'accounturi' beside one for any account",
    planOf([
      {
        address: "google_dns_record_set.caa",
        actions: ["create"],
        after: record("example.com.", "CAA", '0 issue "pki.goog; accounturi=x"', '0 issue "pki.goog"'),
      },
    ]),
  ],
]);
