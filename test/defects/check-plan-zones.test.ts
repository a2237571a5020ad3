import { at, challenge, destroyFirst, type Fields, gone, planOf, record } from "../check-plan/plans";
import { testPlans } from "./check-plan-reported";
import { configured } from "./check-plan-resources";

const inZone = (zone: string, values: Fields): Fields => ({ ...values, managed_zone: zone, project: "p" });
const zoneAt = (label: string) => `google_dns_managed_zone.${label}`;
const zone = (name: string, origin: string, more: Fields = {}): Fields => ({
  name,
  dns_name: origin,
  project: "p",
  visibility: "public",
  ...more,
});
const privateZone = { [zoneAt("inside")]: zone("inside", "example.com.", { visibility: "private" }) };
const recordAt = (label: string) => `google_dns_record_set.${label}`;
const own = record("example.com.", "A", "198.51.100.1");
const six = record("example.com.", "AAAA", "2001:db8::1");
const created = (label: string, after: Fields, there: Record<string, Fields> = {}, more: Fields = {}) =>
  planOf([{ address: recordAt(label), actions: ["create"], after }], { there, more });
const sub = inZone("main", record("shop.example.com.", "NS", "ns1.example.net."));
const inShop: Record<string, Fields> = {
  [at.entry]: { hostname: "shop.example.com", map: "main", certificates: [], state: "ACTIVE" },
  [at.certificate]: {},
  [zoneAt("main")]: zone("main", "example.com."),
  [recordAt("shop")]: inZone("main", record("shop.example.com.", "A", "198.51.100.1")),
};
const underWildcard: Record<string, Fields> = {
  ...inShop,
  [at.entry]: { hostname: "*.example.com", map: "main", certificates: [], state: "ACTIVE" },
};
const shopZone = {
  [zoneAt("shop")]: zone("shop", "shop.example.com.", { name_servers: ["ns1.example.net."] }),
  [recordAt("shop_there")]: inZone("shop", record("shop.example.com.", "A", "198.51.100.1")),
};
const cloudflare = (values: Fields): Fields => ({ zone_id: "z", proxied: false, ...values });
const flare = "cloudflare_dns_record.a";
const dnssec = (state: string): Fields => ({ dnssec_config: [{ state }] });
const ds = (digest: string) => inZone("main", record("shop.example.com.", "DS", `1 8 2 ${digest}`));

