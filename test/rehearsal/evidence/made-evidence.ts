/** Generates evidence of a rehearsal in a new folder for each test: valid evidence, or evidence with one defect. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeThirdPartyCertificates } from "../../../lib/cloud";
import { checkEvidence } from "../../../lib/rehearsal/evidence/check-evidence";
import { fileDigest, filesIn } from "../../../lib/rehearsal/evidence/evidence";

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
  // The first certificate of the previous provider belongs to load balancers.
  [today, issued] = await Promise.all([make("a.example.com", "a.example.com"), make("a.example.com")]);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "evidence-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

export const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, seconds)).toISOString();
/** Writes an evidence file. */
export const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
export function replaceByFolder(name: string): void {
  rmSync(join(folder, name));
  mkdirSync(join(folder, name));
}
export function replaceByLink(name: string): void {
  rmSync(join(folder, name));
  symlinkSync("nowhere", join(folder, name));
}
/** Returns the text of an evidence file. */
export const read = (name: string) => readFileSync(join(folder, name), "utf8");
const writeLines = (name: string, items: readonly object[]) =>
  write(name, items.map((item) => `${JSON.stringify(item)}\n`).join(""));

function fingerprint(pem: string): string {
  const { X509Certificate } = require("node:crypto") as typeof import("node:crypto");
  return new X509Certificate(pem).fingerprint256.replaceAll(":", "").toLowerCase();
}

const parent = "projects/p/locations/global/certificates";
const target = `/v1/${parent}?certificateId=c`;
const certificates = "certificatemanager.projects.locations.certificates";
const caller = "token …";
export const migrationOf = (...hostnames: readonly string[]) => ({
  phase: "issue",
  entries: hostnames.map((hostname) => ({ hostname })),
  certificates: [{ domains: hostnames }],
  traffic: { to: "previous", hostnames: [] as readonly string[] },
});
export const stateOf = (name: string, migration: object = migrationOf("a.example.com")) => ({
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

const chainOf = (made: Made) => made.certificates.at(-1)?.chainPem ?? "";

/** Makes a handshake with the previous provider and one with the load balancer. */
function makeProbes(): Record<string, unknown>[] {
  const probe = { hostname: "a.example.com", ok: true };
  const previous = {
    ...probe,
    time: at(1),
    address: "198.51.100.10",
    side: "previous",
    certificate: fingerprint(chainOf(today)),
  };
  const loadBalancer = {
    ...probe,
    time: at(5),
    address: "203.0.113.7",
    side: "loadBalancer",
    certificate: fingerprint(chainOf(issued)),
  };
  return [previous, loadBalancer];
}

/** Makes the parts of valid evidence. */
function makeParts() {
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
  return {
    steps,
    probes: makeProbes(),
    /** Discarded probes. */
    discarded: [] as object[],
    answers: [answer(1, "198.51.100.10"), answer(4, "203.0.113.7")],
    certificates: [{ time: at(4), name: `${parent}/c`, pemCertificate: chainOf(issued) }],
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
      faultCounts: [] as object[],
      kills: 0,
    } as Record<string, unknown>,
    plan: { resource_changes: [{ change: { actions: ["no-op"] } }] } as object | undefined,
    requests: [
      { number: 1, method: `${certificates}.create`, status: 200, target, caller },
      { number: 2, method: `${certificates}.delete`, status: 200, target: `/v1/${parent}/c`, caller },
    ] as object[],
    state: stateOf("c") as object | undefined,
    lastState: stateOf("c") as object,
    runs: "$ terraform plan -x\nexit code 2\n\n$ terraform apply -x\nexit code 0\n\n",
    destroy: "$ terraform destroy -x\nexit code 0\n\n",
    bundle: issued.authority.trustBundlePem,
  };
}

type Parts = ReturnType<typeof makeParts>;

/** Makes valid evidence of a rehearsal with one hostname, one step and two handshakes. */
export function makeEvidence() {
  const parts = makeParts();
  return { ...parts, keep: (change: Partial<Parts> = {}) => keepParts({ ...parts, ...change }) };
}

/** Writes the files of evidence, with correct digests. */
function keepParts(kept: Parts): void {
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
  write("previous-trust-bundle.pem", today.authority.trustBundlePem);
  write("previous-certificates.pem", today.certificates.map(({ chainPem }) => chainPem).join(""));
  mkdirSync(join(folder, "terraform", "plans"), { recursive: true });
  mkdirSync(join(folder, "terraform", "states"), { recursive: true });
  for (const name of ["01-apply", "02-apply"]) write(`terraform/plans/${name}.json`, JSON.stringify(applied));
  write("terraform/plans/02-after.json", "{}");
  write("terraform/states/02.json", JSON.stringify(kept.lastState));
  write("terraform/terraform.log", kept.runs.repeat(2) + kept.destroy);
  if (kept.plan !== undefined) write("terraform/plans/01-after.json", JSON.stringify(kept.plan));
  if (kept.state !== undefined) write("terraform/states/01.json", JSON.stringify(kept.state));
  sign();
}

/** A probe that was discarded because the prober was suspended. */
export const thrownAway = {
  hostname: "a.example.com",
  time: at(2),
  until: at(4),
  error: "timeout",
  waitedMs: 6_000,
  ranMs: 0,
  still: [{ from: at(2), until: at(4) }],
};

/** Renames a file and replaces words in it; the digests stay those before. */
export function rewrite(name: string, former: string, words: Readonly<Record<string, string>> = {}): void {
  const text = Object.entries(words).reduce((all, [word, other]) => all.replaceAll(word, other), read(name));
  rmSync(join(folder, name));
  write(former, text);
}

/** Writes correct digests of all files, as a forger of the whole evidence would. */
export function sign(): void {
  write(
    "SHA256SUMS",
    filesIn(folder)
      .map((name) => `${fileDigest(join(folder, name))}  ${name}\n`)
      .join(""),
  );
}

/** Checks the evidence of this test. */
export const checkMade = (manifest?: string, onProgress?: (text: string) => void) =>
  checkEvidence(folder, manifest, onProgress);
/** Returns the SHA-256 digest of the file of digests. */
export const manifestMade = () => fileDigest(join(folder, "SHA256SUMS"));

/** Returns the names of the checks that fail. */
export async function failed(): Promise<readonly string[]> {
  return (await checkMade()).filter(({ ok }) => !ok).map(({ name }) => name);
}

export type MadeEvidence = ReturnType<typeof makeEvidence>;

/** A forgery of evidence: its description, its function, and the checks that have to fail. */
export type Forgery = [what: string, keep: (made: MadeEvidence) => void, checks: readonly string[]];

/** Generates and forges evidence. @returns names of the checks that fail */
export async function failedFor(keep: Forgery[1]): Promise<readonly string[]> {
  keep(makeEvidence());
  return failed();
}
