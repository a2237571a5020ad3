import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ActivityStore, answerActivityRequest, createActivityStore } from "../../lib/audit";
import { assignRole, record } from "./activities";

const root = join(__dirname, "..", "..");
const startMs = Date.parse("2026-11-21T10:00:00Z");
/** Virtual time that each process covers, in milliseconds. */
const shareMs = 2_000;

export interface KillResult {
  /** Processes that were killed. */
  readonly killed: number;
  /** Requests with an injected fault. */
  readonly faults: number;
  readonly happened: readonly string[];
  readonly written: readonly string[];
}

/** Generates the same pseudorandom numbers in [0, 1) for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Tails a stream of late, unordered and repeated events with processes that are killed one after another, then with a
 * process that runs to its end. Returns the counts of kills and faults and the written events.
 */
export async function runKills(kills: number, seed: number): Promise<KillResult> {
  const random = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), "audit-kills-"));
  const child = compileChild(folder);
  const data = join(folder, "data");
  mkdirSync(data);
  const { store, happened } = makeStream(kills, random);
  const counts = { faults: 0 };
  const server = await serve(store, random, counts);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  let killed = 0;
  try {
    for (let run = 0; run < kills; run++) {
      // Half of the processes end during a file operation, the other half at a random moment.
      const operation = run % 2 === 0 ? 1 + Math.floor(random() * 40) : 0;
      const process = start(child, [url, data, String(startMs + run * shareMs), String(operation), "false"]);
      // The pause begins at the first request, so that the startup time of a process has no effect.
      const pauseMs = random() * 250;
      let timer: NodeJS.Timeout | undefined;
      const kill = () => {
        if (operation === 0) timer = setTimeout(() => process.kill("SIGKILL"), pauseMs);
      };
      server.once("request", kill);
      const signal = await ended(process);
      server.off("request", kill);
      clearTimeout(timer);
      if (signal.signal === "SIGKILL") killed += 1;
      else throw new Error(`the tail ended by itself: ${signal.errors}`);
    }
    const last = await ended(start(child, [url, data, String(startMs + kills * shareMs + 3_600_000), "0", "true"]));
    if (last.code !== 0) throw new Error(`the last tail failed: ${last.errors}`);
    const written = readFileSync(join(data, "events"), "utf8").trimEnd().split("\n");
    return { killed, faults: counts.faults, happened, written };
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles the child process once; compiling in each process would make its start ten times slower. */
function compileChild(folder: string): string {
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      rootDir: root,
      outDir: folder,
      declaration: false,
      noCheck: true,
      typeRoots: [join(root, "node_modules/@types")],
    },
    include: [],
    files: [require.resolve("./tail-child.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { cwd: root, stdio: "pipe" });
  cpSync(join(root, "lib/discovery/descriptions"), join(folder, "lib/discovery/descriptions"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return join(folder, "test/audit/tail-child.js");
}

function makeStream(
  kills: number,
  random: () => number,
): { readonly store: ActivityStore; readonly happened: readonly string[] } {
  const store = createActivityStore({ now: () => new Date(startMs) });
  const happened: string[] = [];
  for (let index = 0; index < kills * 4; index++) {
    // Some events have the same time.
    const timeMs = startMs + Math.floor((random() * (kills + 1) * shareMs) / 50) * 50;
    const lateMs = random() < 0.5 ? 0 : Math.floor(random() * 8_000);
    const names = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, sibling) => `${index}.${sibling}`);
    const given = record(
      names.map((name) => assignRole(name)),
      { time: new Date(timeMs).toISOString(), qualifier: String(index) },
    );
    store.ingest(given, { visibleFrom: new Date(timeMs + lateMs) });
    happened.push(...names);
  }
  return { store, happened };
}

/** Starts a service that uses the client's clock, repeats records, lists them unordered, and sometimes fails. */
async function serve(store: ActivityStore, random: () => number, counts: { faults: number }): Promise<Server> {
  const server = createServer((request, response) => {
    const url = request.url ?? "/";
    const now = new Date(Date.parse(new URL(url, "http://localhost").searchParams.get("endTime") ?? "") + 100);
    const { status, body } = answerActivityRequest(
      { method: "GET", url },
      { store, now: () => now, authorize: () => true },
    );
    const items = "items" in body ? (body.items as readonly unknown[]) : [];
    const disordered = [...items, ...items.filter(() => random() < 0.2)].sort(() => random() - 0.5);
    const text = JSON.stringify({ ...body, items: disordered });
    const fault = random();
    if (fault < 0.1) counts.faults += 1;
    if (fault < 0.03) response.socket?.destroy();
    else if (fault < 0.06) response.writeHead(503).end();
    else if (fault < 0.1) response.end(text.slice(0, text.length / 2));
    else response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function start(child: string, given: readonly string[]): ChildProcess {
  return spawn(process.execPath, [child, ...given], { stdio: ["ignore", "ignore", "pipe"] });
}

function ended(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly signal: string | null; readonly errors: string }> {
  const errors: string[] = [];
  child.stderr?.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  return new Promise((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal, errors: errors.join("") })),
  );
}
