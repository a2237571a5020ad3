import { join } from "node:path";
import type { Io } from "../../lib/cli/command";
import { widthOf } from "../../lib/cli/style";
import { type MarkedState, stateMarks } from "../../lib/text/state-marks";
import { testIo } from "../support/io";
import { readOnlyCommands } from "../support/read-only";
import { type ScreensWorld, startScreensWorld } from "./screens-world";

let world: ScreensWorld;

beforeAll(async () => {
  world = await startScreensWorld();
});

afterAll(() => world.stop());

const commands = readOnlyCommands(() => world.cloud.requests());

interface Screen {
  readonly exitCode: number;
  readonly words: (of: ScreensWorld) => readonly string[];
  readonly env?: (of: ScreensWorld) => Io["env"];
  /** @default - a fixed day */
  readonly clock?: "cloud";
  /** @default - the command ends without a verdict */
  readonly verdict?: MarkedState;
  /** Words of headings of the widest table only, which narrow screens do not need. */
  readonly wideHeadings?: readonly string[];
}

const inCloud = ({ endpoints: { cloud } }: ScreensWorld) => [
  ...["--endpoint", cloud.http],
  ...["--dns-server", cloud.dns],
];
const shop = (of: ScreensWorld) => ["--spec", of.spec, "--project", "shop-1", ...inCloud(of)];
const served = (of: ScreensWorld) => ["--outputs", of.outputs, ...inCloud(of)];
const rehearsal = ({ endpoints }: ScreensWorld) => ({ CERT_MIGRATION_REHEARSAL: endpoints.cloud.control });
const auditService = ({ endpoints }: ScreensWorld) => ({ CERT_MIGRATION_ENDPOINT: endpoints.audit });

