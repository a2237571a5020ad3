import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stepNames } from "../../lib/live/status";
import { makeZone, startTestCloud } from "../support/cloud";
import { runCli, slowClock } from "../support/io";
import { shopSpec } from "../support/migration-spec";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-report-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file of the folder. @returns its path */
function file(name: string, content: string | object): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function statusFile(name: string, minute: number, hostname = "example.com"): string {
  const steps = stepNames.map((step, index) => ({
    step: index + 1,
    name: step,
    state: index <= minute ? "done" : "todo",
  }));
  const time = `2026-11-20T0${minute}:00:00Z`;
  return file(name, { version: 1, time, hostnames: [{ migration: "prod/shop", hostname, steps }] });
}

const log = [
  {
    kind: "start",
    version: 1,
    hostnames: ["example.com"],
    resolvers: ["one"],
    previousAddresses: [],
    loadBalancerAddresses: [],
    everyMs: 5000,
  },
  { kind: "sample", hostname: "example.com", resolver: "one", side: "loadBalancer", ok: true, ms: 3 },
].map((line) => `${JSON.stringify({ time: "2026-11-20T09:00:00Z", ...line })}\n`);

test("writes all inputs into one file, and prints the verdict and which inputs are incomplete", async () => {
  const out = join(folder, "report.html");
  const words = [
    ...["--status", statusFile("one.json", 1), "--status", statusFile("two.json", 6)],
    ...["--watch", file("watch.jsonl", `${log.join("")}{"kind":"sam`)],
    ...["--doctor", file("doctor.json", { version: 1, findings: [], checks: [], stopped: true })],
    ...["--verify", file("verify.json", { results: [{ hostname: "example.com", address: "203.0.113.7", ok: true }] })],
    ...[
      "--rehearsal",
      file("rehearsal.json", { ok: true, steps: [], probes: 9, failedHandshakes: 0, destroyed: true, failures: [] }),
    ],
    ...["--out", out, "--title", "Migration of <shop>"],
  ];
  const { exitCode, stdout, stderr } = await runCli(["report", ...words]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
  expect(stderr.split("\n").map((line) => line.replace(`${folder}/`, ""))).toEqual([
    "verify.json: its time is that of the file [input-incomplete]",
    "watch.jsonl: line 3, the last, was cut off in the middle and is not counted [input-incomplete]",
    "doctor.json: it was stopped before the end, so findings may be missing [input-incomplete]",
    "Done: the one hostname is through the eight steps; none of 1 connection failed while it was watched; a watch has not ended; doctor found no error before it was stopped; the rehearsal went through with 0 of 9 handshakes failed.",
    "",
  ]);
  const page = readFileSync(out, "utf8");
  expect(page).toContain("<title>Migration of &lt;shop&gt;</title>");
  expect(page).toContain("line 3, the last, was cut off in the middle and is not counted");
  expect(page).toContain('Generated at <time datetime="2026-11-21T00:00:00.000Z">');
});

test("reads the output of the other commands unchanged", async () => {
  const cloud = await startTestCloud();
  try {
    await makeZone(cloud, "example-com", "example.com.", "shop-1");
    await cloud.clock.advance(1_000);
    const places = ["--endpoint", cloud.endpoints.http, "--dns-server", cloud.endpoints.dns];
    const source = ["--spec", file("migration.yaml", shopSpec), "--project", "shop-1"];
    const io = { now: () => new Date() };
    const [hostname, log] = [["--hostname", "example.com", "--address", "127.0.0.1"], join(folder, "watch.jsonl")];
    const quick = ["--port", "1", "--within", "1s"];
    const [status, doctor, verify] = await Promise.all([
      runCli(["status", ...source, ...places, "--json"], io),
      runCli(["doctor", ...source, ...places, "--json"], io),
      runCli(["verify", ...hostname, ...quick, "--json"], io),
      runCli(
        [
          "watch",
          ...hostname,
          "--previous",
          "198.51.100.1",
          "--dns-server",
          cloud.endpoints.dns,
          ...quick,
          "--log",
          log,
        ],
        io,
      ),
    ]);
    const words = [
      ...["--status", file("status.json", status.stdout), "--doctor", file("doctor.json", doctor.stdout)],
      ...["--verify", file("verify.json", verify.stdout), "--watch", log],
    ];
    const { exitCode, stdout, stderr } = await runCli(["report", ...words]);
    expect(exitCode).toBe(0);
    expect(stderr.replaceAll(`${folder}/`, "")).toMatch(
      /^verify\.json: not compared with .*\ndoctor\.json: not or not wholly .*\nNeeds a fix: 1 of 3 hostnames is at .*\n$/,
    );
    expect(stdout).toContain("<code>connection-refused</code>, found by verify");
    expect(stdout.match(/<code>[a-z-]+<\/code>, found by watch/g)).toEqual([
      "<code>dns-no-address</code>, found by watch",
    ]);
  } finally {
    await cloud.stop();
  }
}, 30_000);

test("prints only the page without --out and with --out -", async () => {
  const { exitCode, stdout } = await runCli(["report", "--status", statusFile("status.json", 3)]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^<!DOCTYPE html>\n[\s\S]*<\/html>\n$/);
  const named = await runCli(["report", "--status", join(folder, "status.json"), "--out", "-"]);
  expect(named).toMatchObject({ exitCode: 0, stdout });
});

test("replaces an existing file only with --force", async () => {
  const out = file("report.html", "what was there");
  const words = ["report", "--status", statusFile("status.json", 3), "--out", out];
  const refused = await runCli(words);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("[file-exists]");
  expect(readFileSync(out, "utf8")).toBe("what was there");
  expect((await runCli([...words, "--force"])).exitCode).toBe(0);
  expect(readFileSync(out, "utf8")).toMatch(/^<!DOCTYPE html>/);
  expect(readdirSync(folder).sort()).toEqual(["report.html", "status.json"]);
});

test("fails with the mistakes of all files, and writes nothing", async () => {
  const out = join(folder, "report.html");
  const words = [
    ...["--status", statusFile("good.json", 3), "--status", join(folder, "missing.json")],
    ...["--verify", file("verify.json", '{"results": [{"hostname": "exa')],
    ...["--doctor", file("doctor.json", { findings: [{ code: 7, severity: "error", what: "w" }] })],
    ...["--watch", file("watch.jsonl", "no log")],
  ];
  const { exitCode, stderr } = await runCli(["report", ...words, "--out", out]);
  expect(exitCode).toBe(2);
  expect(stderr.match(/\[[a-z-]+\]$/gm)).toEqual([
    "[file-unreadable]",
    "[report-input-malformed]",
    "[report-input-malformed]",
    "[report-input-malformed]",
  ]);
  expect(existsSync(out)).toBe(false);
});

test("fails without an input", async () => {
  const { exitCode, stderr } = await runCli(["report"]);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    "error: nothing to report on; give --status, --verify, --watch, --doctor or --rehearsal [report-without-input]\n",
  );
});

