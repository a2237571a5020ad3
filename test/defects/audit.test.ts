import { readFileSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { startActivityServer } from "../../lib/audit";
import { type Cloud, startCloud } from "../../lib/cloud";
import { assignRole, event, record } from "../audit/activities";
import { auditWorld, building } from "../cli/audit-world";
import { account, credentialFiles, privateKeyPem, startTokenService } from "../google/token-service";
import { runWith, testIo } from "../support/io";

/** Defects of `cert-migration audit` that were constructed one by one, and harmless inputs beside them. */

// Files are synced, and keys are made.
jest.setTimeout(60_000);

const { world, happen, run, file } = auditWorld();

/** What a command came to: its exit code, and the code in brackets of what it reported. */
async function outcome(words: readonly string[], input = ""): Promise<readonly [number, string | undefined]> {
  const { exitCode, err } = await run(words, { stdin: Readable.from([Buffer.from(input)]) });
  return [exitCode, /\[([a-z-]+)\]\n/.exec(err)?.[1]];
}

/** The messages of the events that a command writes, in their order. */
async function messages(words: readonly string[], input = ""): Promise<readonly string[]> {
  const { out } = await run([...words, "--format", "jsonl"], { stdin: Readable.from([Buffer.from(input)]) });
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).message);
}

const wiped = (device: string) => event("MOBILE_SETTINGS", "COMPANY_OWNED_DEVICE_WIPED", { COMPANY_DEVICE_ID: device });

describe("ranges", () => {
  beforeEach(() => happen("21T09:00", building("a")));

  it.each<[string, readonly string[], readonly [number, string | undefined]]>([
    ["finds a range that ended a year ago", ["list", "--until", "365d"], [2, "time-before-retention"]],
    [
      "finds an end where the retention period begins",
      ["list", "--until", "2026-05-25T12:00:00Z"],
      [2, "time-before-retention"],
    ],
    [
      "finds a range that ended before it with an offset",
      ["list", "--until", "2026-05-25T13:59:59+02:00"],
      [2, "time-before-retention"],
    ],
    [
      "finds a range whose start and end are both too early",
      ["list", "--since", "400d", "--until", "190d"],
      [2, "time-before-retention"],
    ],
    ["finds counts of days that are not kept", ["list", "--count", "--until", "4321h"], [2, "time-before-retention"]],
    ["finds a start that is a second too early", ["list", "--since", "2026-05-25T11:59:59Z"], [0, "range-cut"]],
    [
      "finds a start years ago, of one event",
      ["list", "--since", "2019-01-01T00:00:00Z", "--event", "CREATE_BUILDING"],
      [0, "range-cut"],
    ],
    [
      "finds an empty list whose start was cut",
      ["list", "--since", "900d", "--type", "EMAIL_SETTINGS"],
      [4, "range-cut"],
    ],
    ["accepts a start where the retention period begins", ["list", "--since", "180d"], [0, undefined]],
    ["accepts an end within it", ["list", "--until", "2026-05-25T12:00:01Z"], [4, undefined]],
    ["accepts a range without a start", ["list", "--until", "1h"], [0, undefined]],
    ["accepts the short name of a type", ["list", "--type", "DELEGATED_ADMIN"], [4, undefined]],
    [
      "accepts the short name beside another type",
      ["tail", "--once", "--type", "DELEGATED_ADMIN", "--type", "EMAIL_SETTINGS"],
      [0, undefined],
    ],
    ["finds a type that is shortened otherwise", ["list", "--type", "CALENDAR"], [2, "type-unknown"]],
  ])("%s", async (_, words, expected) => {
    expect(await outcome(words)).toEqual(expected);
  });
});

it("accepts a freeze that ended before the retention period as unknown", async () => {
  writeFileSync(file("freeze.yaml"), "start: 2026-01-01T00:00:00Z\nend: 2026-01-02T00:00:00Z\n");
  const { exitCode, out } = await run(["guard", "--freeze", file("freeze.yaml")]);
  expect([exitCode, out]).toEqual([5, expect.stringContaining("more than 180 days ago")]);
});

