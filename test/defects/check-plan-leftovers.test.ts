import {
  at,
  challenge,
  entry,
  type Fields,
  gone,
  id,
  mapId,
  planOf,
  proxy,
  record,
  rule,
  targetOf,
} from "../check-plan/plans";
import { testPlans } from "./check-plan-reported";
import { anyWild, wildCertificate } from "./check-plan-resources";

const deposed = "0a1b2c3d";

/** A plan that deletes an object which an interrupted replacement has left. */
const left = (address: string, before: Fields, there: Record<string, Fields> = {}) =>
  planOf([{ address, actions: gone, before, deposed }], { there });

const zoneAt = "google_dns_managed_zone.main";
const addressAt = "google_compute_global_address.web";
const regionalRule = "google_compute_forwarding_rule.r";
const sslProxy = "google_compute_target_ssl_proxy.ssl";
const www = "google_dns_record_set.www";
const authorizationId = "projects/p/locations/global/dnsAuthorizations/old";

/** Deposed objects that plans delete, and what `check-plan` reports of each. */
testPlans([
  [
    "finds a deposed entry whose hostname has no other entry",
    left(at.entry, entry("www.example.com", "shop")),
    "entry-deleted www.example.com",
  ],
  [
    "finds a deposed entry under 'for_each' in a module whose hostname has no other entry",
    left(
      'module.tls["eu"].google_certificate_manager_certificate_map_entry.e["www"]',
      entry("www.example.com", "shop"),
    ),
    "entry-deleted www.example.com",
  ],
  [
    "finds a deposed PRIMARY entry without a successor",
    left(at.entry, { ...entry("", "shop"), hostname: undefined, matcher: "PRIMARY" }),
    "entry-deleted PRIMARY",
  ],
  [
    "finds a deposed entry whose hostname gets a pending entry",
    left(at.entry, entry("example.com", "shop"), { [at.entry]: { ...entry("example.com", "shop"), state: "PENDING" } }),
    "entry-deleted example.com",
  ],
  [
    "finds a deposed map that a proxy has",
    left(at.map, { name: "main" }, { [at.map]: { name: "next" } }),
    "map-deleted example.com",
  ],
  [
    "finds a deposed proxy that a rule leads to",
    left(at.proxy, proxy, { [at.proxy]: { ...proxy, name: "web-2" } }),
    "proxy-deleted example.com",
  ],
  [
    "finds a deposed SSL proxy that a rule leads to",
    left(
      sslProxy,
      { ...proxy, name: "ssl" },
      {
        [sslProxy]: { ...proxy, name: "ssl-2" },
        [at.rule]: { ...rule, target: targetOf("ssl").replace("Https", "Ssl") },
      },
    ),
    "proxy-deleted example.com",
  ],
  [
    "accepts a deposed proxy while a rule leads to a proxy of another configuration",
    left(
      at.proxy,
      { ...proxy, name: "web-0" },
      {
        "google_compute_global_forwarding_rule.theirs": {
          ...rule,
          ip_address: "203.0.113.9",
          target: targetOf("theirs"),
        },
      },
    ),
  ],
  [
    "finds a deposed rule whose address no other rule has",
    left(at.rule, { ...rule, ip_address: "203.0.113.9" }),
    "forwarding-rule-deleted ",
  ],
  [
    "finds a deposed rule whose port no other rule has",
    left(at.rule, { ...rule, port_range: "443" }, { [at.rule]: { ...rule, port_range: "8443" } }),
    "forwarding-rule-deleted ",
  ],
  [
    "finds a deposed regional rule whose address no other rule has",
    left(regionalRule, { ...rule, ip_address: "203.0.113.9", region: "europe-west1" }),
    "forwarding-rule-deleted ",
  ],
  [
    "finds a deposed address that a rule has",
    left(
      addressAt,
      { name: "web", address: "203.0.113.7" },
      { [addressAt]: { name: "web-2", address: "203.0.113.8" } },
    ),
    "address-deleted ",
  ],
  [
    "finds a deposed IPv6 address that a record has",
    left(
      "google_compute_address.six",
      { name: "six", address: "2001:DB8::7" },
      {
        "google_dns_record_set.six": record("example.com.", "AAAA", "2001:db8:0::7"),
      },
    ),
    "address-deleted ",
  ],
  [
    "finds a deposed authorization that a certificate uses",
    left(
      at.authorization,
      { id: authorizationId, domain: "example.com" },
      {
        [at.certificate]: {
          id: id("shop"),
          name: "shop",
          managed: [{ domains: ["example.com"], state: "ACTIVE", dns_authorizations: [authorizationId] }],
        },
      },
    ),
    "authorization-deleted example.com",
  ],
  [
    "finds the deposed CNAME of an authorization, which is the set of its successor",
    left(at.challenge, challenge),
    "authorization-record-deleted example.com",
  ],
  [
    "finds a deposed address record, which is the set of its successor, whose project is null in one of both",
    left(
      at.a,
      { ...record("example.com.", "A", "203.0.113.7"), managed_zone: "main", project: null },
      { [at.a]: { ...record("example.com.", "A", "203.0.113.7"), managed_zone: "main" } },
    ),
    "traffic-record-deleted example.com",
  ],
  [
    "finds a deposed address record, which is the set of its successor",
    left(at.a, record("example.com.", "A", "203.0.113.7")),
    "traffic-record-deleted example.com",
  ],
  [
    "finds a deposed zone with served names",
    left(zoneAt, { name: "old", dns_name: "example.com." }, { [zoneAt]: { name: "new", dns_name: "example.com." } }),
    "zone-deleted example.com",
  ],
  [
    "accepts a deposed entry whose hostname has its successor",
    left(at.entry, { ...entry("example.com", "shop"), name: "old" }),
  ],
  [
    "accepts a deposed entry whose hostname a wildcard serves",
    left(at.entry, entry("www.example.com", "shop"), { ...anyWild, ...wildCertificate }),
  ],
  [
    "accepts a deposed entry of a map that no proxy has",
    left(
      at.entry,
      { ...entry("www.example.com", "shop"), map: "idle" },
      {
        "google_certificate_manager_certificate_map.idle": { name: "idle", gclb_targets: [] },
      },
    ),
  ],
  ["accepts a deposed map that no proxy has", left(at.map, { name: "old" })],
  ["accepts a deposed proxy that no rule leads to", left(at.proxy, { ...proxy, name: "old" })],
  ["accepts a deposed rule whose successor has its address and port", left(at.rule, { ...rule, name: "old" })],
  [
    "accepts a deposed rule for HTTP",
    left("google_compute_global_forwarding_rule.http", { ...rule, target: targetOf("web").replace("Https", "Http") }),
  ],
  ["accepts a deposed address that nothing has", left(addressAt, { name: "web", address: "203.0.113.99" })],
  [
    "accepts a deposed authorization that no certificate uses",
    left(at.authorization, { id: authorizationId, domain: "example.com" }),
  ],
  ["accepts a deposed record of a name that is not served", left(www, record("www.example.org.", "A", "192.0.2.1"))],
  [
    "accepts a deposed record at Cloudflare, which leaves its successor",
    left(
      "cloudflare_record.a",
      { zone_id: "z", hostname: "example.com", type: "A", value: "203.0.113.7" },
      {
        [at.a]: {},
        "cloudflare_record.a": { zone_id: "z", hostname: "example.com", type: "A", value: "203.0.113.8" },
      },
    ),
  ],
  [
    "finds the deposed CNAME of an authorization at Route 53",
    left(
      "aws_route53_record.c",
      { zone_id: "Z", name: "_acme-challenge.example.com", type: "CNAME", records: challenge.rrdatas },
      {
        [at.challenge]: {},
        "aws_route53_record.c": {
          zone_id: "Z",
          name: "_acme-challenge.example.com",
          type: "CNAME",
          records: challenge.rrdatas,
        },
      },
    ),
    "authorization-record-deleted example.com",
  ],
  ["accepts a deposed zone without served names", left(zoneAt, { name: "old", dns_name: "example.net." })],
  [
    "accepts a deposed proxy whose name another map and rule have",
    left(at.proxy, { ...proxy, name: "old", certificate_map: mapId("main") }),
  ],
]);
