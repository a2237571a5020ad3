import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openCatalogue } from "../../lib/terraform-provider/catalogue";
import {
  type SchemaBlock as DerivedBlock,
  dataSourceSchema,
  openBindings,
  resourceSchema,
} from "../../lib/terraform-provider/schema";
import { standInConnection } from "./connections";
import { fixtureFolder, readRecording, readSchema, recordedVersions } from "./fixtures";
import { groupRequests } from "./group";
import { intendedDifferences, missingSchemaMembers, unrecorded, withoutDifferences } from "./intended-differences";
import type { SentRequest } from "./recorder";
import { replay } from "./replay";
import { type Recording, recordStacks } from "./run-stacks";
import type { SchemaBlock } from "./schema";

jest.setTimeout(300_000);

const versions = recordedVersions();
const bindings = openBindings();

/** Returns whether a request is the provider's read of a log bucket before its creation, with the response 404. */
function asksForBucket({ httpMethod, target, status }: SentRequest): boolean {
  return httpMethod === "GET" && status === 404 && /\/buckets\/[^/]+$/.test(target.split("?")[0] ?? "");
}

/** Requests by stack, step and resource, without intended differences. */
function comparable(recording: Recording): unknown {
  return Object.fromEntries(
    Object.entries(recording).map(([stack, steps]) => [
      stack,
      Object.fromEntries(
        Object.entries(steps).map(([step, requests]) => [step, groupRequests(withoutDifferences(requests))]),
      ),
    ]),
  );
}

test("records the version of the bindings", () => {
  expect(versions).toContain(bindings.providerVersion);
});

describe.each(versions)("the provider %s, as recorded", (version) => {
  const recording = readRecording(version);

  test("received a good answer from the cloud to every request", () => {
    const refused = Object.values(recording)
      .flatMap((steps) => Object.values(steps).flat())
      .filter((request) => request.status >= 300 && !asksForBucket(request));

    expect(refused).toEqual([]);
  });

  test("receives the same answers from the current cloud, request by request", async () => {
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

test("sends with the stand-in what the provider of its bindings sends, except for the intended differences", async () => {
  const own = await recordStacks(standInConnection(bindings.providerVersion), { overTls: false, atOnce: true });

  expect(comparable(own)).toEqual(comparable(readRecording(bindings.providerVersion)));
});

test.each(intendedDifferences)("finds the intended difference '$name' in a recording", ({ without }) => {
  const requests = versions.flatMap((version) =>
    Object.values(readRecording(version)).flatMap((steps) => Object.values(steps).flat()),
  );

  expect(requests.some((request) => JSON.stringify(without(request)) !== JSON.stringify(request))).toBe(true);
});

test.each([
  { target: "/compute/v1/projects/p/global/operations/operation-1?alt=json", isRecorded: false },
  { target: "/v1/operations/acat.p2-1", isRecorded: false },
  { target: "/dns/v1/projects/p/managedZones/zone/changes/7", isRecorded: false },
  { target: "/dns/v1/projects/p/managedZones/zone", isRecorded: true },
  { target: "/compute/v1/projects/p/global/operations", isRecorded: true },
])("decides for GET $target whether it is in a recording: $isRecorded", ({ target, isRecorded }) => {
  const fits = (request: Pick<SentRequest, "httpMethod" | "target">) => unrecorded.some((row) => row.fits(request));

  expect(fits({ httpMethod: "GET", target })).toBe(!isRecorded);
  expect(fits({ httpMethod: "POST", target })).toBe(false);
});

describe("the schema of the bindings", () => {
  const recorded = readSchema(bindings.providerVersion);
  const catalogue = openCatalogue(bindings, []);
  const pairs = [
    ...Object.entries(recorded.resources).map(([type, entry]) => ({
      type,
      entry,
      derived: resourceSchema(bindings, type) as DerivedBlock,
      marked: catalogue.resources.get(type)?.schema as DerivedBlock,
    })),
    ...Object.entries(recorded.data).map(([type, entry]) => ({
      type: `the data source ${type}`,
      entry,
      derived: dataSourceSchema(bindings, type) as DerivedBlock,
      marked: catalogue.data.get(type)?.schema as DerivedBlock,
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

  test.each(pairs)("has every attribute of $type as in the provider", ({ derived, entry: { block } }) => {
    expect(shapeOf(derived)).toEqual(shapeOfRecorded(block));
  });

  test.each(pairs)("marks in the rows the attributes of $type that the provider marks as sensitive", (pair) => {
    expect(sensitiveNames(pair.marked)).toEqual(recordedSensitiveNames(pair.entry.block));
  });
});

/** Returns attributes and blocks in the same form, without members that the bindings lack. */
function shapeOf({ attributes, blocks }: DerivedBlock): unknown {
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

function sensitiveNames({ attributes, blocks }: DerivedBlock, around = ""): readonly string[] {
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

test("stores recordings as data without programs", () => {
  const root = join(fixtureFolder("x"), "..");
  const files = existsSync(root) ? readdirSync(root, { recursive: true }).map(String) : [];

  expect(files.filter((name) => !/^[\d.]+(?:-\w+)?(?:\/(?:requests|schema)\.json)?$/.test(name))).toEqual([]);
});
