import { chain, selfSigned } from "../chains";
import {
  at,
  type Case,
  classicId,
  classicProxy,
  entry,
  type Fields,
  gone,
  id,
  other,
  planOf,
  record,
  toMap,
} from "../plans";

const uploaded = (pem: string): Fields => ({ id: id("shop"), name: "shop", self_managed: [{ pem_certificate: pem }] });
const toPem = (values: Fields, unknown: Fields = {}) =>
  planOf([{ address: at.certificate, actions: ["update"], after: values, unknown }], {
    there: { [at.certificate]: uploaded(chain("example.com")) },
  });

const policy = "google_compute_ssl_policy.tls";
const toPolicy = (after: Fields) =>
  planOf([{ address: policy, actions: ["update"], after }], {
    there: {
      [policy]: { name: "tls", profile: "COMPATIBLE", min_tls_version: "TLS_1_0" },
      [at.proxy]: { ...classicProxy("old"), ssl_policy: "projects/p/global/sslPolicies/tls" },
    },
  });

const six = "google_dns_record_set.six";
const ns = "google_dns_record_set.ns";
const ds = "google_dns_record_set.ds";
const moved = "google_dns_record_set.moved";
const zone = "google_dns_managed_zone.z";
const flare = "cloudflare_dns_record.a";
const service = "google_project_service.dns";
const project = "google_project.p";
const delegation = record("example.com.", "NS", "ns1.example.net.");
const challengeIn = (zone: string): Fields => ({
  ...record("_acme-challenge.example.com.", "CNAME", "1.2.authorize.certificatemanager.goog."),
  managed_zone: zone,
});
const proxied = (name: string, type: string, content: string) =>
  planOf([{ address: flare, actions: ["update"], after: { proxied: true } }], {
    there: { [at.a]: {}, [flare]: { name, type, content, zone_id: "z", proxied: false } },
  });

