import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FreezeReport } from "../../lib/audit";
import type { PlanVerdict } from "../../lib/check-plan";
import type { SeededResult } from "../../lib/cli/commands/rehearse/outcome";
import type { VerifyJson } from "../../lib/cli/commands/verify/render";
import { createWatchJson, type WatchJson } from "../../lib/cli/commands/watch-output";
import { loadCommands } from "../../lib/cli/table";
import type { Comparison } from "../../lib/discovery";
import type { InputError } from "../../lib/errors";
import type { Finding } from "../../lib/findings/finding";
import type { Inventory } from "../../lib/inventory";
import type { DoctorReport } from "../../lib/live/doctor";
import type { Records } from "../../lib/live/records";
import type { WaitResult } from "../../lib/live/wait";
import type { WatchLine, WatchSummary } from "../../lib/live/watch";
import type { ProjectInventory } from "../../lib/project-inventory";
import type { RehearsalTimeline, Rehearsed, RehearsedInput, ServedRun } from "../../lib/report/model";

const readPage = (name: string) => readFileSync(join(__dirname, "..", "..", "docs", name), "utf8");
const page = readPage("json-output.md");

/** The names in the first column of the table in a section. */
function listed(section: string, text = page): readonly string[] {
  const [, part = ""] = new RegExp(`^##+ ${section}\\n([\\s\\S]*?)(?=^##|(?![\\s\\S]))`, "m").exec(text) ?? [];
  return [...part.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, names = ""]) => wordsOf(names)).sort();
}

const wordsOf = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, word = ""]) => word);

// The compiler refuses a field that is missing here, and one that the command does not print.
const verifyFields: Record<keyof VerifyJson, true> = {
  time: true,
  startedAt: true,
  migrations: true,
  shard: true,
  ok: true,
  results: true,
  fallbacks: true,
  comparisons: true,
  findings: true,
  exact: true,
  trustedPools: true,
  freeze: true,
};
const watchFields: Record<keyof WatchJson, true> = {
  kind: true,
  time: true,
  startedAt: true,
  migrations: true,
  verdict: true,
  reason: true,
  stopped: true,
  blindSince: true,
  seconds: true,
  attempts: true,
  failures: true,
  unconfirmed: true,
  gaps: true,
  gapSeconds: true,
  gapPeriods: true,
  silentResolvers: true,
  share: true,
  movedAt: true,
  hostnames: true,
  findings: true,
  wildcards: true,
  notWatched: true,
  resolvers: true,
  previousAddresses: true,
  loadBalancerAddresses: true,
  everyMs: true,
};

const doctorFields: Record<keyof DoctorReport, true> = { findings: true, checks: true, stopped: true };
const waitFields: Record<keyof WaitResult, true> = { verdict: true, resources: true };
const recordsFields: Record<keyof Records, true> = { records: true, unknown: true };
const inventoryFields: Record<keyof Inventory, true> = {
  certificates: true,
  errors: true,
  skipped: true,
  hosts: true,
  names: true,
  findings: true,
};

test.each([
  ["doctor", doctorFields],
  ["wait", waitFields],
  ["records", recordsFields],
  ["inventory", inventoryFields],
])("the page lists every field of %s, and no other", (command, fields) => {
  expect(listed(command)).toEqual(Object.keys(fields).sort());
});

test("the page lists every field of verify and of watch, and no other", () => {
  expect(listed("verify")).toEqual(Object.keys(verifyFields).sort());
  expect(listed("watch")).toEqual(Object.keys(watchFields).sort());
});

const declaredJson = new Map(loadCommands().map(({ name, json = [] }) => [name, json]));

test.each(["doctor", "status", "wait", "records", "inventory", "verify", "watch"])(
  "%s declares the fields that the page lists",
  (command) => {
    const declared = (declaredJson.get(command) ?? []).map((field) => field.replace(/\?$/, ""));
    expect(listed(command)).toEqual(declared.sort());
  },
);

test("rehearse declares the fields that the page of rehearsals lists", () => {
  const declared = (declaredJson.get("rehearse") ?? []).map((field) => field.replace(/\?$/, ""));
  expect(listed("Output for programs", readPage("rehearsal.md"))).toEqual(declared.sort());
});

test("audit guard declares fields that the page lists, beside the fields of a violation", () => {
  expect(listed("audit guard")).toEqual(expect.arrayContaining([...(declaredJson.get("audit guard") ?? [])]));
});

const findingFields: Record<keyof Finding, true> = {
  code: true,
  severity: true,
  subject: true,
  message: true,
  remedy: true,
  meaning: true,
  hostnames: true,
  command: true,
};

test("the page lists every field of a finding, and no other", () => {
  expect(listed("Findings")).toEqual(Object.keys(findingFields).sort());
});

/** The types of findings that commands print as JSON. */
interface PrintedFindings {
  readonly "audit guard": FreezeReport["findings"];
  readonly "api compare": Comparison["findings"];
  readonly "check-plan": PlanVerdict["dangers"];
  readonly doctor: DoctorReport["findings"];
  readonly "input that is refused": InputError["findings"];
  readonly "inventory of files": Inventory["errors"];
  readonly "inventory of servers": Inventory["findings"];
  readonly "inventory --project": ProjectInventory["findings"];
  readonly verify: VerifyJson["findings"];
  readonly wait: WaitResult["resources"][number]["findings"];
  readonly watch: WatchJson["findings"];
}

/** Fields beyond those of a finding. */
type FurtherField<Found> = Found extends Finding ? Exclude<keyof Found, keyof Finding> : "not a finding";

