import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import type { ProjectInventory } from "../../../lib/project-inventory";

interface Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly enum?: readonly string[];
  readonly definitions: Readonly<Record<string, Schema>>;
}

const folder = join(__dirname, "../../../lib/inventory/project");
const schema = JSON.parse(readFileSync(join(folder, "project-inventory.schema.json"), "utf8")) as Schema;
const model = readFileSync(join(__dirname, "../../../lib/project-inventory/model.ts"), "utf8");

/** Returns the members of each interface, with `?` after the name of an optional member. */
function membersByInterface(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...model.matchAll(/^export interface (\w+) \{(.*?)^\}/gms)].map(([, name = "", body = ""]) => [
      name,
      [...body.matchAll(/^ {2}readonly (\w+\??):/gm)].map(([, member = ""]) => member),
    ]),
  );
}

function membersOf({ properties, required }: Schema): readonly string[] {
  return Object.keys(properties)
    .filter((name) => name !== "$schema")
    .map((name) => (required.includes(name) ? name : `${name}?`));
}

test("contains the fields of each type, with the same optional fields", () => {
  const { Finding: _, ...definitions } = schema.definitions;
  const objects = Object.entries(definitions).filter(([, { properties }]) => properties !== undefined);
  expect({
    ProjectInventory: membersOf(schema),
    ...Object.fromEntries(objects.map(([name, definition]) => [name, membersOf(definition)])),
  }).toEqual(membersByInterface());
});

test("lists the values of each union type", () => {
  const unions = Object.fromEntries(
    [...model.matchAll(/^export type (\w+) =([^;]*);/gm)].map(([, name = "", text = ""]) => [
      name,
      [...text.matchAll(/"(\w+)"/g)].map(([, value]) => value),
    ]),
  );
  const enums = Object.entries(schema.definitions).filter(([, { enum: values }]) => values !== undefined);
  expect(Object.fromEntries(enums.map(([name, { enum: values }]) => [name, values]))).toEqual(unions);
});

const empty: ProjectInventory = {
  schemaVersion: 1,
  project: "shop-prod",
  dnsProjects: ["shop-prod"],
  forwardingRules: [],
  addresses: [],
  proxies: [],
  urlMaps: [],
  certificates: [],
  maps: [],
  zones: [],
  probes: [],
  unread: [],
  findings: [],
};

test("accepts an inventory, and refuses another version and unknown fields", () => {
  const validate = new Ajv({ strictTypes: false }).compile(schema);
  expect(validate(empty)).toBe(true);
  expect(validate({ ...empty, schemaVersion: 2 })).toBe(false);
  expect(validate({ ...empty, rules: [] })).toBe(false);
});
