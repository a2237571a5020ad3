import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testIo } from "../support/io";
import { readOnlyCommands } from "../support/read-only";
import { servedHostnames, startServedCloud } from "../support/served-cloud";
import { servedOutputs } from "../support/served-outputs";
import { until } from "../support/until";

const pools = "privateca.projects.locations.caPools.fetchCaCerts";
const parent = "projects/p1/locations/global";

let served: Awaited<ReturnType<typeof startServedCloud>>;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-monitor-pool-"));
  served = await startServedCloud();
  const { cloud } = served;
  const [, address = ""] = /^(.*):\d+$/.exec(cloud.loadBalancers.listeners()[0]?.listen ?? "") ?? [];
  const { cert_migration } = servedOutputs({ certificate: `${parent}/certificates/private`, address });
  const [shop] = Object.values(cert_migration.value.migrations);
  const [certificate] = shop?.certificates ?? [];
  const config = await cloud.make("GET", `/v1/${parent}/certificates/private`);
  const { issuanceConfig } = config.managed as { readonly issuanceConfig: string };
  const privately = {
    ...{ ...certificate, domains: [servedHostnames.privateCa], isPrivatelyIssued: true },
    issuedBy: { existingIssuanceConfig: issuanceConfig },
  };
  const entry = { ...shop?.entries[0], hostname: servedHostnames.privateCa };
  // Without a map, the only address is the one of this machine.
  const migrations = { shop: { ...shop, certificates: [privately], entries: [entry], records: [], map: undefined } };
  writeFileSync(
    join(folder, "outputs.json"),
    JSON.stringify({ cert_migration: { value: { version: 1, migrations } } }),
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await served.prober.stop();
  await served.cloud.stop();
});
afterEach(() => served.cloud.faults.set({}));

const commands = readOnlyCommands(() => served.cloud.requests());

function wordsFor(...words: readonly string[]) {
  const { http, dns } = served.cloud.endpoints;
  const [, port = ""] = /:(\d+)$/.exec(served.cloud.loadBalancers.listeners()[0]?.listen ?? "") ?? [];
  const place = ["--endpoint", http, "--dns-server", dns, "--port", port];
  return ["monitor", "--outputs", join(folder, "outputs.json"), ...place, ...words];
}

const ioOf = () => ({ now: () => served.cloud.clock.now() });
const monitor = (...words: readonly string[]) => commands.run(wordsFor("--json", ...words), ioOf());

test("trusts the roots of the pools of the migration with --trust-pool alone", async () => {
  const handshakes = [];
  for (const words of [[], ["--trust-pool"]]) {
    const { stdout } = await monitor(...words);
    handshakes.push(JSON.parse(stdout).hostnames.map(({ handshake }: { readonly handshake: string }) => handshake));
  }
  expect(handshakes).toEqual([["todo"], ["done"]]);
});

test("writes metrics of a pass that could not read the pool", async () => {
  const file = join(folder, "m.prom");
  served.cloud.faults.set({ requests: [{ method: pools, status: "PERMISSION_DENIED" }] });
  expect((await monitor("--trust-pool", "--metrics", file)).exitCode).toBe(3);
  expect(existsSync(file) && readFileSync(file, "utf8")).toContain("cert_migration_last_pass_success 0\n");
});

test("--listen reads the pool again in the next pass, and names its roots once", async () => {
  served.cloud.faults.set({ requests: [{ method: pools, status: "PERMISSION_DENIED" }] });
  const stopping = new AbortController();
  const io = testIo({ ...ioOf(), signal: stopping.signal });
  const running = commands.runWith(wordsFor("--trust-pool", "--listen", "127.0.0.1:0", "--every", "1s"), io);
  const passes = (err: string) => err.split("1 hostname, ").length - 1;
  try {
    const waits = (err: string) => err.includes("the next pass begins in 1 s");
    expect(waits(await until(io.err, waits))).toBe(true);
    served.cloud.faults.set({});
    expect(passes(await until(io.err, (err) => passes(err) === 2))).toBe(2);
  } finally {
    stopping.abort();
  }
  expect(await running).toBe(0);
  expect(`\n${io.err()}`.split("\ntrusting ").length - 1).toBe(1);
});
