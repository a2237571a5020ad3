import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { providerVersionFor } from "../../lib/constructs/stack-provider";
import { newStack } from "../support/synth";

test("reads the provider version of the bindings and creates nothing in the working folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "stack-provider-"));
  const before = process.cwd();
  try {
    const stack = newStack();
    process.chdir(folder);
    expect(providerVersionFor(stack)).toMatch(/^\d+\.\d+\.\d+$/);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});
