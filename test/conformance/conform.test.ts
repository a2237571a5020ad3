import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { groups } from "../../conformance/behaviors";
import { conform, type Surroundings } from "../../conformance/conform";
import { startRehearsalSide } from "../../conformance/rehearsal-side";
import { runSuite, select } from "../../conformance/run";
import { parent, startTestCloud, type TestCloud } from "../support/cloud";

const onGoogle = ["--project", "sandbox-1", "--domain", "sandbox.example.com", "--zone", "sandbox"];
const few = ["--only", "certificate-manager.operation"];

/** Runs the command with its own folders, and returns what it printed. */
async function run(words: readonly string[], more: Partial<Surroundings> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  let text = "";
  const add = (part: string) => {
    text += part;
  };
  const exitCode = await conform(words, {
    out: add,
    err: add,
    input: Readable.from([]),
    now: () => new Date("2026-11-28T12:00:00Z"),
    signal: new AbortController().signal,
    journals: join(folder, "journals"),
    results: join(folder, "results"),
    prefix: "cf123456",
    wait: async () => undefined,
    ...more,
  });
  const files = (name: string) => {
    try {
      return readdirSync(join(folder, name)).map((file) => join(folder, name, file));
    } catch {
      return [];
    }
  };
  return { exitCode, text, journals: files("journals"), results: files("results") };
}

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ behavior: { operationMs: 0 } });
  const zone = { name: "sandbox", dnsName: "sandbox.example.com.", description: "the sandbox of the user" };
  await cloud.make("POST", "/dns/v1/projects/sandbox-1/managedZones", zone);
});
afterAll(() => cloud.stop());
const elsewhere = () => ["--endpoint", cloud.endpoints.http.replace(/\/$/, "")];
const mapsLeft = async () =>
  (await cloud.make("GET", "/v1/projects/sandbox-1/locations/-/certificateMaps")).certificateMaps;

test("compares with the rehearsal cloud, also over HTTPS", async () => {
  expect(await run(few)).toMatchObject({ exitCode: 0, text: "8 passed, 0 failed\n", results: [] });
  expect(await run([...few, "--https"])).toMatchObject({ exitCode: 0, text: "8 passed, 0 failed\n" });
});

test("writes the results of a rehearsal with --record, without the project", async () => {
  const { results } = await run([...few, "--record"]);
  const text = readFileSync(results[0] ?? "", "utf8");
  expect(results[0]).toMatch(/2026-11-28-rehearsal\.json$/);
  expect(JSON.parse(text).behaviors["certificate-manager.operation.name"]).toEqual({
    result: "as expected",
    seen: "projects/{project}/locations/global/operations/{operation}",
  });
  expect(text).not.toMatch(/conformance-sandbox|cf000000|sandbox\.example/);
});

const changes = () => cloud.requests().filter(({ mutation }) => mutation).length;

test("prints what it creates, costs, takes and needs before the first change, and changes nothing without a yes", async () => {
  const sent = changes();
  const { exitCode, text, journals } = await run([...onGoogle, ...few, ...elsewhere()]);
  expect(exitCode).toBe(2);
  expect(text).toContain("All names begin with cf123456");
  expect(text).toContain("certificateMaps (certificatemanager)");
  expect(text).toMatch(/Needs these permissions:[\s\S]*certificatemanager\.certmaps\.delete/);
  expect(text).toContain("nothing was created");
  expect(journals).toEqual([]);
  expect(changes()).toBe(sent);
});

test("runs against another endpoint after a yes, and deletes everything", async () => {
  const { exitCode, text, journals } = await run([...onGoogle, ...few, ...elsewhere()], {
    input: Readable.from("yes\n"),
  });
  expect(text).toContain("8 passed, 0 failed");
  expect(exitCode).toBe(0);
  expect(journals).toHaveLength(1);
  expect(await mapsLeft()).toEqual([]);
});

test("deletes everything after Ctrl-C", async () => {
  const stopping = new AbortController();
  let text = "";
  const { exitCode } = await run([...onGoogle, ...few, ...elsewhere(), "--yes"], {
    signal: stopping.signal,
    out: (part) => {
      text += part;
      if (part.startsWith("as expected")) stopping.abort(new Error("stopped"));
    },
  });
  expect(exitCode).toBe(2);
  expect(text).toContain("0 are left");
  expect(await mapsLeft()).toEqual([]);
});

