import { quote } from "../../text/quote";
import type { NameMap, SchemaDocument } from "../document";
import { ownOf } from "../own-of";
import { type FollowedReference, followReference, resolveReference, type Schemas } from "../schemas";
import { breaks, type ChangeKind, isCompatible, isNoise, type Say } from "./changes";
import { compareUndeclaredFields, namesOfBoth } from "./fields";
import { isCross, newPair, type Pair, unnamed } from "./pairs";
import {
  addedProperty,
  compareDeprecation,
  compareDescription,
  compareRequired,
  compareValues,
  readOnlyGained,
  readOnlyLost,
  valueTypeOf,
} from "./values";

interface Place {
  readonly old: SchemaDocument;
  readonly now: SchemaDocument;
  readonly subject: string;
  readonly path?: string;
  readonly kind?: ChangeKind;
}

/**
 * Maximum number of pairs with different names per schema. The number of possible pairs is the square of the number of
 * names. If a version renames all schemas, there are about as many pairs as schemas.
 */
const mostCrossPairsPerSchema = 4;
/**
 * Maximum number of properties and values in these pairs. Two versions of the largest published API have about 13,000.
 */
const mostCrossSteps = 2_000_000;

const anything: SchemaDocument = { type: "any" };

/** Compares schemas pair by pair and follows references. */
export class SchemaPairs {
  readonly #old: Schemas;
  readonly #now: Schemas;
  readonly #commonMethods: ReadonlySet<string>;
  readonly #pairs: Pair[] = [];
  readonly #byTargets = new Map<SchemaDocument, Map<SchemaDocument, Pair>>();
  readonly #waiting: Pair[] = [];
  #crossPairsLeft: number;
  #crossSteps = 0;

  /** @param commonMethods ids of the methods of both descriptions; only their `annotations.required` count */
  constructor(old: Schemas, now: Schemas, commonMethods: ReadonlySet<string>) {
    this.#old = old;
    this.#now = now;
    this.#commonMethods = commonMethods;
    this.#crossPairsLeft = 1_000 + mostCrossPairsPerSchema * (old.size + now.size);
  }

  get pairs(): readonly Pair[] {
    return this.#pairs;
  }

  get isCut(): boolean {
    return this.#crossPairsLeft <= 0 || this.#crossSteps > mostCrossSteps;
  }

  /**
   * Adds a place.
   *
   * @returns undefined if both schemas are equal and have no references, as nearly all parameters
   */
  addPlace({ old, now, subject, path = subject, kind = "reference-changed" }: Place): Pair | undefined {
    const pair = newPair("place", old, now, unnamed, path);
    this.#compare(pair, old, now, subject, path, kind);
    this.#work();
    if (pair.differences.length === 0 && pair.next.size === 0 && !pair.holdsAny) return undefined;
    this.#pairs.push(pair);
    return pair;
  }

  addNamed(name: string, old: SchemaDocument, now: SchemaDocument): Pair {
    const pair = this.#pairOf(old, now, [name, name]);
    this.#work();
    return pair;
  }

