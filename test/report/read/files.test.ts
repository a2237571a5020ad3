import fc from "fast-check";
import { stepNames } from "../../../lib/live/status";
import { readDoctorFile, readRehearsalFile, readStatusFile, readVerifyFile } from "../../../lib/report";
import { fullReport } from "../../support/report-data";

const modifiedAt = new Date("2026-11-21T12:00:00Z");
const readers = {
  "status --json": readStatusFile,
  "verify --json": readVerifyFile,
  "doctor --json": readDoctorFile,
  "rehearse --json": readRehearsalFile,
};

function file(content: unknown) {
  return { source: "in.json", text: typeof content === "string" ? content : JSON.stringify(content), modifiedAt };
}

function messages(read: { readonly problems: readonly { readonly message: string }[] } | object): readonly string[] {
  return "problems" in read ? read.problems.map(({ message }) => message) : [];
}

const steps = stepNames.map((name, index) => ({ step: index + 1, name, state: "done" }));
const hostnames = [{ migration: "prod/shop", hostname: "example.com", steps }];

test("a status is read with its own time", () => {
  const read = readStatusFile(file({ version: 1, time: "2026-11-21T08:00:00.000Z", hostnames }));
  expect(read).toEqual({
    part: [{ source: "in.json", time: new Date("2026-11-21T08:00:00Z"), hostnames, notes: [] }],
  });
});

test("a status without a time has the file's time, which is reported", () => {
  const read = readStatusFile(file({ version: 1, hostnames }));
  expect(read).toMatchObject({ part: [{ time: modifiedAt, notes: ["its time is that of the file"] }] });
});

test("a status of a watch has a line for each time, and the last may be truncated", () => {
  const line = (minute: number) => JSON.stringify({ version: 1, time: `2026-11-21T08:0${minute}:00Z`, hostnames });
  const text = `${line(1)}\n${line(2)}\n${line(3).slice(0, -9)}`;
  const notes = ["its last line was cut off and is not counted"];
  expect(readStatusFile(file(text))).toMatchObject({
    part: [
      { time: new Date("2026-11-21T08:01:00Z"), notes },
      { time: new Date("2026-11-21T08:02:00Z"), notes },
    ],
  });
  expect(messages(readStatusFile(file(`${line(1)}\nnonsense\n${line(3)}\n`)))).toEqual([
    "'in.json': 'line 2' is not JSON",
  ]);
  expect(messages(readStatusFile(file(`${line(1)}\n{"results":[]}\n${line(3)}\n`)))).toEqual([
    "'in.json': 'line 2' is not the output of 'cert-migration status --json'; pass that output",
  ]);
});

test("a status of a watch may begin with the byte order mark of Windows", () => {
  const line = JSON.stringify({ version: 1, time: "2026-11-21T08:00:00Z", hostnames });
  expect(readStatusFile(file(`\uFEFF${line}\r\n${line}\r\n`))).toMatchObject({
    part: [{ notes: [] }, { notes: [] }],
  });
});

test.each([[false], [true], [undefined]])("keeps whether a verification passed: %s", (ok) => {
  const read = readVerifyFile(file({ results: [], ...(ok !== undefined && { ok }) }));
  expect("part" in read && read.part.ok).toBe(ok);
});

test.each([["2/10"], [undefined]])("a verification is read with its part of the hostnames: %s", (shard) => {
  const results = [{ hostname: "example.com", address: "203.0.113.7", ok: true }];
  const read = readVerifyFile(file({ time: "2026-11-21T08:00:00Z", results, ...(shard && { shard }) }));
  expect(read).toMatchObject({ part: { results } });
  expect("part" in read && read.part.shard).toBe(shard);
});

test("a status with mistakes is refused with all of them", () => {
  const wrong = [{ hostname: 7, steps: [{ step: 1, state: "finished" }, ...steps.slice(1, 7)] }, "example.com"];
  expect(messages(readStatusFile(file({ version: 2, time: "yesterday", hostnames: wrong })))).toEqual([
    "'in.json': '/version' is not 1, the only one that is known; read it with a newer cert-migration",
    "'in.json': '/time' is not a time as in 2026-11-21T09:54:55Z",
    "'in.json': '/hostnames/1' is not an object",
    "'in.json': '/hostnames/0/steps/0/state' is not one of unknown, done, todo, waiting, failed, none",
    "'in.json': '/hostnames/0/steps' has no step 8; there have to be all eight",
    "'in.json': '/hostnames/0/migration' is not a text",
    "'in.json': '/hostnames/0/hostname' is not a text",
    ...["steps' is not a list"].map((what) => `'in.json': '/hostnames/1/${what}`),
    ...stepNames.map(
      (_, index) => `'in.json': '/hostnames/1/steps' has no step ${index + 1}; there have to be all eight`,
    ),
    "'in.json': '/hostnames/1/migration' is not a text",
    "'in.json': '/hostnames/1/hostname' is not a text",
  ]);
});

