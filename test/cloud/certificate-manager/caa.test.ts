import {
  makeManaged,
  minuteMs,
  parent,
  type StartedManager,
  startCertificateManager,
} from "../../support/certificate-manager";

const allowed = { state: "AUTHORIZED" };
const refused = (details: string) => ({ state: "FAILED", failureReason: "CAA", details });

/** What became of the proof of one domain. */
async function prove(domain: string, prepare: (cloud: StartedManager) => void, identities?: readonly string[]) {
  await using cloud = await startCertificateManager(identities === undefined ? {} : { caaIdentities: identities });
  await makeManaged(cloud, "c1", [domain]);
  prepare(cloud);
  await cloud.clock.advance(minuteMs);
  const { managed } = (await cloud.get(`${parent}/certificates/c1`)) as {
    readonly managed: {
      readonly state: string;
      readonly authorizationAttemptInfo: readonly Readonly<Record<string, string>>[];
    };
  };
  const { domain: proven, attemptTime: _, ...attempt } = managed.authorizationAttemptInfo[0] ?? {};
  expect(proven).toBe(domain);
  expect(managed.state).toBe(attempt.state === "AUTHORIZED" ? "ACTIVE" : "PROVISIONING");
  return attempt;
}

type Records = Readonly<Record<string, readonly string[]>>;

