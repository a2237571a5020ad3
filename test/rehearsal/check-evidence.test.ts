import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeThirdPartyCertificates } from "../../lib/cloud";
import { checkEvidence } from "../../lib/rehearsal/check-evidence";
import { digestOf, filesIn } from "../../lib/rehearsal/evidence";

type Made = Awaited<ReturnType<typeof makeThirdPartyCertificates>>;

let today: Made;
let issued: Made;
let folder: string;
beforeAll(async () => {
  const make = (...names: readonly string[]) =>
    makeThirdPartyCertificates(
      names.map((name) => ({ names: [name], publicKeyAlgorithm: "ecdsa-p256" })),
      { now: () => new Date() },
    );
  // The first of the old provider's is that of load balancers.
  [today, issued] = await Promise.all([make("a.example.com", "a.example.com"), make("a.example.com")]);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "evidence-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, seconds)).toISOString();
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const writeLines = (name: string, items: readonly object[]) =>
  write(name, items.map((item) => `${JSON.stringify(item)}\n`).join(""));

function fingerprint(pem: string): string {
  const { X509Certificate } = require("node:crypto") as typeof import("node:crypto");
  return new X509Certificate(pem).fingerprint256.replaceAll(":", "").toLowerCase();
}

const parent = "projects/p/locations/global/certificates";
const target = `/v1/${parent}?certificateId=c`;
const migrationOf = (...hostnames: readonly string[]) => ({
  phase: "issue",
  entries: hostnames.map((hostname) => ({ hostname })),
  certificates: [{ domains: hostnames }],
  traffic: { to: "previous", hostnames: [] as readonly string[] },
});
const stateOf = (name: string, migration: object = migrationOf("a.example.com")) => ({
  outputs: { cert_migration: { value: { version: 1, migrations: { "s/m": migration } } } },
  resources: [
    { mode: "managed", type: "google_c", name, instances: [{}] },
    { mode: "data", type: "d", name: "d" },
  ],
});
const applied = {
  planned_values: {
    root_module: {
      resources: [
        { address: "google_c.c", mode: "managed" },
        { address: "d", mode: "data" },
      ],
    },
  },
};

/** The evidence of a rehearsal with one hostname, one step and two handshakes, in which all is as it should be. */
function makeEvidence() {
  const chain = (made: Made) => made.certificates.at(-1)?.chainPem ?? "";
  const probe = { hostname: "a.example.com", ok: true };
  const old = { ...probe, time: at(1), address: "198.51.100.10", side: "old", certificate: fingerprint(chain(today)) };
  const load = { ...probe, time: at(5), address: "203.0.113.7", side: "new", certificate: fingerprint(chain(issued)) };
  const answer = (seconds: number, data: string) => ({
    time: at(seconds),
    name: "a.example.com",
    type: "A",
    answers: [{ data, ttl: 60 }],
  });
  const step = {
    name: "one",
    ok: true,
    seconds: 1,
    probes: 2,
    failedHandshakes: 0,
    from: at(0),
    until: at(9),
  };
  const steps: readonly object[] = [1, 2, 3].map((number) => ({ number, ...step }));
  const evidence = {
    steps,
    probes: [old, load] as Record<string, unknown>[],
    /** Tries that were thrown away. */
    discarded: [] as object[],
    answers: [answer(1, "198.51.100.10"), answer(4, "203.0.113.7")],
    certificates: [{ time: at(4), name: `${parent}/c`, pemCertificate: chain(issued) }],
    result: {
      ok: true,
      completed: true,
      converged: true,
      destroyed: true,
      steps,
      probes: 2,
      failedHandshakes: 0,
      bySecond: [1, 5].map((seconds) => ({
        hostname: "a.example.com",
        second: `${at(seconds).slice(0, 19)}Z`,
        probes: 1,
        failed: 0,
      })),
      struck: [] as object[],
      kills: 0,
    } as Record<string, unknown>,
    plan: { resource_changes: [{ change: { actions: ["no-op"] } }] } as object | undefined,
    requests: [
      { number: 1, method: "certificatemanager.projects.locations.certificates.create", status: 200, target },
      {
        number: 2,
        method: "certificatemanager.projects.locations.certificates.delete",
        status: 200,
        target: `/v1/${parent}/c`,
      },
    ] as object[],
    state: stateOf("c") as object | undefined,
    lastState: stateOf("c") as object,
    runs: "$ terraform plan -x\nexit code 2\n\n$ terraform apply -x\nexit code 0\n\n",
    destroy: "$ terraform destroy -x\nexit code 0\n\n",
    bundle: issued.authority.trustBundlePem,
  };
  return {
    ...evidence,
    keep: (change: Partial<typeof evidence> = {}) => {
      const kept = { ...evidence, ...change };
      writeLines("probes.jsonl", kept.probes);
      if (kept.discarded.length > 0) writeLines("discarded.jsonl", kept.discarded);
      writeLines("answers.jsonl", kept.answers);
      writeLines("certificates.jsonl", kept.certificates);
      writeLines("requests.jsonl", kept.requests);
      const lines = {
        "requests.jsonl": kept.requests.length,
        "answers.jsonl": kept.answers.length,
        "certificates.jsonl": kept.certificates.length,
      };
      write("result.json", JSON.stringify({ lines, ...kept.result }));
      write("trust-bundle.pem", kept.bundle);
      write("old-trust-bundle.pem", today.authority.trustBundlePem);
      write("old-certificates.pem", today.certificates.map(({ chainPem }) => chainPem).join(""));
      mkdirSync(join(folder, "terraform", "plans"), { recursive: true });
      mkdirSync(join(folder, "terraform", "states"), { recursive: true });
      for (const name of ["01-apply", "02-apply"]) write(`terraform/plans/${name}.json`, JSON.stringify(applied));
      write("terraform/plans/02-after.json", "{}");
      write("terraform/states/02.json", JSON.stringify(kept.lastState));
      write("terraform/terraform.log", kept.runs.repeat(2) + kept.destroy);
      if (kept.plan !== undefined) write("terraform/plans/01-after.json", JSON.stringify(kept.plan));
      if (kept.state !== undefined) write("terraform/states/01.json", JSON.stringify(kept.state));
      sign();
    },
  };
}

/** As somebody would who forges all of it: every digest is right. */
function sign(): void {
  write(
    "SHA256SUMS",
    filesIn(folder)
      .map((name) => `${digestOf(join(folder, name))}  ${name}\n`)
      .join(""),
  );
}

async function failed(): Promise<readonly string[]> {
  return (await checkEvidence(folder)).filter(({ ok }) => !ok).map(({ name }) => name);
}

test("evidence that holds passes every check", async () => {
  makeEvidence().keep();
  expect(await checkEvidence(folder)).toEqual([
    { name: "digests", ok: true, detail: "15 files as they were written" },
    { name: "probes", ok: true, detail: "2 in the file, 2 in the verdict" },
    { name: "failed handshakes", ok: true, detail: "0 in the file, 0 in the verdict" },
    { name: "every hostname in every step", ok: true, detail: "1 hostnames in 3 steps" },
    { name: "probes by second", ok: true, detail: "2 counts" },
    { name: "probes of each step", ok: true, detail: "those of 3 steps" },
    { name: "seconds of each step", ok: true, detail: "as its times say" },
    { name: "tries that were thrown away", ok: true, detail: "none" },
    { name: "addresses as DNS gave them", ok: true, detail: "0 probes went elsewhere" },
    { name: "certificates that were presented", ok: true, detail: "0 probes met one that is not kept" },
    { name: "sides by certificate", ok: true, detail: "0 probes met one of the other side" },
    { name: "names of certificates", ok: true, detail: "0 good probes without one for their hostname" },
    { name: "requests", ok: true, detail: "2, numbered from 1" },
    { name: "deletions", ok: true, detail: "1 of 1 by name" },
    { name: "lines", ok: true, detail: "as many as in the verdict" },
    { name: "certificates that were asked for", ok: true, detail: "1 certificates, each by a request" },
    { name: "chains", ok: true, detail: "4 certificates lead to a root" },
    { name: "plans after each apply", ok: true, detail: "2 of 2, all empty" },
    { name: "states", ok: true, detail: "2 as planned" },
    { name: "runs of Terraform", ok: true, detail: "5 with 5 ends, 2 of them applied, 2 states" },
    { name: "what was played", ok: true, detail: "3 steps, as the states show" },
    { name: "verdict", ok: true, detail: "all went well" },
  ]);
});

const thrownAway = {
  hostname: "a.example.com",
  time: at(2),
  until: at(4),
  error: "timeout",
  waitedMs: 6_000,
  ranMs: 0,
  still: [{ from: at(2), until: at(4) }],
};

test("a try that was thrown away since the prober stood still is no failure", async () => {
  const made = makeEvidence();
  made.keep({ discarded: [thrownAway], result: { ...made.result, discarded: 1 } });
  expect(await failed()).toEqual([]);
});

test.each<[string, (made: ReturnType<typeof makeEvidence>) => void, readonly string[]]>([
  [
    "a failure that the verdict hides",
    (made) => made.keep({ probes: [{ ...made.probes[0], ok: false }, made.probes[1] ?? {}] }),
    ["failed handshakes", "probes by second"],
  ],
  [
    "a probe that was taken away",
    (made) => made.keep({ probes: made.probes.slice(1) }),
    ["probes", "probes by second"],
  ],
  [
    "a hostname that was not probed in a step",
    (made) =>
      made.keep({
        probes: [made.probes[0] ?? {}, { ...made.probes[1], hostname: "b.example.com" }],
        answers: [
          ...made.answers,
          { time: at(4), name: "b.example.com", type: "A", answers: [{ data: "203.0.113.7", ttl: 60 }] },
        ],
        result: {
          ...made.result,
          steps: made.steps.map((step, index) => (index === 0 ? { ...step, until: at(2) } : step)),
        },
      }),
    ["every hostname in every step", "probes by second", "seconds of each step", "names of certificates"],
  ],
  [
    "a try that was thrown away and that the verdict does not tell",
    (made) => made.keep({ discarded: [thrownAway] }),
    ["tries that were thrown away"],
  ],
  [
    "a try that was thrown away though the prober ran",
    (made) => made.keep({ discarded: [{ ...thrownAway, ranMs: 6_000 }], result: { ...made.result, discarded: 1 } }),
    ["tries that were thrown away"],
  ],
  [
    "a good probe that met no certificate",
    (made) => made.keep({ probes: made.probes.map(({ certificate: _, ...probe }) => probe) }),
    ["names of certificates"],
  ],
  [
    "requests that were taken away",
    (made) => made.keep({ requests: [], result: { ...made.result, lines: linesOf(made, 0) } }),
    ["requests", "certificates that were asked for"],
  ],
  [
    "a request that was taken away",
    (made) => {
      const [first = {}, second] = made.requests;
      made.keep({ requests: [first, { ...second, number: 3 }] });
    },
    ["requests"],
  ],
  [
    "answers that were taken away",
    (made) => made.keep({ result: { ...made.result, lines: { ...linesOf(made, 2), "answers.jsonl": 3 } } }),
    ["lines"],
  ],
  [
    "a certificate that nobody asked for",
    (made) => made.keep({ requests: made.requests.map((request) => renamed(request)) }),
    ["certificates that were asked for"],
  ],
  ["an apply without a plan after it", (made) => made.keep({ plan: undefined }), ["plans after each apply"]],
  ["an apply without a state after it", (made) => made.keep({ state: undefined }), ["states"]],
  ["a state with what nobody planned", (made) => made.keep({ state: stateOf("other") }), ["states"]],
  [
    "runs of Terraform that were taken away",
    (made) => made.keep({ runs: "$ terraform plan -x\nexit code 2\n\n" }),
    ["runs of Terraform"],
  ],
  [
    "steps that were left out",
    (made) => made.keep({ result: { ...made.result, steps: made.steps.slice(0, 1) } }),
    ["what was played", "verdict"],
  ],
  ...["watch", "rotation", "rollback"].map(
    (name): [string, (made: ReturnType<typeof makeEvidence>) => void, string[]] => [
      `a ${name} that nobody played`,
      (made) => made.keep({ result: { ...made.result, [name]: true } }),
      ["what was played"],
    ],
  ),
  [
    "a watch, a rotation and a rollback that were left out, and five steps",
    (made) => {
      const later = { ...migrationOf("a.example.com", "b.example.com"), phase: "serve" };
      made.keep({ lastState: stateOf("c", { ...later, entries: [], traffic: { to: "loadBalancer" } }) });
    },
    ["what was played"],
  ],
  [
    "a hostname of which every probe was taken away",
    (made) =>
      made.keep({ lastState: stateOf("c", { ...migrationOf("a.example.com", "*.b.example.com"), certificates: [] }) }),
    ["every hostname in every step"],
  ],
  [
    "a probe that went to the other side",
    (made) => made.keep({ probes: made.probes.map((probe) => ({ ...probe, side: "new" })) }),
    ["sides by certificate"],
  ],
  [
    "counts by second that were taken away",
    (made) => made.keep({ result: { ...made.result, bySecond: [] } }),
    ["probes by second"],
  ],
  [
    "counts by second of what was never probed",
    (made) => {
      const bySecond = made.result.bySecond as readonly object[];
      const more = { hostname: "b.example.com", second: `${at(1).slice(0, 19)}Z`, probes: 1, failed: 0 };
      made.keep({ result: { ...made.result, bySecond: [...bySecond, more] } });
    },
    ["probes by second"],
  ],
  [
    "a step with probes of its own",
    (made) => made.keep({ result: { ...made.result, steps: withFirst(made, { probes: 7 }) } }),
    ["probes of each step"],
  ],
  [
    "a step with failures of its own",
    (made) => made.keep({ result: { ...made.result, steps: withFirst(made, { failedHandshakes: 5 }) } }),
    ["probes of each step"],
  ],
  [
    "a step with seconds of its own",
    (made) => made.keep({ result: { ...made.result, steps: withFirst(made, { seconds: 0.1 }) } }),
    ["seconds of each step"],
  ],
  [
    "deletions that were taken away, and the rest numbered anew",
    (made) => made.keep({ requests: made.requests.slice(0, 1) }),
    ["deletions"],
  ],
  [
    "a load balancer that nobody deleted",
    (made) => {
      const insert = { number: 3, method: "compute.urlMaps.insert", status: 200, target: "/x", caller: "token …" };
      made.keep({ requests: [...made.requests, insert] });
    },
    ["deletions"],
  ],
  ["an error after the last run", (made) => made.keep({ destroy: `${made.destroy}Error: x\n` }), ["runs of Terraform"]],
  [
    "an error in a run that ended well",
    (made) => made.keep({ runs: made.runs.replace("exit code 0", "Error: x\nexit code 0") }),
    ["runs of Terraform"],
  ],
  ["no destroy in the end", (made) => made.keep({ destroy: "" }), ["runs of Terraform"]],
  ...["watch", "rotation", "rollback", "completed", "converged"].map(
    (name): [string, (made: ReturnType<typeof makeEvidence>) => void, readonly string[]] => [
      `a verdict beside ${name} that failed`,
      (made) => made.keep({ result: { ...made.result, [name]: false } }),
      ["verdict"],
    ],
  ),
  [
    "an address that DNS never gave",
    (made) => made.keep({ answers: made.answers.slice(0, 1) }),
    ["addresses as DNS gave them"],
  ],
  [
    "a certificate that nobody issued",
    (made) => made.keep({ certificates: [] }),
    ["certificates that were presented", "names of certificates"],
  ],
  ["a chain that leads to no root", (made) => made.keep({ bundle: "" }), ["chains"]],
  [
    "a second plan with changes",
    (made) => made.keep({ plan: { resource_changes: [{ change: { actions: ["update"] } }] } }),
    ["plans after each apply"],
  ],
  [
    "a verdict that its own steps deny",
    (made) => made.keep({ result: { ...made.result, destroyed: false } }),
    ["verdict"],
  ],
])("fails for %s", async (_, keep, names) => {
  keep(makeEvidence());
  expect(await failed()).toEqual(names);
});

/** The request that asks for a certificate, by another name; deletions as they are. */
function renamed(request: object): object {
  return JSON.parse(
    JSON.stringify(request).replace("certificateId=c", "certificateId=c2").replace("certificates/c", "certificates/c2"),
  ) as object;
}

function withFirst({ steps }: ReturnType<typeof makeEvidence>, change: object): readonly object[] {
  return steps.map((step, index) => (index === 0 ? { ...step, ...change } : step));
}

const linesOf = (made: ReturnType<typeof makeEvidence>, requests: number) => ({
  "requests.jsonl": requests,
  "answers.jsonl": made.answers.length,
  "certificates.jsonl": made.certificates.length,
});

test.each([
  "probes.jsonl",
  "answers.jsonl",
  "requests.jsonl",
  "certificates.jsonl",
  "result.json",
  "trust-bundle.pem",
  "old-trust-bundle.pem",
  "old-certificates.pem",
  "terraform/terraform.log",
  "terraform/plans/01-apply.json",
  "terraform/plans/01-after.json",
  "terraform/states/01.json",
])("fails for %s with a byte more, one that was added, and one that is gone", async (name) => {
  makeEvidence().keep();
  const text = readFileSync(join(folder, name), "utf8");
  write(name, `${text}\n`);
  const found = async () => (await checkEvidence(folder)).find((one) => one.name === "digests");
  expect(await found().catch(() => undefined)).toEqual(name.endsWith(".jsonl") ? undefined : not(name));
  write(name, text);
  write(`${name}.more`, text);
  expect(await found()).toEqual(not(`${name}.more`));
});

const not = (name: string) => ({ name: "digests", ok: false, detail: `not as it was written: ${name}` });

test("fails for a folder without evidence, and for lines that are none", async () => {
  await expect(checkEvidence(folder)).rejects.toMatchObject({ code: "evidence-unreadable" });
  makeEvidence().keep();
  write("probes.jsonl", `${readFileSync(join(folder, "probes.jsonl"), "utf8")}{"time":\n`);
  await expect(checkEvidence(folder)).rejects.toThrow("probes.jsonl', line 3: is not JSON");
});

test.each([
  ["result.json", "{}", "is no verdict"],
  ["result.json", "null", "is no verdict"],
  ["probes.jsonl", "null\n", "probes.jsonl', line 1: has no time, no hostname, no ok"],
  ["answers.jsonl", '{"time":"x","name":"y"}\n', "answers.jsonl', line 1: has no answers"],
  ["requests.jsonl", "null\n", "requests.jsonl', line 1: has no number, no status"],
  ["certificates.jsonl", '{"name":"x"}\n', "certificates.jsonl', line 1: has no pemCertificate"],
  ["discarded.jsonl", "{}\n", "discarded.jsonl', line 1: has no time, no until, no hostname"],
  ["discarded.jsonl", `${JSON.stringify({ ...thrownAway, still: 1 })}\n`, "discarded.jsonl': 'still' is no list"],
])("refuses a %s of %j, and tells where", async (name, text, message) => {
  makeEvidence().keep();
  write(name, text);
  const refused = checkEvidence(folder);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toMatchObject({ code: "evidence-unreadable" });
});