test("a status with very many mistakes is refused with twenty, and the number of others", () => {
  const found = messages(readStatusFile(file({ version: 1, hostnames: Array.from({ length: 1_000 }, () => ({})) })));
  expect(found).toHaveLength(21);
  expect(found.at(-1)).toBe(
    "'in.json': 10980 more mistakes of this kind; check that the file is the right input for its option",
  );
});

const { verifications = [], doctor, rehearsal } = fullReport(60);
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as object;

test("output of verify, doctor and rehearse is read unchanged", () => {
  const [verification] = verifications;
  const written = {
    version: 1,
    ...plain(verification),
    results: verification?.results.map(({ failure, ...pair }) => ({ ...pair, ...failure })),
    exact: { checked: false, reason: "no plan was given" },
  };
  expect(readVerifyFile(file(written))).toEqual({
    part: {
      source: "in.json",
      time: verification?.time,
      results: verification?.results,
      findings: verification?.findings,
      notes: ["not compared with the certificates of the plan: no plan was given"],
    },
  });
  expect(readDoctorFile(file({ ...plain(doctor), checks: [], stopped: false }))).toEqual({
    part: { source: "in.json", findings: doctor?.findings, notes: [] },
  });
  expect(readRehearsalFile(file(plain(rehearsal?.result)))).toEqual({
    part: { source: "in.json", result: rehearsal?.result },
  });
  // `--json` has null for parts that were not rehearsed.
  const { rollback: _, ...withoutRollback } = rehearsal?.result ?? {};
  expect(readRehearsalFile(file({ ...plain(withoutRollback), rollback: null }))).toEqual({
    part: { source: "in.json", result: withoutRollback },
  });
  const clients = {
    refusesOthers: true,
    withCertificate: { probes: 5, failed: 0 },
    withoutCertificate: { probes: 4, failed: 0, refused: 4 },
  };
  const pause = { name: "pause after step 3", state: "done", seconds: 60.5, handshakes: 7, failed: 0 };
  const parts = [
    { ...pause, numbers: [] },
    { ...pause, numbers: [4, 6], state: "failed" },
  ];
  const result = { ...rehearsal?.result, discarded: 3, clients, parts, left: ["certificateMaps/m"], watch: true };
  expect(readRehearsalFile(file(plain(result)))).toEqual({ part: { source: "in.json", result } });
});

test("output of verify, doctor and rehearse is read in the form of versions before the common form of findings", () => {
  const finding = { code: "c", severity: "warning", subject: "example.com", remedy: "wait" };
  const results = [{ hostname: "a.com", address: "203.0.113.1", ok: false, code: "timeout", detail: "no answer" }];
  const verified = { version: 1, time: "2026-11-21T08:00:00Z", results, findings: [{ ...finding, detail: "old" }] };
  const examined = { version: 1, findings: [{ ...finding, what: "old", why: "traffic fails" }] };
  const read = { ...finding, message: "old" };
  expect(readVerifyFile(file(verified))).toMatchObject({
    part: { findings: [read], results: [{ ok: false, failure: { code: "timeout", message: "no answer" } }] },
  });
  expect(readDoctorFile(file(examined))).toMatchObject({
    part: { findings: [{ ...read, meaning: "traffic fails" }] },
  });
});

test("output of a doctor run that was aborted, or could not check, is reported with what is missing", () => {
  const checks = [
    { check: "caa", subject: "example.com", outcome: "unknown", notes: [] },
    { check: "zones", subject: "example.com", outcome: "passed", notes: [] },
    { check: "quotas", subject: "p1", outcome: "stopped", notes: [] },
  ];
  expect(readDoctorFile(file({ version: 1, findings: [], checks, stopped: true }))).toMatchObject({
    part: {
      notes: [
        "it was stopped before the end, so findings may be missing",
        "not or not wholly looked at: caa of example.com, quotas of p1",
      ],
    },
  });
});

test.each([
  ["clear-as-of", { findings: [] }, []],
  [
    "violations",
    {
      findings: [
        { key: "1", message: "a role was changed" },
        { key: "2", message: "another" },
        { message: "incomplete" },
      ],
    },
    [["freeze-violated", "error", "a role was changed (and 1 more)"]],
  ],
  ["unknown", { findings: [{ message: "no data" }] }, [["freeze-unknown", "error", "no data"]]],
  [
    "violations",
    { violations: [{ message: "a role was changed" }, { message: "another" }], doubts: [{ message: "incomplete" }] },
    [["freeze-violated", "error", "a role was changed (and 1 more)"]],
  ],
  [
    "unknown",
    { violations: [], doubts: [] },
    [["freeze-unknown", "error", "the audit log does not show whether the freeze was kept"]],
  ],
])(
  "a change freeze with the verdict %s is read in the current and the earlier form: %j",
  (verdict, lists, expected) => {
    const freeze = { verdict, ...lists };
    const read = readVerifyFile(file({ version: 1, time: "2026-11-21T08:00:00Z", results: [], freeze }));
    const { findings = [] } = "part" in read ? read.part : {};
    expect(findings.map(({ code, severity, message: what }) => [code, severity, what])).toEqual(expected);
  },
);