// The compiler refuses a command whose findings have another form.
const furtherFields: {
  readonly [Command in keyof PrintedFindings]: Record<FurtherField<PrintedFindings[Command][number]>, true>;
} = {
  "audit guard": { key: true, time: true, actor: true, event: true, watchedAs: true },
  "api compare": {},
  "check-plan": {},
  doctor: {},
  "input that is refused": {},
  "inventory of files": {},
  "inventory of servers": {},
  "inventory --project": {},
  verify: {},
  wait: {},
  watch: {},
};

test("only violations of a change freeze have fields beyond those of a finding, and the page lists these", () => {
  const { "audit guard": ofViolations, ...others } = furtherFields;
  expect(Object.values(others).flatMap(Object.keys)).toEqual([]);
  expect(listed("audit guard")).toEqual(expect.arrayContaining(Object.keys(ofViolations)));
});

type ReportOnly = "completed" | "watch" | "partsEndedAt" | "providerVersion" | "bySecond";
const reportOnlyFields: Record<ReportOnly, true> = {
  completed: true,
  watch: true,
  partsEndedAt: true,
  providerVersion: true,
  bySecond: true,
};
const rehearseFields: Record<Exclude<keyof SeededResult, ReportOnly> | "findings", true> = {
  ok: true,
  stopped: true,
  steps: true,
  parts: true,
  probes: true,
  failedHandshakes: true,
  clients: true,
  discarded: true,
  rotation: true,
  rollback: true,
  days: true,
  seed: true,
  acts: true,
  converged: true,
  destroyed: true,
  left: true,
  failures: true,
  faultCounts: true,
  kills: true,
  imports: true,
  rehearsed: true,
  timeline: true,
  findings: true,
};
const rehearsedFields: Record<keyof Rehearsed, true> = {
  input: true,
  hostnames: true,
  addedHostname: true,
  versions: true,
  provider: true,
  speed: true,
  faults: true,
  startedAt: true,
  endedAt: true,
  evidence: true,
};
const timelineFields: Record<keyof RehearsalTimeline, true> = {
  from: true,
  until: true,
  events: true,
  parts: true,
  hostnames: true,
  certificates: true,
  addresses: true,
};
const inputKinds: Record<RehearsedInput["kind"], true> = {
  spec: true,
  certificates: true,
  stack: true,
  app: true,
  "terraform-dir": true,
};
const runFields: Record<keyof ServedRun, true> = {
  from: true,
  until: true,
  by: true,
  handshakes: true,
  failed: true,
  certificate: true,
  error: true,
};

test("the page of rehearsals lists every field of the result, the subject, the timeline and the report file", () => {
  const text = readPage("rehearsal.md");
  expect(listed("Output for programs", text)).toEqual(Object.keys(rehearseFields).sort());
  expect(listed("rehearsed", text)).toEqual(Object.keys(rehearsedFields).sort());
  expect(listed("timeline", text)).toEqual(Object.keys(timelineFields).sort());
  expect(listed("Report file", text)).toEqual(Object.keys(reportOnlyFields).sort());
});

test("the page of rehearsals lists every kind of input and every field of a run of handshakes", () => {
  const text = readPage("rehearsal.md");
  const [, kinds = ""] = /^\| `input` \| `kind` \((.*?)\)/m.exec(text) ?? [];
  expect(wordsOf(kinds).sort()).toEqual(Object.keys(inputKinds).sort());
  const [, fields = ""] = /^\| `hostnames` \| `runs` .*?: (.*?)\. /m.exec(text) ?? [];
  expect(
    wordsOf(fields)
      .filter((word) => word !== "mixed")
      .sort(),
  ).toEqual(Object.keys(runFields).sort());
});

const time = "2026-11-21T00:00:00.000Z";
const summary: WatchSummary = {
  kind: "summary",
  time,
  verdict: "moved",
  reason: "everything has moved",
  stopped: false,
  seconds: 1,
  attempts: 1,
  failures: 0,
  gaps: 1,
  gapSeconds: 1,
  silentResolvers: [],
  share: { previous: 0, loadBalancer: 1, other: 0, unknown: 0 },
  hostnames: [],
  findings: [],
};

test("the JSON of watch has what was watched, and the first thousand periods without data", () => {
  const { take, result } = createWatchJson([{ name: "shop", project: "p1" }]);
  const start: WatchLine = {
    kind: "start",
    version: 1,
    time: "2026-11-20T00:00:00.000Z",
    hostnames: ["example.com"],
    resolvers: ["system"],
    previousAddresses: ["198.51.100.1"],
    loadBalancerAddresses: ["203.0.113.7"],
    everyMs: 10_000,
  };
  const gap: WatchLine = { kind: "gap", time, until: time, reason: "resolver-silent", resolver: "a", discarded: 2 };
  for (const line of [start, ...Array.from({ length: 1_001 }, () => gap), summary]) take(line);
  const { gapPeriods, ...rest } = result(summary, ["*.example.com"]);
  expect(gapPeriods).toHaveLength(1_000);
  expect(gapPeriods[0]).toEqual({ from: time, until: time, reason: "resolver-silent", resolver: "a" });
  expect(rest).toEqual({
    ...summary,
    startedAt: "2026-11-20T00:00:00.000Z",
    migrations: [{ name: "shop", project: "p1" }],
    wildcards: {},
    resolvers: ["system"],
    previousAddresses: ["198.51.100.1"],
    loadBalancerAddresses: ["203.0.113.7"],
    everyMs: 10_000,
    notWatched: ["*.example.com"],
  });
});
