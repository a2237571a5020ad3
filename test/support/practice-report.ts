/** The report of the rehearsal that the tutorial practices: its own test writes it, and the browser tests open it. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sectionOf } from "./pages";

const root = join(__dirname, "..", "..");

export function practiceSection(): string {
  return sectionOf("tutorial.md", "Practice a change window");
}

/** The digest in the name prevents that the browser tests open a report of another version of the page. */
function fileOf(): string {
  const digest = createHash("sha256").update(practiceSection()).digest("hex").slice(0, 12);
  return join(root, "node_modules", ".cache", "practice", `practice-${digest}.html`);
}

/** Deletes the report of an earlier run, so that it never stands for a run that failed. */
export function discardPracticeReport(): void {
  rmSync(dirname(fileOf()), { recursive: true, force: true });
}

export function keepPracticeReport(html: string): void {
  mkdirSync(dirname(fileOf()), { recursive: true });
  writeFileSync(fileOf(), html);
}

/** @throws if the test of this section has not passed with its present text */
export function readPracticeReport(): string {
  try {
    return readFileSync(fileOf(), "utf8");
  } catch (cause) {
    const command = "npx jest --selectProjects cdktf --testMatch '**/practice.robustness.ts'";
    throw new Error(`the browser tests open the report of the practice in docs/tutorial.md: first run ${command}`, {
      cause,
    });
  }
}