/** One command line for each end of a command. */
const screens: Readonly<Record<string, Screen>> = {
  "inventory, of files": {
    exitCode: 4,
    verdict: "failed",
    words: ({ folder }) => ["inventory", join(folder, "certificates")],
  },
  "inventory, of a project": {
    exitCode: 4,
    verdict: "failed",
    words: ({ endpoints }) => ["inventory", "--project", "shop-prod", "--no-dns", "--endpoint", endpoints.project],
    wideHeadings: ["address", "proxy"],
  },
  "plan --diff": { exitCode: 4, words: ({ spec, next }) => ["plan", "--spec", spec, "--diff", next] },
  synth: {
    exitCode: 0,
    verdict: "done",
    words: ({ issued, folder }) => ["synth", "--spec", issued, "--out", join(folder, "module")],
  },
  "synth --check, up to date": {
    exitCode: 0,
    verdict: "done",
    words: ({ issued, folder }) => ["synth", "--spec", issued, "--out", join(folder, "module"), "--check"],
  },
  "synth --check, stale": {
    exitCode: 4,
    verdict: "failed",
    words: ({ issued, folder }) => ["synth", "--spec", issued, "--out", join(folder, "stale"), "--check"],
  },
  records: { exitCode: 0, words: ({ outputs }) => ["records", "--outputs", outputs] },
  "records --check, missing": { exitCode: 4, verdict: "failed", words: (of) => ["records", "--check", ...shop(of)] },
  "records --check, published": { exitCode: 0, verdict: "done", words: (of) => ["records", "--check", ...served(of)] },
  doctor: { exitCode: 4, verdict: "failed", words: (of) => ["doctor", ...shop(of)] },
  "check-plan, refused": { exitCode: 4, verdict: "failed", words: ({ plan }) => ["check-plan", plan] },
  "check-plan, accepted": {
    exitCode: 0,
    verdict: "done",
    words: ({ plan }) => ["check-plan", plan, "--allow", "proxy-deleted"],
  },
  "status, at the beginning": {
    exitCode: 0,
    verdict: "waiting",
    words: (of) => ["status", ...shop(of)],
    wideHeadings: ["open"],
  },
  "status, at the end": {
    exitCode: 0,
    verdict: "done",
    words: (of) => ["status", ...served(of), "--verify-now"],
    env: rehearsal,
    clock: "cloud",
  },
  "wait, active": {
    exitCode: 0,
    verdict: "done",
    words: ({ certificate, endpoints }) => [
      ...["wait", "--certificate", certificate],
      ...["--endpoint", endpoints.cloud.http],
    ],
  },
  "wait, failed": {
    exitCode: 4,
    verdict: "failed",
    words: ({ certificate, endpoints }) => ["wait", "--certificate", certificate, "--endpoint", endpoints.failing],
  },
  "verify, served": {
    exitCode: 0,
    verdict: "done",
    words: (of) => ["verify", "--outputs", of.outputs, "--endpoint", of.endpoints.cloud.http],
    env: rehearsal,
    clock: "cloud",
  },
  "verify, not served": {
    exitCode: 4,
    verdict: "failed",
    words: ({ upload, uploadPort }) => [
      ...["verify", "--spec", upload, "--hostname", "example.com"],
      ...["--address", "127.0.0.1", "--port", uploadPort],
    ],
  },
  monitor: { exitCode: 0, verdict: "done", words: (of) => ["monitor", ...served(of)], env: rehearsal, clock: "cloud" },
  watch: {
    exitCode: 0,
    verdict: "done",
    words: ({ outputs }) => ["watch", "--outputs", outputs, "--until", "moved"],
    env: rehearsal,
    clock: "cloud",
  },
  report: {
    exitCode: 0,
    verdict: "waiting",
    words: ({ status, folder }) => ["report", "--status", status, "--out", join(folder, "report.html"), "--force"],
  },
  "api show, a method": { exitCode: 0, words: () => ["api", "show", "dns:v1", "dns.changes.create", "--depth", "2"] },
  "api show, a schema": { exitCode: 0, words: () => ["api", "show", "dns:v1", "ManagedZone", "--depth", "1"] },
  "api methods": { exitCode: 0, words: () => ["api", "methods", "dns:v1", "--filter", "changes"] },
  "api validate, valid": {
    exitCode: 0,
    verdict: "done",
    words: () => ["api", "validate", "certificatemanager:v1", "DnsAuthorization", '{"domain": "example.com"}'],
  },
  "api validate, not valid": {
    exitCode: 4,
    verdict: "failed",
    words: () => ["api", "validate", "certificatemanager:v1", "DnsAuthorization", '{"domain": 1}'],
  },
  "api compare": {
    exitCode: 4,
    verdict: "failed",
    words: ({ api, changedApi }) => ["api", "compare", api, changedApi],
  },
  "audit list": { exitCode: 0, words: () => ["audit", "list"], env: auditService },
  "audit guard, violated": {
    exitCode: 4,
    verdict: "failed",
    words: ({ freeze }) => ["audit", "guard", "--freeze", freeze],
    env: auditService,
  },
  "audit events": { exitCode: 0, words: () => ["audit", "events", "ASSIGN_ROLE"] },
  explain: { exitCode: 0, words: () => ["explain", "domain-caa"] },
};

type Look = Pick<Io, "env"> & { readonly columns?: number };

const kept = new Map<string, Promise<string>>();

/** Returns what a user sees without color, from one run of the command for each width. */
function plainScreen(name: string, columns: number): Promise<string> {
  const key = `${name} ${columns}`;
  const screen = kept.get(key) ?? show(screens[name] as Screen, { columns, env: { NO_COLOR: "1" } });
  kept.set(key, screen);
  return screen;
}

/** Runs a command, and returns what the user sees: both streams in one, without what progress has wiped. */
async function show({ words, exitCode, env, clock }: Screen, { columns, env: ofLook }: Look): Promise<string> {
  const shown: string[] = [];
  const terminal = columns === undefined ? {} : { isTTY: true, columns, rows: 50 };
  const stream = { write: (text: string) => shown.push(text), ...terminal };
  const time = clock === "cloud" ? world.clock.cloud : world.clock.today;
  const io = testIo({ stdout: stream, stderr: stream, env: { ...env?.(world), ...ofLook }, now: () => time });
  const code = await commands.runWith(words(world), io);
  const text = withoutProgress(shown.join(""));
  expect([code, code === exitCode ? "" : text]).toEqual([exitCode, ""]);
  return fixed(text);
}

