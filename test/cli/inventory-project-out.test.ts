import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cloud } from "../../lib/cloud";
import { startCloud } from "../../lib/cloud";
import { projectToMigration } from "../../lib/inventory/project";
import { generateProject } from "../support/generated-project";
import { readOnlyCommands } from "../support/read-only";

const now = new Date("2026-11-21T00:00:00Z");
const world = generateProject({ seed: 3, now, forwardingRules: 6, certificates: 8, everyNameHasZone: true });
let cloud: Cloud;
let folder: string;
let file: string;

beforeAll(async () => {
  cloud = await startCloud({ speed: 0, startAt: now, world });
  folder = mkdtempSync(join(tmpdir(), "cert-migration-project-"));
  file = join(folder, "migration.yaml");
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

const commands = readOnlyCommands(() => cloud.requests());

function read(...words: readonly string[]) {
  const places = ["--endpoint", cloud.endpoints.http, "--dns-project", "shop-prod-dns"];
  return commands.run(["inventory", "--project", "shop-prod", ...places, ...words], { now: () => now });
}

test("writes a migration that can be planned and that doctor and status accept unchanged", async () => {
  const { stderr } = await read("--json", "--out", file, "--name", "shop");
  expect(stderr).toContain(`${file}: `);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("servingProxies:");
  expect(text).not.toContain("adoptTargetHttpsProxies");
  const planned = await commands.run(["plan", "--spec", file]);
  expect([planned.exitCode, planned.stderr]).toEqual([0, ""]);
  const google = ["--spec", file, "--endpoint", cloud.endpoints.http, "--dns-server", cloud.endpoints.dns];
  const doctor = await commands.run(["doctor", ...google, "--json"], { now: () => now });
  const { findings } = JSON.parse(doctor.stdout) as { findings: readonly { severity: string; code: string }[] };
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  const status = await commands.run(["status", ...google, "--json"], { now: () => now });
  const { hostnames } = JSON.parse(status.stdout) as {
    hostnames: readonly { steps: readonly { step: number; state: string }[] }[];
  };
  expect(new Set(hostnames.map(({ steps }) => steps[7]?.state))).toEqual(new Set(["none"]));
});

test("ends with exit code 4 and the reasons if there is nothing to write, so that no earlier file is taken for it", async () => {
  const proxies = world.proxies.filter(({ region }) => region !== undefined);
  const started = await startCloud({ speed: 0, startAt: now, world: { ...world, proxies } });
  try {
    const words = ["--project", "shop-prod", "--endpoint", started.endpoints.http, "--out", join(folder, "none.yaml")];
    const { exitCode, stderr } = await commands.run(["inventory", ...words], { now: () => now });
    expect(exitCode).toBe(4);
    for (const { id } of proxies) {
      expect(stderr).toContain(`${id} is left out: a regional load balancer takes no certificate map\n`);
    }
    expect(stderr).toContain("is not written: no global target proxy serves a name that a migration in place");
    expect(existsSync(join(folder, "none.yaml"))).toBe(false);
  } finally {
    await started.stop();
  }
});

test("imports a proxy only with --adopt, and refuses a proxy that is not part of the migration", async () => {
  const made = projectToMigration(world, { name: "shop", now });
  const { proxy = "" } = made?.spec.loadBalancer?.servingProxies?.[0] ?? {};
  const name = proxy.slice(proxy.lastIndexOf("/") + 1);
  const { stdout, stderr } = await read("--out", "-", "--adopt", name);
  expect(stdout).toContain("adoptTargetHttpsProxies:");
  expect(stderr).toContain("no other Terraform configuration or tool may manage it");
  const refused = await read("--out", "-", "--adopt", "other");
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("[adopt-unknown]")]);
});
