import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { compileGate, type GateProgram, installGate } from "../rehearsal/gate-command";
import {
  environmentsPage,
  followPage,
  operationsPage,
  runLine,
  stepsOf,
  terraformPage,
} from "../support/terraform-page";

jest.setTimeout(600_000);

const root = join(__dirname, "..", "..");
let gate: GateProgram;
let folder: string;
beforeAll(() => {
  gate = compileGate();
  folder = mkdtempSync(join(tmpdir(), "terraform-page-"));
});
afterAll(() => {
  rmSync(gate.folder, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  [
    "plain Terraform",
    terraformPage,
    ["terraform-module/migration.yaml", "terraform-module/main.tf", "terraform-module/main.tf"],
  ],
  [
    "several environments",
    environmentsPage,
    ["migration.yaml", "staging/main.tf", "production/main.tf", "staging/main.tf"].map(
      (name) => `environments/${name}`,
    ),
  ],
])("quotes the files of the example verbatim in %s", (_, page, files) => {
  const quoted = [...page.matchAll(/^```(?:yaml|hcl) (\S+)\n([\s\S]*?)^```$/gm)];
  expect(quoted.map(([, file]) => file)).toEqual(files.map((name) => `examples/${name}`));
  for (const [, file = "", block = ""] of quoted) expect(readFileSync(join(root, file), "utf8")).toContain(block);
});

test("writes the files of the page and runs each of its commands in order, from the migration to the verification", async () => {
  const own = join(folder, "own");
  installGate(gate.command, join(own, "node_modules", ".bin"));
  // test/follow-terraform-page.ts runs the lines that install the package, in a clone.
  const steps = stepsOf(terraformPage).filter(
    (step) => !("line" in step && /\bnpm (?:ci|init|install) /.test(step.line)),
  );
  const done = await followPage(steps, own, { npm_config_offline: "true" });
  expect(done).toEqual(steps.flatMap((step) => ("line" in step ? [[step.line, 0, ""]] : [])));
  expect(done.length).toBeGreaterThan(12);
});

test("follows the page about environments: one migration, two modules, their tests, and an apply of one of them", async () => {
  const home = join(folder, "environments");
  installGate(gate.command, join(home, "node_modules", ".bin"));
  const steps = stepsOf(environmentsPage);
  const zones = [
    { project: "my-staging", name: "staging-example-com", dnsName: "staging.example.com." },
    { project: "my-project", name: "example-com", dnsName: "example.com." },
  ];
  const done = await followPage(steps, home, { npm_config_offline: "true" }, undefined, zones);
  expect(done).toEqual(steps.flatMap((step) => ("line" in step ? [[step.line, 0, ""]] : [])));
  const applied = readFileSync(join(home, "staging", "outputs.json"), "utf8");
  expect(JSON.parse(applied).cert_migration).toMatchObject({ sensitive: true });
  expect(applied).toContain("projects/my-staging/locations/global/certificates/staging-staging-example-com-");
});

test("runs the commands of the page on operations, in a folder of the page on plain Terraform", async () => {
  const home = join(folder, "operations");
  installGate(gate.command, join(home, "node_modules", ".bin"));
  const deployed = stepsOf(terraformPage).filter(
    (step) => !("line" in step && /\bnpm (?:ci|init|install) |cert-migration rehearse/.test(step.line)),
  );
  const end = deployed.findIndex((step) => "line" in step && step.line.includes("cert-migration wait"));
  const steps = [...deployed.slice(0, end + 1), ...stepsOf(operationsPage)];
  const done = await followPage(steps, home, { npm_config_offline: "true" });
  expect(done).toEqual(steps.flatMap((step) => ("line" in step ? [[step.line, 0, ""]] : [])));
  expect(readFileSync(join(home, "outputs.json"), "utf8")).toContain("new.example.com");
});

test("the gate's command is found in a parent folder and in a global install, and nowhere else", async () => {
  const nested = join(folder, "project", "envs", "prod");
  mkdirSync(nested, { recursive: true });
  const line = "npx --no-install cert-migration --version";
  const env = { ...process.env, npm_config_offline: "true", npm_config_prefix: join(folder, "global") };
  expect((await runLine(line, nested, env)).exitCode).not.toBe(0);
  installGate(gate.command, join(folder, "global", "bin"));
  expect((await runLine(line, nested, env)).exitCode).toBe(0);
  rmSync(join(folder, "global"), { recursive: true });
  installGate(gate.command, join(folder, "project", "node_modules", ".bin"));
  const path = [dirname(process.execPath), ...(process.env.PATH ?? "").split(delimiter)].join(delimiter);
  writeFileSync(join(folder, "project", "package.json"), "{}");
  expect((await runLine(line, nested, { ...env, PATH: path })).exitCode).toBe(0);
});
