import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openCatalogue } from "../../lib/terraform-provider/catalogue";
import { type Block, dataSourceSchema, openBindings, resourceSchema } from "../../lib/terraform-provider/schema";
import { standInConnection } from "./connections";
import { fixtureFolder, readRecording, readSchema, recordedVersions } from "./fixtures";
import { groupRequests } from "./group";
import { intendedDifferences, missingSchemaMembers, withoutDifferences } from "./intended-differences";
import { replay } from "./replay";
import { type Recording, recordStacks } from "./run-stacks";
import type { SchemaBlock } from "./schema";

jest.setTimeout(300_000);

const versions = recordedVersions();
const bindings = openBindings();

/** Requests by stack, step and resource, without intended differences. */
function comparable(recording: Recording): unknown {
  return Object.fromEntries(
    Object.entries(recording).map(([stack, steps]) => [
      stack,
      Object.fromEntries(
        Object.entries(steps).map(([step, requests]) => [step, groupRequests(requests.map(withoutDifferences))]),
      ),
    ]),
  );
}

test("the version of the bindings is recorded", () => {
  expect(versions).toContain(bindings.providerVersion);
});

describe.each(versions)("the provider %s, as it was recorded", (version) => {
  const recording = readRecording(version);

  test("was answered well by the cloud in every request", () => {
    const refused = Object.values(recording)
      .flatMap((steps) => Object.values(steps).flat())
      .filter(({ status }) => status >= 300);

    expect(refused).toEqual([]);
  });

  test("is answered in the same way by today's cloud, request by request", async () => {
    expect(await replay(recording)).toEqual([]);
  });

  test("has no key, certificate or token in its recording, and at most 2 MB", () => {
    const folder = fixtureFolder(version);
    const files = readdirSync(folder).map((name) => join(folder, name));
    const text = files.map((file) => readFileSync(file, "utf8")).join("\n");

    expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(2_000_000);
    expect(text).not.toMatch(/-----BEGIN|Bearer |ya29\.|"authorization":|access_token=/i);
  });
});

test("the stand-in sends what the provider of its bindings sends, but for the intended differences", async () => {
  const own = await recordStacks(standInConnection(bindings.providerVersion), { overTls: false });

  expect(comparable(own)).toEqual(comparable(readRecording(bindings.providerVersion)));
});

test.each(intendedDifferences)("the intended difference '$name' is still there in a recording", ({ without }) => {
  const requests = versions.flatMap((version) =>
    Object.values(readRecording(version)).flatMap((steps) => Object.values(steps).flat()),
  );

  expect(requests.some((request) => JSON.stringify(without(request)) !== JSON.stringify(request))).toBe(true);
});

describe("the schema that is read from the bindings", () => {
  const recorded = readSchema(bindings.providerVersion);
  const catalogue = openCatalogue(bindings, []);
  const pairs = [
    ...Object.entries(recorded.resources).map(([type, entry]) => ({
      type,
      entry,
      derived: resourceSchema(bindings, type) as Block,
      marked: catalogue.resources.get(type)?.schema as Block,
    })),
    ...Object.entries(recorded.data).map(([type, entry]) => ({
      type: `the data source ${type}`,
      entry,
      derived: dataSourceSchema(bindings, type) as Block,
      marked: catalogue.data.get(type)?.schema as Block,
    })),
  ];

  test.each(missingSchemaMembers)(
    "lacks '$member', which the recorded schema has: $reason",
    ({ ofDerived, ofRecorded }) => {
      const differing = pairs.filter(
        ({ entry, derived }) => JSON.stringify(ofDerived(derived)) !== JSON.stringify(ofRecorded(entry)),
      );

      expect(differing.length).toBeGreaterThan(0);
    },
  );

  test.each(pairs)("has every attribute of $type as the provider has it", ({ derived, entry: { block } }) => {
    expect(shapeOf(derived)).toEqual(shapeOfRecorded(block));
  });

  test.each(pairs)("and the rows mark the attributes of $type that the provider marks as sensitive", (pair) => {
    expect(sensitiveNames(pair.marked)).toEqual(recordedSensitiveNames(pair.entry.block));
  });
});

/** Attributes and blocks in one form, without members that the bindings lack. */
function shapeOf({ attributes, blocks }: Block): unknown {
  return {
    attributes: Object.fromEntries(
      [...attributes].map(([name, { type, required, optional, computed, writeOnly }]) => [
        name,
        { type, required, optional, computed, writeOnly },
      ]),
    ),
    blocks: Object.fromEntries(
      [...blocks].map(([name, { nesting, minItems, block }]) => [name, { nesting, minItems, block: shapeOf(block) }]),
    ),
  };
}

function shapeOfRecorded({ attributes = {}, block_types: blocks = {} }: SchemaBlock): unknown {
  return {
    attributes: Object.fromEntries(
      Object.entries(attributes).map(
        ([name, { type, required = false, optional = false, computed = false, write_only: writeOnly = false }]) => [
          name,
          { type, required, optional, computed, writeOnly },
        ],
      ),
    ),
    blocks: Object.fromEntries(
      Object.entries(blocks).map(([name, { nesting_mode, min_items: minItems = 0, block }]) => [
        name,
        { nesting: nesting_mode, minItems, block: shapeOfRecorded(block) },
      ]),
    ),
  };
}

function sensitiveNames({ attributes, blocks }: Block, around = ""): readonly string[] {
  return [
    ...[...attributes].filter(([, { sensitive }]) => sensitive).map(([name]) => `${around}${name}`),
    ...[...blocks].flatMap(([name, { block }]) => sensitiveNames(block, `${around}${name}.`)),
  ].sort();
}

function recordedSensitiveNames(
  { attributes = {}, block_types: blocks = {} }: SchemaBlock,
  around = "",
): readonly string[] {
  return [
    ...Object.entries(attributes)
      .filter(([, { sensitive }]) => sensitive)
      .map(([name]) => `${around}${name}`),
    ...Object.entries(blocks).flatMap(([name, { block }]) => recordedSensitiveNames(block, `${around}${name}.`)),
  ].sort();
}

test("recordings are data alone: there is no program among them", () => {
  const root = join(fixtureFolder("x"), "..");
  const files = existsSync(root) ? readdirSync(root, { recursive: true }).map(String) : [];

  expect(files.filter((name) => !/^[\d.]+(?:-\w+)?(?:\/(?:requests|schema)\.json)?$/.test(name))).toEqual([]);
});
