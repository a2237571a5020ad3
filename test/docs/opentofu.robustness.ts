/** Pages about plain Terraform, followed with OpenTofu. `.ci/run` starts this file where `tofu` is on PATH. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileGate, type GateProgram, installGate } from "../rehearsal/gate-command";
import { isOnPath } from "../support/on-path";
import { environmentsPage, followPage, type PageStep, stepsOf, terraformPage } from "../support/terraform-page";

jest.setTimeout(600_000);

let gate: GateProgram;
let folder: string;
beforeAll(() => {
  gate = compileGate();
  folder = mkdtempSync(join(tmpdir(), "opentofu-page-"));
});
afterAll(() => {
  rmSync(gate.folder, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

/** Encrypts state and plans; OpenTofu refuses plain ones. */
const encryption = `
key_provider "pbkdf2" "passphrase" {
  passphrase = "not-a-secret-of-anybody"
}
method "aes_gcm" "usual" {
  keys = key_provider.pbkdf2.passphrase
}
state {
  method   = method.aes_gcm.usual
  enforced = true
}
plan {
  method   = method.aes_gcm.usual
  enforced = true
}
`;

/** The steps of a page as a user of OpenTofu types them. */
function withTofu(page: string): readonly PageStep[] {
  return stepsOf(page).flatMap((step): readonly PageStep[] => {
    if (!("line" in step)) return [step];
    if (/\bnpm (?:ci|init|install) /.test(step.line)) return [];
    const line = step.line
      .replace(/(^|\(|&& )terraform /g, "$1tofu ")
      .replace("cert-migration rehearse", "$& --terraform tofu");
    return [{ line }];
  });
}

const ifTofu = isOnPath("tofu") ? test : test.skip;

ifTofu("follows the page about plain Terraform with 'tofu', with encrypted state and plans", async () => {
  const home = join(folder, "terraform");
  installGate(gate.command, join(home, "node_modules", ".bin"));
  const steps = withTofu(terraformPage);
  const done = await followPage(steps, home, { npm_config_offline: "true", TF_ENCRYPTION: encryption });
  expect(done).toEqual(steps.flatMap((step) => ("line" in step ? [[step.line, 0, ""]] : [])));
  expect(done.filter(([line]) => line.startsWith("tofu ")).length).toBeGreaterThan(4);
  const state = JSON.parse(readFileSync(join(home, "terraform.tfstate"), "utf8"));
  expect(Object.keys(state)).toEqual(expect.arrayContaining(["encrypted_data", "encryption_version"]));
  expect(state.resources).toBeUndefined();
});

ifTofu("follows the page about environments with 'tofu', with encrypted state and plans", async () => {
  const home = join(folder, "environments");
  installGate(gate.command, join(home, "node_modules", ".bin"));
  const steps = withTofu(environmentsPage);
  const zones = [
    { project: "my-staging", name: "staging-example-com", dnsName: "staging.example.com." },
    { project: "my-project", name: "example-com", dnsName: "example.com." },
  ];
  const env = { npm_config_offline: "true", TF_ENCRYPTION: encryption };
  const done = await followPage(steps, home, env, undefined, zones);
  expect(done).toEqual(steps.flatMap((step) => ("line" in step ? [[step.line, 0, ""]] : [])));
});

test("names OpenTofu in each line that runs Terraform", () => {
  const lines = [terraformPage, environmentsPage]
    .flatMap(withTofu)
    .flatMap((step) => ("line" in step ? step.line : []));
  expect(lines.filter((line) => /\bterraform (?:init|plan|show|apply|output|test)\b/.test(line))).toEqual([]);
  expect(lines).toContain("tofu apply tfplan");
  expect(lines).toContain("(cd staging/certificates && tofu init -backend=false && tofu test)");
});
