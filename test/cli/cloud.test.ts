import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { generateProject } from "../support/generated-project";
import { runCli, runWith, testIo } from "../support/io";

const folder = mkdtempSync(join(tmpdir(), "cli-cloud-"));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const main = join(__dirname, "..", "..", "lib", "cli", "main.ts");

interface Endpoints {
  readonly http: string;
  readonly dns: string;
  readonly trustBundle: string;
  readonly control: string;
}

/** Starts the command in a separate process, and waits for its first line. */
async function startCommand(words: readonly string[]) {
  const child = spawn(process.execPath, ["--require", "tsx/cjs", main, "cloud", ...words], {
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
  });
  running.add(child);
  const lines: string[] = [];
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const reader = createInterface(child.stdout);
  reader.on("line", (line) => lines.push(line));
  await Promise.race([once(reader, "line"), once(child, "close")]);
  return {
    endpoints: JSON.parse(lines[0] ?? "null") as Endpoints,
    lines,
    /** Sends a signal to the command, and returns its exit status. */
    stop: async (signal: "SIGTERM" | "SIGINT" | "SIGKILL") => {
      const closed = once(child, "close");
      child.kill(signal);
      const [exitCode] = await closed;
      running.delete(child);
      return { exitCode: exitCode as number | null, stderr: Buffer.concat(errors).toString() };
    },
  };
}

const zones = "dns/v1/projects/p1/managedZones";

test("serves HTTPS with --https too, and prints the address and the CA file to trust", async () => {
  const running = await startCommand(["--json", "--https"]);
  expect(running.endpoints).toMatchObject({
    https: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/$/),
    httpsTrustBundle: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
  });
  expect(await running.stop("SIGTERM")).toEqual({ exitCode: 0, stderr: "" });
});

it("the command cloud prints one line of JSON when ready, stops cleanly on SIGTERM and SIGINT, and keeps its state, even when killed", async () => {
  const state = join(folder, "state.journal");
  const first = await startCommand(["--json", "--state", state, "--speed", "0"]);
  expect(first.endpoints).toEqual({
    schemaVersion: 1,
    http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    dns: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    trustBundle: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
    control: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/_cloud\/$/),
  });
  const make = async (name: string) => {
    const body = JSON.stringify({ name, dnsName: `${name}.example.`, description: "" });
    const { status } = await fetch(`${first.endpoints.http}${zones}`, { method: "POST", body });
    expect(status).toBe(200);
  };
  await make("a");
  expect(await first.stop("SIGTERM")).toEqual({ exitCode: 0, stderr: "" });
  expect(first.lines).toHaveLength(1);

  const namesAt = async ({ http }: Endpoints) => {
    const { managedZones } = (await (await fetch(`${http}${zones}`)).json()) as {
      managedZones: readonly { name: string }[];
    };
    return managedZones.map(({ name }) => name);
  };
  const port = new URL(first.endpoints.http).port;
  const second = await startCommand(["--state", state, "--port", port]);
  expect([second.endpoints.http, second.endpoints.trustBundle]).toEqual([
    first.endpoints.http,
    first.endpoints.trustBundle,
  ]);
  await make("b");
  expect(await second.stop("SIGKILL")).toMatchObject({
    exitCode: null,
    stderr: expect.stringContaining(`the rehearsal cloud answers at ${second.endpoints.http}`),
  });

  const third = await startCommand(["--json", "--state", state]);
  expect(await namesAt(third.endpoints)).toEqual(["a", "b"]);
  expect(await third.stop("SIGINT")).toEqual({ exitCode: 0, stderr: "" });
}, 60_000);

