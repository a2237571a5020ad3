import { answerQuestion, type ZoneAnswer } from "../../../lib/cloud/name-server/answer";
import { createZone, createZoneSource } from "../../support/zones";
import { exampleZones, recordSet } from "./example-zones";

/** Formats an answer: response code and AA, then a line `section owner ttl type data` for each record. */
function show({ rcode, authoritative, ...sections }: ZoneAnswer): readonly string[] {
  const lines = (letter: string, section: ZoneAnswer["answers"]) =>
    section.flatMap(({ name, ttlSeconds, recordSet: { type, rrdatas } }) =>
      rrdatas.map((data) => `${letter} ${name} ${ttlSeconds} ${type} ${data}`),
    );
  return [
    `${rcode}${authoritative ? " AA" : ""}`,
    ...lines("=", sections.answers),
    ...lines("^", sections.authority),
    ...lines("+", sections.additional),
  ];
}

function ask(name: string, type: string, zones = exampleZones, questionClass = "IN"): readonly string[] {
  return show(answerQuestion(zones, { name, type, class: questionClass }));
}

const SOA = "example.com. 300 SOA ns1.example.com. hostmaster.example.com. 7 21600 3600 259200 300";
const CHILD_REFERRAL = [
  "^ child.example.com. 3600 NS ns1.child.example.com.",
  "^ child.example.com. 3600 NS ns.example.net.",
  "^ child.example.com. 3600 NS ns2.example.com.",
  "+ ns1.child.example.com. 3600 A 192.0.2.61",
  "+ ns1.child.example.com. 3600 AAAA 2001:db8::61",
  "+ ns2.example.com. 300 A 192.0.2.54",
];

describe("existing records", () => {
  test.each<[string, string, readonly string[]]>([
    ["www.example.com.", "A", ["= www.example.com. 60 A 192.0.2.1", "= www.example.com. 60 A 192.0.2.2"]],
    ["www.example.com.", "AAAA", ["= www.example.com. 60 AAAA 2001:db8::1"]],
    ["wWw.ExAmPlE.cOm.", "AAAA", ["= wWw.ExAmPlE.cOm. 60 AAAA 2001:db8::1"]],
    ["example.com.", "CAA", ['= example.com. 300 CAA 0 issue "pki.goog"', '= example.com. 300 CAA 0 issuewild ";"']],
    [
      "example.com.",
      "MX",
      ["= example.com. 300 MX 10 mail.example.com.", "= example.com. 300 MX 20 backup.example.net."],
    ],
    ["example.com.", "TXT", ['= example.com. 300 TXT "v=spf1 -all"']],
    ["example.com.", "NS", ["= example.com. 21600 NS ns1.example.com.", "= example.com. 21600 NS ns2.example.com."]],
    [
      "example.net.",
      "SOA",
      ["= example.net. 3600 SOA ns1.example.net. hostmaster.example.net. 1 21600 3600 259200 900"],
    ],
    ["a\\.b.example.com.", "A", ["= a\\.b.example.com. 60 A 192.0.2.4"]],
    ["www.sub.example.net.", "A", ["= www.sub.example.net. 60 A 198.51.100.8"]],
  ])("answers %s %s", (name, type, expected) => {
    expect(ask(name, type)).toEqual(["NOERROR AA", ...expected]);
  });

  test("answers ANY with one record set of the name", () => {
    expect(ask("www.example.com.", "ANY")).toEqual([
      "NOERROR AA",
      "= www.example.com. 60 A 192.0.2.1",
      "= www.example.com. 60 A 192.0.2.2",
    ]);
  });
});

describe("missing records", () => {
  test.each<[string, string, string, string]>([
    ["no such records", "www.example.com.", "CAA", "NOERROR AA"],
    ["an unknown type", "www.example.com.", "TYPE65280", "NOERROR AA"],
    ["an empty name above other names", "er.nonterminal.example.com.", "A", "NOERROR AA"],
    ["a name above names, asked for ANY", "nonterminal.example.com.", "ANY", "NOERROR AA"],
    ["no such name", "nope.example.com.", "A", "NXDOMAIN AA"],
    ["no such name below one that has records", "x.www.example.com.", "A", "NXDOMAIN AA"],
    ["a dot that belongs to a label", "a.b.example.com.", "A", "NXDOMAIN AA"],
  ])("for %s: %s %s", (_, name, type, outcome) => {
    expect(ask(name, type)).toEqual([outcome, `^ ${SOA}`]);
  });

  test("caches absence for the shorter of the SOA's two times", () => {
    const soa = "ns1.example.org. hostmaster.example.org. 1 2 3 4";
    const withTimes = (ttl: number, negative: number) =>
      createZoneSource([createZone("example.org.", [recordSet("example.org.", `@ ${ttl} SOA ${soa} ${negative}`)])]);
    const ttlOf = (line: string | undefined) => line?.split(" ")[2];

    expect(ttlOf(ask("x.example.org.", "A", withTimes(60, 900))[1])).toBe("60");
    expect(ttlOf(ask("x.example.org.", "A", withTimes(900, 60))[1])).toBe("60");
  });

  test("answers without an SOA record if the zone has none", () => {
    const zones = createZoneSource([createZone("example.org.", [])]);

    expect(ask("x.example.org.", "A", zones)).toEqual(["NXDOMAIN AA"]);
    expect(ask("example.org.", "A", zones)).toEqual(["NOERROR AA"]);
  });
});

