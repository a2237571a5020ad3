/**
 * Checks the stand-in with bindings that npm does not have here: `tsx test/kits/schema.ts BINDINGS_FOLDER...`. Every
 * type has a schema, the rows of the stand-in fit it, and it is the one that `schemas.json` records: its digest was
 * recorded after a comparison with the provider's own schemas. `--record` writes the facts of these bindings there.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCatalogue } from "../../lib/terraform-provider/catalogue";
import { describedRows } from "../../lib/terraform-provider/resources";
import {
  type Bindings,
  bindingsAt,
  dataSourceSchema,
  providerSchema,
  resourceSchema,
  type SchemaBlock,
} from "../../lib/terraform-provider/schema";
import { strayAttributes, unknownNames } from "../support/checked-rows";

/** What was derived from the bindings for one version of the provider. */
interface Facts {
  readonly types: number;
  readonly attributes: number;
  readonly blocks: number;
  readonly writeOnly: number;
  readonly deletionPolicies: number;
  /** Blocks anywhere in `google_container_cluster`, most of whose source is in files of its own. */
  readonly clusterBlocks: number;
  /** SHA-256 of everything that was derived. */
  readonly digest: string;
}

const factsFile = join(__dirname, "schemas.json");
/** Time in which every type of the bindings is derived, in milliseconds; measured: 5 s on two cores. */
const mostMs = 60_000;

function deriveAll(root: string, bindings: Bindings): ReadonlyMap<string, SchemaBlock> {
  const schemas = new Map([["provider", providerSchema(bindings)]]);
  // Functions and ephemeral resources are of no resource type.
  const folders = readdirSync(join(root, "lib"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:provider(?:-functions)?$|ephemeral-)/.test(entry.name))
    .map(({ name }) => name);
  for (const folder of folders) {
    const isData = folder.startsWith("data-google-");
    const type = `google_${folder.replace(/^data-google-/, "").replaceAll("-", "_")}`;
    const block = isData ? dataSourceSchema(bindings, type) : resourceSchema(bindings, type);
    if (block === undefined) throw new Error(`${folder} has no class of ${type}`);
    schemas.set(isData ? `data.${type}` : type, block);
  }
  return schemas;
}

function factsOf(schemas: ReadonlyMap<string, SchemaBlock>): Facts {
  const blocks = [...schemas.values()].flatMap(withNested);
  const attributes = blocks.flatMap((block) => [...block.attributes.values()]);
  const cluster = schemas.get("google_container_cluster");
  const policies = [...schemas.values()].filter((block) => block.attributes.has("deletion_policy"));
  const digest = createHash("sha256")
    .update(JSON.stringify([...schemas].sort(), sortedMaps))
    .digest("hex");
  return {
    types: schemas.size,
    attributes: attributes.length,
    blocks: blocks.length - schemas.size,
    writeOnly: attributes.filter(({ writeOnly }) => writeOnly).length,
    deletionPolicies: policies.length,
    clusterBlocks: cluster === undefined ? 0 : withNested(cluster).length - 1,
    digest,
  };
}

function withNested(block: SchemaBlock): readonly SchemaBlock[] {
  return [block, ...[...block.blocks.values()].flatMap((nested) => withNested(nested.block))];
}

function sortedMaps(_: string, value: unknown): unknown {
  return value instanceof Map ? [...value].sort(([left], [right]) => (left < right ? -1 : 1)) : value;
}

function check(root: string): readonly (readonly [string, readonly string[]])[] {
  const bindings = bindingsAt(root);
  const started = performance.now();
  const schemas = deriveAll(root, bindings);
  const seconds = (performance.now() - started) / 1_000;
  const facts = factsOf(schemas);
  const catalogueStarted = performance.now();
  const catalogue = openCatalogue(bindings, []);
  const catalogueMs = Math.round(performance.now() - catalogueStarted);
  console.log(`${bindings.packageName}, google ${bindings.providerVersion}: ${JSON.stringify(facts)}`);
  console.log(`derived in ${seconds.toFixed(1)} s; what a rehearsal needs of it in ${catalogueMs} ms`);

  const known = JSON.parse(readFileSync(factsFile, "utf8")) as Record<string, Facts>;
  if (process.argv.includes("--record")) {
    const sorted = Object.entries({ ...known, [bindings.providerVersion]: facts }).sort();
    writeFileSync(factsFile, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
  }
  const recorded = known[bindings.providerVersion];
  const schemaOf = (type: string) => schemas.get(type) ?? { attributes: new Map(), blocks: new Map() };
  const resources = [...catalogue.resources.values()];
  return [
    ["every type is derived in time", seconds * 1_000 > mostMs ? [`${seconds} s`] : []],
    ["google_container_cluster has its blocks", facts.clusterBlocks < 100 ? [`${facts.clusterBlocks} blocks`] : []],
    [
      "every attribute of a described type is a member of its API",
      describedRows.flatMap((row) => strayAttributes(row, schemaOf(row.type)).map((name) => `${row.type}.${name}`)),
    ],
    [
      "the rules of a type name attributes that it has",
      resources.flatMap(({ kind, schema }) => unknownNames(kind.overlay, schema).map((name) => `${kind.type}.${name}`)),
    ],
    [
      "the schemas are those that are recorded",
      // Bindings of a later version have no record yet. The other checks apply to them.
      recorded === undefined || JSON.stringify(recorded) === JSON.stringify(facts) ? [] : [JSON.stringify(recorded)],
    ],
  ];
}

let [passed, failed] = [0, 0];
for (const root of process.argv.slice(2).filter((word) => !word.startsWith("--"))) {
  for (const [name, problems] of check(root)) {
    if (problems.length === 0) passed += 1;
    else {
      failed += 1;
      console.log(`FAILED ${name}: ${problems.join(" ")}`);
    }
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
