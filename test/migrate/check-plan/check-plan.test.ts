import { checkPlan, planDangers, readTerraformPlan } from "../../../lib/migrate";

type Fields = Readonly<Record<string, unknown>>;

interface Step {
  readonly address: string;
  readonly actions: readonly string[];
  readonly before?: Fields;
  readonly after?: Fields;
  readonly unknown?: Fields;
  readonly deposed?: string;
}

const parent = "projects/p/locations/global";
const id = (name: string) => `${parent}/certificates/${name}`;

const certificate = (name: string, state = "ACTIVE"): Fields => ({
  id: id(name),
  name,
  managed: [{ domains: ["example.com"], state }],
});
const entry = (hostname: string, ...certificates: readonly string[]): Fields => ({
  hostname,
  map: "main",
  certificates: certificates.map(id),
  state: "ACTIVE",
});
const map: Fields = { name: "main", gclb_targets: [] };
const proxy: Fields = {
  name: "web",
  certificate_map: `//certificatemanager.googleapis.com/${parent}/certificateMaps/main`,
};
const rule: Fields = {
  name: "web",
  ip_address: "203.0.113.7",
  target: "https://www.googleapis.com/compute/v1/projects/p/global/targetHttpsProxies/web",
};
const challenge: Fields = {
  name: "_acme-challenge.example.com.",
  type: "CNAME",
  rrdatas: ["1.2.authorize.certificatemanager.goog."],
};
const record = (name: string, type: string, ...rrdatas: readonly string[]): Fields => ({ name, type, rrdatas });

const cm = "google_certificate_manager";
const at = {
  certificate: `${cm}_certificate.shop`,
  entry: `${cm}_certificate_map_entry.root`,
  map: `${cm}_certificate_map.main`,
  authorization: `${cm}_dns_authorization.root`,
  proxy: "google_compute_target_https_proxy.web",
  rule: "google_compute_global_forwarding_rule.web",
  challenge: "google_dns_record_set.challenge",
  a: "google_dns_record_set.a",
} as const;

/** A load balancer that serves example.com, with old addresses in DNS. */
const serving: Readonly<Record<string, Fields>> = {
  [at.certificate]: certificate("shop"),
  [at.entry]: entry("example.com", "shop"),
  [at.map]: map,
  [at.authorization]: { domain: "example.com" },
  [at.proxy]: proxy,
  [at.rule]: rule,
  [at.challenge]: challenge,
  [at.a]: record("example.com.", "A", "198.51.100.1"),
};

const typeOf = (address: string) => address.replace(/^(?:module\.[^.]+\.)*/, "").split(".")[0];

function planOf(
  steps: readonly Step[],
  change: { readonly there?: Readonly<Record<string, Fields>>; readonly more?: Fields } = {},
) {
  const there = { ...serving, ...change.there };
  const resources = Object.entries(there).map(([address, values]) => ({
    address,
    mode: "managed",
    type: typeOf(address),
    values,
  }));
  return {
    format_version: "1.2",
    planned_values: {},
    prior_state: { values: { root_module: { resources } } },
    resource_changes: steps.map(({ address, actions, before, after, unknown, deposed }) => ({
      address,
      mode: "managed",
      type: typeOf(address),
      ...(deposed === undefined ? {} : { deposed }),
      change: {
        actions,
        before: actions[0] === "create" && actions.length === 1 ? null : (before ?? there[address]),
        after: actions.length === 1 && actions[0] === "delete" ? null : { ...(before ?? there[address]), ...after },
        after_unknown: unknown ?? {},
      },
    })),
    ...change.more,
  };
}

function told(plan: unknown): readonly string[] {
  return checkPlan(readTerraformPlan(JSON.stringify(plan), "plan.json")).dangers.map(
    ({ code, address }) => `${code} ${address}`,
  );
}

const gone = ["delete"];
const destroyFirst = ["delete", "create"];
const createFirst = ["create", "delete"];
const next = `${cm}_certificate.next`;
const newCertificate: Step = {
  address: next,
  actions: ["create"],
  after: { managed: [{ domains: ["example.com"] }] },
  unknown: { id: true },
};
const repoint: Step = {
  address: at.entry,
  actions: ["update"],
  after: { certificates: [] },
  unknown: { certificates: [true] },
};
const gate = "terraform_data.gate";
const gateConfiguration = (user: string) => ({
  configuration: {
    root_module: {
      resources: [
        { address: gate, expressions: {}, provisioners: [{ type: "local-exec" }] },
        { address: user, expressions: { certificates: { references: [`${next}.id`, next] } }, depends_on: [gate] },
      ],
    },
  },
});
const referring = (name: string) => ({
  configuration: {
    root_module: {
      resources: [{ address: at.entry, expressions: { certificates: { references: [`${name}.id`, name] } } }],
    },
  },
});

