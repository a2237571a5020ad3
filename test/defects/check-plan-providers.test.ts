import { at, type Fields, gone, planOf, record, rule, type Step } from "../check-plan/plans";
import { testPlans } from "./check-plan-reported";

const ip = "198.51.100.1";
const [balancer] = [String(rule.ip_address)];
const mail = record("mail.example.com.", "A", "192.0.2.1");

/** Returns the plan of one step, with a record of another name in place of the served record of Cloud DNS. */
const elsewhere = (step: Step, there: Record<string, Fields> = {}, more: Fields = {}) =>
  planOf([step], { there: { [at.a]: mail, [at.challenge]: mail, ...there }, more });

/** Returns the plan that deletes a record, with the zone of the record. */
const deleted = (address: string, before: Fields, there: Record<string, Fields> = {}) =>
  elsewhere({ address, actions: gone, before }, there);

const hetzner = { zone_id: "zid", name: "@", type: "A", value: ip };
const linode = { domain_id: "7", name: "", record_type: "A", target: ip };
const set = { zone: "12", name: "@", type: "A", records: [{ value: ip }] };
const deletedName = "traffic-record-deleted example.com";

/** Records of providers whose names are in other attributes, or only in the zone. */
testPlans([
  [
    "finds A deleted at Hetzner DNS",
    deleted("hetznerdns_record.a", hetzner, { "hetznerdns_zone.z": { id: "zid", name: "example.com" } }),
    deletedName,
  ],
  [
    "finds A deleted at Hetzner DNS in a zone that is only read",
    elsewhere(
      { address: "hetznerdns_record.a", actions: gone, before: hetzner },
      {},
      {
        prior_state: {
          values: {
            root_module: {
              resources: [
                {
                  address: at.entry,
                  mode: "managed",
                  type: at.entry.split(".")[0],
                  values: { hostname: "example.com" },
                },
                {
                  address: "data.hetznerdns_zone.z",
                  mode: "data",
                  type: "hetznerdns_zone",
                  values: { id: "zid", name: "example.com" },
                },
              ],
            },
          },
        },
      },
    ),
    deletedName,
  ],
  [
    "finds A deleted at Linode",
    deleted("linode_domain_record.a", linode, { "linode_domain.z": { id: "7", domain: "example.com" } }),
    deletedName,
  ],
  [
    "finds a set deleted at Hetzner Cloud, by the id of the zone",
    deleted("hcloud_zone_rrset.a", set, { "hcloud_zone.z": { id: "12", name: "example.com" } }),
    deletedName,
  ],
  [
    "finds a set deleted at Hetzner Cloud, by the name of the zone",
    deleted("hcloud_zone_rrset.a", { ...set, zone: "example.com" }),
    deletedName,
  ],
  [
    "finds a record deleted at Hetzner Cloud",
    deleted("hcloud_zone_record.a", { zone: "example.com", name: "@", type: "A", value: ip }),
    deletedName,
  ],
  [
    "finds A deleted at DNSimple with the former resource",
    deleted("dnsimple_record.a", { domain: "example.com", name: "", type: "A", value: ip }),
    deletedName,
  ],
  [
    "accepts one of two A records deleted at Hetzner DNS",
    deleted("hetznerdns_record.a", hetzner, {
      "hetznerdns_zone.z": { id: "zid", name: "example.com" },
      "hetznerdns_record.b": { ...hetzner, value: "198.51.100.2" },
    }),
  ],
  [
    "accepts a record of another name deleted at Linode",
    deleted(
      "linode_domain_record.a",
      { ...linode, name: "ftp" },
      { "linode_domain.z": { id: "7", domain: "example.com" } },
    ),
  ],
  [
    "warns of a record deleted in an unknown zone at Hetzner DNS",
    deleted("hetznerdns_record.a", hetzner),
    "record-zone-unknown ",
  ],
  [
    "warns of a record deleted in an unknown zone at Linode",
    deleted("linode_domain_record.a", linode),
    "record-zone-unknown ",
  ],
  [
    "warns of a set deleted in an unknown zone at Hetzner Cloud",
    deleted("hcloud_zone_rrset.a", set),
    "record-zone-unknown ",
  ],
  [
    "warns of the CNAME of an authorization deleted in an unknown zone",
    deleted("linode_domain_record.a", { domain_id: "7", name: "_acme-challenge", record_type: "CNAME", target: "a.b" }),
    "record-zone-unknown ",
  ],
  [
    "accepts a record deleted in an unknown zone whose label no hostname has",
    deleted("hetznerdns_record.a", { ...hetzner, name: "ftp" }),
  ],
  [
    "accepts a TXT record deleted in an unknown zone",
    deleted("hetznerdns_record.a", { ...hetzner, type: "TXT", value: "v=spf1" }),
  ],
  [
    "accepts a record in a zone that the same apply creates",
    elsewhere({
      address: "hetznerdns_record.a",
      actions: ["create"],
      after: { name: "@", type: "A", value: ip },
      unknown: { zone_id: true },
    }),
  ],
  [
    "finds a record that Alibaba Cloud no longer answers with",
    elsewhere({
      address: "alicloud_alidns_record.a",
      actions: ["update"],
      before: { domain_name: "example.com", rr: "@", type: "A", value: ip, status: "ENABLE" },
      after: { domain_name: "example.com", rr: "@", type: "A", value: ip, status: "DISABLE" },
    }),
    deletedName,
  ],
  [
    "accepts the deletion of a record that Alibaba Cloud does not answer with",
    deleted("alicloud_alidns_record.a", {
      domain_name: "example.com",
      rr: "@",
      type: "A",
      value: ip,
      status: "DISABLE",
    }),
  ],
  [
    "finds a CAA record of DigitalOcean for another CA",
    elsewhere({
      address: "digitalocean_record.caa",
      actions: ["create"],
      after: { domain: "example.com", name: "@", type: "CAA", flags: 0, tag: "issue", value: "letsencrypt.org." },
    }),
    "caa-forbids-issuance example.com",
  ],
  [
    "accepts a CAA record of DigitalOcean for Google",
    elsewhere({
      address: "digitalocean_record.caa",
      actions: ["create"],
      after: { domain: "example.com", name: "@", type: "CAA", flags: 0, tag: "issue", value: "pki.goog." },
    }),
  ],
  [
    "finds a CAA record of Linode for another CA",
    elsewhere(
      {
        address: "linode_domain_record.caa",
        actions: ["create"],
        after: { domain_id: "7", name: "", record_type: "CAA", tag: "issue", target: "letsencrypt.org" },
      },
      { "linode_domain.z": { id: "7", domain: "example.com" } },
    ),
    "caa-forbids-issuance example.com",
  ],
  [
    "accepts a CAA record of Linode for Google",
    elsewhere(
      {
        address: "linode_domain_record.caa",
        actions: ["create"],
        after: { domain_id: "7", name: "", record_type: "CAA", tag: "issue", target: "pki.goog" },
      },
      { "linode_domain.z": { id: "7", domain: "example.com" } },
    ),
  ],
  [
    "finds a DS record of Akamai replaced",
    planOf(
      [
        {
          address: "akamai_dns_record.ds",
          actions: ["update"],
          before: { ...dsOfAkamai("aa"), zone: "com" },
          after: { ...dsOfAkamai("bb"), zone: "com" },
        },
      ],
      {},
    ),
    "dnssec-broken example.com",
  ],
]);