test("stops and deletes at the time limit", async () => {
  const limit = new AbortController();
  let text = "";
  const { exitCode } = await run([...onGoogle, ...few, ...elsewhere(), "--yes", "--limit", "30"], {
    timeout: () => limit.signal,
    out: (part) => {
      text += part;
      if (part.startsWith("as expected")) limit.abort(new Error("over"));
    },
  });
  expect(exitCode).toBe(2);
  expect(text).toContain("the time limit of 30 minutes is over");
  expect(await mapsLeft()).toEqual([]);
});

test("ends with one finding in a project with a disabled API", async () => {
  await cloud.make("POST", "/v1/projects/sandbox-1/services/certificatemanager.googleapis.com:disable", {});
  const { exitCode, text } = await run([...onGoogle, ...few, ...elsewhere(), "--yes"]);
  await cloud.make("POST", "/v1/projects/sandbox-1/services/certificatemanager.googleapis.com:enable", {});
  expect(exitCode).toBe(2);
  expect(text).toContain("0 are left");
  expect(text.match(/was refused \(api-disabled\)/g)).toHaveLength(1);
});

test.each([
  ["a zone that does not exist", ["--zone", "missing"], "can't be read"],
  ["a domain that the zone does not contain", ["--domain", "other.example"], "is the zone of sandbox.example.com."],
])("creates nothing with %s", async (_, words, why) => {
  await expect(run([...onGoogle, ...words, ...few, ...elsewhere(), "--yes"])).rejects.toThrow(why);
  expect(await mapsLeft()).toEqual([]);
});

test("refuses a selection without a behavior", async () => {
  await expect(run(["--only", "certificate-manager.nothing"])).rejects.toThrow("leave no behavior to observe");
});

