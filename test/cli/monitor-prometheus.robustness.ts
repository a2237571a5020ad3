/** A real Prometheus scrapes `monitor --listen`, evaluates the alert rules and answers the queries of the dashboard. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { parent } from "../support/cloud";
import { testIo } from "../support/io";
import { startMonitoredWorld } from "../support/monitored-world";
import { readOnlyCommands } from "../support/read-only";
import { until } from "../support/until";

jest.setTimeout(300_000);

const examples = join(__dirname, "..", "..", "examples", "monitoring");
let world: Awaited<ReturnType<typeof startMonitoredWorld>>;
let prometheus: ChildProcess | undefined;

beforeAll(async () => {
  world = await startMonitoredWorld();
});

afterAll(async () => {
  prometheus?.kill("SIGKILL");
  await world.stop();
});

const commands = readOnlyCommands(() => world.cloud.requests());

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
  const file = join(world.folder, "prometheus.yml");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(settings));
  prometheus = spawn(
    "prometheus",
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(world.folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
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
  const io = testIo({ ...world.ioOf(), signal: stopping.signal });
  const running = commands.runWith(world.wordsFor("--listen", "127.0.0.1:0", "--every", "1h"), io);
  try {
    await until(io.err, (err) => err.includes("1 hostname, 0 errors"));
    const url = await startPrometheus(new URL(io.out().trim()).host);
    const scraped = () => query(url, "cert_migration_handshake_success").catch(() => undefined);
    let answer = await scraped();
    // Prometheus takes a few seconds to start and to scrape for the first time.
    for (let attempt = 0; attempt < 6 && answer?.data.result.length !== 1; attempt += 1) {
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
        expect([title, found.data.result.length > 0]).toEqual([title, !isList]);
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
  const words = world.wordsFor("--metrics", join(world.folder, "out.prom"));
  const { exitCode } = await commands.run(words, world.ioOf());
  expect(exitCode).toBe(0);
  const written = new Set(
    readFileSync(join(world.folder, "out.prom"), "utf8")
      .match(/^# TYPE (\S+)/gm)
      ?.map((line) => line.slice(7)),
  );
  written.delete("cert_migration_last_pass_duration_seconds");
  expect([...used].sort()).toEqual([...written].sort());
});