const other = {
  map: `${cm}_certificate_map.next`,
  entry: `${cm}_certificate_map_entry.next`,
  certificate: `${cm}_certificate.pending`,
  proxy: "google_compute_target_https_proxy.bare",
  classic: "google_compute_managed_ssl_certificate.old",
  uploaded: "google_compute_ssl_certificate.old",
} as const;
const mapId = (name: string) => `//certificatemanager.googleapis.com/${parent}/certificateMaps/${name}`;
const targetOf = (name: string) => `https://www.googleapis.com/compute/v1/projects/p/global/targetHttpsProxies/${name}`;
const classicId = (name: string) => `https://www.googleapis.com/compute/v1/projects/p/global/sslCertificates/${name}`;
const classic = (name: string, ...domains: readonly string[]): Fields => ({
  name,
  self_link: classicId(name),
  managed: [{ domains }],
  expire_time: "2027-01-01T00:00:00Z",
});
/** A proxy that presents certificates of Compute Engine. */
const classicProxy = (...names: readonly string[]): Fields => ({ name: "web", ssl_certificates: names.map(classicId) });
const toMap = (name: string): Step => ({
  address: at.proxy,
  actions: ["update"],
  after: { certificate_map: mapId(name) },
});
const newMap: Step = { address: other.map, actions: ["create"], after: { name: "next" }, unknown: { id: true } };
const toNewMap: Step = {
  address: at.proxy,
  actions: ["update"],
  after: { certificate_map: undefined },
  unknown: { certificate_map: true },
};
const entryOf = (of: string, name: string, state?: string): Fields => ({
  ...entry("example.com", name),
  map: of,
  ...(state === undefined ? {} : { state }),
});
const toCertificate = (name: string): Step => ({
  address: at.entry,
  actions: ["update"],
  after: { certificates: [id(name)] },
});
const condition = (status: string) => ({
  checks: [{ address: { kind: "resource", to_display: at.entry }, status }],
});

