/** A real Prometheus scrapes `monitor --listen`, evaluates the alert rules and answers the queries of the dashboard. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeActiveCertificate, makeLoadBalancer, makeMap, makeZone, parent, startTestCloud } from "../support/cloud";
import { testIo } from "../support/io";
import { readOnlyCommands } from "../support/read-only";
import { servedOutputs } from "../support/served-outputs";
import { until } from "../support/until";

jest.setTimeout(300_000);

const examples = join(__dirname, "..", "..", "examples", "monitoring");
let cloud: Awaited<ReturnType<typeof startTestCloud>>;
let folder: string;
let prometheus: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-prometheus-"));
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.");
  const certificate = await makeActiveCertificate(cloud, "shop", "example-com", ["example.com"]);
  const certificateMap = await makeMap(cloud, "shop", { "example.com": [certificate] });
  await makeLoadBalancer(cloud, "shop", { certificateMap });
  await cloud.clock.advance(60_000);
  const address = cloud.listeners()[0]?.ipAddress ?? "";
  const outputs = servedOutputs({ certificate, address, path: "shop/shop" });
  writeFileSync(join(folder, "outputs.json"), JSON.stringify(outputs));
});

afterAll(async () => {
  prometheus?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

const commands = readOnlyCommands(() => cloud.requests());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Starts Prometheus with the alert rules of the example. @returns its address */
async function startPrometheus(target: string): Promise<string> {
  const port = await freePort();
  const settings = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [join(examples, "rules.yaml")],
    scrape_configs: [{ job_name: "cert-migration", static_configs: [{ targets: [target] }] }],
  };
  const file = join(folder, "prometheus.yml");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(settings));
  prometheus = spawn(
    "prometheus",
    [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, "data")}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: "ignore" },
  );
  await once(prometheus, "spawn");
  return `http://127.0.0.1:${port}`;
}

interface Answer {
  readonly status: string;
  readonly data: { readonly result: readonly { readonly metric: object; readonly value: readonly [number, string] }[] };
}

async function query(prometheusUrl: string, expression: string): Promise<Answer> {
  const response = await fetch(`${prometheusUrl}/api/v1/query?query=${encodeURIComponent(expression)}`);
  return (await response.json()) as Answer;
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

test("Prometheus gets every metric with its labels, answers each query of the dashboard, and knows each alert", async () => {
  const stopping = new AbortController();
  const now = cloud.clock.now();
  const env = { CERT_MIGRATION_REHEARSAL: cloud.endpoints.control };
  const io = testIo({ env, now: () => now, signal: stopping.signal });
  const { http, dns } = cloud.endpoints;
  const words = ["monitor", "--outputs", join(folder, "outputs.json"), "--endpoint", http, "--dns-server", dns];
  const running = commands.runWith([...words, "--listen", "127.0.0.1:0", "--every", "1h"], io);
  try {
    await until(io.err, (err) => err.includes("1 hostname, 0 errors"));
    const url = await startPrometheus(new URL(io.out().trim()).host);
    const scraped = () => query(url, "cert_migration_handshake_success").catch(() => undefined);
    let answer = await scraped();
    // Prometheus takes a few seconds to start and to scrape for the first time.
    for (let attempt = 0; attempt < 60 && answer?.data.result.length !== 1; attempt += 1) {
      answer = await until(scraped, (found) => found?.data.result.length === 1);
    }
    expect(answer?.data.result[0]).toEqual({
      metric: {
        __name__: "cert_migration_handshake_success",
        certificate: `${parent}/certificates/shop`,
        hostname: "example.com",
        instance: expect.any(String),
        job: "cert-migration",
        migration: "shop/shop",
      },
      value: [expect.any(Number), "1"],
    });
    const { panels } = JSON.parse(readFileSync(join(examples, "dashboard.json"), "utf8")) as Dashboard;
    for (const { title, targets } of panels) {
      for (const { expr } of targets) {
        const found = await query(url, expr.replaceAll("$hostname", ".*"));
        expect([title, found.status]).toEqual([title, "success"]);
        // What is not ACTIVE is listed, so the list is empty.
        const isList = expr.endsWith("== 0");
        const hasRecord = !expr.includes("record_published");
        expect([title, found.data.result.length > 0]).toEqual([
          title,
          !isList && (hasRecord || expr.includes("vector")),
        ]);
      }
    }
    const rules = (await (await fetch(`${url}/api/v1/rules`)).json()) as {
      readonly data: {
        readonly groups: readonly { readonly rules: readonly { readonly name: string; readonly health: string }[] }[];
      };
    };
    const healthy = rules.data.groups.flatMap((group) => group.rules).map(({ name, health }) => [name, health]);
    expect(healthy.map(([name]) => name)).toContain("MonitorStopped");
    expect(healthy.filter(([, health]) => health === "err")).toEqual([]);
  } finally {
    stopping.abort();
  }
  expect(await running).toBe(0);
});

test("the dashboard uses each metric of the monitor except its duration, and no other", async () => {
  const dashboard = readFileSync(join(examples, "dashboard.json"), "utf8");
  const used = new Set(dashboard.match(/cert_migration_\w+/g));
  const { exitCode } = await commands.run(
    [
      ...["monitor", "--outputs", join(folder, "outputs.json"), "--endpoint", cloud.endpoints.http],
      ...["--dns-server", cloud.endpoints.dns, "--metrics", join(folder, "out.prom")],
    ],
    { env: { CERT_MIGRATION_REHEARSAL: cloud.endpoints.control }, now: () => cloud.clock.now() },
  );
  expect(exitCode).toBe(0);
  const written = new Set(
    readFileSync(join(folder, "out.prom"), "utf8")
      .match(/^# TYPE (\S+)/gm)
      ?.map((line) => line.slice(7)),
  );
  written.delete("cert_migration_last_pass_duration_seconds");
  expect([...used].sort()).toEqual([...written].sort());
});