test("fails on an endless file without reading it to its end", async () => {
  const { exitCode, stderr } = await runCli(["report", "--verify", "/dev/zero"]);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    "error: --verify: '/dev/zero' has more than the 67108864 bytes that are read; is it the right file? [file-too-large]\n",
  );
});

test("fails when it is stopped while it reads a log, and writes nothing", async () => {
  const out = join(folder, "report.html");
  const words = ["report", "--watch", file("watch.jsonl", log.join("")), "--out", out];
  const { exitCode, stderr } = await runCli(words, { signal: AbortSignal.abort() });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("[report-stopped]");
  expect(existsSync(out)).toBe(false);
});

test("escapes the contents of files for the terminal", async () => {
  const name = "sta\u001b[31mtus.json";
  const { stderr } = await runCli(["report", "--status", file(name, { version: 1, hostnames: [] })]);
  expect(stderr).not.toContain("\u001b");
  expect(stderr).toContain("sta\\u{1b}[31mtus.json: its time is that of the file");
});

test("shows on stderr the file and how much of it was read while it reads long files", async () => {
  const now = slowClock();
  const words = ["report", "--watch", file("watch.jsonl", log.join(""))];
  const result = await runCli(words, { now });
  expect(result.stderr).toMatch(/^reading \S+watch\.jsonl: 0\.0 MB of 0\.0 MB, \d+ s$/m);
  expect(result.stdout).toMatch(/^<!doctype html>/i);
  expect((await runCli([...words, "--quiet"], { now })).stderr).not.toContain("reading");
});

test("needs a fix if the verification of one migration failed, although a later one of another passed", async () => {
  const [address, out] = ["203.0.113.7", join(folder, "report.html")];
  const verifyFile = (name: string, minute: string, findings: readonly object[]) =>
    file(`${name}.json`, {
      time: `2026-11-21T10:${minute}:00Z`,
      migrations: [{ name }],
      ok: findings.length === 0,
      results: [{ hostname: `${name}.example.com`, address, ok: true }],
      findings,
    });
  const finding = { code: "primary-not-served", severity: "error", subject: address, message: "refused", remedy: "r" };
  const files = [verifyFile("shop", "00", [finding]), verifyFile("pay", "05", [])];
  const words = ["report", ...files.flatMap((path) => ["--verify", path]), "--out", out];
  expect((await runCli(words)).stderr).toBe("Needs a fix: verify found 1 further error.\n");
  expect(readFileSync(out, "utf8")).toContain("primary-not-served");
});