describe("CAA records (RFC 8659)", () => {
  const not = (name: string, records: string, who = "pki.goog") =>
    refused(`the CAA records of ${name} do not allow ${who}: ${records}`);

  test.each<[string, string, Records, object]>([
    ["none at all", "www.example.com", {}, allowed],
    ["the authority itself", "www.example.com", { "www.example.com.": ['0 issue "pki.goog"'] }, allowed],
    ["the authority in upper case", "www.example.com", { "www.example.com.": ['0 issue "PKI.goog"'] }, allowed],
    ["the authority with parameters", "www.example.com", { "www.example.com.": ['0 issue "pki.goog; a=b"'] }, allowed],
    [
      "the authority among others",
      "www.example.com",
      { "www.example.com.": ['0 issue "x.example"', '0 issue "pki.goog"'] },
      allowed,
    ],
    [
      "another authority",
      "www.example.com",
      { "www.example.com.": ['0 issue "x.example"'] },
      not("www.example.com.", '0 issue "x.example"'),
    ],
    ["nobody", "www.example.com", { "www.example.com.": ['0 issue ";"'] }, not("www.example.com.", '0 issue ";"')],
    [
      "another authority at the parent",
      "www.example.com",
      { "example.com.": ['0 issue "x.example"'] },
      not("example.com.", '0 issue "x.example"'),
    ],
    [
      "another authority at the top",
      "www.example.com",
      { "com.": ['0 issue "x.example"'] },
      not("com.", '0 issue "x.example"'),
    ],
    [
      "the authority closer than another",
      "www.example.com",
      { "www.example.com.": ['0 issue "pki.goog"'], "example.com.": ['0 issue "x.example"'] },
      allowed,
    ],
    [
      "another authority closer than the authority",
      "www.example.com",
      { "www.example.com.": ['0 issue "x.example"'], "example.com.": ['0 issue "pki.goog"'] },
      not("www.example.com.", '0 issue "x.example"'),
    ],
    ["a place to report to", "www.example.com", { "www.example.com.": ['0 iodef "mailto:a@example.com"'] }, allowed],
    [
      "a place to report to, closer than another authority",
      "www.example.com",
      { "www.example.com.": ['0 iodef "mailto:a@example.com"'], "example.com.": ['0 issue "x.example"'] },
      allowed,
    ],
    ["another for wildcards alone", "www.example.com", { "www.example.com.": ['0 issuewild "x.example"'] }, allowed],
    [
      "another for wildcards, asked for a wildcard",
      "*.example.com",
      { "example.com.": ['0 issue "pki.goog"', '0 issuewild "x.example"'] },
      not("example.com.", '0 issue "pki.goog", 0 issuewild "x.example"'),
    ],
    [
      "the authority for wildcards, asked for a wildcard",
      "*.example.com",
      { "example.com.": ['0 issue "x.example"', '0 issuewild "pki.goog"'] },
      allowed,
    ],
    ["the authority, asked for a wildcard", "*.example.com", { "example.com.": ['0 issue "pki.goog"'] }, allowed],
    [
      "another, asked for a wildcard",
      "*.example.com",
      { "example.com.": ['0 issue "x.example"'] },
      not("example.com.", '0 issue "x.example"'),
    ],
    [
      "another authority with a quoted parameter",
      "www.example.com",
      { "www.example.com.": ['0 issue "x.example; a=\\"b\\""'] },
      not("www.example.com.", '0 issue "x.example; a=\\"b\\""'),
    ],
    [
      "the authority with a quoted parameter",
      "www.example.com",
      { "www.example.com.": ['0 issue "pki.goog; a=\\"b\\""'] },
      allowed,
    ],
    [
      "the authority by decimal escapes",
      "www.example.com",
      { "www.example.com.": ['0 issue "pki\\046goog"'] },
      allowed,
    ],
    ["the authority without quotes", "www.example.com", { "www.example.com.": ["0 ISSUE pki.goog"] }, allowed],
    ["the authority and a semicolon", "www.example.com", { "www.example.com.": ['0 issue "pki.goog ;"'] }, allowed],
    [
      "the authority with parameters that are none",
      "www.example.com",
      { "www.example.com.": ['0 issue "pki.goog; %%%%"'] },
      not("www.example.com.", '0 issue "pki.goog; %%%%"'),
    ],
    [
      "the authority beside what can't be read",
      "www.example.com",
      { "www.example.com.": ['0 issue "pki.goog"', '0 issue "open'] },
      refused(expect.stringMatching(/^the CAA records of www\.example\.com\. can't be read: record data /)),
    ],
    ["a property that nobody knows", "www.example.com", { "www.example.com.": ['0 future "x"'] }, allowed],
    [
      "a critical property that nobody knows, beside the authority",
      "www.example.com",
      { "www.example.com.": ['128 future "x"', '0 issue "pki.goog"'] },
      refused("the CAA records of www.example.com. have a critical property that is not understood: future"),
    ],
    ["a critical property that is known", "www.example.com", { "www.example.com.": ['128 issue "pki.goog"'] }, allowed],
  ])("that name %s decide about %s", async (_, domain, records, expected) => {
    const attempt = await prove(domain, (cloud) => {
      for (const [owner, data] of Object.entries(records)) cloud.publishCaa(owner, ...data);
    });
    expect(attempt).toEqual(expected);
  });

  test.each(["SERVFAIL", "TIMEOUT"])("that can't be looked up (%s) forbid", async (rcode) => {
    expect(await prove("www.example.com", (cloud) => cloud.failLookUp("CAA", "example.com.", rcode))).toEqual(
      refused(`the CAA records of example.com. could not be looked up (${rcode})`),
    );
  });

  test("with thousands of blanks are read at once, and name nobody", async () => {
    const records = Array.from({ length: 50 }, (_, number) => `0 issue "${number}${" ".repeat(60_000)}."`);
    const attempt = await prove("www.example.com", (cloud) => cloud.publishCaa("www.example.com.", ...records));
    expect(attempt).toMatchObject({ state: "FAILED", failureReason: "CAA" });
  });

  test("of names that no zone answers for forbid nothing", async () => {
    expect(await prove("www.example.com", (cloud) => cloud.failLookUp("CAA", "com.", "REFUSED"))).toEqual(allowed);
  });

  test("are not looked up above the ones that count", async () => {
    const attempt = await prove("www.example.com", (cloud) => {
      cloud.publishCaa("www.example.com.", '0 issue "pki.goog"');
      cloud.failLookUp("CAA", "example.com.", "SERVFAIL");
    });
    expect(attempt).toEqual(allowed);
  });

  test("may name any of the authority's identities", async () => {
    const prepare = (cloud: StartedManager) => cloud.publishCaa("example.com.", '0 issue "b.example"');
    expect(await prove("example.com", prepare, ["a.example", "b.example"])).toEqual(allowed);
    expect(await prove("example.com", prepare, ["a.example", "c.example"])).toEqual(
      not("example.com.", '0 issue "b.example"', "a.example or c.example"),
    );
  });
});