/** Records and zones that plans delete, delegate and sign, and what `check-plan` reports of each. */
testPlans([
  [
    "finds a public A record deleted while a private zone has the name",
    planOf([{ address: at.a, actions: gone }], {
      there: { ...privateZone, [at.a]: inZone("main", own), [recordAt("private")]: inZone("inside", own) },
    }),
    "traffic-record-deleted example.com",
  ],
  [
    "finds a public A record deleted while a private zone that is only read has the name",
    planOf([{ address: at.a, actions: gone }], {
      there: { [at.a]: inZone("main", own), [recordAt("private")]: inZone("inside", own) },
      more: {
        prior_state: {
          values: {
            root_module: {
              resources: [
                ...[
                  [at.entry, { hostname: "example.com", map: "main", certificates: [] }],
                  [recordAt("private"), inZone("inside", own)],
                ].map(([address, values]) => ({
                  address,
                  mode: "managed",
                  type: String(address).split(".")[0],
                  values,
                })),
                {
                  address: "data.google_dns_managed_zone.inside",
                  mode: "data",
                  type: "google_dns_managed_zone",
                  values: zone("inside", "example.com.", { visibility: "private" }),
                },
              ],
            },
          },
        },
      },
    }),
    "traffic-record-deleted example.com",
  ],
  [
    "finds a public A record deleted at Route 53 while a private zone has the name",
    planOf([{ address: "aws_route53_record.a", actions: gone }], {
      there: {
        [at.a]: {},
        "aws_route53_zone.inside": { name: "example.com", zone_id: "ZIN", vpc: [{ vpc_id: "v" }] },
        "aws_route53_record.a": { zone_id: "ZOUT", name: "example.com", type: "A", records: ["198.51.100.1"] },
        "aws_route53_record.in": { zone_id: "ZIN", name: "example.com", type: "A", records: ["10.0.0.1"] },
      },
    }),
    "traffic-record-deleted example.com",
  ],
  [
    "finds a public A record deleted at Azure while a private zone has the name",
    planOf([{ address: "azurerm_dns_a_record.a", actions: gone }], {
      there: {
        [at.a]: {},
        "azurerm_private_dns_zone.inside": { name: "example.com" },
        "azurerm_dns_a_record.a": { zone_name: "example.com", name: "@", records: ["198.51.100.1"] },
        "azurerm_private_dns_a_record.in": { zone_name: "example.com", name: "@", records: ["10.0.0.1"] },
      },
    }),
    "traffic-record-deleted example.com",
  ],
  [
    "finds a record of a private zone deleted whose clients have no other record",
    planOf([{ address: recordAt("private"), actions: gone }], {
      there: { ...privateZone, [at.a]: inZone("main", own), [recordAt("private")]: inZone("inside", own) },
    }),
    "traffic-record-deleted example.com",
  ],
  [
    "warns of a record that is deleted in one of two public zones",
    planOf([{ address: at.a, actions: gone }], {
      there: { [at.a]: inZone("main", own), [recordAt("other")]: inZone("moved", own) },
    }),
    "traffic-record-deleted-in-zone example.com",
  ],
  [
    "finds A deleted where AAAA stays",
    planOf([{ address: at.a, actions: gone }], { there: { [recordAt("six")]: six } }),
    "traffic-ipv4-deleted example.com",
  ],
  [
    "finds A deleted at Cloudflare where AAAA stays",
    planOf([{ address: flare, actions: gone }], {
      there: {
        [at.a]: {},
        [flare]: cloudflare({ name: "example.com", type: "A", content: "198.51.100.1" }),
        "cloudflare_dns_record.six": cloudflare({ name: "example.com", type: "AAAA", content: "2001:db8::1" }),
      },
    }),
    "traffic-ipv4-deleted example.com",
  ],
  [
    "accepts AAAA deleted where A stays",
    planOf([{ address: recordAt("six"), actions: gone }], { there: { [recordAt("six")]: six } }),
    "traffic-address-family-deleted example.com",
  ],
  [
    "accepts one of two A records deleted at Cloudflare",
    planOf([{ address: flare, actions: gone }], {
      there: {
        [at.a]: {},
        [flare]: cloudflare({ name: "example.com", type: "A", content: "198.51.100.1" }),
        "cloudflare_dns_record.b": cloudflare({ name: "example.com", type: "A", content: "198.51.100.2" }),
      },
    }),
  ],
  [
    "accepts one of two weighted A records deleted at Route 53",
    planOf([{ address: 'aws_route53_record.a["old"]', actions: gone }], {
      there: {
        [at.a]: {},
        'aws_route53_record.a["old"]': {
          zone_id: "Z",
          name: "example.com",
          type: "A",
          set_identifier: "old",
          records: ["198.51.100.1"],
        },
        'aws_route53_record.a["new"]': {
          zone_id: "Z",
          name: "example.com",
          type: "A",
          set_identifier: "new",
          records: ["203.0.113.7"],
        },
      },
    }),
  ],
  [
    "warns of the load balancer's A record deleted beside one that leads elsewhere",
    planOf([{ address: flare, actions: gone }], {
      there: {
        [at.a]: {},
        [flare]: cloudflare({ name: "example.com", type: "A", content: "203.0.113.7" }),
        "cloudflare_dns_record.b": cloudflare({ name: "example.com", type: "A", content: "198.51.100.2" }),
      },
    }),
    "traffic-leaves example.com",
  ],
  [
    "warns of the CNAME of an authorization that the same apply creates in another zone",
    planOf(
      [
        { address: at.challenge, actions: gone },
        { address: recordAt("moved"), actions: ["create"], after: inZone("new", challenge) },
      ],
      { there: { [at.challenge]: inZone("old", challenge) } },
    ),
    "authorization-record-moved example.com",
  ],
  [
    "warns of the CNAME of an authorization that the same apply creates in another project",
    planOf(
      [
        { address: at.challenge, actions: gone },
        { address: recordAt("moved"), actions: ["create"], after: { ...inZone("old", challenge), project: "dns" } },
      ],
      { there: { [at.challenge]: inZone("old", challenge) } },
    ),
    "authorization-record-moved example.com",
  ],
  ...[destroyFirst, ["create", "delete"]].map(
    (actions) =>
      [
        `warns of the CNAME of an authorization that is replaced by ${actions.join()} in another zone`,
        planOf([{ address: at.challenge, actions, after: { managed_zone: "new" } }], {
          there: { [at.challenge]: inZone("old", challenge) },
        }),
        "authorization-record-moved example.com",
      ] as const,
  ),
  [
    "finds the CNAME of an authorization that is replaced in its zone",
    planOf([{ address: at.challenge, actions: destroyFirst, after: { ttl: 5 } }], {
      there: { [at.challenge]: inZone("old", challenge) },
    }),
    "authorization-record-deleted example.com",
  ],
  [
    "finds the CNAME of an authorization that the same apply creates in another zone with other data",
    planOf(
      [
        { address: at.challenge, actions: gone },
        {
          address: recordAt("moved"),
          actions: ["create"],
          after: inZone(
            "new",
            record("_acme-challenge.example.com.", "CNAME", "9.9.authorize.certificatemanager.goog."),
          ),
        },
      ],
      { there: { [at.challenge]: inZone("old", challenge) } },
    ),
    "authorization-record-deleted example.com",
  ],
  [
    "finds a new NS record that hides the record of a served name",
    created("ns", sub, inShop),
    "delegation-hides-records shop.example.com",
  ],
  [
    "finds a new NS record of '_acme-challenge'",
    created("ns", inZone("main", record("_acme-challenge.example.com.", "NS", "ns1.example.net."))),
    "delegation-hides-records example.com",
  ],
  [
    "finds a new NS record at Route 53 that hides the record of a served name",
    planOf(
      [
        {
          address: "aws_route53_record.ns",
          actions: ["create"],
          after: { zone_id: "Z", name: "shop.example.com", type: "NS", records: ["ns1.example.net"] },
        },
      ],
      { there: inShop },
    ),
    "delegation-hides-records shop.example.com",
  ],
  [
    "finds a new NS record to a zone without the records",
    created("ns", sub, { ...inShop, [zoneAt("shop")]: shopZone[zoneAt("shop")] as Fields }),
    "delegation-hides-records shop.example.com",
  ],
  ["accepts a new NS record to a zone that has the records", created("ns", sub, { ...inShop, ...shopZone })],
  [
    "accepts a new NS record to a zone of the plan whose name servers are a reference",
    created(
      "ns",
      { ...sub, rrdatas: undefined },
      { ...inShop, ...shopZone },
      configured({
        address: recordAt("ns"),
        expressions: { rrdatas: { references: [`${zoneAt("shop")}.name_servers`, zoneAt("shop")] } },
      }),
    ),
  ],
  [
    "accepts a new NS record at Azure to a zone of the plan whose name servers are a reference",
    planOf(
      [
        {
          address: "azurerm_dns_ns_record.ns",
          actions: ["create"],
          after: { name: "shop", zone_name: "example.com" },
          unknown: { records: true },
        },
      ],
      {
        there: { ...inShop, ...shopZone },
        more: configured({
          address: "azurerm_dns_ns_record.ns",
          expressions: { records: { references: [`${zoneAt("shop")}.name_servers`, zoneAt("shop")] } },
        }),
      },
    ),
  ],
  [
    "accepts a new NS record of names that are not served",
    created("ns", inZone("main", record("dev.example.com.", "NS", "ns1.example.net."))),
  ],
  [
    "finds the NS record of a sub-zone deleted",
    planOf([{ address: recordAt("ns"), actions: gone }], {
      there: { ...inShop, [recordAt("shop")]: {}, ...shopZone, [recordAt("ns")]: sub },
    }),
    "delegation-deleted shop.example.com",
  ],
  [
    "finds the NS record of a sub-zone deleted whose origin a wildcard serves",
    planOf([{ address: recordAt("ns"), actions: gone }], {
      there: { ...underWildcard, [recordAt("shop")]: {}, ...shopZone, [recordAt("ns")]: sub },
    }),
    "delegation-deleted shop.example.com",
  ],
  [
    "finds a new NS record that hides the record of a name that a wildcard serves",
    created("ns", sub, underWildcard),
    "delegation-hides-records shop.example.com",
  ],
  [
    "finds a DS record replaced for a name that a wildcard serves",
    planOf([{ address: recordAt("ds"), actions: ["update"], after: { rrdatas: ["2 8 2 bb"] } }], {
      there: { ...underWildcard, [recordAt("ds")]: ds("aa") },
    }),
    "dnssec-broken shop.example.com",
  ],
  [
    "accepts a new NS record of a name under a served wildcard that does not resolve",
    created("ns", sub, { ...underWildcard, [recordAt("shop")]: {} }),
  ],
  [
    "finds the NS record of a sub-zone deleted at Route 53",
    planOf([{ address: "aws_route53_record.ns", actions: gone }], {
      there: {
        ...inShop,
        [recordAt("shop")]: {},
        "aws_route53_record.ns": { zone_id: "Z", name: "shop.example.com", type: "NS", records: ["ns1.example.net"] },
      },
    }),
    "delegation-deleted shop.example.com",
  ],
  [
    "finds the NS record of a sub-zone deleted at Cloudflare",
    planOf([{ address: flare, actions: gone }], {
      there: {
        ...inShop,
        [recordAt("shop")]: {},
        [flare]: cloudflare({ name: "shop.example.com", type: "NS", content: "ns1.example.net" }),
      },
    }),
    "delegation-deleted shop.example.com",
  ],
  [
    "accepts a DS record in another spelling",
    planOf([{ address: recordAt("ds"), actions: ["update"], after: { rrdatas: ["1 8  2 AA"] } }], {
      there: { ...inShop, [recordAt("ds")]: ds("aa") },
    }),
  ],
  [
    "accepts a CAA record of a private zone",
    planOf(
      [
        {
          address: recordAt("caa"),
          actions: ["create"],
          after: inZone("inside", record("example.com.", "CAA", '0 issue "other.example"')),
        },
      ],
      { there: privateZone },
    ),
  ],
  [
    "accepts DNSSEC switched off for a private zone",
    planOf([{ address: zoneAt("inside"), actions: ["update"], after: dnssec("off") }], {
      there: { [zoneAt("inside")]: { ...privateZone[zoneAt("inside")], ...dnssec("on") } },
    }),
  ],
  [
    "finds the NS record of a sub-zone replaced",
    planOf([{ address: recordAt("ns"), actions: destroyFirst, after: { ttl: 60 } }], {
      there: { ...inShop, [recordAt("shop")]: {}, ...shopZone, [recordAt("ns")]: sub },
    }),
    "delegation-deleted shop.example.com",
  ],
  [
    "finds the NS record of a sub-zone changed to other name servers",
    planOf([{ address: recordAt("ns"), actions: ["update"], after: { rrdatas: ["ns1.example.org."] } }], {
      there: { ...inShop, [recordAt("shop")]: {}, ...shopZone, [recordAt("ns")]: sub },
    }),
    "delegation-changed shop.example.com",
  ],
  [
    "accepts the NS record of a sub-zone deleted whose names the parent zone has",
    planOf([{ address: recordAt("ns"), actions: gone }], { there: { ...inShop, [recordAt("ns")]: sub } }),
  ],
  [
    "accepts another TTL of the NS record of a sub-zone",
    planOf([{ address: recordAt("ns"), actions: ["update"], after: { ttl: 60 } }], {
      there: { ...inShop, ...shopZone, [recordAt("ns")]: sub },
    }),
  ],
  [
    "accepts the NS records of a zone at its own origin",
    planOf([{ address: recordAt("ns"), actions: ["update"], after: { rrdatas: ["ns9.example.net."] } }], {
      there: {
        [zoneAt("main")]: zone("main", "example.com."),
        [recordAt("ns")]: inZone("main", record("example.com.", "NS", "ns1.example.net.")),
      },
    }),
  ],
  [
    "finds the ALIAS of an apex deleted",
    planOf([{ address: at.a, actions: gone }], {
      there: { [at.a]: record("example.com.", "ALIAS", "lb.example.net.") },
    }),
    "traffic-record-deleted example.com",
  ],
  [
    "finds an ALIAS that replaces the A record of an apex",
    planOf([
      { address: at.a, actions: gone },
      { address: recordAt("alias"), actions: ["create"], after: record("example.com.", "ALIAS", "lb.example.net.") },
    ]),
    "traffic-record-replaced example.com",
  ],
  [
    "finds the ALIAS of an apex that moves to a load balancer without an entry",
    planOf([{ address: recordAt("alias"), actions: ["update"], after: { rrdatas: ["lb.example.org."] } }], {
      there: {
        [recordAt("alias")]: record("example.net.", "ALIAS", "old.example.net."),
        [recordAt("lb")]: record("lb.example.org.", "A", "203.0.113.7"),
      },
    }),
    "traffic-to-unserved-name example.net",
  ],
  [
    "accepts another TTL of the ALIAS of an apex",
    planOf([{ address: at.a, actions: ["update"], after: { ttl: 5 } }], {
      there: { [at.a]: record("example.com.", "ALIAS", "lb.example.net.") },
    }),
  ],
  [
    "finds a DS record replaced",
    planOf([{ address: recordAt("ds"), actions: ["update"], after: { rrdatas: ["2 8 2 bb"] } }], {
      there: { ...inShop, [recordAt("ds")]: ds("aa") },
    }),
    "dnssec-broken shop.example.com",
  ],
  [
    "accepts a DS record replaced while another DS record of the name stays",
    planOf([{ address: recordAt("ds"), actions: ["update"], after: { rrdatas: ["2 8 2 bb"] } }], {
      there: { ...inShop, [recordAt("ds")]: ds("aa"), [recordAt("ds2")]: ds("cc") },
    }),
  ],
  [
    "finds a DS record deleted and another one created for the same zone",
    planOf(
      [
        { address: recordAt("ds"), actions: gone },
        { address: recordAt("ds2"), actions: ["create"], after: ds("bb") },
      ],
      { there: { ...inShop, [recordAt("ds")]: ds("aa") } },
    ),
    "record-overwritten shop.example.com",
    "dnssec-broken shop.example.com",
  ],
  [
    "accepts a DS record that is created again at another address",
    planOf(
      [
        { address: recordAt("ds"), actions: gone },
        { address: recordAt("ds2"), actions: ["create"], after: ds("AA") },
      ],
      { there: { ...inShop, [recordAt("ds")]: ds("aa") } },
    ),
    "record-overwritten shop.example.com",
  ],
  [
    "finds a DS record created for a zone that is not signed",
    created("ds", ds("aa"), { ...inShop, [zoneAt("shop")]: zone("shop", "shop.example.com.", dnssec("off")) }),
    "dnssec-broken shop.example.com",
  ],
  [
    "accepts a second DS record beside the previous one",
    planOf([{ address: recordAt("ds"), actions: ["update"], after: { rrdatas: ["1 8 2 aa", "2 8 2 bb"] } }], {
      there: { ...inShop, [recordAt("ds")]: ds("aa") },
    }),
  ],
  [
    "accepts a DS record deleted, after which nothing is validated",
    planOf([{ address: recordAt("ds"), actions: gone }], { there: { ...inShop, [recordAt("ds")]: ds("aa") } }),
  ],
  [
    "accepts a DS record created for a signed zone",
    created("ds", ds("aa"), { ...inShop, [zoneAt("shop")]: zone("shop", "shop.example.com.", dnssec("on")) }),
  ],
  [
    "warns of a DS record created for a zone that the plan does not contain",
    created("ds", ds("aa"), inShop),
    "dnssec-unchecked shop.example.com",
  ],
  ...["off", undefined].map(
    (state) =>
      [
        `finds DNSSEC of a zone switched from on to ${state ?? "nothing"}`,
        planOf(
          [
            {
              address: zoneAt("main"),
              actions: ["update"],
              after: { dnssec_config: state === undefined ? [] : [{ state }] },
            },
          ],
          {
            there: { [zoneAt("main")]: zone("main", "example.com.", dnssec("on")) },
          },
        ),
        "dnssec-disabled example.com",
      ] as const,
  ),
  [
    "finds DNSSEC of a zone at Route 53 ended",
    planOf([{ address: "aws_route53_hosted_zone_dnssec.z", actions: gone }], {
      there: {
        "aws_route53_zone.z": { name: "example.com", zone_id: "Z" },
        "aws_route53_hosted_zone_dnssec.z": { hosted_zone_id: "Z", signing_status: "SIGNING" },
      },
    }),
    "dnssec-disabled example.com",
  ],
  [
    "finds DNSSEC of a zone at Cloudflare ended",
    planOf([{ address: "cloudflare_zone_dnssec.z", actions: ["update"], after: { status: "disabled" } }], {
      there: {
        "cloudflare_zone.z": { name: "example.com", id: "z" },
        "cloudflare_zone_dnssec.z": { zone_id: "z", status: "active" },
      },
    }),
    "dnssec-disabled example.com",
  ],
  [
    "accepts DNSSEC of a zone switched from off to on",
    planOf([{ address: zoneAt("main"), actions: ["update"], after: dnssec("on") }], {
      there: { [zoneAt("main")]: zone("main", "example.com.", dnssec("off")) },
    }),
  ],
  [
    "accepts DNSSEC of a zone of other names switched off",
    planOf([{ address: zoneAt("other"), actions: ["update"], after: dnssec("off") }], {
      there: { [zoneAt("other")]: zone("other", "example.net.", dnssec("on")) },
    }),
  ],
  [
    "finds a zone replaced by one with other name servers",
    planOf([{ address: zoneAt("main"), actions: ["create", "delete"], after: { name: "main-2" } }], {
      there: { [zoneAt("main")]: zone("main", "example.com.") },
    }),
    "zone-deleted example.com",
  ],
  ...["cloudflare_record.a", "cloudflare_dns_record.a"].flatMap((address) => [
    [
      `finds 'proxied' switched on for a served name: ${address}`,
      planOf([{ address, actions: ["update"], after: { proxied: true } }], {
        there: {
          [at.a]: {},
          [address]: cloudflare({ name: "example.com", type: "A", content: "203.0.113.7", value: "203.0.113.7" }),
        },
      }),
      "traffic-record-proxied example.com",
    ] as const,
    [
      `finds 'proxied' switched on for the CNAME of an authorization: ${address}`,
      planOf([{ address, actions: ["update"], after: { proxied: true } }], {
        there: {
          [address]: cloudflare({
            name: "_acme-challenge.example.com",
            type: "CNAME",
            content: "1.2.authorize.certificatemanager.goog",
          }),
        },
      }),
      "authorization-record-proxied example.com",
    ] as const,
  ]),
  [
    "finds the CNAME of a new authorization that is proxied",
    planOf([
      {
        address: "cloudflare_dns_record.c",
        actions: ["create"],
        after: cloudflare({
          name: "_acme-challenge.example.net",
          type: "CNAME",
          content: "1.3.authorize.certificatemanager.goog",
          proxied: true,
        }),
      },
    ]),
    "authorization-record-proxied example.net",
  ],
  [
    "accepts a record that stays proxied",
    planOf([{ address: flare, actions: ["update"], after: { ttl: 1 } }], {
      there: {
        [at.a]: {},
        [flare]: cloudflare({ name: "example.com", type: "A", content: "203.0.113.7", proxied: true }),
      },
    }),
  ],
  [
    "accepts 'proxied' switched on for a name that is not served",
    planOf([{ address: flare, actions: ["update"], after: { proxied: true } }], {
      there: { [flare]: cloudflare({ name: "blog.example.org", type: "A", content: "192.0.2.1" }) },
    }),
  ],
  [
    "finds 'proxied' switched off for a name whose entry is pending",
    planOf([{ address: flare, actions: ["update"], after: { proxied: false } }], {
      there: {
        [at.a]: {},
        [at.entry]: { hostname: "example.com", map: "main", certificates: [], state: "PENDING" },
        [flare]: cloudflare({ name: "example.com", type: "A", content: "203.0.113.7", proxied: true }),
      },
    }),
    "traffic-before-verification example.com",
  ],
]);
