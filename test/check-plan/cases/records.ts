/** Records that lead clients in other ways than A, AAAA and CNAME do, and records of zones that the plan lacks. */
import { at, type Case, gone, planOf, record, rule } from "../plans";

const https = "google_dns_record_set.https";
const service = (hint: string) => record("example.com.", "HTTPS", `1 . alpn="h2" ipv4hint=${hint}`);
const policy = "google_dns_response_policy_rule.web";

export const refused: readonly Case[] = [
  [
    "an HTTPS record gets a hint that is not the address of its name",
    planOf([{ address: https, actions: ["create"], after: service("192.0.2.9") }]),
    [`https-record-leads-elsewhere ${https}`],
  ],
];

export const passing: readonly Case[] = [
  [
    "an HTTPS record gets the address of its name as a hint",
    planOf([{ address: https, actions: ["create"], after: service("198.51.100.1") }]),
    [],
  ],
  [
    "a name moves while its HTTPS record has the previous address",
    planOf([{ address: at.a, actions: ["update"], after: record("example.com.", "A", String(rule.ip_address)) }], {
      there: { [https]: service("198.51.100.1") },
    }),
    [`traffic-moves ${at.a}`, `https-record-stays ${https}`],
  ],
  [
    "a record is deleted in a zone that the plan does not contain",
    planOf([{ address: "linode_domain_record.a", actions: gone }], {
      there: { "linode_domain_record.a": { domain_id: "7", name: "", record_type: "A", target: "198.51.100.1" } },
    }),
    ["record-zone-unknown linode_domain_record.a"],
  ],
  [
    "a rule of a response policy gets an address for a served name",
    planOf([
      {
        address: policy,
        actions: ["create"],
        after: {
          dns_name: "example.com.",
          local_data: [{ local_datas: [{ name: "example.com.", type: "A", rrdatas: [rule.ip_address] }] }],
        },
      },
    ]),
    [`response-policy-changed ${policy}`],
  ],
];