test("deletes what a journal names, and nothing else", async () => {
  await cloud.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=shop`, {});
  const { exitCode, journals } = await run([...onGoogle, ...few, ...elsewhere(), "--yes"]);
  expect(exitCode).toBe(0);
  const cleanup = ["--cleanup", journals[0] ?? "", ...elsewhere()];
  await expect(run(cleanup.slice(0, 2))).rejects.toThrow("the journal is of a run at 'http://127.0.0.1");
  await cloud.make(
    "POST",
    "/v1/projects/sandbox-1/locations/global/certificateMaps?certificateMapId=cf123456-operation",
    {},
  );
  for (const words of [[...cleanup, "--dry-run"], cleanup]) {
    const { text } = await run(words);
    expect(text).toContain("certificateMaps projects/sandbox-1/locations/global/certificateMaps/cf123456-operation\n");
    expect(await mapsLeft()).toHaveLength(1);
  }
  const again = await run([...cleanup, "--yes"]);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.text).toContain("0 are left");
  expect((await cloud.call("GET", `/v1/${parent}/certificateMaps/shop`)).status).toBe(200);
});

test("does not clean up while the Terraform of a killed trial may still create something", async () => {
  const folder = mkdtempSync(join(tmpdir(), "killed-trial-"));
  const journal = join(folder, "cf123456.jsonl");
  const lock = join(folder, "cf123456-trial", ".terraform.tfstate.lock.info");
  const header = { version: 1, project: "sandbox-1", domain: "d.example", zone: "z", prefix: "cf123456" };
  writeFileSync(journal, `${JSON.stringify({ ...header, startedAt: "2026-11-28T12:00:00Z" })}\n`);
  mkdirSync(dirname(lock));
  writeFileSync(lock, "{}");
  await expect(run(["--cleanup", journal, "--yes"])).rejects.toThrow("Terraform may still run for this trial");
  rmSync(lock);
  expect(await run(["--cleanup", journal, "--yes"])).toMatchObject({ exitCode: 0 });
});

test("sends no request before its announcement and the question", async () => {
  const sent = cloud.requests().length;
  const { text } = await run([...onGoogle, ...few, ...elsewhere()]);
  expect(text).toMatch(/Needs these permissions:[\s\S]* {2}dns\.managedZones\.get\n/);
  expect(cloud.requests().length).toBe(sent);
});

test("deletes everything after Ctrl-C, also if the program behind a pipe has ended", async () => {
  const words = ["--import", "tsx", join(__dirname, "..", "..", "conformance", "main.ts")];
  const cwd = mkdtempSync(join(tmpdir(), "pipe-"));
  symlinkSync(join(__dirname, "..", "..", "node_modules"), join(cwd, "node_modules"));
  const child = spawn(process.execPath, [...words, ...onGoogle, ...few, ...elsewhere(), "--yes"], { cwd });
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (text: Buffer) => text.toString().includes("as expected") && resolve());
  });
  child.stdout.destroy();
  child.stderr.destroy();
  child.kill("SIGINT");
  const exitCode = await new Promise((resolve) => child.once("close", resolve));
  expect(exitCode).toBe(2);
  expect(await mapsLeft()).toEqual([]);
}, 60_000);

test("prints the requests of a dry run with placeholders", async () => {
  const { exitCode, text } = await run([...few, "--dry-run"]);
  expect(exitCode).toBe(0);
  expect(text).toContain(
    "POST https://certificatemanager.googleapis.com/v1/projects/PROJECT/locations/global/certificateMaps?certificateMapId=PREFIX-operation",
  );
  expect(text).toContain("GET https://certificatemanager.googleapis.com/v1/{certificateMaps.create.name}");
  expect(text).toContain("no request was sent to Google Cloud");
});

test("prints a dry run for the given project, with the requests of a run on Google Cloud", async () => {
  const { text } = await run([...onGoogle, "--dry-run", "--only", "service-usage,logging.expiry-log"]);
  expect(text).toContain("GET https://serviceusage.googleapis.com/v1/projects/sandbox-1/services");
  // Only the rehearsal switches an API of the project off and on.
  expect(text).not.toMatch(/PROJECT|googleapis\.com:(?:enable|disable)|expiring|https:\/\/\{/);
});

test("leaves an API that the project has disabled as it is", async () => {
  await using rehearsal = await startRehearsalSide();
  const { side } = rehearsal;
  const name = `projects/${side.project}/services/certificatemanager.googleapis.com`;
  await side.call("serviceusage.services.disable", { name }, {}, { isOwn: true });
  const { observations } = await runSuite(select(groups, { only: ["service-usage.changes.enable-again"] }), { side });
  expect(observations).toEqual([expect.objectContaining({ problem: expect.stringContaining("is not enabled") })]);
  expect(await side.make("serviceusage.services.get", { name })).toMatchObject({ state: "DISABLED" });
});

test("takes Ctrl-C at the question for a no", async () => {
  const stopping = new AbortController();
  const input = new PassThrough();
  let printed = "";
  const { exitCode } = await run([...onGoogle, ...few, ...elsewhere()], {
    input,
    signal: stopping.signal,
    out: (part) => {
      printed += part;
      if (part.startsWith("Start?")) stopping.abort(new Error("stopped"));
    },
  });
  expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: expect.stringContaining("nothing was created") });
  expect(await mapsLeft()).toEqual([]);
});

test.each([
  [["--project", "sandbox-1"], "--domain and --zone is missing"],
  [[...onGoogle, "--limit", "0"], "--limit '0' is not a number of minutes from 1 to 240"],
  [["--only", "kubernetes"], "'kubernetes' names no behaviors"],
  [["--trial", "--only", "logging", "--https"], "--only and --https is for the suite, not for --trial"],
  [["--trial", ...onGoogle, "--endpoint", "http://127.0.0.1:1"], "--endpoint is given with --trial"],
  [["--previous", "198.51.100.10"], "--previous is given without --trial"],
  [[...onGoogle.slice(0, 4), "--zone", "../x"], "--zone '../x' is not the name of a zone"],
  [[...onGoogle, "--endpoint", "foo"], "--endpoint 'foo' is not a URL"],
  [["--endpoint", "http://127.0.0.1:1"], "--endpoint is given without --project"],
  [["--colour"], "--colour"],
])("refuses %j", async (words, message) => {
  await expect(run(words)).rejects.toThrow(message);
});
