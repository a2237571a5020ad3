/** Gates whose Terraform is killed, with real Terraform and real processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ancestorOf, hasEnded, type ProcessEntry, readProcess } from "../../lib/cli/processes";
import { whileStarterRuns } from "../../lib/cli/starter";
import { gateRun, rehearsalProcess, waitEnvironment } from "../../lib/gate-call";
import { testIo } from "../support/io";

jest.setTimeout(60_000);

const root = join(__dirname, "..", "..");

test("finds a process of this machine and its parent, and that a process has ended", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  const entry = readProcess(child.pid ?? 0);
  expect(entry).toMatchObject({ pid: child.pid, parent: process.pid });
  expect(hasEnded(entry as ProcessEntry)).toBe(false);
  expect(hasEnded({ ...(entry as ProcessEntry), startedAt: "earlier" })).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(hasEnded(entry as ProcessEntry)).toBe(true);
});

const table: readonly ProcessEntry[] = [
  { pid: 2, parent: 1, name: "bash" },
  { pid: 3, parent: 2, name: "terraform", startedAt: "a" },
  { pid: 4, parent: 3, name: "sh" },
  { pid: 5, parent: 4, name: "node" },
  { pid: 6, parent: 2, name: "node" },
  { pid: 7, parent: 7, name: "loop" },
];
const readFrom = (all: readonly ProcessEntry[]) => (pid: number) => all.find((one) => one.pid === pid);

test.each([
  [5, 3],
  [6, undefined],
  [7, undefined],
  [99, undefined],
])("finds the Terraform above the process %s: %s", (pid, expected) => {
  expect(ancestorOf(pid, /^(?:terraform|tofu)/, readFrom(table))?.pid).toBe(expected);
});

test.each([
  ["without Terraform", table.filter(({ pid }) => pid !== 3)],
  ["with another process under its id", table.map((one) => (one.pid === 3 ? { ...one, startedAt: "b" } : one))],
])("stops a gate %s, and prints the reason", async (_, later) => {
  let all = table;
  let look = () => {};
  const io = testIo();
  const watching = {
    pid: 5,
    read: (pid: number) => readFrom(all)(pid),
    repeat: (work: () => void) => {
      look = work;
      return () => {};
    },
  };
  const done = whileStarterRuns(io, ({ signal }) => once(signal, "abort").then(() => signal.aborted), watching);
  look();
  all = later;
  look();
  look();
  expect(await done).toBe(true);
  expect(io.err()).toBe("terraform, which started this gate, no longer exists: the gate stops [gate-stopped]\n");
});

test.each([
  ["before", [7]],
  ["after", []],
])("stops a gate whose rehearsal ended %s the start of the gate, although Terraform still runs", async (_, ended) => {
  let all = table.filter(({ pid }) => !ended.some((one) => one === pid));
  let look = () => {};
  const io = testIo({ env: { [rehearsalProcess]: "7" } });
  const watching = {
    pid: 5,
    read: (pid: number) => readFrom(all)(pid),
    repeat: (work: () => void) => {
      look = work;
      return () => {};
    },
  };
  const done = whileStarterRuns(
    io,
    async ({ signal }) => {
      if (!signal.aborted) await once(signal, "abort");
      return signal.aborted;
    },
    watching,
  );
  all = table.filter(({ pid }) => pid !== 7);
  look();
  expect(await done).toBe(true);
  expect(io.err()).toBe("the rehearsal, which started this gate, no longer exists: the gate stops [gate-stopped]\n");
});

test("runs a gate to its end on a system without a list of processes", async () => {
  const io = testIo({ env: { [rehearsalProcess]: "7" } });
  const watching = { pid: 5, read: () => undefined, repeat: () => () => {} };
  expect(await whileStarterRuns(io, async ({ signal }) => signal.aborted, watching)).toBe(false);
  expect(io.err()).toBe("");
});

/** A service that never answers, so that a gate waits for it. */
let server: Server;
let folder: string;
let terraform: ChildProcess | undefined;
let gate: ProcessEntry | undefined;
let asked: Promise<unknown>;
const sockets = new Set<Socket>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "starter-"));
  server = createServer(() => {});
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  asked = once(server, "request");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  terraform?.kill("SIGKILL");
  if (gate !== undefined && !hasEnded(gate)) process.kill(gate.pid, "SIGKILL");
  gate = undefined;
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const call = waitEnvironment({
  kind: "certificates",
  names: ["projects/my-project/locations/global/certificates/shop"],
  timeout: "60m",
});
const program = [process.execPath, "-r", "tsx/cjs", join(root, "lib", "cli", "main.ts")];

function environment(): NodeJS.ProcessEnv {
  const { port } = server.address() as AddressInfo;
  return {
    ...process.env,
    NODE_PATH: join(root, "node_modules"),
    TSX_TSCONFIG_PATH: join(root, "tsconfig.json"),
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: "/dev/null",
    CERT_MIGRATION_ENDPOINT: `http://127.0.0.1:${port}`,
  };
}

/** Applies a gate, and returns when it waits. */
async function startGate(more: NodeJS.ProcessEnv = {}): Promise<ProcessEntry> {
  // The shell of the provisioner and another shell are between Terraform and the gate, as with npx.
  writeFileSync(
    join(folder, "program.sh"),
    `${program.map((word) => `"${word}"`).join(" ")} "$@" & echo $! > pid; wait\n`,
  );
  const run = gateRun("sh program.sh", call);
  const terraform_data = { gate: { provisioner: [{ "local-exec": run }] } };
  writeFileSync(join(folder, "main.tf.json"), JSON.stringify({ resource: { terraform_data } }));
  terraform = spawn("terraform", ["apply", "-auto-approve", "-input=false", "-no-color"], {
    cwd: folder,
    env: { ...environment(), ...more },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await asked;
  return readProcess(Number(readFileSync(join(folder, "pid"), "utf8"))) as ProcessEntry;
}

/** Returns when the connections of the gate are closed, which happens when the gate stops. */
function disconnected(): Promise<unknown> {
  return Promise.all([...sockets].map((socket) => (socket.destroyed ? undefined : once(socket, "close"))));
}

test("ends a gate whose Terraform was killed with SIGKILL, although the shells between them go on", async () => {
  gate = await startGate();
  expect(ancestorOf(gate.pid, /^terraform/)?.pid).toBe(terraform?.pid);
  const shell = readProcess(gate.parent) as ProcessEntry;
  terraform?.kill("SIGKILL");
  await disconnected();
  // The shells wait for the gate, so they end after it.
  while (!hasEnded(shell)) await new Promise((resolve) => setImmediate(resolve));
  expect(hasEnded(gate)).toBe(true);
});

test("ends a gate whose rehearsal was killed with SIGKILL, although Terraform goes on", async () => {
  const rehearsal = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  gate = await startGate({ [rehearsalProcess]: String(rehearsal.pid) });
  rehearsal.kill("SIGKILL");
  // The gate fails, and Terraform with it.
  await once(terraform as ChildProcess, "exit");
  expect(hasEnded(gate)).toBe(true);
});

test("ends a gate whose output no longer has a reader, for example on a system without a list of processes", async () => {
  const [node = "", ...words] = program;
  const child = spawn(node, [...words, "wait", "--from-environment"], {
    cwd: folder,
    env: { ...environment(), ...call.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  gate = readProcess(child.pid ?? 0);
  await asked;
  child.stdout.destroy();
  child.stderr.destroy();
  await once(child, "exit");
  expect(child.signalCode).toBeNull();
});
