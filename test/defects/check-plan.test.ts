import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  at,
  certificate,
  classic,
  classicProxy,
  cm,
  createFirst,
  destroyFirst,
  entry,
  entryOf,
  type Fields,
  gate,
  gone,
  id,
  mapId,
  newMap,
  next,
  other,
  planFixture,
  planOf,
  proxy,
  record,
  repoint,
  rule,
  targetOf,
  toMap,
} from "../check-plan/plans";
import { reportedBy } from "./check-plan-reported";
import { stackRows } from "./check-plan-stacks";

/** Whether a title is one of a defect. */
const isDefect = (title: string) => title.startsWith("finds ");

test.each(stackRows)("$title", async ({ title, fixture, reported }) => {
  const found = await reportedBy(readFileSync(planFixture(join("defects", fixture)), "utf8"));
  expect(found).toEqual({ exitCode: isDefect(title) ? 4 : 0, reported: [...reported].sort() });
});

/** Plans that real Terraform made of stacks by other people, with what is reported of each. */
const givenPlans: readonly (readonly [title: string, fixture: string, ...reported: readonly string[]])[] = [
  [
    "finds a live entry behind a gate whose trigger is a constant local value",
    "gate-constant-local",
    "repointed-to-inactive a.example.com",
  ],
  [
    "finds a switch to an entry behind a gate whose trigger is a constant local value",
    "switch-gate-constant-local",
    "map-switched-early a.example.com",
  ],
  [
    "finds a live entry behind a gate for another instance of the same certificate resource",
    "gate-other-key",
    "repointed-to-inactive b.example.com",
  ],
  [
    "finds a switch to an entry behind a gate for another instance of the same certificate resource",
    "switch-gate-other-key",
    "map-switched-early a.example.com",
  ],
  ["accepts entries behind the gates of their own certificates under 'for_each'", "gates-by-key"],
  ["accepts a gate that an entry waits for through a local value", "gate-through-local"],
  [
    "finds a new proxy whose local value is a constant, where another resource depends on the entries",
    "order-foreign-local",
    "map-switched-early a.example.com,b.example.com,c.example.com",
  ],
  [
    "finds a new proxy whose local value is a constant, where an output depends on the entries",
    "order-foreign-output",
    "map-switched-early a.example.com,b.example.com,c.example.com",
  ],
  [
    "finds a proxy that depended on entries in the last apply alone",
    "order-stale-state",
    "map-switched-early a.example.com,b.example.com",
  ],
  ["accepts a proxy that waits for its entries through a local value", "switch-order-through-local"],
  [
    "finds a managed certificate behind a local value in a plan without refresh",
    "repoint-without-refresh",
    "repointed-to-inactive a.example.com",
  ],
  [
    "finds a certificate that is not issued behind a gate that does not wait for it",
    "foreign-gate-provisioning",
    "repointed-to-inactive a.example.com",
  ],
  ["accepts a certificate with a waiting provisioner of its own", "gate-on-certificate"],
  ["finds a new certificate whose id is made of its name", "id-from-name", "repointed-to-inactive a.example.com"],
  [
    "finds a new certificate for another hostname whose id is made of its name",
    "id-from-name-foreign",
    "entry-certificate-mismatch a.example.com",
  ],
  [
    "finds a switch to an entry whose new certificate has an id made of its name",
    "switch-id-from-name",
    "map-switched-early a.example.com",
  ],
  [
    "finds a switch to an entry whose new certificate for another hostname has an id made of its name",
    "switch-id-from-name-foreign",
    "entry-certificate-mismatch a.example.com",
    "map-switched-incomplete a.example.com",
  ],
  ["finds a new certificate whose id is a constant text", "id-literal", "repointed-to-inactive a.example.com"],
  [
    "finds a new certificate for another hostname whose id is a constant text",
    "id-literal-foreign",
    "entry-certificate-mismatch a.example.com",
  ],
  [
    "finds certificates under 'count' that entries name by the wrong number",
    "crossed-numbers",
    "entry-certificate-mismatch a.example.com",
    "entry-certificate-mismatch b.example.com",
  ],
  [
    "finds certificates that a variable assigns to the wrong hostnames",
    "crossed-variable",
    "entry-certificate-mismatch a.example.com",
    "entry-certificate-mismatch b.example.com",
  ],
  ["accepts certificates that a module assigns to the right hostnames", "straight-in-module"],
  [
    "warns of certificates that a local value assigns to hostnames by 'for_each'",
    "crossed-local-for-each",
    "repointed-to-unknown a.example.com",
    "repointed-to-unknown b.example.com",
  ],
  [
    "warns of certificates whose keys come from a local value",
    "crossed-local-keys",
    "repointed-to-unknown a.example.com",
    "repointed-to-unknown b.example.com",
  ],
  [
    "warns of certificates that come from a local map",
    "local-map-other-key",
    "repointed-to-unknown a.example.com",
    "repointed-to-unknown b.example.com",
  ],
  [
    "warns of a condition that chooses between two certificates",
    "conditional-foreign",
    "repointed-to-unknown a.example.com",
  ],
  ["accepts an unissued certificate for an entry of a map that no proxy has", "entry-of-idle-map"],
  ["accepts a new hostname below a wildcard entry whose certificate is not for it", "wildcard-not-covering"],
  [
    "finds a second record at Cloudflare that leads to an unknown address",
    "split-second-record",
    "traffic-split a.example.com",
  ],
  [
    "finds a record at Cloudflare that moves while a second one leads to an unknown address",
    "split-moved-and-new",
    "traffic-split a.example.com",
    "traffic-moves a.example.com",
  ],
  [
    "finds two records at Cloudflare of which one moves to an unknown address",
    "split-both-moved",
    "traffic-split a.example.com",
    "traffic-moves a.example.com",
  ],
  [
    "finds a record at Cloudflare that moves to an unknown address beside one of the load balancer",
    "split-other-moved",
    "traffic-split a.example.com",
  ],
  [
    "finds a regional proxy's hostname once, where two certificates are for it",
    "regional-name-twice",
    "certificate-detached pay.example.com",
  ],
  [
    "finds a regional proxy's hostname once, where two unissued certificates are for it",
    "regional-rotated-name-twice",
    "repointed-to-inactive orders.example.com",
  ],
];

