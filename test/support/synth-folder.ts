/** A folder with a migration, in which tests run `cert-migration synth`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { parseMigrationDocument } from "../../lib/plan";
import { shopSpec } from "./migration-spec";
import { readOnlyCommands } from "./read-only";

/** A spec without records to import. */
export const plainSpec = shopSpec.replace(/^traffic:[\s\S]*/m, "");

type Blocks = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

interface Written {
  readonly "//": readonly string[];
  readonly output: Readonly<Record<string, { readonly value: unknown; readonly depends_on?: readonly string[] }>>;
  readonly resource: Blocks;
  readonly terraform: unknown;
  readonly variable?: Readonly<Record<string, unknown>>;
}

/** Gives each test of a file a new folder with {@link plainSpec} as `migration.yaml`. */
export function inSynthFolder() {
  const commands = readOnlyCommands(() => [], { asksNobody: true });
  let folder = "";
  const path = (...names: readonly string[]) => join(folder, ...names);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cert-migration-synth-"));
    writeFileSync(path("migration.yaml"), plainSpec);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const textOf = (...names: readonly string[]) => readFileSync(path(...names), "utf8");
  return {
    commands,
    path,
    textOf,
    /** Writes the module into the folder `certificates`. */
    synth: (...more: readonly string[]) =>
      commands.run(["synth", "--spec", path("migration.yaml"), "--out", path("certificates"), ...more]),
    written: () => JSON.parse(textOf("certificates", "main.tf.json")) as Written,
  };
}

export function stackOf(text: string): { readonly resource: Blocks } {
  const read = parseMigrationDocument(text, { source: "spec" });
  if ("problems" in read) throw new Error("the spec is invalid");
  return synthesizeSpec(read.spec, "shop-1", { id: "migration" }) as unknown as { readonly resource: Blocks };
}

/** Returns the name of each resource in the cloud, by address. */
export function namesIn(resource: Blocks): Readonly<Record<string, unknown>> {
  const all = Object.entries(resource).flatMap(([type, blocks]) =>
    Object.entries(blocks).map(([id, { name }]) => [`${type}.${id}`, name] as const),
  );
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}
