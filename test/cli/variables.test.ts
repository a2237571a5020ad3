/** Commands that read a Terraform folder know the values of its variables. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../support/io";
import { startServer } from "../support/loopback";
import { shopSpec } from "../support/migration-spec";

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "variables-"));
  const spec = shopSpec.replace(/traffic:.*/s, 'project: "${var.project}"\n');
  writeFileSync(join(folder, "migration.yaml"), spec);
  const out = join(folder, "shop");
  const made = await runCli(["synth", "--spec", join(folder, "migration.yaml"), "--out", out, "--quiet"]);
  expect([made.exitCode, made.stderr]).toEqual([0, ""]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = 'variable "p" {}\nmodule "shop" {\n  source  = "./shop"\n  project = var.p\n}\n';

describe.each(["doctor", "status"])("%s asks for the project of a module, and not of --project,", (command) => {
  test.each<
    [from: string, below: string, files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>]
  >([
    ["from terraform.tfvars of the module", "shop", { "shop/terraform.tfvars": 'project = "wanted-1"' }, {}],
    ["from TF_VAR_project", "shop", {}, { TF_VAR_project: "wanted-1" }],
    ["through the module block", ".", { "main.tf": call, "x.auto.tfvars": 'p = "wanted-1"' }, {}],
  ])("%s", async (_, below, files, env) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await using server = await startServer((_request, response) => response.writeHead(200).end("{}"));
    const words = ["--stack", join(folder, below), "--project", "other-1", "--endpoint", server.url];
    await runCli([command, ...words, "--dns-server", "127.0.0.1:1"], { env });
    const asked = server.requests.map(({ target }) => /\/projects\/([^/]+)\/locations\//.exec(target)?.[1]);
    expect([...new Set(asked.filter((project) => project !== undefined))]).toEqual(["wanted-1"]);
  });
});