export const refused: readonly Case[] = [
  [
    "an uploaded certificate is changed in place to another name",
    toPem({ self_managed: [{ pem_certificate: chain("example.net") }] }),
    [`uploaded-certificate-loses-names ${at.certificate}`],
  ],
  [
    "an uploaded certificate is changed in place to a self-signed one",
    toPem({ self_managed: [{ pem_certificate: selfSigned("example.com") }] }),
    [`uploaded-certificate-refused ${at.certificate}`],
  ],
  [
    "an SSL policy of a proxy keeps no cipher for RSA",
    toPolicy({ profile: "CUSTOM", custom_features: ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"] }),
    [`ssl-policy-excludes-key ${policy}`],
  ],
  [
    "an SSL policy of a proxy begins with TLS 1.2",
    toPolicy({ min_tls_version: "TLS_1_2" }),
    [`ssl-policy-excludes-clients ${policy}`],
  ],
  [
    "an API is disabled",
    planOf([{ address: service, actions: gone, before: { service: "dns.googleapis.com", project: "p" } }]),
    [`service-disabled ${service}`],
  ],
  [
    "a project is deleted",
    planOf([{ address: project, actions: gone, before: { project_id: "p" } }]),
    [`project-deleted ${project}`],
  ],
  [
    "a project loses its billing account",
    planOf([
      {
        address: project,
        actions: ["update"],
        before: { project_id: "p", billing_account: "A" },
        after: { billing_account: "" },
      },
    ]),
    [`billing-removed ${project}`],
  ],
  [
    "A is deleted where AAAA stays",
    planOf([{ address: at.a, actions: gone }], { there: { [six]: record("example.com.", "AAAA", "2001:db8::1") } }),
    [`traffic-ipv4-deleted ${at.a}`],
  ],
  [
    "traffic of a name without an entry moves to the load balancer",
    planOf([{ address: moved, actions: ["update"], after: { rrdatas: ["203.0.113.7"] } }], {
      there: { [moved]: record("www.example.com.", "A", "198.51.100.1") },
    }),
    [`traffic-to-unserved-name ${moved}`],
  ],
  [
    "traffic moves to an address without a rule",
    planOf([{ address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.90"] } }], {
      there: { "google_compute_global_address.next": { address: "203.0.113.90" } },
    }),
    [`traffic-to-no-listener ${at.a}`],
  ],
  [
    "a served name is proxied by Cloudflare",
    proxied("example.com", "A", "203.0.113.7"),
    [`traffic-record-proxied ${flare}`],
  ],
  [
    "the CNAME of an authorization is proxied by Cloudflare",
    proxied("_acme-challenge.example.com", "CNAME", "1.2.authorize.certificatemanager.goog"),
    [`authorization-record-proxied ${flare}`],
  ],
  [
    "a new NS record hides the records of a served name",
    planOf([{ address: ns, actions: ["create"], after: delegation }]),
    [`delegation-hides-records ${ns}`],
  ],
  [
    "the NS record of a served name is deleted",
    planOf([{ address: ns, actions: gone, before: delegation }]),
    [`delegation-deleted ${ns}`],
  ],
  [
    "the NS record of a served name is changed",
    planOf([{ address: ns, actions: ["update"], after: { rrdatas: ["ns2.example.net."] } }], {
      there: { [ns]: delegation },
    }),
    [`delegation-changed ${ns}`],
  ],
  [
    "the DS record of a served name is replaced",
    planOf([{ address: ds, actions: ["update"], after: { rrdatas: ["2 8 2 bb"] } }], {
      there: { [ds]: record("example.com.", "DS", "1 8 2 aa") },
    }),
    [`dnssec-broken ${ds}`],
  ],
  [
    "DNSSEC of a zone is switched off",
    planOf([{ address: zone, actions: ["update"], after: { dnssec_config: [{ state: "off" }] } }], {
      there: { [zone]: { name: "z", dns_name: "example.com.", dnssec_config: [{ state: "on" }] } },
    }),
    [`dnssec-disabled ${zone}`],
  ],
];

export const passing: readonly Case[] = [
  [
    "an SSL policy of a proxy is CUSTOM, with features that the plan does not name",
    toPolicy({ profile: "CUSTOM" }),
    [],
  ],
  [
    "an uploaded certificate gets a PEM that is unknown",
    toPem({ self_managed: [{}] }, { self_managed: [{ pem_certificate: true }] }),
    [`uploaded-certificate-unknown ${at.certificate}`],
  ],
  [
    "a proxy gets its first map in place of certificates of another configuration",
    planOf([toMap("main")], { there: { [at.proxy]: classicProxy("theirs") } }),
    [`map-switched-unchecked ${at.proxy}`],
  ],
  [
    "the first certificate of a proxy changes",
    planOf([{ address: at.proxy, actions: ["update"], after: classicProxy("net", "old") }], {
      there: {
        [at.proxy]: classicProxy("old", "net"),
        [other.uploaded]: { self_link: classicId("old"), name: "old", subject_alternative_names: ["example.com"] },
        "google_compute_ssl_certificate.net": {
          self_link: classicId("net"),
          name: "net",
          subject_alternative_names: ["example.net"],
        },
      },
    }),
    [`primary-certificate-switched ${at.proxy}`],
  ],
  [
    "a plan without a state creates a load balancer with its traffic",
    {
      ...planOf([
        { address: at.entry, actions: ["create"], after: entry("example.com", "shop") },
        { address: at.rule, actions: ["create"], after: { name: "web" } },
        { address: at.a, actions: ["create"], after: record("example.com.", "A", "203.0.113.7") },
      ]),
      prior_state: {},
    },
    ["state-lost ", `traffic-appears ${at.a}`],
  ],
  [
    "a record is deleted in one of two zones",
    planOf([{ address: at.a, actions: gone }], {
      there: {
        [at.a]: { ...record("example.com.", "A", "198.51.100.1"), managed_zone: "old" },
        [moved]: { ...record("example.com.", "A", "198.51.100.1"), managed_zone: "new" },
      },
    }),
    [`traffic-record-deleted-in-zone ${at.a}`],
  ],
  [
    "the CNAME of an authorization is created again in another zone",
    planOf(
      [
        { address: at.challenge, actions: gone },
        { address: moved, actions: ["create"], after: challengeIn("new") },
      ],
      { there: { [at.challenge]: challengeIn("old") } },
    ),
    [`authorization-record-moved ${at.challenge}`],
  ],
  [
    "a served name gets its first DS record",
    planOf([{ address: ds, actions: ["create"], after: record("example.com.", "DS", "1 8 2 aa") }]),
    [`dnssec-unchecked ${ds}`],
  ],
];
