import { createLookUp } from "../../lib/dns";
import { makeZone, startTestCloud, type TestCloud } from "../support/cloud";
import { startOddServer } from "./servers";

let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.");
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones/example-com/changes", {
    additions: [
      { name: "a.example.com.", type: "A", ttl: 60, rrdatas: ["192.0.2.1"] },
      { name: "a.example.com.", type: "AAAA", ttl: 60, rrdatas: ["2001:db8::1"] },
      { name: "c.example.com.", type: "CNAME", ttl: 60, rrdatas: ["A.example.com."] },
      { name: "t.example.com.", type: "TXT", ttl: 60, rrdatas: ['"one " "two"'] },
    ],
  });
  await cloud.clock.advance(1_000);
});

afterAll(() => cloud.stop());

test.each([
  ["a.example.com.", "A", ["192.0.2.1"]],
  ["a.example.com", "AAAA", ["2001:db8::1"]],
  ["c.example.com.", "CNAME", ["a.example.com."]],
  ["t.example.com.", "TXT", ["one two"]],
  ["t.example.com.", "A", []],
  ["none.example.com.", "CNAME", []],
] as const)("look-up of %s %s returns %j", async (name, type, data) => {
  expect(await createLookUp(cloud.endpoints.dns)(name, type)).toEqual({ ok: true, data });
});

test("reports a name that the server refuses to answer as a failure, not as a name without records", async () => {
  expect(await createLookUp(cloud.endpoints.dns)("a.example.org.", "A")).toEqual({ ok: false, detail: "EREFUSED" });
});

test("distinguishes CNAMEs that fail DNSSEC, which exist without the check, from a server that fails", async () => {
  const CHECKING_DISABLED = 0x10;
  const failing = (isForged: boolean) =>
    startOddServer(({ flags = 0 }) =>
      isForged && (flags & CHECKING_DISABLED) !== 0
        ? { answers: [{ type: "CNAME", name: "c.example.com", class: "IN", ttl: 60, data: "elsewhere.example.org" }] }
        : { flags: 2 },
    );
  const details = [];
  for (const isForged of [true, false]) {
    await using odd = await failing(isForged);
    const lookUp = createLookUp(`127.0.0.1:${odd.server.port}`);
    details.push(await lookUp("c.example.com.", "CNAME"));
  }
  expect(details).toEqual([
    { ok: false, detail: "bogus" },
    { ok: false, detail: "ESERVFAIL" },
  ]);
});

test.each(["localhost:53", "127.0.0.1:0", "127.0.0.1:70000", "::1:x", ""])(
  "refuses the server address %j",
  (server) => {
    expect(() => createLookUp(server)).toThrow(expect.objectContaining({ code: "dns-server-malformed" }));
  },
);
