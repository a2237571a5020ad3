/** `migration.yaml` as the tutorial creates it, and the page on a new load balancer completes it. */
import { join } from "node:path";
import { parse, parseDocument } from "yaml";
import { inventoryToSpec, takeInventory } from "../../lib/inventory";
import { writeMigrationDocument } from "../../lib/plan";
import { pageText, sectionOf } from "./pages";

const root = join(__dirname, "..", "..");
const certificates = join(root, "examples", "from-certificates", "certificates");

export const tutorialText = `${sectionOf("tutorial.md", "Ten-minute migration")}${pageText("new-load-balancer.md")}`;

/** The parts of migration.yaml that the tutorial adds one after the other: in part B, then in part G. */
export const tutorialEdits: readonly string[] = [
  ...tutorialText.matchAll(/^```yaml migration\.yaml\n([\s\S]*?)^```$/gm),
].map(([, block = ""]) => block);

/** Returns the migration of part A after some edits. */
export function tutorialMigration(edits: readonly string[]): string {
  const paths = ["intranet", "pay", "shop"].map((name) => join(certificates, `${name}.pem`));
  const made = inventoryToSpec(takeInventory(paths, { now: new Date("2026-11-21T00:00:00Z") }), "migration");
  if (made === undefined) throw new Error("the certificates give no migration");
  const migration = parseDocument(writeMigrationDocument(made.spec));
  for (const block of edits) {
    for (const [key, value] of Object.entries(parse(block) as object)) migration.set(key, value);
  }
  return migration.toString();
}