describe("order of a tail", () => {
  const tail = ["tail", "--once", "--since", "24h"];

  it.each<[string, readonly (readonly [string, readonly object[]])[], readonly string[]]>([
    [
      "finds nine activities of one timestamp in the order in which they came",
      Array.from({ length: 9 }, (__, at) => ["21T09:00", [wiped(`d${at}`)]] as const),
      ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"],
    ],
    [
      "finds the events of each activity together",
      [
        ["21T09:00", [wiped("a1"), wiped("a2"), wiped("a3")]],
        ["21T09:00", [wiped("b1"), wiped("b2"), wiped("b3")]],
        ["21T09:00", [wiped("c1"), wiped("c2"), wiped("c3")]],
      ],
      ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"],
    ],
    [
      "accepts activities that came late, at the time at which they happened",
      [
        ["21T09:02", [wiped("third")]],
        ["21T09:00", [wiped("first")]],
        ["21T09:01", [wiped("second")]],
      ],
      ["first", "second", "third"],
    ],
  ])("%s", async (_, activities, devices) => {
    for (const [time, events] of activities) happen(time, ...events);
    const found = (await messages(tail)).map((message) => /device (\S+)/.exec(message)?.[1]);
    expect(found).toEqual(devices);
  });

  it("finds the same order in a file that is read backwards", async () => {
    for (const device of ["q", "w", "e", "r", "t"]) happen("21T09:00", wiped(device));
    await run([...tail, "--cursor", file("cursor"), "--out", file("out")]);
    const written = readFileSync(file("out"), "utf8").match(/device \S+/g);
    const listed = (await run(["list"])).out.match(/device \S+/g);
    expect(written).toEqual(listed?.reverse());
  });
});

describe("a cloud whose clock is ahead", () => {
  let cloud: Cloud;
  beforeEach(async () => {
    cloud = await startCloud({ startAt: new Date("2027-08-01T00:00:00Z"), speed: 0 });
    cloud.activities.ingest(record([wiped("early")], { time: "2027-07-31T22:00:00.000Z", qualifier: "1" }));
    cloud.activities.ingest(record([wiped("late")], { time: "2027-07-31T23:50:00.000Z", qualifier: "2" }));
  });
  afterEach(() => cloud.stop());

  it.each<[string, readonly string[], number, string]>([
    ["finds its events in a tail", ["tail", "--once", "--since", "20m"], 0, "late"],
    ["finds both in a longer tail", ["tail", "--once", "--since", "2027-07-31T21:00:00Z"], 0, "early late"],
    ["finds the last hour of its time", ["list", "--since", "1h"], 0, "late"],
    ["accepts a start that is not in its future", ["list", "--since", "2027-07-31T23:00:00Z"], 0, "late"],
    ["accepts a start that it still keeps", ["list", "--since", "2027-02-03T00:00:00Z"], 0, "late early"],
    ["finds an end that is no longer kept", ["list", "--until", "2027-01-01T00:00:00Z"], 2, ""],
  ])("%s", async (_, words, exitCode, devices) => {
    const result = await run(words, { env: { CERT_MIGRATION_ENDPOINT: cloud.endpoints.http } });
    const found = result.out.match(/(?<=device )\S+/g) ?? [];
    expect([result.exitCode, found.join(" ")]).toEqual([exitCode, devices]);
  });

  it("finds a change during a freeze in the cloud's time", async () => {
    const path = file("freeze.yaml");
    writeFileSync(
      path,
      "start: 2027-07-31T20:00:00Z\nend: 2027-07-31T23:00:00Z\nwatch: [COMPANY_OWNED_DEVICE_WIPED]\n",
    );
    const env = { CERT_MIGRATION_ENDPOINT: cloud.endpoints.http };
    expect((await run(["guard", "--freeze", path], { env })).exitCode).toBe(4);
  });
});

