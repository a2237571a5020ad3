import {
  checkMade,
  failed,
  makeEvidence,
  manifestMade,
  read,
  replaceByFolder,
  replaceByLink,
  thrownAway,
  write,
} from "./made-evidence";

test("reports what is in progress, in the order of the checks", async () => {
  makeEvidence().keep();
  const reported: string[] = [];
  await checkMade(undefined, (text) => reported.push(text));
  expect(reported).toEqual([
    "reading answers of the name server, and certificates",
    "comparing the digests of all files",
    "0 handshakes checked",
    "checking requests, and states and plans of Terraform",
  ]);
});

test("accepts unchanged evidence in every check", async () => {
  makeEvidence().keep();
  expect(await checkMade()).toEqual([
    { name: "digests", ok: true, detail: "15 files unchanged" },
    { name: "manifest", ok: true, detail: `SHA-256 of SHA256SUMS: ${manifestMade()}` },
    { name: "probes", ok: true, detail: "2 in the file, 2 in the result" },
    { name: "failed handshakes", ok: true, detail: "0 in the file, 0 in the result" },
    { name: "hostnames probed in every step", ok: true, detail: "1 hostnames in 3 steps" },
    { name: "probes by second", ok: true, detail: "2 counts match" },
    { name: "probes of each step", ok: true, detail: "3 steps match" },
    { name: "duration of each step", ok: true, detail: "3 steps match their times" },
    { name: "discarded probes", ok: true, detail: "none" },
    { name: "probed addresses", ok: true, detail: "0 probes used an address that DNS had not returned" },
    { name: "presented certificates", ok: true, detail: "0 probes got a certificate that is not in the evidence" },
    { name: "sides", ok: true, detail: "0 probes got a certificate of the other side" },
    { name: "certificate names", ok: true, detail: "0 successful probes without a certificate for their hostname" },
    { name: "client certificates", ok: true, detail: "no client certificates were requested" },
    { name: "requests", ok: true, detail: "2, numbered from 1 without gaps" },
    { name: "deletions", ok: true, detail: "1 of 1 created resources" },
    { name: "lines of each file", ok: true, detail: "as many as in the result" },
    { name: "requested certificates", ok: true, detail: "1 certificates, each by a request" },
    { name: "certificate chains", ok: true, detail: "4 chains end in a root" },
    { name: "plans after each apply", ok: true, detail: "2 of 2, all empty" },
    { name: "states", ok: true, detail: "2 as planned" },
    { name: "Terraform runs", ok: true, detail: "5, 5 ended, 2 applied, 2 states" },
    { name: "steps and parts", ok: true, detail: "3 steps, as in the states" },
    { name: "result", ok: true, detail: "the rehearsal passed" },
  ]);
});

test("compares the file of digests with the digest in a report", async () => {
  makeEvidence().keep();
  const manifestCheck = async (expected: string) =>
    (await checkMade(expected)).find(({ name }) => name === "manifest")?.ok;
  expect(await manifestCheck(manifestMade())).toBe(true);
  expect(await manifestCheck(manifestMade().toUpperCase())).toBe(true);
  expect(await manifestCheck("0".repeat(64))).toBe(false);
});

test("detects a replaced folder of evidence by the digest in the report", async () => {
  const made = makeEvidence();
  made.keep();
  const reported = manifestMade();
  made.keep({ result: { ...made.result, imports: 5 } });
  expect((await checkMade()).filter(({ ok }) => !ok)).toEqual([]);
  expect((await checkMade(reported)).filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["manifest"]);
});

test("does not count a probe as a failure if it was discarded during a stall", async () => {
  const made = makeEvidence();
  made.keep({ discarded: [thrownAway], result: { ...made.result, discarded: 1 } });
  expect(await failed()).toEqual([]);
});

test("accepts resources that the rehearsal created and Terraform did not delete", async () => {
  const made = makeEvidence();
  const method = "certificatemanager.projects.locations.certificateMaps.create";
  const target = "/v1/projects/p/locations/global/certificateMaps?certificateMapId=looked-up";
  made.keep({ requests: [...made.requests, { number: 3, method, status: 200, target, caller: "anonymous" }] });
  expect(await failed()).toEqual([]);
});

test.each<[what: string, keep: (made: ReturnType<typeof makeEvidence>) => void]>([
  [
    "an apply that waits at a gate and is repeated",
    (made) => {
      const closed = "$ terraform apply -x\nError: Resource precondition failed\nexit code 1\n\n";
      made.keep({ runs: `${made.runs}${closed}` });
    },
  ],
  [
    "an apply after which the rehearsal was stopped",
    (made) => made.keep({ plan: undefined, result: { ...made.result, ok: false, stopped: true } }),
  ],
])("accepts %s without a plan after it", async (_, keep) => {
  keep(makeEvidence());
  expect(await failed()).toEqual([]);
});

test.each([
  "probes.jsonl",
  "answers.jsonl",
  "requests.jsonl",
  "certificates.jsonl",
  "result.json",
  "trust-bundle.pem",
  "previous-trust-bundle.pem",
  "previous-certificates.pem",
  "terraform/terraform.log",
  "terraform/plans/01-apply.json",
  "terraform/plans/01-after.json",
  "terraform/states/01.json",
])("fails if %s has an extra byte, was added or was deleted", async (name) => {
  makeEvidence().keep();
  const text = read(name);
  write(name, `${text}\n`);
  const found = async () => (await checkMade()).find((one) => one.name === "digests");
  expect(await found().catch(() => undefined)).toEqual(name.endsWith(".jsonl") ? undefined : not(name));
  write(name, text);
  write(`${name}.more`, text);
  expect(await found()).toEqual(not(`${name}.more`));
});

