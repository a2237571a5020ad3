import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  isProtectedInState,
  withHttpState,
  withLocalState,
  withoutProtection,
  withProviderArguments,
} from "../../lib/rehearsal/stack";
import { inheritedEnvironment, Terraform, type TerraformOptions } from "../../lib/rehearsal/terraform";
import { lastLines } from "../../lib/rehearsal/terraform-output";
import { realProviderArguments } from "../../lib/terraform-provider";
import { installationSettings } from "./provider-mirror";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearsal-terraform-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a Terraform that runs a script instead, so that a test can choose how it ends. */
function standing(
  script: string,
  signal = new AbortController().signal,
  change: Partial<TerraformOptions> = {},
): Terraform {
  const program = join(folder, "program");
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return new Terraform({
    program,
    folder,
    provider: { env: { OWN: "yes" } },
    signals: { interrupt: signal },
    ...change,
  });
}

/** Returns whether a process has ended; a zombie process has ended, too. */
function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("Z") ?? true;
  } catch {
    return true;
  }
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("reports a missing program with a remedy", async () => {
  const terraform = new Terraform({
    program: "no-such-terraform",
    folder,
    provider: { env: {} },
    signals: { interrupt: new AbortController().signal },
  });
  await expect(terraform.write({})).rejects.toMatchObject({
    code: "terraform-missing",
    message:
      "'no-such-terraform' is not on PATH: the rehearsal runs the real one; install Terraform 1.5 or later, or give --terraform tofu",
  });
});

test("reports progress while it runs, except for commands that only show something", async () => {
  const reported: unknown[] = [];
  const script =
    'echo "Plan: 2 to add, 0 to change, 0 to destroy."; echo "a: Creation complete after 1s"; case $1 in plan) exit 2;; esac';
  const terraform = standing(script, undefined, {
    observers: { keepFile: () => undefined, onProgress: (progress) => reported.push(progress) },
  });
  await terraform.apply();
  expect(reported.at(-1)).toEqual({ program: "terraform", verb: "apply", done: 1, total: 2 });
  expect(reported).not.toContainEqual(expect.objectContaining({ verb: "show" }));
});

test.each([
  ["plan", 0],
  ["plan", 2],
  ["apply", 1],
  ["destroy", 1],
] as const)("returns all output of %s that ends with %i", async (action, exitCode) => {
  const run = await standing(`echo "$1"; echo Error: reported >&2; exit ${exitCode}`)[action]();
  expect(run).toEqual({ exitCode, output: expect.stringContaining("Error: reported"), killed: false });
  expect(readFileSync(join(folder, "terraform.log"), "utf8")).toContain(`exit code ${exitCode}`);
});

describe("after a killed run", () => {
  const before = '{"serial":1}';
  const after = '{"serial":2}';

  test.each([
    ["keeps", "a state that the run has written", after, false, after, ""],
    ["replaces", "a state that the run has emptied", "", false, before, ": it was cut off in the middle"],
    ["replaces", "a state that the run has half written", '{"ser', false, before, ": it was cut off in the middle"],
    ["replaces", "a state that the backend never received", after, true, before, ""],
  ])("%s %s", async (_what, _which, written, losesState, left, why) => {
    writeFileSync(join(folder, "terraform.tfstate"), before);
    const script = `printf '%s' '${written}' > terraform.tfstate; echo Creating...; kill -KILL $$`;
    const run = await standing(script, undefined, { state: { losesChanges: losesState } }).apply();
    expect(readFileSync(join(folder, "terraform.tfstate"), "utf8")).toBe(left);
    const reported = left === before ? `\n(The rehearsal put the state back as it was before this run${why}.)\n` : "";
    expect(run).toEqual({ exitCode: 1, output: `Creating...\n${reported}`, killed: true });
    expect(readFileSync(join(folder, "terraform.log"), "utf8")).toContain(`${run.output}killed\n`);
  });

  test("keeps the written state if Terraform fails by itself", async () => {
    const file = join(folder, "terraform.tfstate");
    const { output } = await standing(`printf '%s' '${after}' > ${file}; exit 1`, undefined, {
      state: { losesChanges: true },
    }).apply();
    expect({ output, state: readFileSync(file, "utf8") }).toEqual({ output: "", state: after });
  });

  test("deletes a first state that was cut off", async () => {
    await standing("printf '' > terraform.tfstate; kill -KILL $$").apply();
    expect(existsSync(join(folder, "terraform.tfstate"))).toBe(false);
  });
});

test("reports a refused init with Terraform's own message", async () => {
  const terraform = standing("echo 'Error: Unsupported Terraform Core version'; exit 1");
  await expect(terraform.write({})).rejects.toMatchObject({
    code: "terraform-init-failed",
    message: expect.stringContaining("Error: Unsupported Terraform Core version"),
  });
});

