import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { variants } from "./synthesis-variants";

// One measurement in its own process: `synthesis-run.ts VARIANT COUNT` prints a line of JSON on standard output.
const [variant = "", count = ""] = process.argv.slice(2);
const outdir = mkdtempSync(join(tmpdir(), "synthesis-"));
try {
  const started = process.hrtime.bigint();
  variants[variant as keyof typeof variants](Number(count), outdir);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const maxMebibytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`${JSON.stringify({ seconds, maxMebibytes })}\n`);
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