it.each([
  ["in plain text", [], ""],
  ["as JSON with --json", ["--json"], expect.stringMatching(/^\{"schemaVersion":1,"http":/)],
])("the command cloud prints its addresses at a terminal %s", async (_, words, printed) => {
  const stopping = new AbortController();
  const [out, err]: [string[], string[]] = [[], []];
  const note = (lines: string[]) => (text: string) => {
    lines.push(text);
    setImmediate(() => stopping.abort(new Error("stopped")));
  };
  const stdout = { write: note(out), isTTY: true };
  const stderr = { write: note(err), isTTY: true };
  expect(await runWith(["cloud", ...words], testIo({ stdout, stderr, signal: stopping.signal }))).toBe(0);
  expect(out.join("")).toEqual(printed);
  expect(err.join("")).toMatch(words.length > 0 ? /^$/ : /^the rehearsal cloud answers at http:\/\/127/);
});

test.each<[what: string, words: readonly string[], message: string | RegExp]>([
  ["an invalid port", ["--port", "http"], "error: --port 'http' is not a port; use 0 to 65535 [port-malformed]\n"],
  ["a port that is empty", ["--dns-port", ""], "error: --dns-port '' is not a port; use 0 to 65535 [port-malformed]\n"],
  [
    "a port out of range",
    ["--port", "65536"],
    "error: --port '65536' is not a port; use 0 to 65535 [port-malformed]\n",
  ],
  [
    "an invalid speed",
    ["--speed", "fast"],
    "error: --speed 'fast' is not a number from 0 to 100000 [speed-malformed]\n",
  ],
  ["a speed that is empty", ["--speed", ""], "error: --speed '' is not a number from 0 to 100000 [speed-malformed]\n"],
  ["a speed below 0", ["--speed", "-1"], /speed/],
  [
    "a file of faults that isn't there",
    ["--faults", join(folder, "none.json")],
    /^error: --faults: '.*none\.json' can't be read: the file does not exist \[file-unreadable\]\n$/,
  ],
  [
    "faults that are not JSON",
    ["--faults", write("a.json", "{")],
    /^error: --faults: '.*a\.json' is not JSON: .*\[json-malformed\]\n$/,
  ],
  [
    "faults with mistakes",
    ["--faults", write("b.json", '{"requests":[{}],"colour":1}')],
    /^error: faults: 'requests\[0\]\.method' is missing \[faults-malformed\]\nerror: faults: 'colour' is unknown.*\[faults-malformed\]\n$/,
  ],
  [
    "a state that is something else",
    ["--state", write("c.txt", "notes\n")],
    /^error: .*c\.txt', line 1: this is not the state.*\[state-unreadable\]\n$/,
  ],
  [
    "a state in a folder that isn't there",
    ["--state", join(folder, "none", "x")],
    /^error: .*none\/x'.*\[state-[a-z]+\]\n$/,
  ],
  ["a state that is a folder", ["--state", folder], /^error: .*\[state-[a-z]+\]\n$/],
])("the command cloud fails for %s, with exit code 2", async (_what, words, message) => {
  // If the command starts by mistake, it must still end.
  const { exitCode, stdout, stderr } = await runCli(["cloud", ...words], { signal: AbortSignal.timeout(5_000) });
  expect([exitCode, stdout, stderr]).toEqual([
    2,
    "",
    typeof message === "string" ? message : expect.stringMatching(message),
  ]);
});

test.each(["--port", "--dns-port"])(
  "the command cloud fails for a %s that is in use, with exit code 2 and what to do",
  async (option) => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { readonly port: number };
    const { exitCode, stdout, stderr } = await runCli(["cloud", option, String(port)], {
      signal: AbortSignal.abort(),
    });
    server.close();
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^error: 127\.0\.0\.1 port \d+.* is in use: end what listens there, give another port, or none for a free one \[port-taken\]\n$/,
    );
  },
);

it("the command cloud warns of a world in which a list could not be read, and starts", async () => {
  const given = generateProject({
    seed: 1,
    now: new Date("2026-11-21T00:00:00Z"),
    forwardingRules: 1,
    certificates: 1,
  });
  const unread = [{ what: "certificates of Compute Engine", project: "shop-prod", reason: "HTTP 403" }];
  const world = write("world.json", JSON.stringify({ ...given, certificates: [], unread }));
  const stopping = new AbortController();
  const stdout = { write: () => stopping.abort() };
  const ended = await runCli(["cloud", "--world", world, "--json"], { signal: stopping.signal, stdout });
  expect(ended.stderr).toContain(
    `warning: --world: '${world}': the certificates of Compute Engine of the project shop-prod could not be read`,
  );
  expect(ended.exitCode).toBe(0);
  const complete = write("complete.json", JSON.stringify({ ...given, certificates: [] }));
  const refused = await runCli(["cloud", "--world", complete, "--json"], { signal: AbortSignal.timeout(5_000) });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("[project-inventory-malformed]")]);
});

it.each([
  ["--world", "pass the output of 'cert-migration inventory --project ID --json'"],
  ["--faults", "pass a file of faults (docs/rehearsal.md#scenarios)"],
])("the command cloud names what the file of %s should be if it is not JSON", async (option, advice) => {
  const { exitCode, stderr } = await runCli(["cloud", option, write("text.txt", "hello"), "--json"]);
  expect([exitCode, stderr.replace(/\n\s+/g, " ")]).toEqual([2, expect.stringContaining(`is not JSON`)]);
  expect(stderr.replace(/\n\s+/g, " ")).toContain(`; ${advice} [json-malformed]`);
});

it("the command cloud reads faults from a file", async () => {
  const faults = write("d.json", '{"requests":[{"method":"*","status":"UNAVAILABLE"}]}');
  const stopping = new AbortController();
  const seen: Promise<number>[] = [];
  const stdout = {
    write: (line: string) => {
      const { http } = JSON.parse(line) as Endpoints;
      const asked = fetch(`${http}${zones}`).then(({ status }) => status);
      seen.push(asked.finally(() => stopping.abort()));
    },
  };
  const { exitCode, stderr } = await runCli(["cloud", "--faults", faults], { signal: stopping.signal, stdout });
  expect([exitCode, await Promise.all(seen)]).toEqual([0, [503]]);
  expect(stderr).toContain("nothing leaves this machine");
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
