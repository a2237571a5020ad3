import type { ServedRecordSet } from "../../../lib/cloud/name-server";
import { createZone, createZoneSource } from "../../support/zones";

/** Parses a record set: `www 300 A 192.0.2.1 | 192.0.2.2`, with relative names, and `@` for the apex. */
export function recordSet(dnsName: string, line: string): ServedRecordSet {
  const [, owner, ttl, type, rest] = /^(\S+) (\d+) (\S+) (.*)$/.exec(line)!;
  const name = owner === "@" ? dnsName : `${owner}.${dnsName}`;
  return { name, ttl: Number(ttl), type: type!, rrdatas: rest!.split(" | ") };
}

function zone(dnsName: string, lines: readonly string[]) {
  return createZone(
    dnsName,
    lines.map((line) => recordSet(dnsName, line)),
  );
}

/** About 2,000 octets of TXT data, which do not fit into any datagram that the server sends. */
const largeText = [1, 2, 3, 4].map((number) => `"${"x".repeat(254)}${number}" "${"y".repeat(255)}"`).join(" | ");

const exampleCom = zone("example.com.", [
  "@ 21600 SOA ns1.example.com. hostmaster.example.com. 7 21600 3600 259200 300",
  "@ 21600 NS ns1.example.com. | ns2.example.com.",
  '@ 300 CAA 0 issue "pki.goog" | 0 issuewild ";"',
  "@ 300 MX 10 mail.example.com. | 20 backup.example.net.",
  '@ 300 TXT "v=spf1 -all"',
  "ns1 300 A 192.0.2.53",
  "ns2 300 A 192.0.2.54",
  "WWW 60 A 192.0.2.1 | 192.0.2.2",
  "www 60 AAAA 2001:db8::1",
  "_acme-challenge 300 CNAME 0a1b.4.authorize.certificatemanager.goog.",
  "shop 300 CNAME www.example.com.",
  "far 300 CNAME near.example.net.",
  "lost 300 CNAME nowhere.example.net.",
  "empty 300 CNAME ns1.example.com.",
  "loop-a 300 CNAME loop-b.example.com.",
  "loop-b 300 CNAME loop-a.example.com.",
  "into-loop 300 CNAME loop-a.example.com.",
  "self 300 CNAME self.example.com.",
  "into-child 300 CNAME www.child.example.com.",
  `large 300 TXT ${largeText}`,
  "*.wild 120 A 192.0.2.99",
  '*.wild 120 TXT "synthesized"',
  "below.host.wild 120 A 192.0.2.98",
  "*.alias 120 CNAME www.example.com.",
  "a.b.*.odd 120 A 192.0.2.97",
  "deep.er.nonterminal 60 A 192.0.2.3",
  "child 3600 NS ns1.child.example.com. | ns.example.net. | ns2.example.com.",
  "child 3600 DS 12345 13 2 3490a6806d47f17a34c29e2ce80e8a999ffbe4be3490a6806d47f17a34c29e2c",
  "ns1.child 3600 A 192.0.2.61",
  "ns1.child 3600 AAAA 2001:db8::61",
  "hidden.child 3600 A 192.0.2.62",
  "grand.child 3600 NS ns.example.net.",
  "a\\.b 60 A 192.0.2.4",
]);

const exampleNet = zone("example.net.", [
  "@ 3600 SOA ns1.example.net. hostmaster.example.net. 1 21600 3600 259200 900",
  "@ 3600 NS ns1.example.net.",
  "near 300 A 198.51.100.7",
]);

/** A separate zone below `example.net.`, which has no delegation to it. */
const subExampleNet = zone("sub.example.net.", [
  "@ 60 SOA ns1.example.net. hostmaster.example.net. 1 21600 3600 259200 900",
  "@ 60 NS ns1.example.net.",
  "www 60 A 198.51.100.8",
]);

export const exampleZones = createZoneSource([exampleCom, exampleNet, subExampleNet]);