/** Removes what was erased: lines that moved, and boards whose rows were erased one by one. */
function withoutProgress(text: string): string {
  const pieces = text.replaceAll("\r\u001b[2K\u001b[A", "\u001b[A").split("\u001b[K");
  const still = pieces.map((piece, at) => (at === pieces.length - 1 ? piece : piece.slice(0, piece.lastIndexOf("\r"))));
  return still
    .join("")
    .split("\u001b[A\u001b[2K")
    .reduce((kept, piece) => `${kept.slice(0, kept.lastIndexOf("\n", kept.length - 2) + 1)}${piece}`);
}

function withoutColors(text: string): string {
  const [first, ...colored] = text.split("\u001b[");
  return [first, ...colored.map((piece) => piece.replace(/^\d+m/, ""))].join("");
}

/** Replaces what differs between two runs by texts of the same width. */
function fixed(text: string): string {
  return text
    .replaceAll(world.folder, "/".padEnd(world.folder.length, "f"))
    .replace(/\d{4}-\d\d-\d\d/g, "2026-11-21")
    .replace(/T\d\d:\d\d:\d\d/g, "T12:00:00")
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "00000000-0000-0000-0000-000000000000")
    .replace(/(127\.0\.0\.1(?::| -p ))\d{5}\b/g, "$150000");
}

const colors: Readonly<Partial<Record<MarkedState, number>>> = { done: 32, failed: 31, waiting: 33 };
const widths = [60, 80, 120, 200] as const;

/** Returns every different screen below its widths. */
async function screensOf(name: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const shown = new Map<string, readonly number[]>();
  for (const columns of widths) {
    const text = await plainScreen(name, columns);
    shown.set(text, [...(shown.get(text) ?? []), columns]);
  }
  return shown;
}

/** Returns whether a line has one word, after the mark of a list. */
function isOneWord(line: string): boolean {
  return !line.trim().replace(/^- /, "").includes(" ");
}

/** Returns the words of a screen, without the marks of a terminal, branches and the punctuation of a layout. */
function wordsOf(screen: string, without: readonly string[] = []): readonly string[] {
  const words = screen.split(/\s+/).map((word) => word.replace(/[,:]$/, ""));
  const ignored = new Set(["", "\\", ...without]);
  return [...new Set(words)].filter((word) => !ignored.has(word) && !/^[│├└─]+$/.test(word)).sort();
}

describe.each(Object.entries(screens))("%s", (name, screen) => {
  test("shows the same whole words in every width, no wider than the terminal", async () => {
    const shown = await screensOf(name);
    const wide = wordsOf([...shown.keys()].at(-1) ?? "", screen.wideHeadings);
    for (const [text, [columns = 0]] of shown) {
      expect(text.split("\n").filter((line) => widthOf(line) > columns && !isOneWord(line))).toEqual([]);
      expect(wordsOf(text, screen.wideHeadings)).toEqual(wide);
    }
    expect(
      [...shown].map(([text, columns]) => `${columns.join(", ")} columns\n\n${text}`).join("\n"),
    ).toMatchSnapshot();
  });

  test("has color only on a terminal without NO_COLOR, and for nothing that the words do not state", async () => {
    const colored = await show(screen, { columns: 80, env: {} });
    expect(withoutColors(colored)).toBe(await plainScreen(name, 80));
    const { verdict } = screen;
    const start = verdict === undefined ? "" : `\u001b[1m\u001b[${colors[verdict]}m${stateMarks[verdict]} `;
    expect(colored).toContain(start);
    expect(await show(screen, { env: {} })).not.toContain("\u001b");
  });
});