test.each<[string, string, string, readonly string[]]>([
  [
    "are the answer if the query is for CNAME",
    "_acme-challenge.example.com.",
    "CNAME",
    ["NOERROR AA", "= _acme-challenge.example.com. 300 CNAME 0a1b.4.authorize.certificatemanager.goog."],
  ],
  [
    "are followed to their target",
    "shop.example.com.",
    "AAAA",
    ["NOERROR AA", "= shop.example.com. 300 CNAME www.example.com.", "= www.example.com. 60 AAAA 2001:db8::1"],
  ],
  [
    "are followed into other zones",
    "far.example.com.",
    "A",
    ["NOERROR AA", "= far.example.com. 300 CNAME near.example.net.", "= near.example.net. 300 A 198.51.100.7"],
  ],
  [
    "that leave all zones end there",
    "_acme-challenge.example.com.",
    "A",
    ["NOERROR AA", "= _acme-challenge.example.com. 300 CNAME 0a1b.4.authorize.certificatemanager.goog."],
  ],
  [
    "whose target does not exist have the SOA of the target's zone",
    "lost.example.com.",
    "A",
    [
      "NXDOMAIN AA",
      "= lost.example.com. 300 CNAME nowhere.example.net.",
      "^ example.net. 900 SOA ns1.example.net. hostmaster.example.net. 1 21600 3600 259200 900",
    ],
  ],
  [
    "whose target has no record of the type have the SOA of its zone",
    "empty.example.com.",
    "TXT",
    ["NOERROR AA", "= empty.example.com. 300 CNAME ns1.example.com.", `^ ${SOA}`],
  ],
  [
    "that form a loop are each returned once",
    "loop-a.example.com.",
    "A",
    [
      "NOERROR AA",
      "= loop-a.example.com. 300 CNAME loop-b.example.com.",
      "= loop-b.example.com. 300 CNAME loop-a.example.com.",
    ],
  ],
  [
    "that lead to a loop are each returned once",
    "into-loop.example.com.",
    "A",
    [
      "NOERROR AA",
      "= into-loop.example.com. 300 CNAME loop-a.example.com.",
      "= loop-a.example.com. 300 CNAME loop-b.example.com.",
      "= loop-b.example.com. 300 CNAME loop-a.example.com.",
    ],
  ],
  [
    "to themselves are returned once",
    "self.example.com.",
    "A",
    ["NOERROR AA", "= self.example.com. 300 CNAME self.example.com."],
  ],
  [
    "into a delegated zone end in a referral",
    "into-child.example.com.",
    "A",
    ["NOERROR AA", "= into-child.example.com. 300 CNAME www.child.example.com.", ...CHILD_REFERRAL],
  ],
  [
    "by wildcard are followed too",
    "any.alias.example.com.",
    "AAAA",
    ["NOERROR AA", "= any.alias.example.com. 120 CNAME www.example.com.", "= www.example.com. 60 AAAA 2001:db8::1"],
  ],
  [
    "are one record set for ANY",
    "shop.example.com.",
    "ANY",
    ["NOERROR AA", "= shop.example.com. 300 CNAME www.example.com."],
  ],
])("aliases %s: %s %s", (_, name, type, expected) => {
  expect(ask(name, type)).toEqual(expected);
});

test("aliases in an endless chain are followed 16 times", () => {
  const endless = {
    dnsName: "example.org.",
    hasName: () => true,
    recordSets: (name: string) => [{ name, type: "CNAME", ttl: 1, rrdatas: [`x.${name}`] }],
  };

  expect(ask("example.org.", "A", { findZone: () => endless })).toHaveLength(1 + 16);
});

describe("wildcards", () => {
  const NEGATIVE = `^ ${SOA}`;
  test.each<[string, string, string, readonly string[]]>([
    ["match one label", "x.wild.example.com.", "A", ["NOERROR AA", "= x.wild.example.com. 120 A 192.0.2.99"]],
    ["match several labels", "x.y.wild.example.com.", "A", ["NOERROR AA", "= x.y.wild.example.com. 120 A 192.0.2.99"]],
    [
      "keep the case of the question",
      "X.Wild.example.com.",
      "TXT",
      ["NOERROR AA", '= X.Wild.example.com. 120 TXT "synthesized"'],
    ],
    ["have no other types than their own", "x.wild.example.com.", "MX", ["NOERROR AA", NEGATIVE]],
    [
      "can be queried by their own name",
      "*.wild.example.com.",
      "A",
      ["NOERROR AA", "= *.wild.example.com. 120 A 192.0.2.99"],
    ],
    ["don't match the name above them", "wild.example.com.", "A", ["NOERROR AA", NEGATIVE]],
    ["don't match existing names", "below.host.wild.example.com.", "TXT", ["NOERROR AA", NEGATIVE]],
    ["don't match existing empty names", "host.wild.example.com.", "A", ["NOERROR AA", NEGATIVE]],
    ["don't match names below existing names", "other.host.wild.example.com.", "A", ["NXDOMAIN AA", NEGATIVE]],
    ["don't match names below existing records", "x.below.host.wild.example.com.", "A", ["NXDOMAIN AA", NEGATIVE]],
    ["without records answer without records", "x.odd.example.com.", "A", ["NOERROR AA", NEGATIVE]],
    ["have no meaning in the middle of a name", "a.b.x.odd.example.com.", "A", ["NOERROR AA", NEGATIVE]],
    [
      "in the middle can be queried literally",
      "a.b.*.odd.example.com.",
      "A",
      ["NOERROR AA", "= a.b.*.odd.example.com. 120 A 192.0.2.97"],
    ],
    [
      "return one record set for ANY",
      "x.wild.example.com.",
      "ANY",
      ["NOERROR AA", "= x.wild.example.com. 120 A 192.0.2.99"],
    ],
  ])("%s: %s %s", (_, name, type, expected) => {
    expect(ask(name, type)).toEqual(expected);
  });
});