test.each(givenPlans.map(([title, fixture, ...reported]) => ({ title, fixture, reported })))("$title", async (row) => {
  const found = await reportedBy(readFileSync(planFixture(join("defects", row.fixture)), "utf8"));
  expect(found).toEqual({ exitCode: isDefect(row.title) ? 4 : 0, reported: [...row.reported].sort() });
});

const managedFor = (name: string, state: string, ...domains: readonly string[]): Fields => ({
  ...certificate(name),
  managed: [{ domains, state }],
});
const entryAt = (label: string) => `${cm}_certificate_map_entry.${label}`;
const certificateAt = (label: string) => `${cm}_certificate.${label}`;
const configured = (...resources: readonly object[]) => ({ configuration: { root_module: { resources } } });
const anyWild = { [entryAt("any")]: entry("*.example.com", "any") };
const wildCertificate = { [certificateAt("any")]: managedFor("any", "ACTIVE", "*.example.com") };
const caa = (address: string, values: Fields) => ({ address, actions: ["create"], after: values });
const toNext = { address: at.rule, actions: ["update"], after: { target: targetOf("bare") } };
const regionalAt = "google_compute_region_target_https_proxy.r";
const regional = (...names: readonly string[]): Fields => ({
  name: "r",
  certificate_manager_certificates: names.map(id),
});

