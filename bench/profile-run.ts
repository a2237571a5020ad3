import { execFileSync } from "node:child_process";
import { type HeapProfiler, type Profiler, Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ask, startServers } from "./cloud";
import { hostnamesOf, type Server, sides, startServer } from "./verify-sides";

/** Profiles DNS answers and the memory of `verify`, and prints Markdown. */
async function main(): Promise<void> {
  const [mode, given = "", count = ""] = process.argv.slice(2);
  if (mode === "heap")
    process.stdout.write(JSON.stringify(await measureHeap(JSON.parse(given) as Server, Number(count))));
  else process.stdout.write(`${await answersPart()}\n\n${await memoryPart()}`);
}

/** CPU time or octets by function. */
type Taken = Map<string, number>;

function take(taken: Taken, who: string, amount: number): void {
  taken.set(who, (taken.get(who) ?? 0) + amount);
}

function sumOf(taken: Taken): number {
  return [...taken.values()].reduce((sum, amount) => sum + amount, 0);
}

const root = join(__dirname, "..");

/** Returns the name of a function with its file. */
function nameOf({ functionName, url }: { readonly functionName: string; readonly url: string }): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  if (url === "" || url.startsWith("node:")) return url === "" ? name : `${name} in ${url}`;
  const file = url.startsWith("file://") ? fileURLToPath(url) : url;
  return `${name} in ${relative(root, file).replace(/\.js$/, ".ts")}`;
}

/** Returns the CPU time by function in microseconds, without idle time. */
function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Taken {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const taken: Taken = new Map();
  samples.forEach((id, at) => {
    const name = names.get(id) ?? "";
    if (name !== "(idle)" && name !== "(root)") take(taken, name, timeDeltas[at] ?? 0);
  });
  return taken;
}

const shown = 10;

function rowsOf(taken: Taken, format: (amount: number) => string): string {
  const all = sumOf(taken);
  return [...taken]
    .sort(([, one], [, other]) => other - one)
    .slice(0, shown)
    .map(([name, amount]) => `| ${name} | ${Math.round((amount / all) * 100)} % | ${format(amount)} |\n`)
    .join("");
}

/** Returns the category of a sample of the name server's process. */
function partOf(name: string): string {
  if (name.includes(" in lib/")) return "the name server's own functions: reading, looking up, writing";
  if (name === "send" || name.startsWith("doSend ")) return "sending by Node";
  if (name === "(garbage collector)") return "collecting garbage";
  return "receiving, and the rest of Node";
}

async function answersPart(): Promise<string> {
  const count = 200_000;
  const servers = await startServers();
  const [port] = servers.served.dns;
  await ask(port, count / 4, 32);
  const functions = selfTimes(await servers.profile(() => ask(port, count, 32)));
  await servers.end();
  const parts: Taken = new Map();
  for (const [name, microseconds] of functions) take(parts, partOf(name), microseconds);
  const each = (microseconds: number) => (microseconds / count).toFixed(2);
  return [
    `**DNS answers**, ${count} of them: ${each(sumOf(functions))} microseconds for each in which the process was not idle.`,
    `| What | Share | Microseconds for each |\n| --- | --- | --- |\n${rowsOf(parts, each)}`,
    `| Function | Share | Microseconds for each |\n| --- | --- | --- |\n${rowsOf(functions, each)}`,
  ].join("\n\n");
}

interface Heap {
  /** Sizes after garbage collection: before the run, while all results are referenced, and after their release. */
  readonly beforeMebibytes: number;
  readonly withResultsMebibytes: number;
  readonly afterMebibytes: number;
  /** MiB that were allocated, collected or not, by function. */
  readonly allocated: readonly (readonly [name: string, mebibytes: number])[];
}

async function measureHeap(server: Server, count: number): Promise<Heap> {
  await sides.own(hostnamesOf(200), server);
  const used = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const beforeMebibytes = used();
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  let results: unknown = await sides.own(hostnamesOf(count), server);
  const { profile } = await session.post("HeapProfiler.stopSampling");
  const allocated: Taken = new Map();
  const visit = ({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode) => {
    take(allocated, nameOf(callFrame), selfSize / 2 ** 20);
    for (const child of children) visit(child);
  };
  visit(profile.head);
  session.disconnect();
  const withResultsMebibytes = used();
  if (results === undefined) throw new Error("the run returned no results");
  results = undefined;
  return { beforeMebibytes, withResultsMebibytes, afterMebibytes: used(), allocated: [...allocated] };
}

/** Heap limits for the same work: without a limit, V8 lets the heap grow while memory is free. */
const limits: readonly (readonly [what: string, flags: readonly string[]])[] = [
  ["as large as V8 likes", []],
  ["40 MiB at most, 1 of them for what is young", ["--max-semi-space-size=1", "--max-old-space-size=40"]],
];

async function memoryPart(): Promise<string> {
  const { server, child } = await startServer();
  try {
    const peak = (flags: readonly string[], count: number) => {
      const words = [...flags, join(__dirname, "verify-run.js"), "own", String(count), JSON.stringify(server)];
      const run = JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as { maxMebibytes: number };
      return run.maxMebibytes;
    };
    const rows = limits.map(([what, flags]) => {
      const [few, many] = [peak(flags, 2_000), peak(flags, 20_000)];
      return `| ${what} | ${few.toFixed(0)} MiB | ${many.toFixed(0)} MiB | ${(many / few).toFixed(2)} |\n`;
    });
    const words = ["--expose-gc", __filename, "heap", JSON.stringify(server), "20000"];
    const heap = JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as Heap;
    const { beforeMebibytes, withResultsMebibytes, afterMebibytes } = heap;
    const allocated = new Map(heap.allocated);
    return [
      [
        "**Memory of `verify`**, 20000 hostnames. Size of the heap after garbage collection:",
        `${beforeMebibytes.toFixed(1)} MiB before the run, ${withResultsMebibytes.toFixed(1)} MiB while all results are`,
        `referenced, and ${afterMebibytes.toFixed(1)} MiB after they are released. The run allocated`,
        `${sumOf(allocated).toFixed(0)} MiB.`,
      ].join("\n"),
      `| Heap | Peak of the process, 2000 | 20000 | Ratio |\n| --- | --- | --- | --- |\n${rows.join("")}`,
      `| Function that allocated | Share | MiB |\n| --- | --- | --- |\n${rowsOf(allocated, (mebibytes) => mebibytes.toFixed(0))}`,
    ].join("\n\n");
  } finally {
    child.stdin?.end();
  }
}

void main();
