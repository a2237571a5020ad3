import {
  makeManaged,
  minuteMs,
  parent,
  type StartedManager,
  startCertificateManager,
} from "../../support/certificate-manager";

const allowed = { state: "AUTHORIZED" };
const refused = (details: string) => ({ state: "FAILED", failureReason: "CAA", details });

/** Validates one domain, and returns the authorization attempt. CAA records have the meaning of RFC 8659. */
async function validate(domain: string, prepare: (cloud: StartedManager) => void, identities?: readonly string[]) {
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
  const { domain: validated, attemptTime: _, ...attempt } = managed.authorizationAttemptInfo[0] ?? {};
  expect(validated).toBe(domain);
  expect(managed.state).toBe(attempt.state === "AUTHORIZED" ? "ACTIVE" : "PROVISIONING");
  return attempt;
}

type Records = Readonly<Record<string, readonly string[]>>;

const notAllowed = (name: string, records: string, who = "pki.goog") =>
  refused(`the CAA records of ${name} do not allow ${who}: ${records}`);

test.each<[string, string, Records, object]>([
  ["no CA", "www.example.com", {}, allowed],
  ["the CA", "www.example.com", { "www.example.com.": ['0 issue "pki.goog"'] }, allowed],
  ["the CA in upper case", "www.example.com", { "www.example.com.": ['0 issue "PKI.goog"'] }, allowed],
  ["the CA with parameters", "www.example.com", { "www.example.com.": ['0 issue "pki.goog; a=b"'] }, allowed],
  [
    "the CA among others",
    "www.example.com",
    { "www.example.com.": ['0 issue "x.example"', '0 issue "pki.goog"'] },
    allowed,
  ],
  [
    "another CA",
    "www.example.com",
    { "www.example.com.": ['0 issue "x.example"'] },
    notAllowed("www.example.com.", '0 issue "x.example"'),
  ],
  [
    "an empty issuer",
    "www.example.com",
    { "www.example.com.": ['0 issue ";"'] },
    notAllowed("www.example.com.", '0 issue ";"'),
  ],
  [
    "another CA at the parent",
    "www.example.com",
    { "example.com.": ['0 issue "x.example"'] },
    notAllowed("example.com.", '0 issue "x.example"'),
  ],
  [
    "another CA at the top",
    "www.example.com",
    { "com.": ['0 issue "x.example"'] },
    notAllowed("com.", '0 issue "x.example"'),
  ],
  [
    "the CA closer than another CA",
    "www.example.com",
    { "www.example.com.": ['0 issue "pki.goog"'], "example.com.": ['0 issue "x.example"'] },
    allowed,
  ],
  [
    "another CA closer than the CA",
    "www.example.com",
    { "www.example.com.": ['0 issue "x.example"'], "example.com.": ['0 issue "pki.goog"'] },
    notAllowed("www.example.com.", '0 issue "x.example"'),
  ],
  ["only a report address", "www.example.com", { "www.example.com.": ['0 iodef "mailto:a@example.com"'] }, allowed],
  [
    "only a report address, closer than another CA",
    "www.example.com",
    { "www.example.com.": ['0 iodef "mailto:a@example.com"'], "example.com.": ['0 issue "x.example"'] },
    allowed,
  ],
  ["another CA only for wildcards", "www.example.com", { "www.example.com.": ['0 issuewild "x.example"'] }, allowed],
  [
    "another CA for wildcards, for a wildcard",
    "*.example.com",
    { "example.com.": ['0 issue "pki.goog"', '0 issuewild "x.example"'] },
    notAllowed("example.com.", '0 issue "pki.goog", 0 issuewild "x.example"'),
  ],
  [
    "the CA for wildcards, for a wildcard",
    "*.example.com",
    { "example.com.": ['0 issue "x.example"', '0 issuewild "pki.goog"'] },
    allowed,
  ],
  ["the CA, for a wildcard", "*.example.com", { "example.com.": ['0 issue "pki.goog"'] }, allowed],
  [
    "another CA, for a wildcard",
    "*.example.com",
    { "example.com.": ['0 issue "x.example"'] },
    notAllowed("example.com.", '0 issue "x.example"'),
  ],
  [
    "another CA with a quoted parameter",
    "www.example.com",
    { "www.example.com.": ['0 issue "x.example; a=\\"b\\""'] },
    notAllowed("www.example.com.", '0 issue "x.example; a=\\"b\\""'),
  ],
  [
    "the CA with a quoted parameter",
    "www.example.com",
    { "www.example.com.": ['0 issue "pki.goog; a=\\"b\\""'] },
    allowed,
  ],
  ["the CA in decimal escapes", "www.example.com", { "www.example.com.": ['0 issue "pki\\046goog"'] }, allowed],
  ["the CA without quotes", "www.example.com", { "www.example.com.": ["0 ISSUE pki.goog"] }, allowed],
  ["the CA and a semicolon", "www.example.com", { "www.example.com.": ['0 issue "pki.goog ;"'] }, allowed],
  [
    "the CA with malformed parameters",
    "www.example.com",
    { "www.example.com.": ['0 issue "pki.goog; %%%%"'] },
    notAllowed("www.example.com.", '0 issue "pki.goog; %%%%"'),
  ],
  [
    "the CA beside a malformed record",
    "www.example.com",
    { "www.example.com.": ['0 issue "pki.goog"', '0 issue "open'] },
    refused(expect.stringMatching(/^the CAA records of www\.example\.com\. can't be read: record data /)),
  ],
  ["an unknown property", "www.example.com", { "www.example.com.": ['0 future "x"'] }, allowed],
  [
    "an unknown critical property, beside the CA",
    "www.example.com",
    { "www.example.com.": ['128 future "x"', '0 issue "pki.goog"'] },
    refused("the CAA records of www.example.com. have a critical property that is not understood: future"),
  ],
  ["a critical property that is known", "www.example.com", { "www.example.com.": ['128 issue "pki.goog"'] }, allowed],
])("CAA records that name %s decide about %s", async (_, domain, records, expected) => {
  const attempt = await validate(domain, (cloud) => {
    for (const [owner, data] of Object.entries(records)) cloud.publishCaa(owner, ...data);
  });
  expect(attempt).toEqual(expected);
});

test.each(["SERVFAIL", "TIMEOUT"])("CAA records forbid issuance if the look-up fails: %s", async (rcode) => {
  expect(await validate("www.example.com", (cloud) => cloud.failLookUp("CAA", "example.com.", rcode))).toEqual(
    refused(`the CAA records of example.com. could not be looked up (${rcode})`),
  );
});

test("CAA records with thousands of blanks are read at once, and name no CA", async () => {
  const records = Array.from({ length: 50 }, (_, number) => `0 issue "${number}${" ".repeat(60_000)}."`);
  const attempt = await validate("www.example.com", (cloud) => cloud.publishCaa("www.example.com.", ...records));
  expect(attempt).toMatchObject({ state: "FAILED", failureReason: "CAA" });
});

test("CAA records forbid nothing if no zone answers for the name", async () => {
  expect(await validate("www.example.com", (cloud) => cloud.failLookUp("CAA", "com.", "REFUSED"))).toEqual(allowed);
});

test("CAA records are not looked up above the closest names that have them", async () => {
  const attempt = await validate("www.example.com", (cloud) => {
    cloud.publishCaa("www.example.com.", '0 issue "pki.goog"');
    cloud.failLookUp("CAA", "example.com.", "SERVFAIL");
  });
  expect(attempt).toEqual(allowed);
});

test("CAA records may name any of the CA's identities", async () => {
  const prepare = (cloud: StartedManager) => cloud.publishCaa("example.com.", '0 issue "b.example"');
  expect(await validate("example.com", prepare, ["a.example", "b.example"])).toEqual(allowed);
  expect(await validate("example.com", prepare, ["a.example", "c.example"])).toEqual(
    notAllowed("example.com.", '0 issue "b.example"', "a.example or c.example"),
  );
});
