import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newCertificate, planOf, repoint, toBalancer } from "./check-plan/plans";

const root = join(__dirname, "..");
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-loaded-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program in a new process. Returns its exit code, its errors and the files of `lib` that it loaded. */
function run(program: string, ...words: readonly string[]) {
  const [report, main] = [join(folder, "report.cjs"), join(folder, "main.cjs")];
  const list = join(folder, "files");
  const write = `require("node:fs").writeFileSync(${JSON.stringify(list)}, Object.keys(require.cache).join("\\n"))`;
  writeFileSync(report, `process.once("exit", () => ${write});`);
  writeFileSync(main, program);
  const { status: exitCode, stderr } = spawnSync(
    process.execPath,
    ["--require", "tsx/cjs", "--require", report, main, ...words],
    {
      cwd: root,
      env: { ...process.env, NODE_NO_WARNINGS: "1", NODE_PATH: join(root, "node_modules") },
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
    },
  );
  const prefix = join(root, "lib/");
  const files = readFileSync(list, "utf8")
    .split("\n")
    .flatMap((file) => (file.startsWith(prefix) ? file.slice(prefix.length) : []));
  return { exitCode, stderr, files };
}

function isIn(...modules: readonly string[]): (file: string) => boolean {
  return (file) => modules.some((name) => file.startsWith(`${name}/`));
}

const command = `require(${JSON.stringify(join(root, "lib/cli/main.ts"))})`;

test("check-plan loads fewer than 70 files, no other command, and the planner only with --outputs", () => {
  const plan = join(folder, "plan.json");
  writeFileSync(plan, JSON.stringify(planOf([newCertificate, repoint, toBalancer])));
  const ofPlan = run(command, "check-plan", plan);
  // A plan is not the outputs of a migration: the planner reads it, and the command refuses it.
  const withOutputs = run(command, "check-plan", plan, "--outputs", plan);
  const isPlanner = isIn("plan", "source");
  expect([ofPlan, withOutputs].map(({ exitCode }) => exitCode)).toEqual([4, 2]);
  expect(ofPlan.files.length).toBeLessThan(70);
  expect(ofPlan.files.filter(isIn("cli/commands")).filter((file) => !isIn("cli/commands/check-plan")(file))).toEqual(
    [],
  );
  expect(ofPlan.files.filter(isPlanner)).toEqual([]);
  expect(withOutputs.files.some(isPlanner)).toBe(true);
});

test("an app with a migration loads no files of audit events", () => {
  const program = `
    const { App, TerraformStack } = require("cdktf");
    const { GoogleProvider } = require("@cdktf/provider-google/lib/provider");
    const { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } = require(${JSON.stringify(join(root, "lib/index.ts"))});
    const stack = new TerraformStack(new App({ outdir: ${JSON.stringify(join(folder, "out"))} }), "s");
    new GoogleProvider(stack, "google", { project: "my-project" });
    new ManagedCertMigration(stack, "m", {
      certificates: [Certificate.managed({ domains: ["example.com"] })],
      dns: DnsPublication.external(),
      loadBalancer: LoadBalancer.globalExternal(),
    });
    stack.node.root.synth();`;
  const { files, ...result } = run(program);
  expect(result).toEqual({ exitCode: 0, stderr: "" });
  expect(files.filter(isIn("audit", "constructs/admin-change-alerts"))).toEqual([
    "constructs/admin-change-alerts/admin-change-alerts.ts",
  ]);
});