function dsOfAkamai(digest: string): Fields {
  return { name: "example.com", recordtype: "DS", keytag: 1, algorithm: 13, digest_type: 2, digest };
}

const https = "google_dns_record_set.https";
const service = (...rrdatas: readonly string[]) => record("example.com.", "HTTPS", ...rrdatas);
const make = (after: Fields, there: Record<string, Fields> = {}) =>
  planOf([{ address: https, actions: ["create"], after }], { there });
const leads = "https-record-leads-elsewhere example.com";
const six = { "google_dns_record_set.six": record("example.com.", "AAAA", "2001:db8::1") };

/** HTTPS and SVCB records, whose targets and hints clients use in place of A and AAAA. */
testPlans([
  ["finds an HTTPS record with a foreign IPv4 hint", make(service('1 . alpn="h2" ipv4hint=192.0.2.9')), leads],
  ["finds an HTTPS record with a foreign hint in quotes", make(service(`1 . ipv4hint="${ip},192.0.2.9"`)), leads],
  ["finds an HTTPS record with a foreign IPv6 hint", make(service("1 . ipv6hint=2001:db8::9"), six), leads],
  ["finds an HTTPS record that is an alias of a foreign name", make(service("0 cdn.example.net.")), leads],
  ["finds an HTTPS record with a foreign target", make(service("1 cdn.example.net. alpn=h2")), leads],
  [
    "finds an HTTPS record of Cloudflare with a foreign hint",
    planOf([
      {
        address: "cloudflare_dns_record.https",
        actions: ["create"],
        after: {
          zone_id: "z",
          name: "example.com",
          type: "HTTPS",
          data: { priority: 1, target: ".", value: 'ipv4hint="192.0.2.9"' },
        },
      },
    ]),
    leads,
  ],
  [
    "finds an HTTPS record of Akamai with a foreign target",
    planOf([
      {
        address: "akamai_dns_record.https",
        actions: ["create"],
        after: {
          zone: "example.com",
          name: "example.com",
          recordtype: "HTTPS",
          svc_priority: 0,
          target_name: "cdn.example.net.",
        },
      },
    ]),
    leads,
  ],
  [
    "finds a hint that is changed to a foreign address",
    planOf(
      [
        {
          address: https,
          actions: ["update"],
          before: service(`1 . ipv4hint=${ip}`),
          after: service("1 . ipv4hint=192.0.2.9"),
        },
      ],
      {},
    ),
    leads,
  ],
  ["accepts an HTTPS record without hints", make(service('1 . alpn="h3,h2"'))],
  ["accepts an HTTPS record with the address of the name", make(service(`1 . ipv4hint=${ip}`))],
  ["accepts an IPv6 hint in another spelling", make(service("1 . ipv6hint=2001:DB8:0::1"), six)],
  ["accepts the name itself as the target", make(service("1 example.com. alpn=h2"))],
  [
    "accepts a target with the addresses of the name",
    make(service("0 edge.example.com."), { "google_dns_record_set.edge": record("edge.example.com.", "A", ip) }),
  ],
  ["accepts an HTTPS record of another name", make(record("mail.example.com.", "HTTPS", "1 . ipv4hint=192.0.2.9"))],
  [
    "accepts a change of another parameter beside a hint that was foreign before",
    planOf([
      {
        address: https,
        actions: ["update"],
        before: service("1 . ipv4hint=192.0.2.9"),
        after: service("1 . alpn=h2 ipv4hint=192.0.2.9"),
      },
    ]),
  ],
  [
    "warns of a hint that stays at the previous address while the name moves",
    planOf([{ address: at.a, actions: ["update"], after: record("example.com.", "A", balancer) }], {
      there: { [https]: service(`1 . ipv4hint=${ip}`) },
    }),
    "https-record-stays example.com",
    "traffic-moves example.com",
  ],
]);