describe("foreign records", () => {
  const entry = (metadata: object, payload: object = {}) => ({
    insertId: "x1",
    timestamp: "2026-11-21T09:00:00.5Z",
    protoPayload: {
      serviceName: "admin.googleapis.com",
      methodName: "google.admin.AdminService.removeMobileCertificate",
      authenticationInfo: { principalEmail: "admin@example.com" },
      metadata,
      ...payload,
    },
  });
  const removed = (name: string) => ({
    eventType: "MOBILE_SETTINGS",
    eventName: "REMOVE_MOBILE_CERTIFICATE",
    parameter: [{ name: "MOBILE_CERTIFICATE_COMMON_NAME", value: name, type: "TYPE_STRING" }],
  });
  const message = (name: string) => `Mobile certificate ${name} removed for mobile devices in your organization`;
  const elastic = (change: object) => ({
    "@timestamp": "2026-11-21T09:00:00Z",
    event: { action: "REMOVE_MOBILE_CERTIFICATE", dataset: "google_workspace.admin" },
    google_workspace: { event: { type: "MOBILE_SETTINGS" }, admin: { mobile: { certificate: { name: "Root E" } } } },
    ...change,
  });
  const gam = (...rows: readonly string[]) =>
    ["actor.email,id.time,name,type,MOBILE_CERTIFICATE_COMMON_NAME", ...rows].join("\n");

  it.each<[string, string, readonly string[]]>([
    [
      "finds the removal in an entry of the log",
      JSON.stringify(entry({ event: [removed("Root A")] })),
      [message("Root A")],
    ],
    [
      "finds the second event of an entry, which its method does not name",
      JSON.stringify(entry({ event: [removed("Root A"), removed("Root B")] })),
      [message("Root A"), message("Root B")],
    ],
    [
      "finds entries in a list over many lines",
      JSON.stringify([entry({ event: [removed("Root A")] }), entry({ event: [removed("Root C")] })], undefined, 2),
      [message("Root A"), message("Root C")],
    ],
    ["finds the removal in a document", JSON.stringify(elastic({})), [message("Root E")]],
    [
      "finds it in fields with dots",
      JSON.stringify({
        "@timestamp": "2026-11-21T09:00:00Z",
        "event.action": "REMOVE_MOBILE_CERTIFICATE",
        "google_workspace.event.type": "MOBILE_SETTINGS",
        "google_workspace.admin.mobile.certificate.name": "Root E",
      }),
      [message("Root E")],
    ],
    [
      "finds it in the answer to a search",
      JSON.stringify({ hits: { hits: [{ _source: elastic({}) }] } }),
      [message("Root E")],
    ],
    [
      "finds it in a row of a table",
      gam("admin@example.com,2026-11-21T09:00:00Z,REMOVE_MOBILE_CERTIFICATE,MOBILE_SETTINGS,Root G"),
      [message("Root G")],
    ],
    [
      "finds it in a row with a comma and a line break",
      gam('a@example.com,2026-11-21T09:00:00Z,REMOVE_MOBILE_CERTIFICATE,MOBILE_SETTINGS,"Root, ""G""\nTwo"'),
      [message('Root, "G"\\u{a}Two')],
    ],
  ])("%s", async (_, input, expected) => {
    expect(await messages(["render"], input)).toEqual(expected);
  });

  it.each<[string, string, readonly [number, string | undefined]]>([
    [
      "finds an entry of the log that is about something else",
      JSON.stringify(entry({}, { serviceName: "iam.googleapis.com", methodName: "google.iam.admin.v1.SetIamPolicy" })),
      [5, "log-entry-foreign"],
    ],
    [
      "finds a document of another data set",
      JSON.stringify(elastic({ event: { action: "REMOVE", dataset: "aws.cloudtrail" } })),
      [5, "elastic-document-foreign"],
    ],
    ["finds a table of something else", "primaryEmail,suspended\na@example.com,False\n", [5, "csv-foreign"]],
    ["finds a row that was cut off", gam("admin@example.com,2026-11-21T09:00:00Z"), [5, "csv-row-malformed"]],
    ["accepts a table without rows as no record", gam(""), [4, "events-not-found"]],
  ])("%s", async (_, input, expected) => {
    expect(await outcome(["render"], input)).toEqual(expected);
  });

  it("finds events written for Elastic again, with their keys", async () => {
    happen("21T09:00", wiped("a"), wiped("b"), assignRole("helpdesk"));
    const documents = (await run(["list", "--format", "ecs"])).out;
    const { out } = await run(["render", "--format", "jsonl"], { stdin: Readable.from([documents]) });
    expect(out).toBe((await run(["list", "--format", "jsonl"])).out);
    expect(out).not.toBe("");
  });
});