test("repeats an interrupted init instead of reporting a refusal", async () => {
  const abort = new AbortController();
  const script = `trap 'exit 1' INT; echo "$1" >> ran; while [ ! -e go ]; do sleep 0.02; done`;
  const terraform = standing(script, abort.signal);
  const written = terraform.write({});
  await waitUntil(() => existsSync(join(folder, "ran")) && readFileSync(join(folder, "ran"), "utf8") === "init\n");
  abort.abort();
  await written;
  writeFileSync(join(folder, "go"), "");
  await terraform.write({});
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("init\ninit\n");
});

test("runs init once, and writes the stack each time", async () => {
  const terraform = standing(`echo "$1" >> ran`);
  await terraform.write({ resource: {} });
  await terraform.write({ resource: { a: {} } });
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("init\n");
  expect(JSON.parse(readFileSync(join(folder, "cdk.tf.json"), "utf8"))).toEqual({ resource: { a: {} }, terraform: {} });
});

test("kills Terraform and its child processes at the second Ctrl-C, even if Terraform ignores the first", async () => {
  const ending = new AbortController();
  const terraform = standing(`trap '' INT; sleep 60 & echo $! > child; touch ready; wait; wait`, undefined, {
    signals: { interrupt: new AbortController().signal, kill: ending.signal },
  });
  const run = terraform.apply();
  while (!existsSync(join(folder, "ready"))) await new Promise((resolve) => setTimeout(resolve, 5));
  ending.abort();
  expect(await run).toMatchObject({ exitCode: 1, killed: true });
  const child = Number(readFileSync(join(folder, "child"), "utf8"));
  await waitUntil(() => isGone(child));
});

test("makes its folder, which contains keys, unreadable for other users", () => {
  standing("true", undefined, { folder: join(folder, "work") });
  expect((statSync(join(folder, "work")).mode & 0o777).toString(8)).toBe("700");
});

test("copies assets beside the stack", () => {
  mkdirSync(join(folder, "given", "page"), { recursive: true });
  writeFileSync(join(folder, "given", "page", "index.html"), "page");
  standing("true", undefined, { configuration: { assets: join(folder, "given") } });
  expect(readFileSync(join(folder, "assets", "page", "index.html"), "utf8")).toBe("page");
});

test("ends a line that was cut off before it reports the end of the run", async () => {
  const terraform = standing(`printf 'Creating...'; touch ready; sleep 60`);
  const run = terraform.apply();
  await waitUntil(() => existsSync(join(folder, "ready")));
  terraform.kill();
  await run;
  expect(readFileSync(join(folder, "terraform.log"), "utf8")).toMatch(/\nCreating\.\.\.\nkilled\n\n$/);
});

test("kills Terraform and its child processes", async () => {
  const terraform = standing(`echo started; sleep 60 & echo $! > child; wait`);
  const run = terraform.apply();
  while (!terraform.kill()) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await run).toMatchObject({ exitCode: 1, killed: true });
  expect(terraform.kill()).toBe(false);
});

test("interrupts Terraform when aborted", async () => {
  const abort = new AbortController();
  const terraform = standing(
    `trap 'echo interrupted; exit 1' INT; touch ready; while :; do sleep 0.05; done`,
    abort.signal,
  );
  const run = terraform.apply();
  while (!existsSync(join(folder, "ready"))) await new Promise((resolve) => setTimeout(resolve, 5));
  abort.abort();
  expect(await run).toMatchObject({ exitCode: 1, output: "interrupted\n", killed: false });
});

