import fc from "fast-check";
import { ApiDescription, compareDescriptions, ownDescription } from "../../../lib/discovery";
import { InputError } from "../../../lib/errors";

const own = (["discovery:v1", "dns:v1"] as const).map((id) => ownDescription(id).document);
const oddNames = ["__proto__", "constructor", "$ref", "properties", "items", "Schema", "", "\u001b[31m", "a.b/c~d"];
const oddValues = ["", "string", "object", "any", "Change", "a|b", "(((", "-1", "1e999", "{+x}", "\u202e"];

/** What happens to a description: at which node, counted from the first, and what. */
const anyDamage = fc.array(
  fc.record({
    node: fc.nat(20_000),
    key: fc.nat(50),
    act: fc.constantFrom("delete", "rename", "text", "move", "reference"),
    pick: fc.nat(50),
  }),
  { minLength: 1, maxLength: 8 },
);

type Damage = typeof anyDamage extends fc.Arbitrary<infer Value> ? Value : never;
type Node = Record<string, unknown>;

/** The damaged description, as text. */
function damaged(document: unknown, damage: Damage): string {
  const copy = structuredClone(document);
  const nodes = nodesOf(copy);
  for (const { node: at, key: keyAt, act, pick } of damage) {
    const node = nodes[at % nodes.length]!;
    const keys = Object.keys(node);
    const key = keys[keyAt % keys.length];
    if (key === undefined) continue;
    const value = node[key];
    // Most other damage would keep it from being a description at all.
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (Array.isArray(node) || (act !== "text" && act !== "delete" && !isObject)) continue;
    if (act === "text" && typeof value !== "string") continue;
    if (act === "delete") delete node[key];
    else if (act === "rename") define(node, oddNames[pick % oddNames.length]!, value);
    else if (act === "text") define(node, key, oddValues[pick % oddValues.length]);
    else if (act === "reference") define(node, key, { $ref: oddNames[pick % oddNames.length] });
    else define(node, key, structuredClone(nodes[pick % nodes.length]));
  }
  return JSON.stringify(copy);
}

function nodesOf(root: unknown): readonly Node[] {
  const nodes: Node[] = [];
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    nodes.push(next as Node);
    waiting.push(...Object.values(next));
  }
  return nodes;
}

/** An own property, whatever its name. */
function define(node: Node, key: string, value: unknown): void {
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Undefined where the damage keeps it from being a description, schemas included. */
function readOrNothing(document: string): ApiDescription | undefined {
  try {
    const description = ApiDescription.parse(document);
    for (const name of description.schemas().keys()) description.schema(name);
    return description;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

test("compares 20,000 damaged descriptions to the end, with correct counts", () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.nat(own.length - 1), anyDamage, anyDamage, (which, one, other) => {
      const old = readOrNothing(damaged(own[which], one));
      const now = readOrNothing(damaged(own[which], other));
      if (old === undefined || now === undefined) return;
      const { changes, breaking, compatible, noise } = compareDescriptions(old, now);
      compared++;

      expect(breaking + compatible + noise).toBe(changes.length);
      expect(changes.filter(({ message }) => /\p{Cc}|\u202e/u.test(message))).toEqual([]);
      expect(compareDescriptions(now, now).changes).toEqual([]);
    }),
    { numRuns: 20_000, verbose: 1 },
  );

  expect(compared).toBeGreaterThan(4_000);
}, 600_000);