const not = (name: string) => ({ name: "digests", ok: false, detail: `added, changed or missing: ${name}` });

test("refuses a folder instead of a list, and fails a check for a folder instead of any other file", async () => {
  makeEvidence().keep();
  for (const name of ["trust-bundle.pem", "terraform/terraform.log"]) replaceByFolder(name);
  expect(await failed()).toEqual(["digests", "certificate chains", "Terraform runs"]);
  replaceByFolder("probes.jsonl");
  await expect(checkMade()).rejects.toMatchObject({
    code: "evidence-unreadable",
    message: expect.stringContaining("probes.jsonl' can't be read: it is a folder"),
  });
});

test("fails for a broken link", async () => {
  makeEvidence().keep();
  replaceByLink("terraform/terraform.log");
  const digests = (await checkMade()).find(({ name }) => name === "digests");
  expect(digests).toEqual(not("terraform/terraform.log"));
});

test("fails for a folder without evidence, and for malformed lines", async () => {
  await expect(checkMade()).rejects.toMatchObject({ code: "evidence-unreadable" });
  makeEvidence().keep();
  write("probes.jsonl", `${read("probes.jsonl")}{"time":\n`);
  await expect(checkMade()).rejects.toThrow("probes.jsonl', line 3: is not JSON");
});

const withoutTimes = JSON.stringify({
  ok: true,
  probes: 1,
  failedHandshakes: 0,
  destroyed: true,
  kills: 0,
  faultCounts: [],
  steps: [{ number: 1, ok: true, seconds: 1, probes: 1, failedHandshakes: 0 }],
});

test.each([
  ["result.json", "{}", "is not a verdict"],
  ["result.json", "null", "is not a verdict"],
  ["probes.jsonl", "null\n", "probes.jsonl', line 1: has no time, no hostname, no ok"],
  ["answers.jsonl", '{"time":"x","name":"y"}\n', "answers.jsonl', line 1: has no answers"],
  ["requests.jsonl", "null\n", "requests.jsonl', line 1: has no number, no status"],
  ["certificates.jsonl", '{"name":"x"}\n', "certificates.jsonl', line 1: has no pemCertificate"],
  ["discarded.jsonl", "{}\n", "discarded.jsonl', line 1: has no time, no until, no hostname"],
  ["result.json", '{"ok":true}', "is not a verdict: has no probes, no failedHandshakes"],
  ["result.json", withoutTimes, "is not a verdict: an item of 'steps' has no from, no until"],
  [
    "probes.jsonl",
    '{"time":1,"hostname":"a","ok":1}\n',
    "probes.jsonl', line 1: 'time' is not a string, 'ok' is not a boolean",
  ],
  ["answers.jsonl", '{"time":"x","name":"y","answers":{}}\n', "answers.jsonl', line 1: 'answers' is not a list"],
  [
    "terraform/states/01.json",
    '{"resources":[{"mode":"managed"}]}',
    "states/01.json' is missing, or is not a JSON file of",
  ],
  ["terraform/plans/01-after.json", '{"resource_changes":[{}]}', "01-after.json' is missing, or is not a JSON file of"],
  [
    "discarded.jsonl",
    `${JSON.stringify({ ...thrownAway, still: 1 })}\n`,
    "discarded.jsonl', line 1: 'still' is not a list",
  ],
  [
    "discarded.jsonl",
    `${JSON.stringify({ ...thrownAway, still: [null] })}\n`,
    "discarded.jsonl': 'still' is not a list",
  ],
])("refuses a %s of %j, and names its file and line", async (name, text, message) => {
  makeEvidence().keep();
  write(name, text);
  const refused = checkMade();
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toMatchObject({ code: "evidence-unreadable" });
});

/** Evidence with mutual TLS: one probe of each kind of client. */
function keepMutual(
  refusesOthers: boolean,
  change: { readonly counts?: object; readonly first?: object; readonly second?: object } = {},
): void {
  const made = makeEvidence();
  const [first = {}, second = {}] = made.probes;
  const refused = refusesOthers ? { refused: true } : {};
  made.keep({
    probes: [
      { ...first, clientCertificate: false, ...refused, ...change.first },
      { ...second, clientCertificate: true, ...change.second },
    ],
    result: {
      ...made.result,
      clients: {
        refusesOthers,
        withCertificate: { probes: 1, failed: 0 },
        withoutCertificate: { probes: 1, failed: 0, refused: refusesOthers ? 1 : 0, ...change.counts },
      },
    },
  });
}

test.each([true, false])(
  "accepts probes of both kinds of clients by the rule of the result (refused: %s)",
  async (refusesOthers) => {
    keepMutual(refusesOthers);
    expect(await failed()).toEqual([]);
  },
);

test.each<[string, boolean, Parameters<typeof keepMutual>[1]]>([
  ["a client without a certificate that was accepted", true, { first: { refused: undefined }, counts: { refused: 0 } }],
  ["a refused client that the rule accepts", false, { first: { refused: true }, counts: { refused: 1 } }],
  ["a refused client with a certificate", true, { second: { refused: true }, counts: { refused: 2 } }],
  ["a probe whose kind of client is unknown", false, { second: { clientCertificate: undefined } }],
  ["a hostname that only one kind of client probed", false, { second: { clientCertificate: false } }],
  ["a count of its own", true, { counts: { refused: 7 } }],
])("rejects %s", async (_, refusesOthers, change) => {
  keepMutual(refusesOthers, change);
  expect(await failed()).toEqual(["client certificates"]);
});

test("rejects probes with a client certificate in a result without mutual TLS", async () => {
  const made = makeEvidence();
  made.keep({ probes: made.probes.map((probe) => ({ ...probe, clientCertificate: true })) });
  expect(await failed()).toEqual(["client certificates"]);
});
