import {
  at,
  certificate,
  classic,
  classicProxy,
  destroyFirst,
  type Fields,
  gone,
  other,
  planOf,
  record,
  rule,
} from "../check-plan/plans";
import { testPlans } from "./check-plan-reported";
import { anyWild, wildCertificate } from "./check-plan-resources";

const caa = (address: string, values: Fields) => ({ address, actions: ["create"], after: values });

const cloudflareAt = (label: string) => `cloudflare_dns_record.${label}`;

const cloudflare = (zone: string, content: string): Fields => ({
  name: "example.com",
  type: "A",
  zone_id: zone,
  content,
});

/** CAA records and address sets that plans change, and what `check-plan` reports of each. */
testPlans([
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
]);
