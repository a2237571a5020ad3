import {
  at,
  classicId,
  createFirst,
  destroyFirst,
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
  toBalancer,
} from "../check-plan/plans";
import { type PlanRow, testPlans } from "./check-plan-reported";
import { certificateAt, configured, entryAt, managedFor } from "./check-plan-resources";

const listening: Fields = { ...rule, port_range: "443-443", load_balancing_scheme: "EXTERNAL_MANAGED" };

/** A rule that is replaced after its successor was created, with the same address. */
const successor = (after: Fields, there: Record<string, Fields> = {}) =>
  planOf([{ address: at.rule, actions: createFirst, after: { name: "web-2", ...after } }], {
    there: { [at.rule]: listening, ...there },
  });

const regionalRule = "google_compute_forwarding_rule.r";
const httpRule = "google_compute_global_forwarding_rule.http";
const reserved = "google_compute_global_address.next";
const httpTarget = targetOf("web").replace("targetHttpsProxies", "targetHttpProxies");

/** Traffic of example.com that moves to an address. */
const toAddress = (ip: string, there: Record<string, Fields> = {}) =>
  planOf([{ address: at.a, actions: ["update"], after: { rrdatas: [ip] } }], { there });

const www = "google_dns_record_set.www";
const wwwMoves = (name: string, there: Record<string, Fields> = {}) =>
  planOf([{ address: www, actions: ["update"], after: record(name, "A", "203.0.113.7") }], {
    there: { [www]: record(name, "A", "198.51.100.1"), ...there },
  });

const wild = {
  [entryAt("any")]: entry("*.example.com", "any"),
  [certificateAt("any")]: managedFor("any", "ACTIVE", "*.example.com"),
};
const primaryEntry: Fields = { ...entry("", "shop"), hostname: undefined, matcher: "PRIMARY" };
const six = "google_dns_record_set.six";

