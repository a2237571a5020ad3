/**
 * A fleet of 10,000 hostnames, measured: split, synthesized, and some of its stacks applied by real Terraform, against
 * this project's cloud and its stand-in of the provider.
 *
 * `npm run fleet FILE`: writes the numbers from which docs/teams.md has its tables. Takes some minutes.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import type { Measured, MeasuredStack } from "../../docs/generate/fleets";
import { startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import type { MigrationSpec, SplitMigration } from "../../lib/plan";
import { resourcesOf, type StackJson, withHttpState } from "../../lib/rehearsal/stack";
import { Terraform } from "../../lib/rehearsal/terraform";
import { makeWorld } from "../../lib/rehearsal/world";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { compileGate } from "../rehearsal/gate-command";

const hostnames = 10_000;
const project = "fleet-project";
/** Most entries of a map, as in the plan of docs/teams.md. */
const maxEntriesPerMap = 1_000;
/** Stacks that are applied at once; one more is applied alone, to compare. */
const atOnce = 2;

/** Runs the compiled code without source maps, as users do. */
type Library = Pick<typeof import("../../lib/plan"), "splitMigration"> &
  Pick<typeof import("../../lib"), "ManagedCertMigration">;

/** Every name with its wildcard. */
function fleetOf(count: number, change: Partial<MigrationSpec> = {}): MigrationSpec {
  const domains = Array.from({ length: count / 2 }, (_, index) => `shop-${index}.example.com`);
  return {
    name: "fleet",
    certificates: domains.map((domain) => ({ domains: [domain, `*.${domain}`] })),
    dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
    ...change,
  };
}

const loadBalancerOf = (stack: string) => ({
  kind: "globalExternal" as const,
  newTargetHttpsProxy: { urlMap: stack },
});

interface Timed<Result> {
  readonly seconds: number;
  readonly result: Result;
}

async function timed<Result>(task: () => Result | Promise<Result>): Promise<Timed<Awaited<Result>>> {
  const startedAt = performance.now();
  const result = await task();
  return { seconds: round((performance.now() - startedAt) / 1_000), result };
}

const round = (value: number) => Math.round(value * 10) / 10;
const ends = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const;
const say = (line: string) => void process.stderr.write(`${line}\n`);

function synthesize({ ManagedCertMigration }: Library, stacks: SplitMigration["stacks"], outdir: string): void {
  const { App, TerraformStack } = require("cdktf") as typeof import("cdktf");
  const { GoogleProvider } =
    require("@cdktf/provider-google/lib/provider") as typeof import("@cdktf/provider-google/lib/provider");
  mkdirSync(outdir, { recursive: true });
  const app = new App({ outdir });
  for (const { name, spec } of stacks) {
    const stack = new TerraformStack(app, name);
    new GoogleProvider(stack, "google", { project });
    ManagedCertMigration.fromSpec(stack, "migration", spec);
  }
  app.synth();
}

const stackFile = (outdir: string, name: string) => join(outdir, "stacks", name, "cdk.tf.json");
const readStack = (outdir: string, name: string) =>
  JSON.parse(readFileSync(stackFile(outdir, name), "utf8")) as StackJson;

function countResources(stack: StackJson): number {
  return Object.values(stack.resource as object).reduce((sum, ofType) => sum + Object.keys(ofType).length, 0);
}

async function measurePlan(library: Library, outdir: string): Promise<Measured["plan"]> {
  const options = { maxEntriesPerMap, loadBalancerOf };
  const split = await timed(() => library.splitMigration(fleetOf(hostnames), options));
  const { stacks } = split.result;
  const synth = await timed(() => synthesize(library, stacks, outdir));
  const names = readdirSync(join(outdir, "stacks"));
  const made = names.map((name) => readStack(outdir, name));
  const octets = names.reduce((sum, name) => sum + statSync(stackFile(outdir, name)).size, 0);
  return {
    hostnames,
    certificates: hostnames / 2,
    maxEntriesPerMap,
    stacks: stacks.length,
    entries: ends(stacks.map(({ entries }) => entries)),
    resources: ends(made.map(countResources)),
    commands: ends(made.map((stack) => Object.keys(resourcesOf(stack, "terraform_data")).length)),
    splitSeconds: split.seconds,
    synthSeconds: synth.seconds,
    mebibytes: round(octets / 2 ** 20),
  };
}

function measureGrowth({ splitMigration }: Library): Measured["growth"] {
  const options = { maxEntriesPerMap };
  const { assigned } = splitMigration(fleetOf(hostnames), options);
  const movedIn = (after: SplitMigration) =>
    Object.entries(assigned).filter(([hostname, stack]) => after.assigned[hostname] !== stack).length;
  return [12_000, 20_000, 40_000].map((to) => ({
    to,
    movedWithRecord: movedIn(splitMigration(fleetOf(to), { ...options, assigned })),
    movedWithout: movedIn(splitMigration(fleetOf(to), options)),
  }));
}

