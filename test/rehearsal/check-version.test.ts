import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkVersion } from "../../lib/rehearsal/find-terraform";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "check-version-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function check(script: string, signal = new AbortController().signal): Promise<string> {
  const program = join(folder, "program");
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return checkVersion(program, process.env, signal);
}

const telling = (version: unknown) =>
  `[ "$*" = "version -json" ] && echo '${JSON.stringify({ terraform_version: version })}'`;

test.each(["1.5.0", "1.11.4", "1.6.0-rc1", "2.0.0"])("accepts the version %s", async (version) => {
  await expect(check(telling(version))).resolves.toBe(version);
});

test.each([
  ["an earlier version", telling("1.4.7"), "has the version '1.4.7'; a rehearsal runs Terraform 1.5 or later"],
  ["a much earlier version", telling("0.15.5"), "has the version '0.15.5'"],
  ["a program without output that exits with 0", "true", "is neither Terraform nor OpenTofu"],
  ["a malformed version", telling(7), "'version -json' prints no version"],
  ["no JSON", "echo Terraform v1.11.4", "'version -json' prints no version"],
  ["a program that fails", `${telling("1.11.4")}; exit 1`, "is neither Terraform nor OpenTofu"],
  ["a program with endless output", "exec yes", "is neither Terraform nor OpenTofu"],
])("fails for %s", async (_, script, message) => {
  const checked = check(script);
  await expect(checked).rejects.toThrow(message);
  await expect(checked).rejects.toMatchObject({ code: "terraform-unfit" });
});

test("stops at a signal, without an error about the program", async () => {
  const abort = new AbortController();
  const checked = check("exec sleep 30", abort.signal);
  abort.abort(new Error("stopped"));
  await expect(checked).rejects.toThrow("stopped");
});
