/**
 * Runs the local commands of pages that have no test of their own, with the rehearsal cloud in place of Google Cloud.
 * Its load balancer at 203.0.113.7 serves the hostnames of the examples.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { parseMigrationDocument } from "../../lib/plan";
import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  parent,
  startTestCloud,
  type TestCloud,
} from "../support/cloud";
import { runCli } from "../support/io";
import { shopSpec } from "../support/migration-spec";
import { pageText, sectionOf } from "../support/pages";

const root = join(__dirname, "..", "..");

/** Pages or their sections, and the folder of the example that their commands run in. */
const pages: readonly (readonly [page: string, section?: string, folder?: string])[] = [
  ["change-window.md", "Roll back"],
  ["change-window.md", "Recover"],
  ["change-window.md", "Troubleshooting by message"],
  ["existing-load-balancers.md"],
  ["gke.md", "GKE Gateway", "gke-gateway"],
  ["gke.md", "GKE Ingress", "gke-ingress"],
  ["permissions.md", "Costs"],
  ["pipelines.md", "HCP Terraform and remote runners"],
  ["teams.md", "Zones in another project"],
  ["teams.md", "Fleets"],
  ["terraform.md", "Use OpenTofu"],
  ["terraform.md", "Load balancers of Terraform modules", "lb-http"],
  ["terraform.md", "Cloud Run behind a load balancer", "cloud-run"],
  ["upgrade.md"],
];

/**
 * Not run here: a rehearsal takes minutes, `cloud` runs until it is stopped, and `--out` needs certificates of Compute
 * Engine. They run in test/rehearsal, test/cli/cloud.test.ts and test/cli/inventory-project-out.test.ts.
 */
const elsewhere = /^(?:rehearse|cloud) | --out /;

/** Returns the calls of the command in the `sh` blocks of a text. */
function callsOf(text: string): readonly string[] {
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)]
    .flatMap(([, block = ""]) => block.replace(/\\\n\s*/g, "").split(/\n|\||>/))
    .map((line) => /^\s*npx cert-migration (.*?)\s*(?:#.*)?$/.exec(line)?.[1])
    .filter((call) => call !== undefined);
}

const calls = pages.flatMap(([page, section, example]) =>
  callsOf(section === undefined ? pageText(page) : sectionOf(page, section)).map(
    (call) => [page, call, example] as const,
  ),
);
const run = calls.filter(([, call]) => !elsewhere.test(call));

const plan = readFileSync(join(root, "test", "fixtures", "plans", "moved.json"), "utf8");

let cloud: TestCloud;
let folder: string;
const before = process.cwd();

/** Outputs of a deployed migration. */
function outputsOf(certificates: Readonly<Record<string, string>>): string {
  const domainsOf = { shop: ["example.com", "*.example.com"], pay: ["pay.example.net"] };
  const each = Object.entries(domainsOf).map(([name, domains]) => ({ name, domains, id: certificates[name] }));
  const map = `${parent}/certificateMaps/shop`;
  const migration = {
    name: "shop",
    phase: "serve",
    gate: "wait",
    loadBalancer: "globalExternal",
    certificates: each.map((one) => ({ ...one, kind: "managed", location: "global", scope: "DEFAULT" })),
    entries: each.flatMap(({ id, domains }) =>
      domains.map((hostname, index) => ({
        hostname,
        id: `${map}/certificateMapEntries/e${index}`,
        certificates: [id],
      })),
    ),
    map,
    addresses: { ipv4: ["203.0.113.7"], ipv6: [] },
  };
  return JSON.stringify({ cert_migration: { value: { version: 1, migrations: { shop: migration } } } });
}

beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.");
  await makeZone(cloud, "example-net", "example.net.");
  const shop = await makeActiveCertificate(cloud, "shop", "example-com", ["example.com", "*.example.com"]);
  const pay = await makeActiveCertificate(cloud, "pay", "example-net", ["pay.example.net"]);
  const certificateMap = await makeMap(cloud, "shop", {
    "example.com": [shop],
    "*.example.com": [shop],
    "pay.example.net": [pay],
  });
  await makeLoadBalancer(cloud, "shop", { certificateMap }, { IPAddress: "203.0.113.7" });
  await cloud.clock.advance(60_000);
  await cloud.loadBalancers.settle();
  folder = mkdtempSync(join(tmpdir(), "commands-"));
  const read = parseMigrationDocument(shopSpec, { source: "migration.yaml" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const synthesized = JSON.stringify(synthesizeSpec(read.spec, "my-project"));
  for (const name of ["shop", "fleet-1"]) {
    const stack = join(folder, "cdktf.out", "stacks", name);
    mkdirSync(stack, { recursive: true });
    writeFileSync(join(stack, "cdk.tf.json"), synthesized);
  }
  for (const [, , example] of pages) {
    if (example !== undefined) cpSync(join(root, "examples", example), join(folder, example), { recursive: true });
  }
  writeFileSync(join(folder, "migration.yaml"), shopSpec);
  writeFileSync(join(folder, "plan.json"), plan);
  writeFileSync(join(folder, "outputs.json"), outputsOf({ shop, pay }));
  writeFileSync(join(folder, "roots.pem"), cloud.endpoints.trustBundle);
  process.chdir(folder);
  // Calls of check-plan read this log, and the order of the tests is random.
  await runCall("verify --outputs outputs.json --address 203.0.113.7 --log verify.log");
});

beforeEach(() => process.chdir(folder));

afterAll(async () => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

/** Runs a call of a page with the addresses of the rehearsal cloud. */
function runCall(call: string) {
  const words = call.replace("--timeout 3h", "--timeout 1s").split(/\s+/);
  const command = words[0] ?? "";
  const added: Readonly<Record<string, readonly string[]>> = {
    status: ["--dns-server", cloud.endpoints.dns],
    doctor: ["--dns-server", cloud.endpoints.dns],
    verify: ["--ca", join(folder, "roots.pem"), "--repeat", "1", "--within", "1s"],
  };
  // As on a machine without credentials: the certificates of the cloud are not those of each example.
  const endpoint = command === "verify" ? {} : { CERT_MIGRATION_ENDPOINT: cloud.endpoints.http };
  return runCli(
    [...words.filter((word) => word !== "--endpoint" && !word.startsWith("http:")), ...(added[command] ?? [])],
    {
      stdin: plan,
      env: { ...endpoint, CERT_MIGRATION_REHEARSAL: cloud.endpoints.control },
    },
  );
}

test("finds the calls of the pages", () => {
  expect(run.map(([, call]) => call)).toEqual(
    expect.arrayContaining([
      "check-plan -",
      "explain zone-missing",
      "verify --outputs outputs.json --address 203.0.113.7",
    ]),
  );
  expect(run.length).toBeGreaterThan(15);
});

// 4: the command has run, and has found something; 5: `wait` has run, and the shorter time is over.
test.each(run)("docs/%s: 'cert-migration %s' runs", async (_page, call, example) => {
  process.chdir(join(folder, example ?? "."));
  const { exitCode, stderr } = await runCall(call);
  const isRun = call.startsWith("verify ")
    ? exitCode === 0
    : [0, 4, ...(call.startsWith("wait ") ? [5] : [])].includes(exitCode);
  expect({ exitCode: isRun ? "ran" : exitCode, stderr }).toMatchObject({ exitCode: "ran" });
});

test("a call of 'verify' fails if the load balancer does not serve the hostnames at the address of the page", async () => {
  const { exitCode, stderr } = await runCall("verify --outputs outputs.json --address 203.0.113.8");
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 4 });
});