describe("delegations", () => {
  test.each([
    ["the delegated name itself", "child.example.com.", "A"],
    ["its name servers", "child.example.com.", "NS"],
    ["a name below", "www.child.example.com.", "A"],
    ["a name below that this zone has too", "hidden.child.example.com.", "A"],
    ["addresses of its name servers", "ns1.child.example.com.", "A"],
    ["a delegation within it, which is not this zone's", "x.grand.child.example.com.", "A"],
    ["a DS record below", "x.child.example.com.", "DS"],
  ])("for %s: %s %s is referred, with the addresses that this zone has", (_, name, type) => {
    expect(ask(name, type)).toEqual(["NOERROR", ...CHILD_REFERRAL]);
  });

  test("the DS record of a delegation is answered by the parent", () => {
    expect(ask("child.example.com.", "DS")).toEqual([
      "NOERROR AA",
      "= child.example.com. 3600 DS 12345 13 2 3490a6806d47f17a34c29e2ce80e8a999ffbe4be3490a6806d47f17a34c29e2c",
    ]);
  });

  test("the DS record of a zone on this server is answered by the parent if the parent delegates it", () => {
    const parent = ["sub 60 NS ns1.example.org.", "sub 60 DS 1 13 2 00ff"].map((line) =>
      recordSet("example.org.", line),
    );
    const zones = createZoneSource([createZone("example.org.", parent), createZone("sub.example.org.", [])]);

    expect(ask("sub.example.org.", "DS", zones)).toEqual(["NOERROR AA", "= sub.example.org. 60 DS 1 13 2 00ff"]);
    expect(ask("sub.example.net.", "DS")).toEqual([
      "NOERROR AA",
      "^ sub.example.net. 60 SOA ns1.example.net. hostmaster.example.net. 1 21600 3600 259200 900",
    ]);
  });
});

describe("refused queries", () => {
  test.each([
    ["names outside of all zones", "www.example.org.", "A", "IN", "REFUSED"],
    ["the parent of a zone", "com.", "NS", "IN", "REFUSED"],
    ["the root", ".", "NS", "IN", "REFUSED"],
    ["a name that only ends in the same letters", "notexample.com.", "A", "IN", "REFUSED"],
    ["class CH", "version.bind.", "TXT", "CH", "REFUSED"],
    ["any class", "www.example.com.", "A", "ANY", "REFUSED"],
    ["zone transfers", "example.com.", "AXFR", "IN", "REFUSED"],
    ["incremental zone transfers", "example.com.", "IXFR", "IN", "REFUSED"],
    ["OPT, a pseudo-record", "example.com.", "OPT", "IN", "FORMERR"],
    ["mail agents", "example.com.", "MAILB", "IN", "NOTIMP"],
  ])("for %s: %s %s %s", (_, name, type, questionClass, rcode) => {
    expect(ask(name, type, exampleZones, questionClass)).toEqual([rcode]);
  });
});

test("a zone at the root answers for everything outside of other zones", () => {
  const zones = createZoneSource([
    createZone(".", [{ name: "org.", type: "TXT", ttl: 5, rrdatas: ['"root"'] }]),
    createZone("example.org.", [recordSet("example.org.", "www 5 A 192.0.2.5")]),
  ]);

  expect(ask("org.", "TXT", zones)).toEqual(["NOERROR AA", '= org. 5 TXT "root"']);
  expect(ask("www.example.org.", "A", zones)).toEqual(["NOERROR AA", "= www.example.org. 5 A 192.0.2.5"]);
  expect(ask("com.", "A", zones)).toEqual(["NXDOMAIN AA"]);
});

test("of two zones with the same name, the first answers", () => {
  const zone = (text: string) => createZone("Example.org.", [recordSet("example.org.", `@ 5 TXT "${text}"`)]);

  expect(ask("example.org.", "TXT", createZoneSource([zone("first"), zone("second")]))).toEqual([
    "NOERROR AA",
    '= example.org. 5 TXT "first"',
  ]);
});
