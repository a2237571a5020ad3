import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withLocalState } from "../../lib/rehearsal/stack";
import { inheritedEnvironment, lastLines, Terraform } from "../../lib/rehearsal/terraform";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearsal-terraform-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that stands where Terraform would, so that its ends can be chosen. */
function standing(script: string, signal = new AbortController().signal): Terraform {
  const program = join(folder, "program");
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return new Terraform({ program, folder, env: { OWN: "yes" }, signal });
}

test("fails with what to do where the program is missing", async () => {
  const terraform = new Terraform({
    program: "no-such-terraform",
    folder,
    env: {},
    signal: new AbortController().signal,
  });
  await expect(terraform.write({})).rejects.toMatchObject({
    code: "terraform-missing",
    message:
      "'no-such-terraform' is not on PATH: the rehearsal runs the real one; install Terraform 1.5 or later, or give --terraform tofu",
  });
});

test.each([
  ["plan", 0],
  ["plan", 2],
  ["apply", 1],
  ["destroy", 1],
] as const)("%s that ends with %i says so, with all output", async (action, exitCode) => {
  const run = await standing(`echo "$1"; echo Error: told >&2; exit ${exitCode}`)[action]();
  expect(run).toEqual({ exitCode, output: expect.stringContaining("Error: told"), killed: false });
  expect(readFileSync(join(folder, "terraform.log"), "utf8")).toContain(`exit code ${exitCode}`);
});

test("fails where init is refused, in Terraform's words", async () => {
  const terraform = standing("echo 'Error: Unsupported Terraform Core version'; exit 1");
  await expect(terraform.write({})).rejects.toMatchObject({
    code: "terraform-init-failed",
    message: expect.stringContaining("Error: Unsupported Terraform Core version"),
  });
});

test("init is run once, and the stack is written each time", async () => {
  const terraform = standing(`echo "$1" >> ran`);
  await terraform.write({ resource: {} });
  await terraform.write({ resource: { a: {} } });
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("init\n");
  expect(JSON.parse(readFileSync(join(folder, "cdk.tf.json"), "utf8"))).toEqual({ resource: { a: {} }, terraform: {} });
});

test("kill ends it and what it started", async () => {
  const terraform = standing(`echo started; sleep 60 & echo $! > child; wait`);
  const run = terraform.apply();
  while (!terraform.kill()) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await run).toMatchObject({ exitCode: 1, killed: true });
  expect(terraform.kill()).toBe(false);
});

test("an abort interrupts it", async () => {
  const abort = new AbortController();
  const terraform = standing(
    `trap 'echo interrupted; exit 1' INT; touch ready; while :; do sleep 0.05; done`,
    abort.signal,
  );
  const run = terraform.apply();
  setTimeout(() => abort.abort(), 300);
  expect(await run).toMatchObject({ exitCode: 1, output: "interrupted\n", killed: false });
});

test("the stack's backend gives way to the folder's state, the rest stays", () => {
  const stack = {
    terraform: { backend: { gcs: { bucket: "state" } }, cloud: { organization: "o" }, required_version: ">= 1.5" },
    resource: {},
  };
  expect(withLocalState(stack)).toEqual({ terraform: { required_version: ">= 1.5" }, resource: {} });
});

test("takes nothing of the user's settings of Terraform and Google, but variables of stacks", () => {
  const env = {
    PATH: "/bin",
    TF_LOG: "TRACE",
    TF_CLI_ARGS: "-x",
    GOOGLE_CREDENTIALS: "{}",
    CLOUDSDK_CORE_PROJECT: "p",
  };
  expect(inheritedEnvironment({ ...env, TF_VAR_key: "k" })).toEqual({ PATH: "/bin", TF_VAR_key: "k" });
});

test.each([
  ["errors", "one\n│ Error: first\n│ why\n╵\nError: second", "Error: first; Error: second"],
  ["the end, where there is none", "1\n2\n\n3\n4\n5\n6", "2; 3; 4; 5; 6"],
])("tells on one line %s", (_, output, told) => {
  expect(lastLines(output)).toBe(told);
});
