import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { findTerraform } from "../../lib/rehearsal/find-terraform";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "find-terraform-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of PATH with these programs. */
function withPrograms(...names: readonly string[]): string {
  for (const name of names) {
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), 0o755);
  }
  return ["/no/such/folder", folder].join(delimiter);
}

test.each([
  ["terraform if both are installed", ["terraform", "tofu"], undefined, "terraform"],
  ["tofu if only tofu is installed", ["tofu"], undefined, "tofu"],
  ["the requested program", ["terraform", "tofu"], "tofu", "tofu"],
  ["a program with another name", ["terraform-1.5"], "terraform-1.5", "terraform-1.5"],
])("finds %s", (_, there, named, found) => {
  expect(findTerraform(named, withPrograms(...there))).toBe(found);
});

test("makes a relative path absolute, because the program runs in another folder", () => {
  withPrograms("own");
  expect(findTerraform(join(folder, "own"), "")).toBe(join(folder, "own"));
  expect(findTerraform(relative(process.cwd(), join(folder, "own")), "")).toBe(join(folder, "own"));
});

test("reports what to install if neither Terraform nor OpenTofu is installed", () => {
  expect(() => findTerraform(undefined, withPrograms())).toThrow(
    "neither terraform nor tofu is on PATH: a rehearsal runs the real one; install Terraform 1.5 or later (developer.hashicorp.com/terraform/install) or OpenTofu 1.6 or later (opentofu.org/docs/intro/install), or give --terraform with a path",
  );
});

test.each([
  ["a name that is not on PATH", "tofu", "'tofu' is not on PATH"],
  ["a path without a file", "./no/tofu", "'./no/tofu' is not a program"],
])("fails for %s", (_, named, message) => {
  expect(() => findTerraform(named, withPrograms("terraform"))).toThrow(message);
});

test("fails for a folder, and for a file that is not executable", () => {
  mkdirSync(join(folder, "terraform"));
  writeFileSync(join(folder, "tofu"), "", { mode: 0o644 });
  expect(() => findTerraform(undefined, folder)).toThrow(expect.objectContaining({ code: "terraform-missing" }));
});