const keyed = certificateAt("m");
/** An entry that gets the certificate with key 'a' of two, behind a gate whose trigger refers to what is given. */
const behindGate = (...references: readonly string[]) =>
  planOf(
    [
      ...["a", "b"].map((key) => ({
        address: `${keyed}["${key}"]`,
        actions: ["create"],
        after: { managed: [{ domains: ["example.com"] }] },
        unknown: { id: true },
      })),
      { address: gate, actions: ["create"], after: {}, unknown: { id: true, triggers_replace: true } },
      repoint,
    ],
    {
      more: configured(
        {
          address: gate,
          expressions: { triggers_replace: { references } },
          provisioners: [{ type: "local-exec" }],
        },
        {
          address: at.entry,
          expressions: { certificates: { references: [`${keyed}["a"].id`, `${keyed}["a"]`, keyed] } },
          depends_on: [gate],
        },
      ),
    },
  );
const cloudflareAt = (label: string) => `cloudflare_dns_record.${label}`;
const cloudflare = (zone: string, content: string): Fields => ({
  name: "example.com",
  type: "A",
  zone_id: zone,
  content,
});

/** Plans that are made up here, with what is reported of each. */
const rows: readonly (readonly [title: string, plan: object, ...reported: readonly string[]])[] = [
  [
    "finds a switch to an existing map whose entry is made in the same apply",
    planOf([{ address: other.entry, actions: ["create"], after: entryOf("next", "shop") }, toMap("next")], {
      there: { [other.map]: { name: "next" } },
    }),
    "map-switched-early example.com",
  ],
  [
    "finds a switch to a map whose entry is deleted and made anew",
    planOf([{ address: other.entry, actions: destroyFirst }, toMap("next")], {
      there: { [other.map]: { name: "next" }, [other.entry]: entryOf("next", "shop") },
    }),
    "map-switched-early example.com",
  ],
  [
    "accepts a switch to a map whose entries were there before",
    planOf([toMap("next")], { there: { [other.map]: { name: "next" }, [other.entry]: entryOf("next", "shop") } }),
  ],
  [
    "finds a switch to a map whose entry for the hostname has a certificate for another one",
    planOf([toMap("next")], {
      there: {
        [other.map]: { name: "next" },
        [other.entry]: entryOf("next", "net"),
        [certificateAt("net")]: managedFor("net", "ACTIVE", "example.net"),
      },
    }),
    "map-switched-incomplete example.com",
  ],
  [
    "accepts a switch to a map whose PRIMARY entry has a certificate for the hostname",
    planOf([toMap("next")], {
      there: {
        [other.map]: { name: "next" },
        [other.entry]: { ...entryOf("next", "shop"), hostname: undefined, matcher: "PRIMARY" },
      },
    }),
  ],
  [
    "finds an address that is led to a proxy whose map gets its entry in the same apply",
    planOf([{ address: other.entry, actions: ["create"], after: entryOf("next", "shop") }, toNext], {
      there: {
        [other.proxy]: { ...proxy, name: "bare", certificate_map: mapId("next") },
        [other.map]: { name: "next" },
      },
    }),
    "map-switched-early example.com",
  ],
  [
    "finds an address that is led to a proxy with certificates that are not issued",
    planOf([toNext], {
      there: {
        [other.proxy]: { ...regional("slow"), name: "bare" },
        [certificateAt("slow")]: managedFor("slow", "PROVISIONING", "example.com"),
      },
    }),
    "repointed-to-inactive example.com",
  ],
  [
    "finds a proxy replaced by one with a certificate that is not issued",
    planOf([{ address: regionalAt, actions: createFirst, after: { ...regional("slow"), name: "r2" } }], {
      there: {
        [regionalAt]: regional("shop"),
        [certificateAt("slow")]: managedFor("slow", "PROVISIONING", "example.com"),
      },
    }),
    "repointed-to-inactive example.com",
  ],
  [
    "accepts an unissued certificate for a new hostname on a regional proxy",
    planOf([{ address: regionalAt, actions: ["update"], after: regional("shop", "slow") }], {
      there: {
        [regionalAt]: regional("shop"),
        [certificateAt("slow")]: managedFor("slow", "PROVISIONING", "new.example.com"),
      },
    }),
  ],
  [
    "accepts a second certificate on an entry that keeps the one that serves",
    planOf([{ address: at.entry, actions: ["update"], after: { certificates: [id("shop"), id("slow")] } }], {
      there: { [certificateAt("slow")]: managedFor("slow", "PROVISIONING", "example.com") },
    }),
  ],
  [
    "finds an entry deleted whose hostname is left to a wildcard with a certificate for other names",
    planOf([{ address: at.entry, actions: gone, before: entry("www.example.com", "shop") }], {
      there: {
        [at.entry]: entry("www.example.com", "shop"),
        ...anyWild,
        [certificateAt("any")]: managedFor("any", "ACTIVE", "a.example.com"),
      },
    }),
    "entry-deleted www.example.com",
  ],
  [
    "accepts an entry deleted whose hostname PRIMARY serves from then on",
    planOf([{ address: at.entry, actions: gone }], {
      there: { [entryAt("primary")]: { ...entry("", "shop"), hostname: undefined, matcher: "PRIMARY" } },
    }),
    "entry-deleted-covered example.com",
  ],
  [
    "finds a wildcard entry deleted while entries for its hostnames are made",
    planOf(
      [
        { address: entryAt("any"), actions: gone },
        { address: entryAt("www"), actions: ["create"], after: entry("*.example.com", "any") },
      ],
      { there: { ...anyWild, ...wildCertificate } },
    ),
    "entry-replaced *.example.com",
  ],
  [
    "finds an index shift of address records under 'count'",
    planOf(
      [
        {
          address: "google_dns_record_set.site[0]",
          actions: destroyFirst,
          before: record("a.example.com.", "A", "203.0.113.7"),
          after: record("b.example.com.", "A", "203.0.113.7"),
        },
        {
          address: "google_dns_record_set.site[1]",
          actions: gone,
          before: record("b.example.com.", "A", "203.0.113.7"),
        },
      ],
      { there: { ...anyWild, ...wildCertificate } },
    ),
    "record-overwritten b.example.com",
    "traffic-record-deleted a.example.com",
    "traffic-record-replaced b.example.com",
  ],
  [
    "accepts a switch that names one entry of the new map and depends on all of them",
    planOf(
      [
        newMap,
        { address: `${other.entry}["a"]`, actions: ["create"], after: entryOf("next", "shop") },
        {
          address: `${other.entry}["b"]`,
          actions: ["create"],
          after: { ...entryOf("next", "shop"), hostname: "www.example.com" },
        },
        toMap("next"),
      ],
      {
        there: {
          [at.certificate]: managedFor("shop", "ACTIVE", "example.com", "*.example.com"),
          [entryAt("www")]: entry("www.example.com", "shop"),
        },
        more: configured({
          address: at.proxy,
          expressions: {
            certificate_map: { references: [`${other.entry}["a"].map`, `${other.entry}["a"]`, other.entry] },
          },
          depends_on: [other.entry],
        }),
      },
    ),
  ],
  [
    "finds a switch that names one entry of the new map and not the others",
    planOf(
      [
        newMap,
        { address: `${other.entry}["a"]`, actions: ["create"], after: entryOf("next", "shop") },
        {
          address: `${other.entry}["b"]`,
          actions: ["create"],
          after: { ...entryOf("next", "shop"), hostname: "www.example.com" },
        },
        toMap("next"),
      ],
      {
        there: {
          [at.certificate]: managedFor("shop", "ACTIVE", "example.com", "*.example.com"),
          [entryAt("www")]: entry("www.example.com", "shop"),
        },
        more: configured({
          address: at.proxy,
          expressions: {
            certificate_map: { references: [`${other.entry}["a"].map`, `${other.entry}["a"]`, other.entry] },
          },
        }),
      },
    ),
    "map-switched-early www.example.com",
  ],
  [
    "finds an entry whose new certificate is a module's for another hostname",
    planOf(
      [
        {
          address: `module.tls.${next}`,
          actions: ["create"],
          after: { managed: [{ domains: ["example.net"] }] },
          unknown: { id: true },
        },
        { address: at.entry, actions: ["update"], after: { certificates: [null] }, unknown: { certificates: [true] } },
      ],
      {
        more: {
          configuration: {
            root_module: {
              resources: [
                { address: at.entry, expressions: { certificates: { references: ["module.tls.id", "module.tls"] } } },
              ],
              module_calls: {
                tls: {
                  module: {
                    outputs: { id: { expression: { references: [`${next}.id`, next] } } },
                    resources: [{ address: next, expressions: {} }],
                  },
                },
              },
            },
          },
        },
      },
    ),
    "entry-certificate-mismatch example.com",
    "repointed-to-inactive example.com",
  ],
  [
    "finds a regional proxy whose new certificate is not for a hostname that it serves",
    planOf(
      [
        {
          address: next,
          actions: ["create"],
          after: { self_managed: [{}], san_dnsnames: ["example.net"] },
          unknown: { id: true },
        },
        {
          address: regionalAt,
          actions: ["update"],
          after: { certificate_manager_certificates: [null] },
          unknown: { certificate_manager_certificates: [true] },
        },
      ],
      {
        there: { [regionalAt]: regional("shop") },
        more: configured({
          address: regionalAt,
          expressions: { certificate_manager_certificates: { references: [`${next}.id`, next] } },
        }),
      },
    ),
    "certificate-detached example.com",
  ],
  [
    "finds a forbidding CAA record at Route 53",
    planOf([caa("aws_route53_record.caa", { name: "example.com", type: "CAA", records: ['0 issue "digicert.com"'] })]),
    "caa-forbids-issuance example.com",
  ],
  [
    "finds a forbidding CAA record at Cloudflare",
    planOf([
      caa("cloudflare_dns_record.caa", {
        name: "example.com",
        type: "CAA",
        data: { flags: 0, tag: "issue", value: ";" },
      }),
    ]),
    "caa-forbids-issuance example.com",
  ],
  [
    "finds a forbidding CAA record at Azure",
    planOf([
      caa("azurerm_dns_caa_record.caa", {
        name: "@",
        zone_name: "example.com",
        record: [{ flags: 0, tag: "issue", value: "sectigo.com" }],
      }),
    ]),
    "caa-forbids-issuance example.com",
  ],
  [
    "finds a CAA record that forbids wildcards alone",
    planOf(
      [
        caa("google_dns_record_set.caa", {
          ...record("example.com.", "CAA", '0 issue "pki.goog"', '0 issuewild ";"'),
        }),
      ],
      { there: wildCertificate },
    ),
    "caa-forbids-issuance *.example.com",
  ],
  [
    "finds a CAA record deleted below one that forbids",
    planOf(
      [
        {
          address: "google_dns_record_set.near",
          actions: gone,
          before: record("example.com.", "CAA", '0 issue "pki.goog"'),
        },
      ],
      {
        there: { "google_dns_record_set.far": record("com.", "CAA", '0 issue "digicert.com"') },
      },
    ),
    "caa-forbids-issuance example.com",
  ],
  [
    "accepts a forbidding CAA record of another domain",
    planOf([caa("google_dns_record_set.caa", record("example.net.", "CAA", '0 issue "digicert.com"'))]),
  ],
  [
    "accepts a forbidding CAA record where a CA of the user's own issues",
    planOf([caa("google_dns_record_set.caa", record("example.com.", "CAA", '0 issue "digicert.com"'))], {
      there: {
        [at.certificate]: {
          ...certificate("shop"),
          managed: [
            {
              domains: ["example.com"],
              state: "ACTIVE",
              issuance_config: "projects/p/locations/global/certificateIssuanceConfigs/i",
            },
          ],
        },
      },
    }),
  ],
  [
    "accepts a CAA record for Let's Encrypt with a classic managed certificate",
    planOf([caa("google_dns_record_set.caa", record("pay.example.net.", "CAA", '0 issue "letsencrypt.org"'))], {
      there: {
        [other.classic]: classic("old", "pay.example.net"),
        "google_compute_target_https_proxy.classic": { ...classicProxy("old"), name: "classic" },
      },
    }),
  ],
  [
    "finds a new AAAA record that leads partly elsewhere",
    planOf(
      [
        {
          address: "google_dns_record_set.six",
          actions: ["create"],
          after: record("example.com.", "AAAA", "2001:db8::7", "2001:db8:bad::1"),
        },
      ],
      {
        there: { "google_compute_global_forwarding_rule.six": { ...rule, name: "six", ip_address: "2001:db8::7" } },
      },
    ),
    "traffic-split example.com",
  ],
  [
    "finds a gate that may wait for another instance, by a key of a variable",
    behindGate(keyed, "var.which"),
    "repointed-to-inactive example.com",
  ],
  [
    "finds a gate that may wait for another instance, by a value of 'for_each'",
    behindGate(keyed, "each.value"),
    "repointed-to-inactive example.com",
  ],
  ["accepts a gate that waits for every instance", behindGate(keyed)],
  ["accepts a gate that waits for the instance of the entry", behindGate(`${keyed}["a"].id`, `${keyed}["a"]`, keyed)],
  [
    "accepts a second record at Cloudflare with another address of the load balancer",
    planOf([{ address: cloudflareAt("b"), actions: ["create"], after: cloudflare("z", "203.0.113.8") }], {
      there: {
        [cloudflareAt("a")]: cloudflare("z", "203.0.113.7"),
        "google_compute_global_forwarding_rule.second": { ...rule, name: "second", ip_address: "203.0.113.8" },
      },
    }),
    "traffic-appears example.com",
  ],
  [
    "accepts a record at Cloudflare of another zone with the same name",
    planOf([{ address: cloudflareAt("b"), actions: ["create"], after: cloudflare("inside", "192.0.2.66") }], {
      there: { [cloudflareAt("a")]: cloudflare("z", "203.0.113.7") },
    }),
  ],
  [
    "accepts an address set with both addresses of the load balancer",
    planOf([{ address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.7", "203.0.113.8"] } }], {
      there: { "google_compute_global_forwarding_rule.second": { ...rule, name: "second", ip_address: "203.0.113.8" } },
    }),
    "traffic-moves example.com",
  ],
];

test.each(rows.map(([title, plan, ...reported]) => ({ title, plan, reported })))("$title", async (row) => {
  const found = await reportedBy(JSON.stringify(row.plan));
  expect(found).toEqual({ exitCode: isDefect(row.title) ? 4 : 0, reported: [...row.reported].sort() });
});

const indexShift = () => readFileSync(planFixture(join("defects", "count-shift")), "utf8");

test.each<readonly [title: string, exitCode: number, allowed: readonly string[]]>([
  [
    "finds the hostname that loses its entry by accident, where the one that is removed is allowed",
    4,
    ["entry-deleted=b.example.com"],
  ],
  [
    "finds the hostname that is not allowed, where a code is allowed for another one",
    4,
    ["entry-deleted=c.example.com", "entry-replaced=b.example.com"],
  ],
  [
    "accepts each hostname that is allowed by its code",
    0,
    ["entry-deleted=B.Example.com.", "entry-replaced=c.example.com"],
  ],
  ["accepts codes that are allowed everywhere", 0, ["entry-deleted", "entry-replaced"]],
])("%s", async (_, exitCode, allowed) => {
  const found = await reportedBy(indexShift(), ...allowed.flatMap((one) => ["--allow", one]));
  expect(found.exitCode).toBe(exitCode);
});
