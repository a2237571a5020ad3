import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { testIo } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { startMonitoredWorld } from "../support/monitored-world";
import { readOnlyCommands } from "../support/read-only";
import { until } from "../support/until";

let world: Awaited<ReturnType<typeof startMonitoredWorld>>;
beforeAll(async () => {
  world = await startMonitoredWorld();
});
afterAll(() => world.stop());

const commands = readOnlyCommands(() => world.cloud.requests());

/** Returns the status of a request whose path is sent as it is. */
function statusOf(path: string, url: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, (response) => resolve(response.resume().statusCode)).once("error", reject);
  });
}

test.each([
  ["1h", [60, 119], 122],
  ["1m", [3, 9], 11],
])("with --every %s, it is healthy %j minutes after a pass, and no longer after %i", async (every, healthy, silent) => {
  let now = world.cloud.clock.now();
  const endedAt = now.getTime();
  const stopping = new AbortController();
  const io = testIo({ ...world.ioOf(), now: () => now, signal: stopping.signal });
  const running = commands.runWith(world.wordsFor("--listen", "127.0.0.1:0", "--every", every), io);
  try {
    await until(io.err, (err) => err.includes("1 hostname, 0 errors"));
    const statuses: (number | undefined)[] = [];
    for (const minutes of [...healthy, silent]) {
      now = new Date(endedAt + minutes * 60_000);
      statuses.push(await statusOf("/healthz", io.out().trim()));
    }
    expect(statuses).toEqual([...healthy.map(() => 200), 503]);
  } finally {
    stopping.abort();
  }
  expect(await running).toBe(0);
});

test("--listen goes on if the file of metrics can no longer be written", async () => {
  const gone = mkdtempSync(join(world.folder, "gone-"));
  const stopping = new AbortController();
  const io = testIo({ ...world.ioOf(), signal: stopping.signal });
  const words = world.wordsFor("--listen", "127.0.0.1:0", "--every", "1s", "--metrics", join(gone, "m.prom"));
  const running = commands.runWith(words, io);
  try {
    await until(io.err, (err) => err.includes("1 hostname, 0 errors"));
    rmSync(gone, { recursive: true });
    const goesOn = /^error: .*m\.prom.*\n(?:.*\n)*.*1 hostname, 0 errors/m;
    expect(await until(io.err, (err) => goesOn.test(err))).toMatch(goesOn);
    expect(await statusOf("/metrics", io.out().trim())).toBe(200);
  } finally {
    stopping.abort();
  }
  expect(await running).toBe(0);
});

test.each<[string, (file: string) => void]>([
  ["is missing", (file) => rmSync(file)],
  ["is being written", (file) => writeFileSync(file, readFileSync(file, "utf8").slice(0, 200))],
])("--listen goes on if the client certificate %s during a later pass, and the metrics show it", async (_, spoil) => {
  const [certificate, key] = [join(world.folder, "client.pem"), join(world.folder, "client.key")];
  const made = makeCertificate(["client.example.com"]);
  writeFileSync(certificate, made.certificatePem);
  writeFileSync(key, made.privateKeyPem);
  const stopping = new AbortController();
  const io = testIo({ ...world.ioOf(), signal: stopping.signal });
  const words = ["--listen", "127.0.0.1:0", "--every", "1s", "--client-certificate", certificate, "--client-key", key];
  const running = commands.runWith(world.wordsFor(...words), io);
  const success = async () =>
    /^cert_migration_last_pass_success (\d)/m.exec(await (await fetch(io.out().trim())).text())?.[1];
  try {
    await until(io.err, (err) => err.includes("1 hostname"));
    spoil(certificate);
    const note = /client\.(?:pem|key).*; the next pass begins in 1 s/m;
    expect(await until(io.err, (err) => note.test(err))).toMatch(note);
    expect(await success()).toBe("0");
    writeFileSync(certificate, made.certificatePem);
    expect(await until(success, (found) => found === "1")).toBe("1");
  } finally {
    stopping.abort();
  }
  expect(await running).toBe(0);
});

test("--listen ends if a CA's file is missing at the first pass: its input has never been right", async () => {
  const io = testIo(world.ioOf());
  const words = world.wordsFor("--listen", "127.0.0.1:0", "--ca", join(world.folder, "never.pem"));
  expect([await commands.runWith(words, io), io.err()]).toEqual([2, expect.stringMatching(/^error: .*never\.pem/m)]);
});

test("--listen serves the metrics of the latest pass in both formats, and its health, until it is stopped", async () => {
  const stopping = new AbortController();
  const io = testIo({ ...world.ioOf(), signal: stopping.signal });
  const running = commands.runWith(world.wordsFor("--listen", "127.0.0.1:0", "--every", "1h"), io);
  try {
    await until(io.err, (err) => err.includes("1 hostname, 0 errors"));
    const url = io.out().trim();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const fetched = async (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
      const response = await fetch(new URL(path, url), { method, headers });
      return [response.status, response.headers.get("content-type"), await response.text()] as const;
    };
    const [status, type, text] = await fetched("/metrics");
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(text).toMatch(/^cert_migration_handshake_success\{hostname="example\.com",.*\} 1$/m);
    const [, openType, openText] = await fetched("/metrics", { accept: "application/openmetrics-text; version=1.0.0" });
    expect(openType).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(openText).toMatch(/\n# EOF\n$/);
    expect(await fetched("/healthz")).toEqual([200, "text/plain; charset=utf-8", "ok\n"]);
    expect((await fetched("/"))[0]).toBe(404);
    expect(await statusOf("//", url)).toBe(404);
    expect(await statusOf("/metrics?name[]=x", url)).toBe(200);
    expect((await fetched("/metrics", {}, "POST"))[0]).toBe(405);
  } finally {
    stopping.abort();
  }
  expect(await running).toBe(0);
  await expect(fetch(io.out().trim())).rejects.toThrow();
});