test("a certificate whose issuer has no name is read anyway", () => {
  const certificate = { issuer: "", notAfter: "2027-01-01T00:00:00Z" };
  const results = [{ hostname: "a.com", address: "203.0.113.1", ok: false, code: "untrusted", certificate }];
  const read = readVerifyFile(file({ version: 1, time: "2026-11-21T08:00:00Z", results }));
  expect("part" in read && read.part.results[0]?.certificate?.issuer).toBe("");
});

test("output of verify, doctor and rehearse is refused with its mistakes and their places", () => {
  expect(
    messages(readVerifyFile(file({ results: [{ hostname: "a", address: "b", ok: false, certificate: {} }] }))),
  ).toEqual([
    "'in.json': '/results/0/code' is not a text",
    "'in.json': '/results/0/certificate/issuer' is not a text",
    "'in.json': '/results/0/certificate/notAfter' is not a time as in 2026-11-21T09:54:55Z",
  ]);
  expect(messages(readDoctorFile(file({ findings: [{ code: "c", severity: "fatal", what: 3 }] })))).toEqual([
    "'in.json': '/findings/0/severity' is not one of warning, error, info",
    "'in.json': '/findings/0/what' is not a text",
  ]);
  expect(messages(readRehearsalFile(file({ ok: 1, steps: {}, probes: -1, failedHandshakes: 0.5 })))).toEqual([
    "'in.json': '/ok' is neither true nor false",
    "'in.json': '/steps' is not a list",
    "'in.json': '/probes' is not a whole number from 0",
    "'in.json': '/failedHandshakes' is not a whole number from 0",
    "'in.json': '/destroyed' is neither true nor false",
    "'in.json': '/failures' is not a list",
  ]);
});

describe.each(Object.entries(readers))("the output of %s", (command, read) => {
  const other = `is not the output of 'cert-migration ${command}'; pass that output`;
  const otherText = `is not JSON; pass the output of 'cert-migration ${command}'`;

  test.each([
    ["", "is empty; write it again"],
    [" \n", "is empty; write it again"],
    ["{", "ends too early; was it cut off? write it again"],
    ['{"version":1', "ends too early; was it cut off? write it again"],
    ['{"a":{}', "ends too early; was it cut off? write it again"],
    ['{"a":"}', "ends too early; was it cut off? write it again"],
    ['{"a":"\\"}', "ends too early; was it cut off? write it again"],
    ["\u0000", otherText],
    ['{"a":"[" 1}', otherText],
    ["null", other],
    ["[]", other],
    ["7", other],
    ["{}", other],
    ['{"version":1,"entries":[]}', other],
  ])("refuses %j in one sentence", (text, why) => {
    expect(messages(read(file(text)))).toEqual([`'in.json' ${why}`]);
  });

  test("accepts any JSON, or refuses it with problems, and never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const result = read(file(value));
        if ("problems" in result) expect(result.problems.length).toBeGreaterThan(0);
        else expect(result.part).toBeDefined();
      }),
      { numRuns: 100 },
    );
  });
});

test("refuses a rehearsal with malformed details, and names each mistake", () => {
  const { rehearsal } = fullReport(3);
  const result = JSON.parse(JSON.stringify(rehearsal?.result)) as { rehearsed: object; timeline: object };
  const broken = {
    ...result,
    rehearsed: { ...result.rehearsed, provider: "other", hostnames: [7] },
    timeline: { ...result.timeline, events: [{ kind: "party", from: "today", what: "x" }] },
  };
  const read = readRehearsalFile(file(broken));
  const messages = "problems" in read ? read.problems.map(({ message }) => message).join("\n") : "";
  for (const pointer of [
    "/rehearsed/provider",
    "/rehearsed/hostnames",
    "/timeline/events/0/kind",
    "/timeline/events/0/from",
  ]) {
    expect(messages).toContain(pointer);
  }
});

test.each([
  ["without a version, from before versions were introduced", {}],
  ["with the version of 0.1", { version: 1 }],
  ["with schemaVersion", { schemaVersion: 1 }],
])("reads a rehearsal %s", (_, version) => {
  const result = fullReport(3).rehearsal?.result;
  expect(readRehearsalFile(file({ ...result, ...version }))).toMatchObject({ part: { source: "in.json" } });
  expect(messages(readRehearsalFile(file({ ...result, schemaVersion: 2 })))).toEqual([
    "'in.json': '/version' is not 1, the only one that is known; read it with a newer cert-migration",
  ]);
});

test("reads a rehearsal with the names of former builds", () => {
  const result = fullReport(3).rehearsal?.result;
  const former = JSON.parse(
    JSON.stringify(result).replace('"faultCounts"', '"struck"').replaceAll('"side":"loadBalancer"', '"side":"new"'),
  );
  expect(former).toMatchObject({ struck: expect.anything(), timeline: { certificates: [{}, { side: "new" }] } });
  expect(readRehearsalFile(file(former))).toEqual(readRehearsalFile(file({ ...result })));
});
