import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LoopbackServer, startServer } from "../support/loopback";

/** A service that accepts requests and never responds. */
let service: LoopbackServer;
let folder: string;
let asked: () => void;

beforeAll(async () => {
  service = await startServer(() => asked());
  folder = mkdtempSync(join(tmpdir(), "cert-migration-main-"));
  const names = Array.from({ length: 600 }, (_, index) => `  - domains: [n${index}.example.com]\n`);
  writeFileSync(join(folder, "large.yaml"), `name: large\ncertificates:\n${names.join("")}dns: { kind: external }\n`);
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

jest.setTimeout(30_000);
const children = new Set<ChildProcessWithoutNullStreams>();

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

function start(...words: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ["--require", "tsx/cjs", "lib/cli/main.ts", ...words], {
    cwd: join(__dirname, "..", ".."),
    env: { ...process.env, NODE_NO_WARNINGS: "1", CERT_MIGRATION_ENDPOINT: service.url },
  });
  children.add(child);
  return child;
}

async function ended(child: ChildProcessWithoutNullStreams) {
  const stderr: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const [exitCode, signal] = await new Promise<readonly [number | null, string | null]>((resolve) =>
    child.once("close", (...how) => resolve(how)),
  );
  return { exitCode, signal, stderr: Buffer.concat(stderr).toString() };
}

test("ends quietly when a pipe is closed early", async () => {
  const child = start("plan", "--spec", join(folder, "large.yaml"), "--json");
  child.stdout.once("data", () => child.stdout.destroy());
  expect(await ended(child)).toEqual({ exitCode: 0, signal: null, stderr: "" });
});

test("ends at Ctrl-C although the service never answers, and reports the state", async () => {
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const child = start("wait", "--certificate", "projects/p/locations/global/certificates/c");
  const end = ended(child);
  // If the command ends early, the assertion below shows its error.
  await Promise.race([isAsked, end]);
  child.kill("SIGINT");
  expect(await end).toEqual({
    exitCode: 5,
    signal: null,
    // On a slow machine, progress lines come first.
    stderr: expect.stringMatching(
      /^(?:0 of 1 certificate, .*\n)*1 of 1 certificate not active when the wait was stopped; nothing was changed, and nothing is known of them: no request was answered\n$/,
    ),
  });
});

test("ends at Ctrl-C while it waits for a pipe without data", async () => {
  const read = ["--spec", "--outputs"].map(async (option) => {
    const pipe = join(folder, `pipe${option}`);
    execFileSync("mkfifo", [pipe]);
    const child = start("plan", option, pipe);
    const end = ended(child);
    // Opening a pipe for writing waits until the command opens the pipe for reading.
    const writer = await open(pipe, "w");
    child.kill("SIGINT");
    const how = await end;
    await writer.close();
    return how;
  });
  const stopped = { exitCode: 130, signal: null, stderr: "stopped before the end; nothing was changed [stopped]\n" };
  expect(await Promise.all(read)).toEqual([stopped, stopped]);
});

test("ends at Ctrl-C while it reads endless standard input", async () => {
  const child = start("plan", "--outputs", "-");
  child.stdin.on("error", () => undefined);
  child.stdin.write("{");
  const end = ended(child);
  // This is more than a pipe buffers: once the write completes, the command is reading.
  await new Promise((resolve) => child.stdin.write(" ".repeat(4_000_000), resolve));
  child.kill("SIGINT");
  expect(await end).toEqual({
    exitCode: 130,
    signal: null,
    stderr: "stopped before the end; nothing was changed [stopped]\n",
  });
});

describe("a version of Node", () => {
  const run = (version: string) => {
    const preload = join(folder, `node-${version}.cjs`);
    const versions = `{ value: { ...process.versions, node: ${JSON.stringify(version)} } }`;
    writeFileSync(preload, `Object.defineProperty(process, "versions", ${versions});`);
    return ended(
      spawn(process.execPath, ["--require", "tsx/cjs", "--require", preload, "lib/cli/main.ts", "plan", "--help"], {
        cwd: join(__dirname, "..", ".."),
        env: { ...process.env, NODE_NO_WARNINGS: "1" },
      }),
    );
  };

  test.each(["18.20.4", "20.8.1", "9.11.2"])("that is not supported, as %s, is reported first", async (version) => {
    expect(await run(version)).toEqual({
      exitCode: 2,
      signal: null,
      stderr: `error: Node ${version} is not supported; cert-migration needs Node 20.9 or later: install it, or select it with your version manager [node-unsupported]\n`,
    });
  });

  test.each(["20.9.0", "22.1.0", "100.0.0"])("that is supported, as %s, is not reported", async (version) => {
    expect(await run(version)).toEqual({ exitCode: 0, signal: null, stderr: "" });
  });
});