describe("with a folder for plans", () => {
  let kept: Map<string, string>;
  beforeEach(() => {
    kept = new Map();
  });
  const keepFile = (name: string, text: string, how?: "added") =>
    void kept.set(name, how === "added" ? `${kept.get(name) ?? ""}${text}` : text);
  const script = `echo "$*" >> ran; case "$1" in show) echo '{"resource_changes":[]}';; plan) exit 2;; apply) echo '{"serial":1}' > terraform.tfstate;; esac`;

  test("applies the saved plan, and saves the state after the apply", async () => {
    const terraform = standing(script, undefined, { observers: { keepFile } });
    expect(await terraform.apply()).toMatchObject({ exitCode: 0 });
    expect(await terraform.plan()).toMatchObject({ exitCode: 2 });
    const ran = readFileSync(join(folder, "ran"), "utf8").trim().split("\n");
    expect(ran).toEqual([
      "plan -detailed-exitcode -input=false -no-color -out=plans/01-apply.tfplan",
      "show -json -no-color plans/01-apply.tfplan",
      "apply -input=false -no-color plans/01-apply.tfplan",
      "plan -detailed-exitcode -input=false -no-color -out=plans/01-after.tfplan",
      "show -json -no-color plans/01-after.tfplan",
    ]);
    expect([...kept.keys()].sort()).toEqual([
      "plans/01-after.json",
      "plans/01-apply.json",
      "states/01.json",
      "terraform.log",
    ]);
    expect(kept.get("states/01.json")).toBe('{"serial":1}');
    expect(kept.get("terraform.log")).toContain("program apply -input=false");
  });

  test("saves no key of a state, and leaves the state itself unchanged", async () => {
    const pem = "-----BEGIN PRIVATE KEY-----\\\\nMIIE\\\\n-----END PRIVATE KEY-----";
    const keyed = script.replace('"serial":1', `"serial":1,"private_key":"x","note":"${pem}"`);
    const terraform = standing(keyed, undefined, { observers: { keepFile } });
    await terraform.apply();
    expect(readFileSync(join(folder, "terraform.tfstate"), "utf8")).toContain("MIIE");
    expect(JSON.parse(kept.get("states/01.json") ?? "")).toEqual({
      serial: 1,
      private_key: "(secret, left out)",
      note: "(secret, left out)",
    });
  });

  test("does not apply after a failed plan", async () => {
    const terraform = standing(`echo "$1" >> ran; echo Error: no; exit 1`, undefined, { observers: { keepFile } });
    expect(await terraform.apply()).toMatchObject({ exitCode: 1, output: "Error: no\n" });
    expect(readFileSync(join(folder, "ran"), "utf8")).toBe("plan\n");
  });

  test("does not apply a plan that can't be shown", async () => {
    const interrupted = `echo "$1" >> ran; case "$1" in show) echo '{"resou'; exit 1;; esac`;
    expect(await standing(interrupted, undefined, { observers: { keepFile } }).apply()).toEqual({
      exitCode: 1,
      killed: false,
      output: "Error: the plan could not be shown, so it was not applied",
    });
    expect(readFileSync(join(folder, "ran"), "utf8")).toBe("plan\nshow\n");
  });

  test("skips a state that a killed run has half written, and continues", async () => {
    const killed = script.replace('{"serial":1}', '{"serial":1,"private_key":"x');
    expect(await standing(killed, undefined, { observers: { keepFile } }).apply()).toMatchObject({ exitCode: 0 });
    expect(kept.has("states/01.json")).toBe(false);
  });

  test("reads the state with Terraform if it is in another backend", async () => {
    const terraform = standing(script, undefined, { observers: { keepFile }, state: { read: () => '{"serial":2}' } });
    await terraform.apply();
    expect(kept.get("states/01.json")).toBe('{"serial":2}');
  });
});

describe("a second plan with changes outside the configuration", () => {
  const script = `echo "[WARN] Provider produced an invalid plan, but we are tolerating it" >> "$TF_LOG_PATH"`;

  test("is an error", async () => {
    const run = await standing(script).apply();
    expect(run).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("Error: the provider stand-in made a bad plan"),
    });
  });

  test("is not an error if a refresh detects a change by itself", async () => {
    const refreshed = `echo "[WARN] Provider produced an unexpected new value for a.b during refresh." >> "$TF_LOG_PATH"`;
    expect(await standing(refreshed).apply()).toMatchObject({ exitCode: 0 });
  });

  test("is not an error with the real provider", async () => {
    expect(
      await standing(script, undefined, {
        provider: { env: {}, strict: false },
      }).apply(),
    ).toMatchObject({ exitCode: 0 });
  });
});

describe("preparing a stack for Terraform", () => {
  const stack = {
    terraform: { backend: { gcs: {} }, required_version: ">= 1.5" },
    provider: { google: [{ project: "p" }, { alias: "b" }] },
  };

  test("can set an HTTP address for the state", () => {
    const backend = { address: "http://127.0.0.1:1/s" };
    expect(withHttpState(stack, backend).terraform).toEqual({ required_version: ">= 1.5", backend: { http: backend } });
  });

  test("sets the cloud's endpoints in each block of the real provider", () => {
    const more = realProviderArguments({ cloudUrl: "http://127.0.0.1:1/" });
    const { google } = withProviderArguments(stack, more).provider as { readonly google: readonly object[] };
    expect(google).toEqual([
      { project: "p", ...more },
      { alias: "b", ...more },
    ]);
    expect(more).toMatchObject({ dns_custom_endpoint: "http://127.0.0.1:1/dns/v1/", access_token: "rehearsal" });
    expect(withProviderArguments({}, more).provider).toEqual({ google: [more] });
  });

  test("removes protections of live resources before a destroy", () => {
    const guarded = {
      a: { name: "a", lifecycle: { prevent_destroy: true } },
      b: { lifecycle: { prevent_destroy: true, create_before_destroy: true } },
    };
    expect(withoutProtection({ resource: { google_x: guarded } }).resource).toEqual({
      google_x: { a: { name: "a" }, b: { lifecycle: { create_before_destroy: true } } },
    });
  });

  test("removes the deletion policies of resources and provider blocks before a destroy", () => {
    const guarded = {
      provider: { google: [{ project: "p", deletion_policy: "ABANDON" }], other: { region: "r" } },
      resource: { google_x: { a: { name: "a", deletion_policy: "PREVENT" } } },
    };
    expect(withoutProtection(guarded)).toEqual({
      provider: { google: [{ project: "p" }], other: { region: "r" } },
      resource: { google_x: { a: { name: "a" } } },
    });
  });

  test.each([
    [{ resource: { google_x: { a: { deletion_policy: "PREVENT" } } } }, true],
    [{ provider: { google: [{ deletion_policy: "ABANDON" }] } }, true],
    [{ resource: { google_x: { a: { deletion_policy: "DELETE" } } } }, false],
    [{ resource: { google_x: { a: { description: "deletion_policy" } } } }, false],
  ])("decides whether the state of %j protects resources: %s", (protectedStack, expected) => {
    expect(isProtectedInState(protectedStack)).toBe(expected);
  });
});