describe("actors", () => {
  it.each<[string, readonly string[], readonly [number, string | undefined]]>([
    ["accepts the caller's customer", ["list", "--customer", "my_customer"], [0, undefined]],
    ["accepts the customer of the records", ["list", "--customer", "C03az79cb"], [0, undefined]],
    ["finds nothing of another customer", ["list", "--customer", "C0other"], [4, undefined]],
    ["finds a path in place of a unit's id", ["list", "--org-unit", "/Sales/EMEA"], [2, "org-unit-malformed"]],
    [
      "finds an address in place of a group's id",
      ["list", "--group", "a1", "--group", "all@example.com"],
      [2, "groups-malformed"],
    ],
  ])("%s", async (_, words, expected) => {
    happen("21T09:00", building("a"));
    expect(await outcome(words)).toEqual(expected);
  });
});

describe("credentials", () => {
  const subject = "root@example.org";
  const keyless = ["--impersonate", subject, "--service-account", account];

  it.each<[string, "key" | "login", readonly string[], RegExp | undefined, number, string]>([
    ["accepts the key of a service account for an administrator", "key", ["--impersonate", subject], undefined, 0, ""],
    ["accepts a login that signs for the service account", "login", keyless, undefined, 0, ""],
    [
      "finds that no credentials can sign",
      "login",
      ["--impersonate", subject],
      undefined,
      2,
      "service-account-missing",
    ],
    ["finds that delegation is not set up", "key", ["--impersonate", subject], /\/token$/, 3, "delegation-refused"],
    ["finds that the caller may not sign", "login", keyless, /:signJwt$/, 3, "signing-refused"],
  ])("%s, and shows no secret", async (_, credentials, words, refused, exitCode, code) => {
    const tokens = await startTokenService();
    happen("21T09:00", building("a"));
    const reports = await startActivityServer({
      store: world.store,
      now: world.now,
      authorize: (token) => tokens.given.some((one) => one.token === token && one.subject === subject),
    });
    try {
      if (refused !== undefined) {
        const sentence = "Client is unauthorized: ya29.echoed eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln";
        const oauth = { error: "unauthorized_client", error_description: sentence };
        const iam = { error: { code: 403, status: "PERMISSION_DENIED", message: sentence } };
        tokens.refuse(refused, refused.test("/token") ? 401 : 403, refused.test("/token") ? oauth : iam);
      }
      const io = testIo({
        env: {
          CERT_MIGRATION_ENDPOINT: reports.url,
          GOOGLE_APPLICATION_CREDENTIALS: credentialFiles(world.folder)[credentials],
          CLOUDSDK_AUTH_TOKEN_HOST: `${tokens.url}/token`,
          CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS: tokens.url,
        },
        now: () => new Date(),
      });
      expect(await runWith(["audit", "list", ...words], io)).toBe(exitCode);
      const said = io.out() + io.err();
      expect(said).toContain(code === "" ? "Building a created" : `[${code}]`);
      for (const secret of [/ya29\.\w/, /eyJ\w/, /s3cret/, /hidden/, privateKeyPem.split("\n")[1] ?? ""])
        expect(said).not.toMatch(secret);
    } finally {
      await Promise.all([tokens.close(), reports.close()]);
    }
  });
});