const policy = "google_dns_response_policy_rule.web";
const answer = (name: string, ...rrdatas: readonly string[]): Fields => ({
  dns_name: name,
  response_policy: "inside",
  local_data: [{ local_datas: [{ name, type: "A", ttl: 300, rrdatas }] }],
});
const atBalancer = { [at.a]: record("example.com.", "A", balancer) };
const ruled = (step: Omit<Step, "address">, there: Record<string, Fields> = atBalancer) =>
  planOf([{ address: policy, ...step }], { there });

/** Rules of response policies, which answer for the clients of some networks. */
testPlans([
  [
    "warns of a new rule that leads away from the load balancer",
    ruled({ actions: ["create"], after: answer("example.com.", "192.0.2.9") }),
    "traffic-leaves example.com",
  ],
  [
    "warns of a rule that is changed to lead away from the load balancer",
    ruled({
      actions: ["update"],
      before: answer("example.com.", balancer),
      after: answer("example.com.", "192.0.2.9"),
    }),
    "traffic-leaves example.com",
  ],
  [
    "warns of a deleted rule without which clients leave the load balancer",
    ruled({ actions: gone, before: answer("example.com.", balancer) }, {}),
    "traffic-leaves example.com",
  ],
  [
    "warns of a rule that moves clients to the load balancer",
    ruled({ actions: ["create"], after: answer("example.com.", balancer) }, {}),
    "response-policy-changed example.com",
  ],
  [
    "warns of an answer that is unknown before the apply",
    ruled({
      actions: ["create"],
      after: answer("example.com."),
      unknown: { local_data: [{ local_datas: [{ rrdatas: true }] }] },
    }),
    "response-policy-changed example.com",
  ],
  [
    "accepts a rule with the address of the load balancer",
    ruled({ actions: ["create"], after: answer("example.com.", balancer) }),
  ],
  [
    "accepts a deleted rule with the answer of the zone",
    ruled({ actions: gone, before: answer("example.com.", balancer) }),
  ],
  [
    "accepts a rule that answers as the zones do",
    ruled({ actions: ["create"], after: { dns_name: "example.com.", behavior: "bypassResponsePolicy" } }),
  ],
  ["accepts a rule for another name", ruled({ actions: ["create"], after: answer("mail.example.com.", "192.0.2.9") })],
]);

const zone = "google_dns_managed_zone.main";
const signed = (state: string): Fields => ({
  name: "main",
  dns_name: "example.com.",
  visibility: "public",
  dnssec_config: [{ state }],
});
const signing = (from: string, to: string) =>
  planOf([{ address: zone, actions: ["update"], before: signed(from), after: signed(to) }]);

/** The state `transfer` of DNSSEC, in which a zone is still signed. */
testPlans([
  ["accepts a zone that goes from signed to transfer", signing("on", "transfer")],
  ["accepts a zone that goes from transfer to signed", signing("transfer", "on")],
  ["finds a zone that goes from transfer to unsigned", signing("transfer", "off"), "dnssec-disabled example.com"],
  [
    "accepts the first DS record of a zone in transfer",
    planOf(
      [{ address: "google_dns_record_set.ds", actions: ["create"], after: record("example.com.", "DS", "1 13 2 aa") }],
      { there: { [zone]: signed("transfer") } },
    ),
  ],
]);