const toBalancer: Step = { address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.7"] } };
const wild = "google_dns_record_set.wild";
/** An address record that gives the load balancer a share of the traffic. */
const weighted = (weight: number): Fields => ({
  name: "example.com.",
  type: "A",
  rrdatas: undefined,
  routing_policy: [
    {
      wrr: [
        { weight, rrdatas: ["203.0.113.7"] },
        { weight: 100 - weight, rrdatas: ["198.51.100.1"] },
      ],
    },
  ],
});

const refusals: readonly (readonly [string, object, readonly string[]])[] = [
  ["a live entry is deleted", planOf([{ address: at.entry, actions: gone }]), [`entry-deleted ${at.entry}`]],
  ["a live entry is replaced", planOf([{ address: at.entry, actions: destroyFirst }]), [`entry-replaced ${at.entry}`]],
  [
    "an entry of a map that is kept elsewhere is deleted",
    planOf([
      {
        address: `${cm}_certificate_map_entry.other`,
        actions: gone,
        before: { ...entry("a.example", "shop"), map: "theirs" },
      },
    ]),
    [`entry-deleted ${cm}_certificate_map_entry.other`],
  ],
  ["a map is deleted", planOf([{ address: at.map, actions: gone }]), [`map-deleted ${at.map}`]],
  ["a map is replaced", planOf([{ address: at.map, actions: destroyFirst }]), [`map-deleted ${at.map}`]],
  ["a proxy is deleted", planOf([{ address: at.proxy, actions: gone }]), [`proxy-deleted ${at.proxy}`]],
  ["a proxy is replaced", planOf([{ address: at.proxy, actions: destroyFirst }]), [`proxy-replaced ${at.proxy}`]],
  [
    "a proxy in a module is deleted",
    planOf([{ address: "module.lb.google_compute_target_ssl_proxy.web", actions: gone, before: proxy }]),
    ["proxy-deleted module.lb.google_compute_target_ssl_proxy.web"],
  ],
  [
    "a proxy loses its map",
    planOf([{ address: at.proxy, actions: ["update"], after: { certificate_map: null } }]),
    [`map-detached ${at.proxy}`],
  ],
  [
    "a proxy gets a map that lacks a hostname",
    planOf([{ address: at.proxy, actions: ["update"], after: { certificate_map: `${parent}/certificateMaps/next` } }], {
      there: { [`${cm}_certificate_map.next`]: { name: "next" } },
    }),
    [`map-switched-incomplete ${at.proxy}`],
  ],
  [
    "a forwarding rule is deleted",
    planOf([{ address: at.rule, actions: gone }]),
    [`forwarding-rule-deleted ${at.rule}`],
  ],
  [
    "a CNAME of an authorization is deleted",
    planOf([{ address: at.challenge, actions: gone }]),
    [`authorization-record-deleted ${at.challenge}`],
  ],
  [
    "a CNAME of an authorization is replaced",
    planOf([{ address: at.challenge, actions: destroyFirst }]),
    [`authorization-record-deleted ${at.challenge}`],
  ],
  [
    "an authorization is deleted",
    planOf([{ address: at.authorization, actions: gone }]),
    [`authorization-deleted ${at.authorization}`],
  ],
  [
    "a certificate is destroyed while its entry stays",
    planOf([{ address: at.certificate, actions: gone }]),
    [`certificate-destroyed-early ${at.certificate}`],
  ],
  [
    "the rest of a replacement is destroyed while an entry still has it, as -target would",
    planOf([{ address: at.certificate, actions: gone, deposed: "abcd1234", before: certificate("old") }], {
      there: { [at.entry]: entry("example.com", "old") },
    }),
    [`certificate-destroyed-early ${at.certificate}`],
  ],
  [
    "a certificate is destroyed before it is made anew",
    planOf([{ address: at.certificate, actions: destroyFirst }]),
    [`certificate-replaced-destroy-first ${at.certificate}`],
  ],
  [
    "a certificate is destroyed that a regional proxy keeps",
    planOf([{ address: `${cm}_certificate.direct`, actions: gone, before: certificate("direct") }], {
      there: {
        "google_compute_region_target_https_proxy.r": {
          certificate_manager_certificates: [`//certificatemanager.googleapis.com/${id("direct")}`],
        },
      },
    }),
    [`certificate-destroyed-early ${cm}_certificate.direct`],
  ],
  [
    "an entry is repointed to a certificate that is not issued",
    planOf([{ address: at.entry, actions: ["update"], after: { certificates: [id("next")] } }], {
      there: { [next]: certificate("next", "PROVISIONING") },
    }),
    [`repointed-to-inactive ${at.entry}`],
  ],
  [
    "an entry is repointed to a certificate that is made in the same apply, with no gate",
    planOf([newCertificate, repoint], { more: referring(next) }),
    [`repointed-to-inactive ${at.entry}`],
  ],
  [
    "the gate of an entry ran long ago",
    planOf([newCertificate, repoint, { address: gate, actions: ["no-op"], before: {} }], {
      more: gateConfiguration(at.entry),
    }),
    [`repointed-to-inactive ${at.entry}`],
  ],
  [
    "a new entry takes a name over from a wildcard before its certificate is issued",
    planOf(
      [
        newCertificate,
        {
          address: `${cm}_certificate_map_entry.www`,
          actions: ["create"],
          after: { hostname: "www.example.com", map: "main" },
          unknown: { certificates: true },
        },
      ],
      {
        there: { [`${cm}_certificate_map_entry.any`]: entry("*.example.com", "shop") },
      },
    ),
    [`repointed-to-inactive ${cm}_certificate_map_entry.www`],
  ],
  [
    "an address record is replaced",
    planOf([{ address: at.a, actions: destroyFirst }]),
    [`traffic-record-replaced ${at.a}`],
  ],
  [
    "an address record is replaced, created first",
    planOf([{ address: at.a, actions: createFirst }]),
    [`traffic-record-replaced ${at.a}`],
  ],
  [
    "an address record makes way for a CNAME",
    planOf([
      { address: at.a, actions: gone },
      {
        address: "google_dns_record_set.c",
        actions: ["create"],
        after: record("example.com.", "CNAME", "x.example.org."),
      },
    ]),
    [`traffic-record-replaced ${at.a}`],
  ],
  [
    "the last address record is deleted",
    planOf([{ address: at.a, actions: gone }]),
    [`traffic-record-deleted ${at.a}`],
  ],
  [
    "the record that an alias leads to is deleted",
    planOf(
      [
        {
          address: "google_dns_record_set.ingress",
          actions: gone,
          before: record("ingress.example.org.", "A", "203.0.113.7"),
        },
      ],
      {
        there: { "google_dns_record_set.alias": record("example.com.", "CNAME", "ingress.example.org.") },
      },
    ),
    ["traffic-record-deleted google_dns_record_set.ingress"],
  ],
  [
    "traffic moves in the apply that makes the proxy",
    planOf([
      { address: "google_compute_target_https_proxy.new", actions: ["create"] },
      { address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.7"] } },
    ]),
    [`traffic-before-verification ${at.a}`],
  ],
  [
    "traffic moves while the entry is pending",
    planOf([{ address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.7"] } }], {
      there: { [at.entry]: { ...entry("example.com", "shop"), state: "PENDING" } },
    }),
    [`traffic-before-verification ${at.a}`],
  ],
  [
    "an entry gets a certificate for another name",
    planOf([{ address: at.entry, actions: ["update"], after: { certificates: [id("other")] } }], {
      there: {
        [`${cm}_certificate.other`]: {
          ...certificate("other"),
          managed: [{ domains: ["*.example.net"], state: "ACTIVE" }],
        },
      },
    }),
    [`entry-certificate-mismatch ${at.entry}`],
  ],
  [
    "a proxy without a map loses the certificate for a name",
    planOf(
      [
        {
          address: "google_compute_region_target_https_proxy.r",
          actions: ["update"],
          before: { name: "r", certificate_manager_certificates: [`//x/${id("shop")}`, id("other")] },
          after: { certificate_manager_certificates: [id("other")] },
        },
      ],
      {
        there: { [`${cm}_certificate.other`]: { ...certificate("other"), managed: [{ domains: ["*.example.com"] }] } },
      },
    ),
    ["certificate-detached google_compute_region_target_https_proxy.r"],
  ],
  [
    "an address that is in use is given back",
    planOf([{ address: "google_compute_global_address.web", actions: gone, before: { address: "203.0.113.7" } }]),
    ["address-deleted google_compute_global_address.web"],
  ],
  [
    "the zone of a name is deleted",
    planOf([{ address: "google_dns_managed_zone.z", actions: gone, before: { dns_name: "example.com." } }]),
    ["zone-deleted google_dns_managed_zone.z"],
  ],
  ...[
    ["aws_route53_record.a", { name: "@", fqdn: "example.com", type: "A", records: ["198.51.100.1"] }],
    ["aws_route53_record.a", { name: "example.com", type: "A", alias: [{ name: "old.example.net" }] }],
    ["cloudflare_record.a", { name: "@", hostname: "example.com", type: "A", value: "198.51.100.1" }],
    ["cloudflare_dns_record.a", { name: "example.com", type: "AAAA", content: "2001:db8::1" }],
    ["azurerm_dns_a_record.a", { name: "@", zone_name: "example.com", records: ["198.51.100.1"] }],
    ["azurerm_dns_aaaa_record.a", { name: "@", zone_name: "example.com", records: ["2001:db8::1"] }],
  ].map(
    ([address, before]) =>
      [
        `the last address is deleted at another DNS provider: ${JSON.stringify(before)}`,
        planOf([{ address: address as string, actions: gone, before: before as Fields }], {
          there: { [at.a]: record("mail.example.com.", "A", "192.0.2.1") },
        }),
        [`traffic-record-deleted ${address}`],
      ] as const,
  ),
  ...[
    ["aws_route53_record.c", { name: "_acme-challenge.example.com", type: "CNAME", records: challenge.rrdatas }],
    [
      "cloudflare_record.c",
      { name: "_acme-challenge.example.com", type: "CNAME", value: "1.2.authorize.certificatemanager.goog" },
    ],
    [
      "azurerm_dns_cname_record.c",
      { name: "_acme-challenge", zone_name: "example.com", record: "1.2.authorize.certificatemanager.goog" },
    ],
  ].map(
    ([address, before]) =>
      [
        `the CNAME of an authorization is deleted at another DNS provider: ${address}`,
        planOf([{ address: address as string, actions: gone, before: before as Fields }]),
        [`authorization-record-deleted ${address}`],
      ] as const,
  ),
  [
    "a proxy gets a map that is made in the same apply without entries",
    planOf([newMap, toNewMap]),
    [`map-switched-incomplete ${at.proxy}`],
  ],
  [
    "a proxy gets one of two new maps, and its configuration refers to that without entries",
    planOf(
      [
        newMap,
        {
          address: `${cm}_certificate_map.whole`,
          actions: ["create"],
          after: { name: "whole" },
          unknown: { id: true },
        },
        { address: other.entry, actions: ["create"], after: entryOf("whole", "shop") },
        toNewMap,
      ],
      {
        more: {
          configuration: {
            root_module: {
              resources: [
                { address: at.proxy, expressions: { certificate_map: { references: [`${other.map}.id`, other.map] } } },
              ],
            },
          },
        },
      },
    ),
    [`map-switched-incomplete ${at.proxy}`],
  ],
  [
    "a map goes before the certificates of Compute Engine while the certificate of its entry is not issued",
    planOf([{ address: other.entry, actions: ["create"], after: entryOf("next", "pending") }, toMap("next")], {
      there: {
        [at.proxy]: classicProxy("old"),
        [other.classic]: classic("old", "example.com"),
        [other.map]: { name: "next" },
        [other.certificate]: certificate("pending", "PROVISIONING"),
      },
    }),
    [`map-switched-early ${at.proxy}`],
  ],
  [
    "a map goes before certificates of Compute Engine that nobody knows while one of its entries is pending",
    planOf([toMap("next")], {
      there: {
        [at.proxy]: classicProxy("theirs"),
        [other.map]: { name: "next" },
        [other.entry]: entryOf("next", "shop", "PENDING"),
      },
    }),
    [`map-switched-early ${at.proxy}`],
  ],
  [
    "a rule is led to a proxy that has nothing to present",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("bare") } }], {
      there: { [other.proxy]: { name: "bare" } },
    }),
    [`forwarding-rule-repointed ${at.rule}`],
  ],
  [
    "a rule is led to a proxy that does not speak TLS",
    planOf([
      { address: at.rule, actions: ["update"], after: { target: "projects/p/global/targetHttpProxies/redirect" } },
    ]),
    [`forwarding-rule-repointed ${at.rule}`],
  ],
  [
    "a rule is led to a proxy whose certificate is for another name",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("bare") } }], {
      there: {
        [other.proxy]: { name: "bare", ssl_certificates: [classicId("old")] },
        [other.classic]: classic("old", "example.net"),
      },
    }),
    [`forwarding-rule-repointed ${at.rule}`],
  ],
  [
    "a rule is led to a proxy whose map lacks a hostname",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("bare") } }], {
      there: { [other.proxy]: { name: "bare", certificate_map: mapId("next") }, [other.map]: { name: "next" } },
    }),
    [`map-switched-incomplete ${at.rule}`],
  ],
  [
    "a rule is made anew at another address",
    planOf([{ address: at.rule, actions: createFirst, after: { ip_address: "203.0.113.99" } }]),
    [`forwarding-rule-deleted ${at.rule}`],
  ],
  [
    "a proxy is made anew without its map",
    planOf([{ address: at.proxy, actions: createFirst, after: { name: "web2", certificate_map: null } }]),
    [`map-detached ${at.proxy}`],
  ],
  [
    "a proxy without a map loses every certificate of Compute Engine",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [] } }], {
      there: { [at.proxy]: classicProxy("theirs") },
    }),
    [`certificate-detached ${at.proxy}`],
  ],
  [
    "a proxy without a map gets a certificate of Compute Engine for other names",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [classicId("new")] } }], {
      there: {
        [at.proxy]: classicProxy("old"),
        [other.classic]: classic("old", "example.com", "www.example.com"),
        "google_compute_managed_ssl_certificate.new": classic("new", "www.example.com"),
      },
    }),
    [`certificate-detached ${at.proxy}`],
  ],
  [
    "a proxy without a map gets a managed certificate of Compute Engine that was never issued",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [classicId("new")] } }], {
      there: {
        [at.proxy]: classicProxy("old"),
        [other.classic]: classic("old", "example.com"),
        "google_compute_managed_ssl_certificate.new": { ...classic("new", "example.com"), expire_time: "" },
      },
    }),
    [`repointed-to-inactive ${at.proxy}`],
  ],
  ...[other.classic, other.uploaded].flatMap((address) =>
    (
      [
        ["destroyed", gone, "certificate-destroyed-early"],
        ["destroyed before it is made anew", destroyFirst, "certificate-replaced-destroy-first"],
      ] as const
    ).map(
      ([what, actions, code]) =>
        [
          `${address} is ${what} while a proxy presents it`,
          planOf([{ address, actions }], {
            there: { [at.proxy]: classicProxy("old"), [address]: classic("old", "example.com") },
          }),
          [`${code} ${address}`],
        ] as const,
    ),
  ),
  [
    "the CNAME of an authorization is led elsewhere",
    planOf([{ address: at.challenge, actions: ["update"], after: { rrdatas: ["wrong.example."] } }]),
    [`authorization-record-deleted ${at.challenge}`],
  ],
  [
    "the CNAME of an authorization is led to another that the plan does not make",
    planOf([
      { address: at.challenge, actions: ["update"], after: { rrdatas: ["3.4.authorize.certificatemanager.goog."] } },
    ]),
    [`authorization-record-deleted ${at.challenge}`],
  ],
  [
    "an entry is moved to another map, made there first",
    planOf([{ address: at.entry, actions: createFirst, after: { map: "next" } }]),
    [`entry-deleted ${at.entry}`],
  ],
  [
    "an entry is moved to another map, deleted here first",
    planOf([{ address: at.entry, actions: destroyFirst, after: { map: "next" } }]),
    [`entry-replaced ${at.entry}`],
  ],
  [
    "an entry is repointed to a certificate that is not issued, with a condition that holds all the same",
    planOf([toCertificate("pending")], {
      there: { [other.certificate]: certificate("pending", "PROVISIONING") },
      more: condition("pass"),
    }),
    [`repointed-to-inactive ${at.entry}`],
  ],
  [
    "traffic moves while the certificate of the entry is not issued",
    planOf([toBalancer], { there: { [at.certificate]: certificate("shop", "PROVISIONING") } }),
    [`traffic-before-verification ${at.a}`],
  ],
  [
    "traffic moves to a proxy that has neither a map nor certificates",
    planOf([toBalancer], { there: { [at.proxy]: { name: "web" } } }),
    [`traffic-before-verification ${at.a}`],
  ],
  [
    "traffic moves to a proxy whose map has no entry for the name",
    planOf([toBalancer], { there: { [at.entry]: entry("www.example.com", "shop") } }),
    [`traffic-before-verification ${at.a}`],
  ],
  [
    "traffic moves to a proxy whose certificate of Compute Engine was never issued",
    planOf([toBalancer], {
      there: {
        [at.proxy]: classicProxy("old"),
        [other.classic]: { ...classic("old", "example.com"), expire_time: "" },
      },
    }),
    [`traffic-before-verification ${at.a}`],
  ],
  [
    "the record of an alias moves while the entry of the aliased name is pending",
    planOf([{ address: "google_dns_record_set.ingress", actions: ["update"], after: { rrdatas: ["203.0.113.7"] } }], {
      there: {
        [at.a]: record("example.com.", "CNAME", "ingress.example.org."),
        [at.entry]: { ...entry("example.com", "shop"), state: "PENDING" },
        "google_dns_record_set.ingress": record("ingress.example.org.", "A", "198.51.100.1"),
      },
    }),
    ["traffic-before-verification google_dns_record_set.ingress"],
  ],
  [
    "a routing policy moves traffic in the apply that makes the proxy",
    planOf([
      { address: "google_compute_target_https_proxy.new", actions: ["create"] },
      { address: at.a, actions: ["update"], before: weighted(0), after: weighted(100) },
    ]),
    [`traffic-before-verification ${at.a}`],
  ],
  [
    "an address record is emptied",
    planOf([{ address: at.a, actions: ["update"], after: { rrdatas: [] } }]),
    [`traffic-record-deleted ${at.a}`],
  ],
  [
    "a wildcard record is deleted that a served name lives behind",
    planOf([{ address: wild, actions: gone }], {
      there: {
        [wild]: record("*.example.com.", "A", "203.0.113.7"),
        [at.entry]: entry("www.example.com", "shop"),
      },
    }),
    [`traffic-record-deleted ${wild}`],
  ],
  ...[
    ["EXAMPLE.com", "example.com."],
    ["example.com.", "Example.COM."],
  ].map(
    ([hostname, name]) =>
      [
        `the last address is deleted, whatever the case and the dot: entry ${hostname}, record ${name}`,
        planOf([{ address: at.a, actions: gone }], {
          there: {
            [at.certificate]: {},
            [at.entry]: entry(hostname as string),
            [at.a]: record(name as string, "A", "203.0.113.7"),
          },
        }),
        [`traffic-record-deleted ${at.a}`],
      ] as const,
  ),
  ["Terraform could not plan to the end", planOf([], { more: { errored: true } }), ["plan-incomplete "]],
];