async function measureApplies(library: Library, gate: string, folder: string): Promise<Measured["applied"]> {
  await using cloud = await startCloudWithProvider();
  const spec = fleetOf(hostnames, { gateCommand: gate });
  const whole = (phase: "issue" | "serve") =>
    library.splitMigration({ ...spec, phase }, { maxEntriesPerMap, loadBalancerOf }).stacks;
  const names = whole("issue").map(({ name }) => name);
  const chosen = names.slice(0, atOnce + 1);
  for (const phase of ["issue", "serve"] as const) {
    const stacks = whole(phase).filter(({ name }) => chosen.includes(name));
    synthesize(library, stacks, join(folder, phase));
  }
  await cloud.prepare(chosen);
  const deploy = async (name: string): Promise<MeasuredStack> => {
    const terraform = cloud.terraformIn(join(folder, "terraform", name), name);
    const stack = readStack(join(folder, "serve"), name);
    const apply = (phase: string) =>
      timed(async () => {
        await terraform.write(readStack(join(folder, phase), name));
        const { exitCode, output } = await terraform.apply();
        if (exitCode !== 0) throw new Error(`${name}: ${output.slice(-2_000)}`);
      });
    const issue = await apply("issue");
    const waited = await timed(() => cloud.wait(gate, join(folder, "issue", "stacks", name)));
    const serve = await apply("serve");
    const after = await timed(() => terraform.plan());
    if (after.result.exitCode !== 0) throw new Error(`${name}: a second plan is not empty`);
    const measured = {
      name,
      hostnames: Object.keys(resourcesOf(stack, "google_certificate_manager_certificate_map_entry")).length,
      resources: countResources(stack),
      commands: Object.keys(resourcesOf(stack, "terraform_data")).length,
      issueSeconds: issue.seconds,
      waitSeconds: waited.seconds,
      serveSeconds: serve.seconds,
      planSeconds: after.seconds,
    };
    say(JSON.stringify(measured));
    return measured;
  };
  const [last = "", ...others] = chosen.slice().reverse();
  const together = await timed(() => Promise.all(others.reverse().map(deploy)));
  const alone = await timed(() => deploy(last));
  return {
    cloudSpeed,
    together: { seconds: together.seconds, stacks: together.result },
    alone: { seconds: alone.seconds, stacks: [alone.result] },
  };
}

/** How many of the cloud's seconds go by in one of the machine's. */
const cloudSpeed = 30;

async function startCloudWithProvider() {
  const cloud = await startCloud({ speed: cloudSpeed, certificates: { managedKeyAlgorithm: "ecdsa-p256" } });
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  const env = { CERT_MIGRATION_ENDPOINT: cloud.endpoints.http, CERT_MIGRATION_REHEARSAL: cloud.endpoints.control };
  return {
    prepare: (urlMaps: readonly string[]) =>
      makeWorld(
        {
          zones: [{ project, name: "example-com", dnsName: "example.com." }],
          records: [],
          urlMaps: urlMaps.map((name) => ({ project, name })),
          services: [],
          policies: [],
        },
        { cloudUrl: cloud.endpoints.http, http: createHttpClient() },
      ),
    terraformIn: (folder: string, name: string) =>
      new Terraform({
        program: "terraform",
        folder,
        signals: { interrupt: new AbortController().signal },
        state: { adapt: (stack) => withHttpState(stack, provider.stateBackend.backendOf(name)) },
        provider: { env: { ...env, TF_REATTACH_PROVIDERS: provider.reattachConfig } },
      }),
    /** As a pipeline does between the two deployments. */
    wait: (gate: string, stack: string) =>
      new Promise<void>((resolve, reject) => {
        const command = `${gate} wait --stack "${stack}" --project ${project} --quiet`;
        const child = spawn(command, { shell: true, stdio: "inherit", env: { ...process.env, ...env } });
        child.on("error", reject);
        child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
      }),
    [Symbol.asyncDispose]: async () => {
      await provider.close();
      await cloud.stop();
    },
  };
}

function machine(): Measured["machine"] {
  const [processor] = cpus();
  return {
    day: new Date().toISOString().slice(0, 10),
    processor: processor?.model ?? "unknown",
    cores: cpus().length,
    gibibytes: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    loadBefore: loadavg().map(round),
  };
}

async function main(file: string): Promise<void> {
  const measuredOn = machine();
  const gate = compileGate();
  try {
    const library = {
      ...require(join(gate.folder, "dist", "plan")),
      ...require(join(gate.folder, "dist")),
    } as Library;
    const plan = await measurePlan(library, join(gate.folder, "planned"));
    say(JSON.stringify(plan));
    const growth = measureGrowth(library);
    say(JSON.stringify(growth));
    const appliedStacks = await measureApplies(library, gate.command, join(gate.folder, "applied"));
    const measured: Measured = { machine: measuredOn, plan, growth, applied: appliedStacks };
    writeFileSync(file, `${JSON.stringify(measured, undefined, 2)}\n`);
  } finally {
    rmSync(gate.folder, { recursive: true, force: true });
  }
}

const [file = "docs/generate/measured-fleet.json"] = process.argv.slice(2);
main(file).catch((error: unknown) => {
  say((error as Error).stack ?? String(error));
  process.exitCode = 1;
});