  #work(): void {
    for (let pair = this.#waiting.pop(); pair !== undefined; pair = this.#waiting.pop()) {
      this.#compare(pair, pair.old, pair.now, pair.path, pair.path, "reference-changed");
    }
  }

  #pairOf(old: SchemaDocument, now: SchemaDocument, names: Pair["names"]): Pair {
    const known = this.#byTargets.get(old)?.get(now);
    if (known !== undefined) return known;
    const pair = newPair(this.#relationOf(names), old, now, names, names[0] ?? names[1] ?? "");
    this.#pairs.push(pair);
    if (isCross(pair.relation)) this.#crossPairsLeft--;
    const ofOld = this.#byTargets.get(old) ?? new Map<SchemaDocument, Pair>();
    ofOld.set(now, pair);
    this.#byTargets.set(old, ofOld);
    this.#waiting.push(pair);
    return pair;
  }

  #relationOf([before, after]: Pair["names"]): Pair["relation"] {
    if (before === after) return "same";
    if (before === undefined || after === undefined) return "replaced";
    return this.#now.has(before) || this.#old.has(after) ? "replaced" : "renamed";
  }

  #compare(
    pair: Pair,
    old: SchemaDocument,
    now: SchemaDocument,
    subject: string,
    path: string,
    kind: ChangeKind = "reference-changed",
  ): void {
    if (isCross(pair.relation)) this.#crossSteps += 1 + (old.enum?.length ?? 0) + (now.enum?.length ?? 0);
    const say: Say = (difference) =>
      pair.differences.push({ ...difference, subject: `${subject}${difference.part ?? ""}` });
    compareDescription(old.description, now.description, say);
    compareDeprecation(old, now, say);
    compareUndeclaredFields(old, now, say);
    if (old.$ref !== undefined || now.$ref !== undefined) this.#compareReference(pair, old, now, subject, kind, say);
    else this.#compareContent(pair, old, now, path, say);
  }

  #compareReference(
    pair: Pair,
    old: SchemaDocument,
    now: SchemaDocument,
    subject: string,
    kind: ChangeKind,
    say: Say,
  ): void {
    if (old.$ref !== undefined && old.$ref === now.$ref) {
      const [left, right] = [this.#old.get(old.$ref), this.#now.get(old.$ref)];
      if (left !== undefined && right !== undefined) {
        pair.next.add(this.#pairOf(left, right, [old.$ref, old.$ref]));
        return;
      }
    }
    const [from, to] = [followReference(old, this.#old), followReference(now, this.#now)];
    const [before, after] = [from.name ?? inPlace, to.name ?? inPlace];
    const verb = kind === "request-changed" ? "takes" : kind === "response-changed" ? "gives" : "leads to";
    if (from.target === undefined || to.target === undefined) {
      compareDangling(from, to, verb, kind, say);
      return;
    }
    const names = [from.name, to.name] as const;
    const known = this.#byTargets.get(from.target)?.get(to.target);
    const relation = this.#relationOf(names);
    if (known === undefined && isCross(relation) && this.isCut) {
      const text = `${verb} ${nameOf(to)} instead of ${nameOf(from)}, which was not followed`;
      say({ kind, effect: breaks, text, before, after });
      return;
    }
    const target = known ?? this.#pairOf(from.target, to.target, names);
    pair.next.add(target);
    if (relation !== "replaced") return;
    const text = `${verb} ${nameOf(to)} instead of ${nameOf(from)}`;
    pair.differences.push({ kind, effect: isNoise, text, before, after, subject, replacement: target });
  }

  #compareContent(pair: Pair, old: SchemaDocument, now: SchemaDocument, path: string, say: Say): void {
    if (valueTypeOf(old) === "any" || old.format === "google.protobuf.Any") pair.holdsAny = true;
    if (!compareValues(old, now, say)) return;
    const type = valueTypeOf(old);
    if (type === "array") {
      this.#compare(pair, old.items ?? anything, now.items ?? anything, `${path}[]`, `${path}[]`);
    } else if (type === "object") {
      this.#compareProperties(pair, old.properties, now.properties, path);
      this.#compareAdditional(pair, old, now, path, say);
    }
  }

  #compareProperties(
    pair: Pair,
    old: NameMap<SchemaDocument> | undefined,
    now: NameMap<SchemaDocument> | undefined,
    path: string,
  ): void {
    const names = namesOfBoth(old, now);
    if (isCross(pair.relation)) this.#crossSteps += names.length;
    for (const name of names) {
      const [before, after] = [ownOf(old, name), ownOf(now, name)];
      const subject = `${path}.${name}`;
      if (before === undefined) {
        pair.differences.push({ ...addedProperty(after, this.#commonMethods), subject });
      } else if (after === undefined) {
        pair.differences.push({ kind: "property-removed", effect: breaks, text: "was removed", subject });
      } else {
        const say: Say = (difference) => pair.differences.push({ ...difference, subject });
        compareRequired(before, after, this.#commonMethods, say);
        const readOnly = isReadOnly(after, this.#now);
        if (isReadOnly(before, this.#old) !== readOnly) say(readOnly ? readOnlyGained : readOnlyLost);
        this.#compare(pair, before, after, subject, subject);
      }
    }
  }

  /** Compares the properties with any name. An object that declares no properties accepts any property. */
  #compareAdditional(pair: Pair, old: SchemaDocument, now: SchemaDocument, path: string, say: Say): void {
    const before = old.additionalProperties ?? (old.properties === undefined ? anything : undefined);
    const after = now.additionalProperties ?? (now.properties === undefined ? anything : undefined);
    if (before !== undefined && after !== undefined) {
      this.#compare(pair, before, after, `${path}.*`, `${path}.*`);
    } else if (before !== undefined) {
      const response = old.additionalProperties === undefined ? "compatible" : "breaking";
      const effect = { request: "breaking", response } as const;
      say({ kind: "additional-properties-removed", effect, text: "takes only declared properties now" });
    } else if (after !== undefined) {
      say({ kind: "additional-properties-added", effect: isCompatible, text: "takes properties of any name now" });
    }
  }
}

function compareDangling(
  from: FollowedReference,
  to: FollowedReference,
  verb: string,
  kind: ChangeKind,
  say: Say,
): void {
  const [before, after] = [from.name ?? inPlace, to.name ?? inPlace];
  if (from.target !== undefined) {
    const text = `${verb} ${nameOf(to)}, which the description does not have`;
    say({ kind: "reference-dangling", effect: breaks, text, before, after });
  } else if (to.target !== undefined) {
    const text = `${verb} ${nameOf(to)}, where it led nowhere`;
    say({ kind: "reference-fixed", effect: isCompatible, text, before, after });
  } else if (from.name !== to.name) {
    const text = `${verb} ${nameOf(to)} instead of ${nameOf(from)}, and the description has neither`;
    say({ kind, effect: breaks, text, before, after });
  }
}

const inPlace = "a schema in place";

function nameOf({ name }: FollowedReference): string {
  return name === undefined ? inPlace : quote(name);
}

function isReadOnly(schema: SchemaDocument, schemas: Schemas): boolean {
  return schema.readOnly === true || resolveReference(schema, schemas)?.readOnly === true;
}
