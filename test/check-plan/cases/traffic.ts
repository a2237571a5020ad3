import {
  at,
  type Case,
  certificate,
  classic,
  classicProxy,
  createFirst,
  destroyFirst,
  entry,
  type Fields,
  gate,
  gateConfiguration,
  gone,
  other,
  planOf,
  record,
  rule,
  toBalancer,
  weighted,
  wild,
} from "../plans";

const six = "google_dns_record_set.six";

export const refused: readonly Case[] = [
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
    "a CNAME replaces an address record",
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
    "the zone of a name is deleted",
    planOf([{ address: "google_dns_managed_zone.z", actions: gone, before: { dns_name: "example.com." } }]),
    ["zone-deleted google_dns_managed_zone.z"],
  ],
  ...[
    ["aws_route53_zone.z", { name: "example.com", zone_id: "Z" }],
    ["cloudflare_zone.z", { zone: "example.com", id: "Z" }],
    ["cloudflare_zone.z", { name: "example.com", account: { id: "A" } }],
    ["azurerm_dns_zone.z", { name: "example.com", resource_group_name: "dns" }],
  ].map(
    ([address, before]) =>
      [
        `the zone of a name is deleted at another DNS provider: ${JSON.stringify(before)}`,
        planOf([{ address: address as string, actions: gone, before: before as Fields }]),
        [`zone-deleted ${address}`],
      ] as const,
  ),
  ...[
    ["aws_route53_record.a", { name: "@", fqdn: "example.com", type: "A", records: ["198.51.100.1"] }],
    ["aws_route53_record.a", { name: "example.com", type: "A", alias: [{ name: "old.example.net" }] }],
    ["cloudflare_record.a", { name: "@", hostname: "example.com", type: "A", value: "198.51.100.1" }],
    ["cloudflare_dns_record.a", { name: "example.com", type: "AAAA", content: "2001:db8::1" }],
    ["azurerm_dns_a_record.a", { name: "@", zone_name: "example.com", records: ["198.51.100.1"] }],
    ["azurerm_dns_aaaa_record.a", { name: "@", zone_name: "example.com", records: ["2001:db8::1"] }],
    ["akamai_dns_record.a", { name: "example.com", zone: "example.com", recordtype: "A", target: ["198.51.100.1"] }],
    ["alicloud_alidns_record.a", { rr: "@", domain_name: "example.com", type: "A", value: "198.51.100.1" }],
    ["alicloud_dns_record.a", { host_record: "@", name: "example.com", type: "A", value: "198.51.100.1" }],
    ["digitalocean_record.a", { name: "@", domain: "example.com", type: "A", value: "198.51.100.1" }],
    ["dns_a_record_set.a", { zone: "example.com.", addresses: ["198.51.100.1"] }],
    ["dns_aaaa_record_set.a", { zone: "example.com.", addresses: ["2001:db8::1"] }],
    ["dnsimple_zone_record.a", { name: "", zone_name: "example.com", type: "A", value: "198.51.100.1" }],
    ["gandi_livedns_record.a", { name: "@", zone: "example.com", type: "A", values: ["198.51.100.1"] }],
    ["ns1_record.a", { domain: "example.com", zone: "example.com", type: "A", answers: [{ answer: "198.51.100.1" }] }],
    ["ovh_domain_zone_record.a", { subdomain: "", zone: "example.com", fieldtype: "A", target: "198.51.100.1" }],
    ["powerdns_record.a", { name: "example.com.", zone: "example.com.", type: "A", records: ["198.51.100.1"] }],
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

  [
    "a served name gets its first record in the apply that makes the proxy",
    planOf([
      { address: "google_compute_target_https_proxy.new", actions: ["create"] },
      { address: six, actions: ["create"], after: record("example.com.", "AAAA", "203.0.113.7") },
    ]),
    [`traffic-before-verification ${six}`],
  ],
  [
    "a served name gets a record whose data is not known yet while its entry is pending",
    planOf(
      [
        {
          address: six,
          actions: ["create"],
          after: { name: "example.com.", type: "AAAA" },
          unknown: { rrdatas: true },
        },
      ],
      { there: { [at.entry]: { ...entry("example.com", "shop"), state: "PENDING" } } },
    ),
    [`traffic-before-verification ${six}`],
  ],
  [
    "a name below a wildcard gets a record of its own that leads to the load balancer, whose map has no entry for it",
    planOf([{ address: six, actions: ["create"], after: record("api.example.com.", "A", "203.0.113.7") }], {
      there: {
        [at.certificate]: { ...certificate("shop"), managed: [{ domains: ["*.example.com"], state: "ACTIVE" }] },
      },
    }),
    [`traffic-before-verification ${six}`],
  ],
  [
    "an address set becomes partly the load balancer and partly an unknown address",
    planOf([{ address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.7", "192.0.2.66"] } }]),
    [`traffic-split ${at.a}`],
  ],
];

export const passing: readonly Case[] = [
  [
    "a certificate is deleted with everything that it serves, long after traffic has moved away",
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
  [
    "traffic moves alone",
    planOf([{ address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.7"] } }]),
    [`traffic-moves ${at.a}`],
  ],
  [
    "traffic is rolled back while the load balancer changes",
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
    "the zone of other names is deleted",
    planOf([{ address: "google_dns_managed_zone.z", actions: gone, before: { dns_name: "ample.com." } }]),
    [],
  ],
  [
    "the zone of other names is deleted at another DNS provider",
    planOf([{ address: "aws_route53_zone.z", actions: gone, before: { name: "ample.com" } }]),
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

  [
    "a served name gets IPv6 addresses of the load balancer beside its IPv4 ones",
    planOf([{ address: six, actions: ["create"], after: record("example.com.", "AAAA", "2001:db8::7") }], {
      there: { "google_compute_global_forwarding_rule.six": { ...rule, name: "six", ip_address: "2001:db8::7" } },
    }),
    [`traffic-appears ${six}`],
  ],
  [
    "a name below a wildcard gets a record that leads elsewhere, in an apply that makes a proxy",
    planOf(
      [
        { address: "google_compute_target_https_proxy.new", actions: ["create"] },
        { address: six, actions: ["create"], after: record("db.example.com.", "A", "10.0.0.5") },
      ],
      { there: { [at.entry]: entry("*.example.com", "shop") } },
    ),
    [],
  ],
  [
    "the record is created to which an alias is changed later",
    planOf([{ address: six, actions: ["create"], after: record("ingress.example.org.", "A", "203.0.113.7") }]),
    [],
  ],
  [
    "traffic moves in an apply that changes the labels of a certificate",
    planOf([
      {
        address: at.certificate,
        actions: ["update"],
        after: { labels: { team: "web" } },
        unknown: { update_time: true },
      },
      toBalancer,
    ]),
    [`traffic-moves ${at.a}`],
  ],
];
