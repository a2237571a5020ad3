import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { type NameServer, startNameServer } from "../../../lib/cloud/name-server";
import { exampleZones } from "./example-zones";

/** Checks the answers with dig, the tool that operators use. */

const DIG = "dig";
const run = promisify(execFile);
let server: NameServer;

beforeAll(async () => {
  if (spawnSync(DIG, ["-v"]).error !== undefined) {
    throw new Error("dig is not installed: install Debian's bind9-dnsutils, or dnsutils on releases without it");
  }
  server = await startNameServer({ zones: exampleZones });
});

afterAll(() => server?.close());

async function dig(...words: readonly string[]): Promise<string> {
  const { stdout } = await run(DIG, ["@127.0.0.1", "-p", String(server.port), "+tries=1", "+time=5", ...words]);
  return stdout;
}

/** Returns the records that dig prints, with one space between columns. */
function records(output: string): readonly string[] {
  return output
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(";"))
    .map((line) => line.replace(/\s+/g, " "));
}

test.each([
  ["www.example.com", "A", ["192.0.2.1", "192.0.2.2"]],
  ["www.example.com", "AAAA", ["2001:db8::1"]],
  ["_acme-challenge.example.com", "CNAME", ["0a1b.4.authorize.certificatemanager.goog."]],
  ["example.com", "CAA", ['0 issue "pki.goog"', '0 issuewild ";"']],
  ["example.com", "NS", ["ns1.example.com.", "ns2.example.com."]],
  ["example.com", "MX", ["10 mail.example.com.", "20 backup.example.net."]],
  ["example.com", "TXT", ['"v=spf1 -all"']],
  ["example.com", "SOA", ["ns1.example.com. hostmaster.example.com. 7 21600 3600 259200 300"]],
  ["far.example.com", "A", ["near.example.net.", "198.51.100.7"]],
  ["x.y.wild.example.com", "A", ["192.0.2.99"]],
  ["a\\.b.example.com", "A", ["192.0.2.4"]],
  ["nope.example.com", "A", []],
])("dig reads %s %s", async (name, type, expected) => {
  expect((await dig("+short", name, type)).split("\n").filter((line) => line !== "")).toEqual(expected);
});

test("dig reads the DS record of a delegation", async () => {
  expect(records(await dig("+nosplit", "+noall", "+answer", "child.example.com", "DS"))).toEqual([
    "child.example.com. 3600 IN DS 12345 13 2 3490A6806D47F17A34C29E2CE80E8A999FFBE4BE3490A6806D47F17A34C29E2C",
  ]);
});

test.each([
  ["NOERROR", "qr aa", ["www.example.com", "A"]],
  ["NOERROR", "qr aa", ["ns1.example.com", "AAAA"]],
  ["NXDOMAIN", "qr aa", ["nope.example.com", "A"]],
  ["NOERROR", "qr", ["www.child.example.com", "A"]],
  ["REFUSED", "qr", ["www.example.org", "A"]],
  ["REFUSED", "qr", ["version.bind", "CH", "TXT"]],
  ["NOTIMP", "qr", ["+noedns", "+opcode=NOTIFY", "example.com", "SOA"]],
  ["FORMERR", "qr", ["+noedns", "+header-only"]],
  ["BADVERS", "qr", ["+edns=1", "+noednsnegotiation", "www.example.com", "A"]],
  ["NOERROR", "qr aa", ["+noedns", "www.example.com", "A"]],
  ["NOERROR", "qr aa", ["+ednsopt=65001:00ff", "+cookie", "+nsid", "+subnet=192.0.2.0/24", "www.example.com", "A"]],
  ["NOERROR", "qr aa tc", ["+ignore", "large.example.com", "TXT"]],
  ["NOERROR", "qr aa", ["example.com", "ANY"]],
])("dig reports %s, flags %s: %j", async (status, flags, words) => {
  const output = await dig("+norecurse", ...words);

  expect(/status: (\w+)/.exec(output)?.[1]).toBe(status);
  expect(/;; flags: ([a-z ]*);/.exec(output)?.[1]).toBe(flags);
  expect(output).not.toMatch(/warning|malformed|extra bytes|mismatch|got bad/i);
});

test("answers with a referral, with the known addresses", async () => {
  const output = await dig(
    "+norecurse",
    "+noall",
    "+answer",
    "+authority",
    "+additional",
    "www.child.example.com",
    "A",
  );

  expect(records(output)).toEqual([
    "child.example.com. 3600 IN NS ns1.child.example.com.",
    "child.example.com. 3600 IN NS ns.example.net.",
    "child.example.com. 3600 IN NS ns2.example.com.",
    "ns1.child.example.com. 3600 IN A 192.0.2.61",
    "ns1.child.example.com. 3600 IN AAAA 2001:db8::61",
    "ns2.example.com. 300 IN A 192.0.2.54",
  ]);
});

test("answers for a missing name with the SOA and the negative caching time", async () => {
  expect(records(await dig("+noall", "+answer", "+authority", "NOPE.example.com", "A"))).toEqual([
    "example.com. 300 IN SOA ns1.example.com. hostmaster.example.com. 7 21600 3600 259200 300",
  ]);
});

test("answers over TCP if the answer does not fit into a datagram", async () => {
  const output = await dig("large.example.com", "TXT");

  expect(output).toContain("(TCP)");
  expect(records(output)).toHaveLength(4);
});

test("refuses zone transfers", async () => {
  expect(await dig("example.com", "AXFR")).toContain("; Transfer failed.");
});

test("answers several queries on one TCP connection", async () => {
  const output = await dig(
    "+tcp",
    "+keepopen",
    "+short",
    "www.example.com",
    "AAAA",
    "near.example.net",
    "A",
    "+tcp",
    "+keepopen",
  );

  expect(output.trim().split("\n")).toEqual(["2001:db8::1", "198.51.100.7"]);
});