test("shows the whole error of an installation from a mirror without the required version, with a remedy", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mirror-"));
  try {
    const made = join(folder, "mirror", "registry.terraform.io", "hashicorp", "google", "1.0.0", "linux_amd64");
    mkdirSync(made, { recursive: true });
    writeFileSync(join(folder, "settings.tfrc"), installationSettings(join(folder, "mirror")));
    const terraform = new Terraform({
      program: "terraform",
      folder: join(folder, "work"),
      provider: { env: { TF_CLI_CONFIG_FILE: join(folder, "settings.tfrc") }, real: { env: {} } },
      signals: { interrupt: new AbortController().signal },
    });
    const google = { source: "hashicorp/google", version: "6.50.0" };
    const refusal = await terraform
      .write({ terraform: { required_providers: { google } } })
      .catch((error: Error) => error.message);
    const message =
      "'terraform' init failed: Error: Failed to query available provider packages: Could not retrieve the list of available versions for provider hashicorp/google: no available releases match the given constraints 6.50.0. To see which modules are currently depending on hashicorp/google and what versions are specified, run the following command: terraform providers; make the provider available in the mirror or registry of your settings, or leave out '--provider real'";
    expect(refusal).toBe(message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("replaces the stack's backend with the folder's state, and keeps the rest", () => {
  const stack = {
    terraform: { backend: { gcs: { bucket: "state" } }, cloud: { organization: "o" }, required_version: ">= 1.5" },
    resource: {},
  };
  expect(withLocalState(stack)).toEqual({ terraform: { required_version: ">= 1.5" }, resource: {} });
});

test("ignores the user's settings of Terraform and Google, except variables of stacks", () => {
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
  ["errors", "one\n│ Error: first\n│ why\n╵\nError: second", "Error: first: why; Error: second"],
  [
    "the output of a gate",
    "terraform_data.gate (local-exec): error: c is FAILED [c]\nError: local-exec\n│ error: c is FAILED [c]",
    "Error: local-exec: error: c is FAILED [c]",
  ],
  [
    "the output of a gate that its error does not repeat",
    "terraform_data.gate (local-exec): error: c is FAILED [c]\nError: local-exec",
    "error: c is FAILED [c]; Error: local-exec",
  ],
  [
    "the whole error of a mirror without the required version",
    `Initializing provider plugins...
╷
│ Error: Failed to query available provider packages
│\u0020
│ Could not retrieve the list of available versions for provider
│ hashicorp/google: no available releases match the given constraints 6.50.0
╵
`,
    "Error: Failed to query available provider packages: Could not retrieve the list of available versions for provider hashicorp/google: no available releases match the given constraints 6.50.0",
  ],
  [
    "the file and line of a configuration in HCL, and an error without a box",
    `
Error: Unsupported argument

  with module.lb,
  on main.tf line 12, in module "lb":
  12:   map = 1

An argument named "map" is not expected here.

Warning: Other
why`,
    'Error: Unsupported argument (main.tf line 12): An argument named "map" is not expected here.',
  ],
  [
    "the first of many errors",
    [1, 2, 3, 4, 5, 6, 7].map((number) => `Error: ${number}`).join("\n"),
    "Error: 1; Error: 2; Error: 3; Error: 4; Error: 5; and 2 more",
  ],
  [
    "the block of an error",
    "Error: Invalid value\n\n  on cdk.tf.json line 9, in resource.google_storage_bucket.logs:\n   9: x",
    "Error: Invalid value in resource.google_storage_bucket.logs",
  ],
  ["the end of output without errors", "1\n2\n\n3\n4\n5\n6", "2; 3; 4; 5; 6"],
])("summarizes on one line %s", (_, output, reported) => {
  expect(lastLines(output)).toBe(reported);
});