test.each(refusals)("it is refused that %s", (_, plan, expected) => {
  expect(told(plan)).toEqual(expected);
  expect(checkPlan(readTerraformPlan(JSON.stringify(plan), "plan.json")).ok).toBe(false);
});

const harmless: readonly (readonly [string, object, readonly string[]])[] = [
  ["nothing changes", planOf([{ address: at.entry, actions: ["no-op"] }]), []],
  [
    "an entry of a map that no proxy has is deleted",
    planOf([{ address: at.entry, actions: gone }], { there: { [at.proxy]: { name: "web" } } }),
    [],
  ],
  [
    "an entry is deleted whose name a wildcard serves",
    planOf([{ address: `${cm}_certificate_map_entry.www`, actions: gone, before: entry("www.example.com", "shop") }], {
      there: { [`${cm}_certificate_map_entry.any`]: entry("*.example.com", "shop") },
    }),
    [`entry-deleted-covered ${cm}_certificate_map_entry.www`],
  ],
  [
    "an entry is repointed to a certificate that is issued, and then the old one goes",
    planOf(
      [
        { address: at.entry, actions: ["update"], after: { certificates: [id("next")] } },
        { address: at.certificate, actions: gone },
      ],
      { there: { [next]: certificate("next") } },
    ),
    [],
  ],
  [
    "an entry is repointed to a new certificate behind a gate that runs",
    planOf([newCertificate, repoint, { address: gate, actions: createFirst, before: {} }], {
      more: gateConfiguration(at.entry),
    }),
    [],
  ],
  [
    "an entry is repointed to a new certificate behind a condition that the apply judges",
    planOf([newCertificate, repoint], { more: condition("unknown") }),
    [`repointed-behind-condition ${at.entry}`],
  ],
  [
    "an entry is repointed to an uploaded certificate that is made in the same apply",
    planOf([{ ...newCertificate, after: { self_managed: [{}] } }, repoint], { more: referring(next) }),
    [],
  ],
  [
    "an entry is repointed to a certificate of another stack",
    planOf([{ address: at.entry, actions: ["update"], after: { certificates: [id("theirs")] } }]),
    [`repointed-to-unknown ${at.entry}`],
  ],
  [
    "a certificate goes with everything that is served by it, long after traffic left",
    planOf(
      [...[at.certificate, at.entry, at.authorization, at.challenge].map((address) => ({ address, actions: gone }))],
      { there: { [at.proxy]: { name: "web" } } },
    ),
    [],
  ],
  [
    "an address record of another name is deleted",
    planOf([
      { address: "google_dns_record_set.mail", actions: gone, before: record("mail.example.com.", "A", "192.0.2.1") },
    ]),
    [],
  ],
  [
    "AAAA is deleted where A stays",
    planOf([
      { address: "google_dns_record_set.six", actions: gone, before: record("example.com.", "AAAA", "2001:db8::1") },
    ]),
    ["traffic-address-family-deleted google_dns_record_set.six"],
  ],
  ["a proxy gets a map that is made elsewhere", planOf([toMap("elsewhere")]), [`map-switched-to-unknown ${at.proxy}`]],
  [
    "a proxy gets a map that is made in the same apply, with an ACTIVE certificate for each hostname",
    planOf([newMap, { address: other.entry, actions: ["create"], after: entryOf("next", "shop") }, toNewMap]),
    [],
  ],
  [
    "a proxy with certificates of Compute Engine gets a map that serves their names",
    planOf([toMap("main")], {
      there: { [at.proxy]: classicProxy("old"), [other.classic]: classic("old", "example.com") },
    }),
    [],
  ],
  [
    "the certificates of Compute Engine go from behind a map",
    planOf(
      [
        { address: at.proxy, actions: ["update"], after: { ssl_certificates: [] } },
        { address: other.classic, actions: gone },
      ],
      {
        there: {
          [at.proxy]: { ...proxy, ssl_certificates: [classicId("old")] },
          [other.classic]: classic("old", "example.com"),
        },
      },
    ),
    [],
  ],
  [
    "a proxy gets the next certificate of Compute Engine in place of one, and nobody knows their names",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [classicId("new")] } }], {
      there: { [at.proxy]: classicProxy("theirs"), "google_compute_ssl_certificate.new": classic("new") },
    }),
    [`certificate-detached-unknown ${at.proxy}`],
  ],
  [
    "an uploaded certificate of Compute Engine is made anew before the old one goes",
    planOf(
      [
        { address: other.uploaded, actions: createFirst, after: { name: "new", self_link: undefined } },
        {
          address: at.proxy,
          actions: ["update"],
          after: { ssl_certificates: [] },
          unknown: { ssl_certificates: [true] },
        },
      ],
      {
        there: { [at.proxy]: classicProxy("old"), [other.uploaded]: classic("old") },
        more: {
          configuration: {
            root_module: {
              resources: [
                { address: at.proxy, expressions: { ssl_certificates: { references: [`${other.uploaded}.id`] } } },
              ],
            },
          },
        },
      },
    ),
    [],
  ],
  [
    "a rule is led to a proxy that is made elsewhere",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("theirs") } }]),
    [`forwarding-rule-repointed-to-unknown ${at.rule}`],
  ],
  [
    "a rule is led to another proxy with the same map",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("bare") } }], {
      there: { [other.proxy]: { ...proxy, name: "bare" } },
    }),
    [],
  ],
  [
    "a rule follows its proxy, which is made anew with the same map",
    planOf([
      { address: at.proxy, actions: createFirst, after: { name: "web2" } },
      { address: at.rule, actions: ["update"], after: { target: undefined }, unknown: { target: true } },
    ]),
    [],
  ],
  [
    "the CNAME of an authorization is led back to what the authorization asks for",
    planOf(
      [
        {
          address: at.challenge,
          actions: ["update"],
          before: { ...challenge, rrdatas: ["3.4.authorize.certificatemanager.goog."] },
          after: challenge,
        },
      ],
      {
        there: {
          [at.authorization]: {
            domain: "example.com",
            dns_resource_record: [{ data: "1.2.authorize.certificatemanager.goog." }],
          },
        },
      },
    ),
    [],
  ],
  [
    "map and entries are made anew under another name, the proxy is led there, and the old ones go",
    planOf([
      { address: at.map, actions: createFirst, after: { name: "next" }, unknown: { id: true } },
      { address: at.entry, actions: createFirst, after: { map: "next" } },
      toNewMap,
    ]),
    [],
  ],
  [
    "traffic moves alone",
    planOf([{ address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.7"] } }]),
    [`traffic-moves ${at.a}`],
  ],
  [
    "traffic goes back while the load balancer changes",
    planOf([
      {
        address: at.a,
        actions: ["update"],
        before: record("example.com.", "A", "203.0.113.7"),
        after: { rrdatas: ["198.51.100.1"] },
      },
      { address: at.proxy, actions: ["update"], after: { description: "x" } },
    ]),
    [`traffic-leaves ${at.a}`],
  ],
  [
    "a routing policy moves a share of the traffic",
    planOf([{ address: at.a, actions: ["update"], before: weighted(0), after: weighted(10) }]),
    [`traffic-moves ${at.a}`],
  ],
  [
    "a routing policy gives all traffic back while the load balancer changes",
    planOf([
      { address: at.a, actions: ["update"], before: weighted(100), after: weighted(0) },
      { address: at.proxy, actions: ["update"], after: { description: "x" } },
    ]),
    [`traffic-leaves ${at.a}`],
  ],
  [
    "traffic moves to what is not known yet",
    planOf([{ address: at.a, actions: ["update"], after: { rrdatas: undefined }, unknown: { rrdatas: true } }]),
    [`traffic-moves ${at.a}`],
  ],
  [
    "traffic moves to an address that the plan does not know",
    planOf([{ address: at.a, actions: ["update"], after: { rrdatas: ["192.0.2.66"] } }]),
    [`traffic-moves ${at.a}`],
  ],
  [
    "traffic moves while a wildcard's certificate is not issued, and the name has an entry of its own",
    planOf([toBalancer], {
      there: {
        [other.certificate]: certificate("pending", "PROVISIONING"),
        [other.entry]: entry("*.com", "pending"),
      },
    }),
    [`traffic-moves ${at.a}`],
  ],
  [
    "a wildcard record is deleted where every served name below has its own",
    planOf([{ address: wild, actions: gone }], {
      there: {
        [wild]: record("*.example.com.", "A", "203.0.113.7"),
        [at.entry]: entry("www.example.com", "shop"),
        "google_dns_record_set.www": record("www.example.com.", "A", "203.0.113.7"),
      },
    }),
    [],
  ],
  [
    "traffic moves behind a gate that runs",
    planOf(
      [
        { address: "google_compute_target_https_proxy.new", actions: ["create"] },
        { address: gate, actions: ["create"] },
        { address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.7"] } },
      ],
      { more: gateConfiguration(at.a) },
    ),
    [],
  ],
  [
    "an entry gets a certificate for the wildcard above it",
    planOf(
      [
        {
          address: at.entry,
          actions: ["update"],
          before: entry("www.example.com", "shop"),
          after: { certificates: [id("any")] },
        },
      ],
      {
        there: {
          [`${cm}_certificate.any`]: {
            ...certificate("any"),
            managed: [{ domains: ["*.example.com"], state: "ACTIVE" }],
          },
        },
      },
    ),
    [],
  ],
  [
    "a proxy without a map gets the next certificate for a name in place of the old one",
    planOf(
      [
        {
          address: "google_compute_region_target_https_proxy.r",
          actions: ["update"],
          before: { name: "r", certificate_manager_certificates: [id("shop")] },
          after: { certificate_manager_certificates: [id("next")] },
        },
      ],
      { there: { [next]: certificate("next") } },
    ),
    [],
  ],
  [
    "an address that nobody uses is given back",
    planOf([{ address: "google_compute_address.spare", actions: gone, before: { address: "203.0.113.9", users: [] } }]),
    [],
  ],
  [
    "the zone of other names is deleted",
    planOf([{ address: "google_dns_managed_zone.z", actions: gone, before: { dns_name: "ample.com." } }]),
    [],
  ],
  [
    "traffic moves at another DNS provider",
    planOf([
      {
        address: "aws_route53_record.a",
        actions: ["update"],
        before: { name: "example.com", type: "A", records: ["198.51.100.1"] },
        after: { records: ["203.0.113.7"] },
      },
    ]),
    ["traffic-moves aws_route53_record.a"],
  ],
  ["only the time to live changes", planOf([{ address: at.a, actions: ["update"], after: { ttl: 60 } }]), []],
  ["Terraform forgets an entry", planOf([{ address: at.entry, actions: ["forget"] }]), []],
];

test.each(harmless)("it passes that %s", (_, plan, warnings) => {
  expect(told(plan)).toEqual(warnings);
  expect(checkPlan(readTerraformPlan(JSON.stringify(plan), "plan.json")).ok).toBe(true);
});

test("every danger is shown here, refused or warned of as its table says", () => {
  const seen = (cases: typeof refusals) => cases.flatMap(([, , codes]) => codes.map((code) => code.split(" ")[0]));
  const of = (severity: string) =>
    Object.entries(planDangers)
      .filter(([, one]) => one.severity === severity)
      .map(([code]) => code)
      .sort();
  expect([...new Set(seen(refusals))].sort()).toEqual(of("refused"));
  expect([...new Set(seen(harmless))].sort()).toEqual(of("warning"));
});

test.each(["", "{}", "[]", '{"format_version":"1.0","values":{}}', '{"format_version":"2.0","planned_values":{}}'])(
  "%j is no plan",
  (text) => {
    expect(() => readTerraformPlan(text, "plan.json")).toThrow(expect.objectContaining({ code: "plan-malformed" }));
  },
);