/** Forwarding rules, proxies and addresses to which plans move traffic, and what `check-plan` reports of each. */
testPlans([
  [
    "finds a rule replaced by one with another port",
    successor({ port_range: "8443" }),
    "forwarding-rule-deleted example.com",
  ],
  [
    "finds a rule replaced by one for internal clients",
    successor({ load_balancing_scheme: "INTERNAL_MANAGED" }),
    "forwarding-rule-deleted example.com",
  ],
  [
    "finds a rule replaced by one with another scheme for external clients",
    planOf([{ address: at.rule, actions: createFirst, after: { name: "web-2", load_balancing_scheme: "EXTERNAL" } }], {
      there: { [at.rule]: listening },
    }),
    "forwarding-rule-deleted example.com",
  ],
  [
    "finds a regional rule replaced by one with another port",
    planOf([{ address: regionalRule, actions: createFirst, after: { ports: ["8443"] } }], {
      there: {
        [regionalRule]: { name: "r", ip_address: "10.0.0.7", ports: ["443"], target: targetOf("web") },
      },
    }),
    "forwarding-rule-deleted example.com",
  ],
  [
    "finds a rule in a module under 'for_each' replaced by one with another port",
    planOf(
      [
        {
          address: 'module.lb["eu"].google_compute_global_forwarding_rule.web["v4"]',
          actions: createFirst,
          before: { ...listening, ip_address: "203.0.113.9" },
          after: { port_range: "8443" },
        },
      ],
      {
        there: {
          'module.lb["eu"].google_compute_global_forwarding_rule.web["v4"]': {
            ...listening,
            ip_address: "203.0.113.9",
          },
        },
      },
    ),
    "forwarding-rule-deleted example.com",
  ],
  ["accepts a rule replaced by one with another spelling of its port", successor({ port_range: "443" })],
  ["accepts a rule replaced by one with other labels", successor({ labels: { a: "b" } })],
  [
    "accepts a rule replaced by one with another port where another rule has the previous port",
    successor({ port_range: "8443" }, { [httpRule]: { ...listening, name: "second" } }),
  ],
  [
    "finds traffic that moves to an address with a rule for HTTP alone",
    toAddress("203.0.113.80", {
      [httpRule]: { name: "http", ip_address: "203.0.113.80", port_range: "80-80", target: httpTarget },
    }),
    "traffic-to-no-listener example.com",
  ],
  [
    "finds traffic that moves to a reserved address without any rule",
    toAddress("203.0.113.90", { [reserved]: { name: "next", address: "203.0.113.90" } }),
    "traffic-to-no-listener example.com",
  ],
  [
    "finds traffic that moves to a rule for another port of a TCP proxy",
    toAddress("203.0.113.80", {
      [httpRule]: {
        name: "tcp",
        ip_address: "203.0.113.80",
        port_range: "8080",
        target: httpTarget.replace("Http", "Tcp"),
      },
    }),
    "traffic-to-no-listener example.com",
  ],
  [
    "finds traffic that moves to a new address that no rule has",
    planOf(
      [
        { address: reserved, actions: ["create"], after: { name: "next" }, unknown: { address: true } },
        { address: at.a, actions: ["update"], after: { rrdatas: [null] }, unknown: { rrdatas: [true] } },
      ],
      {
        more: configured({
          address: at.a,
          expressions: { rrdatas: { references: [`${reserved}.address`, reserved] } },
        }),
      },
    ),
    "traffic-to-no-listener example.com",
  ],
  ...(
    [
      ["Route 53", "aws_route53_record.a", { name: "example.com", type: "A", zone_id: "Z" }, "records"],
      ["Azure", "azurerm_dns_a_record.a", { name: "@", zone_name: "example.com" }, "records"],
      ["RFC 2136", "dns_a_record_set.a", { zone: "example.com." }, "addresses"],
      ["OVH", "ovh_domain_zone_record.a", { zone: "example.com", subdomain: "", fieldtype: "A" }, "target"],
    ] as const
  ).map(
    ([provider, address, before, attribute]): PlanRow => [
      `finds traffic that moves at ${provider} to a new address that no rule has`,
      planOf(
        [
          { address: reserved, actions: ["create"], after: { name: "next" }, unknown: { address: true } },
          {
            address,
            actions: ["update"],
            before: { ...before, [attribute]: attribute === "target" ? "198.51.100.1" : ["198.51.100.1"] },
            after: { [attribute]: undefined },
            unknown: { [attribute]: true },
          },
        ],
        {
          there: { [at.a]: record("mail.example.com.", "A", "192.0.2.1") },
          more: configured({
            address,
            expressions: { [attribute]: { references: [`${reserved}.address`, reserved] } },
          }),
        },
      ),
      "traffic-to-no-listener example.com",
    ],
  ),
  [
    "accepts traffic that moves to an address with rules for HTTP and for TLS",
    toAddress("203.0.113.7", { [httpRule]: { ...rule, name: "http", port_range: "80", target: httpTarget } }),
    "traffic-moves example.com",
  ],
  [
    "accepts traffic that moves to a regional address that another configuration uses",
    toAddress("203.0.113.90", {
      "google_compute_address.next": { name: "next", address: "203.0.113.90", users: ["projects/q/rules/x"] },
    }),
    "traffic-moves example.com",
  ],
  [
    "accepts traffic that moves to an address of a plan without any rules",
    planOf([toBalancer], {
      there: { [at.rule]: {}, [reserved]: { name: "next", address: "203.0.113.7" } },
    }),
    "traffic-moves example.com",
  ],
  [
    "finds traffic of a name without an entry",
    wwwMoves("www.example.com."),
    "traffic-to-unserved-name www.example.com",
  ],
  [
    "finds traffic of a name two labels below a wildcard",
    wwwMoves("a.b.example.com.", wild),
    "traffic-to-unserved-name a.b.example.com",
  ],
  [
    "finds traffic of a name for which PRIMARY has no certificate",
    wwwMoves("www.example.com.", { [entryAt("primary")]: primaryEntry }),
    "traffic-to-unserved-name www.example.com",
  ],
  [
    "finds traffic of a name that no direct certificate of the proxy is for",
    wwwMoves("www.example.com.", {
      [at.proxy]: { name: "web", ssl_certificates: [classicId("old")] },
      "google_compute_ssl_certificate.old": {
        name: "old",
        self_link: classicId("old"),
        subject_alternative_names: ["example.com"],
      },
    }),
    "traffic-to-unserved-name www.example.com",
  ],
  [
    "finds an alias of a name without an entry that moves to the load balancer's name",
    planOf([{ address: www, actions: ["update"], after: record("www.example.com.", "CNAME", "lb.example.org.") }], {
      there: {
        [www]: record("www.example.com.", "CNAME", "old.example.net."),
        "google_dns_record_set.lb": record("lb.example.org.", "A", "203.0.113.7"),
      },
    }),
    "traffic-to-unserved-name www.example.com",
  ],
  [
    "finds a name without an entry that leaves the wildcard's record for the load balancer",
    planOf([{ address: www, actions: ["create"], after: record("www.example.com.", "A", "203.0.113.7") }], {
      there: { "google_dns_record_set.any": record("*.example.com.", "A", "198.51.100.1") },
    }),
    "traffic-to-unserved-name www.example.com",
  ],
  [
    "finds traffic of a name without an entry at Cloudflare",
    planOf([{ address: "cloudflare_record.www", actions: ["update"], after: { value: "203.0.113.7" } }], {
      there: {
        "cloudflare_record.www": {
          zone_id: "z",
          name: "www",
          hostname: "www.example.com",
          type: "A",
          value: "198.51.100.1",
        },
      },
    }),
    "traffic-to-unserved-name www.example.com",
  ],
  [
    "finds traffic of a name without an entry at Route 53",
    planOf([{ address: "aws_route53_record.www", actions: ["update"], after: { records: ["203.0.113.7"] } }], {
      there: {
        "aws_route53_record.www": { zone_id: "Z", name: "www.example.com", type: "A", records: ["198.51.100.1"] },
      },
    }),
    "traffic-to-unserved-name www.example.com",
  ],
  [
    "finds traffic of a name without an entry at Azure",
    planOf([{ address: "azurerm_dns_a_record.www", actions: ["update"], after: { records: ["203.0.113.7"] } }], {
      there: {
        "azurerm_dns_a_record.www": { zone_name: "example.com", name: "www", records: ["198.51.100.1"] },
      },
    }),
    "traffic-to-unserved-name www.example.com",
  ],
  [
    "accepts traffic of a name that a wildcard serves",
    wwwMoves("www.example.com.", wild),
    "traffic-moves www.example.com",
  ],
  [
    "accepts traffic of a name without an entry that moves elsewhere",
    planOf([{ address: www, actions: ["update"], after: record("www.example.com.", "A", "192.0.2.5") }], {
      there: { [www]: record("www.example.com.", "A", "198.51.100.1") },
    }),
  ],
  [
    "accepts a new name without an entry that no client uses yet",
    planOf([{ address: www, actions: ["create"], after: record("www.example.com.", "A", "203.0.113.7") }]),
  ],
  [
    "accepts traffic of a name whose map the plan does not contain",
    wwwMoves("www.example.com.", { [at.proxy]: { ...proxy, certificate_map: mapId("theirs") } }),
  ],
  [
    "finds a record deleted that leads to the balancer where only PRIMARY serves the name",
    planOf([{ address: www, actions: gone }], {
      there: {
        [www]: record("www.example.com.", "A", "203.0.113.7"),
        [entryAt("primary")]: { ...primaryEntry, certificates: [id("theirs")] },
      },
    }),
    "traffic-record-deleted www.example.com",
  ],
  [
    "finds an IPv6 record deleted that leads to the balancer where only PRIMARY of other names serves the name",
    planOf([{ address: www, actions: gone }], {
      there: {
        [www]: record("www.example.com.", "AAAA", "2001:DB8::7"),
        "google_compute_forwarding_rule.six": { ...rule, name: "six", ip_address: "2001:db8:0::7" },
        [entryAt("primary")]: primaryEntry,
      },
    }),
    "traffic-record-deleted www.example.com",
  ],
  [
    "accepts a record deleted that leads to the balancer where nothing serves the name",
    planOf([{ address: www, actions: gone }], { there: { [www]: record("www.example.com.", "A", "203.0.113.7") } }),
  ],
  [
    "finds an IPv6 address of the load balancer that is left for another one",
    planOf([{ address: six, actions: ["update"], after: { rrdatas: ["2001:db8::7", "2001:db8:bad::1"] } }], {
      there: {
        [six]: record("example.com.", "AAAA", "2001:0DB8:0:0:0:0:0:7"),
        "google_compute_global_forwarding_rule.six": { ...rule, name: "six", ip_address: "2001:DB8:0::7" },
      },
    }),
    "traffic-split example.com",
  ],
  [
    "finds IPv6 traffic of a name without an entry in another spelling of the address",
    planOf([{ address: six, actions: ["update"], after: { rrdatas: ["2001:DB8:0:0::7"] } }], {
      there: {
        [six]: record("www.example.com.", "AAAA", "2001:db8::1"),
        "google_compute_global_forwarding_rule.six": { ...rule, name: "six", ip_address: "2001:db8::7" },
      },
    }),
    "traffic-to-unserved-name www.example.com",
  ],
  [
    "accepts another spelling of an IPv6 address",
    planOf([{ address: six, actions: ["update"], after: { rrdatas: ["2001:db8::7"] } }], {
      there: {
        [six]: record("example.com.", "AAAA", "2001:0db8:0000::0007"),
        "google_compute_global_forwarding_rule.six": { ...rule, name: "six", ip_address: "2001:0db8::7" },
      },
    }),
  ],
  [
    "accepts a rule replaced by one with another spelling of its IPv6 address",
    successor({ ip_address: "2001:0db8::7" }, { [at.rule]: { ...listening, ip_address: "2001:db8::7" } }),
  ],
  [
    "accepts a proxy deleted that no rule leads to, while another proxy has a rule",
    planOf([{ address: "google_compute_target_https_proxy.idle", actions: gone }], {
      there: { "google_compute_target_https_proxy.idle": { ...proxy, name: "idle" } },
    }),
  ],
  [
    "accepts a proxy replaced that no rule leads to, while another proxy has a rule",
    planOf([{ address: "google_compute_target_https_proxy.idle", actions: destroyFirst }], {
      there: { "google_compute_target_https_proxy.idle": { ...proxy, name: "idle" } },
    }),
  ],
  [
    "finds a proxy deleted that no rule of the plan leads to, without rules of other proxies",
    planOf([{ address: at.proxy, actions: gone }], { there: { [at.rule]: {} } }),
    "proxy-deleted example.com",
  ],
  [
    "finds a proxy deleted while the rule of another proxy is changed to it",
    planOf(
      [
        { address: "google_compute_target_https_proxy.idle", actions: destroyFirst },
        { address: at.rule, actions: ["update"], after: { target: targetOf("idle") } },
      ],
      { there: { "google_compute_target_https_proxy.idle": { ...proxy, name: "idle" } } },
    ),
    "proxy-replaced example.com",
  ],
]);
