/** Runs the local commands of pages that have no test of their own, with the rehearsal cloud in place of Google Cloud. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { parseMigrationDocument } from "../../lib/plan";
import { makeZone, startTestCloud, type TestCloud } from "../support/cloud";
import { runCli } from "../support/io";
import { shopSpec } from "../support/migration-spec";

const docs = join(__dirname, "..", "..", "docs");
const pages = [
  "costs.md",
  "hcp-terraform.md",
  "opentofu.md",
  "rollback.md",
  "ssl-certificates.md",
  "teams.md",
  "troubleshooting.md",
  "upgrade.md",
];

/**
 * Not run here: `rehearse` takes minutes, `verify` needs a load balancer, `--outputs` needs outputs of a deployment. The
 * same commands run in test/cli and test/docs/terraform.robustness.ts, with other arguments than on these pages.
 */
const elsewhere = /^(?:rehearse|verify) | --outputs /;

/** Returns the calls of the command in the `sh` blocks of a page. */
function callsOf(page: string): readonly string[] {
  const text = readFileSync(join(docs, page), "utf8");
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)]
    .flatMap(([, block = ""]) => block.replace(/\\\n\s*/g, "").split(/\n|\|/))
    .map((line) => /^\s*npx cert-migration (.*?)\s*$/.exec(line)?.[1])
    .filter((call) => call !== undefined);
}

const calls = pages.flatMap((page) => callsOf(page).map((call) => [page, call] as const));
const run = calls.filter(([, call]) => !elsewhere.test(call));

const plan = readFileSync(join(docs, "..", "test", "fixtures", "plans", "moved.json"), "utf8");

let cloud: TestCloud;
let folder: string;
const before = process.cwd();

beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.");
  await makeZone(cloud, "example-net", "example.net.");
  folder = mkdtempSync(join(tmpdir(), "commands-"));
  const stack = join(folder, "cdktf.out", "stacks", "shop");
  mkdirSync(stack, { recursive: true });
  const read = parseMigrationDocument(shopSpec, { source: "migration.yaml" });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  writeFileSync(join(stack, "cdk.tf.json"), JSON.stringify(synthesizeSpec(read.spec, "my-project")));
  writeFileSync(join(folder, "migration.yaml"), shopSpec);
  writeFileSync(join(folder, "plan.json"), plan);
  process.chdir(folder);
});

afterAll(async () => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

test("finds the calls of the pages", () => {
  expect(run.map(([, call]) => call)).toEqual(expect.arrayContaining(["check-plan -", "explain zone-missing"]));
  expect(run.length).toBeGreaterThan(6);
});

// 4: the command has run, and has found something.
test.each(run)("docs/%s: 'cert-migration %s' runs", async (_, call) => {
  const words = call.split(/\s+/);
  const takesServer = /^(?:status|doctor)/.test(call);
  const { exitCode, stderr } = await runCli([...words, ...(takesServer ? ["--dns-server", cloud.endpoints.dns] : [])], {
    stdin: plan,
    env: { CERT_MIGRATION_ENDPOINT: cloud.endpoints.http, CERT_MIGRATION_REHEARSAL: cloud.endpoints.control },
  });
  expect({ exitCode: [0, 4].includes(exitCode) ? "ran" : exitCode, stderr }).toMatchObject({ exitCode: "ran" });
});
