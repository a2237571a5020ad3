import { findingsOf } from "../../findings/finding";
import { quote } from "../../text/quote";
import { ApiDescription } from "../api-description";
import { comparisonFindings } from "../codes";
import type { DescriptionDocument } from "../document";
import {
  type ChangeClass,
  type ComparedDocuments,
  type Comparison,
  type ComparisonFinding,
  type DescriptionChange,
  sortChanges,
} from "./changes";
import { compareDocuments } from "./document-level";
import { compareMethod, matchMethods } from "./methods";
import type { Pair } from "./pairs";
import { compareApiParameters } from "./parameters";
import { SchemaPairs } from "./schema-pairs";
import { compareSchemas } from "./schemas";

/** A parsed description, its document, or the document's JSON text. */
export type DescriptionLike = ApiDescription | DescriptionDocument | string;

/**
 * Compares two descriptions of an API, and classifies each difference for callers that use the old description.
 *
 * Methods are matched by id, and by address if their id changed. A difference in a schema is reported once, with the
 * methods whose requests and responses
 * contain the schema. Its class depends on whether the schema is sent or received. Revisions are reported but not
 * trusted. The order of keys and of sets does not matter.
 *
 * @param old the description that callers know
 * @param now the description that replaces it
 * @throws {@link InputError} for an invalid description, as in {@link ApiDescription.parse}, or for an invalid schema:
 * all schemas are read
 */
export function compareDescriptions(old: DescriptionLike, now: DescriptionLike): Comparison {
  return compareParsed(parsed(old), parsed(now));
}

function parsed(description: DescriptionLike): ApiDescription {
  return description instanceof ApiDescription ? description : ApiDescription.parse(description);
}

function compareParsed(old: ApiDescription, now: ApiDescription): Comparison {
  const changes: DescriptionChange[] = [];
  const report = (change: DescriptionChange) => changes.push(change);
  // Copies, because a description checks a schema at each access.
  const [oldSchemas, newSchemas] = [new Map(old.schemas()), new Map(now.schemas())];
  const common = matchMethods(old, now, report);
  compareDocuments(old.document, now.document, common, report);
  const pairs = new SchemaPairs(oldSchemas, newSchemas, new Set(common.flatMap(([a, b]) => [a.id, b.id])));
  const around = { old: old.document, now: now.document, schemas: newSchemas, pairs, report };
  const places = common.map((methods) => compareMethod(methods, around));
  const ofApi = compareApiParameters(old.document.parameters, now.document.parameters, common, pairs, report);
  const ofParameters = new Set<Pair>([...ofApi, ...places.flatMap(({ parameters }) => parameters)]);
  const ofMethods = places.flatMap(({ starts }) => starts);
  const followed = compareSchemas(
    { methods: old.methods(), schemas: oldSchemas },
    { methods: now.methods(), schemas: newSchemas },
    pairs,
    { ofMethods, ofParameters },
    report,
  );
  return {
    from: comparedOf(old),
    to: comparedOf(now),
    changes: sortChanges(changes),
    breaking: countOf(changes, "breaking"),
    compatible: countOf(changes, "compatible"),
    noise: countOf(changes, "noise"),
    findings: [...revisionFindings(old, now, changes), ...cutFindings(followed)],
  };
}

function comparedOf({ id, document }: ApiDescription): ComparedDocuments {
  return { id, revision: document.revision };
}

function countOf(changes: readonly DescriptionChange[], wanted: ChangeClass): number {
  return changes.filter((change) => change.class === wanted).length;
}

const finding = findingsOf(comparisonFindings);

function revisionFindings(
  old: ApiDescription,
  now: ApiDescription,
  changes: readonly DescriptionChange[],
): readonly ComparisonFinding[] {
  const findings: ComparisonFinding[] = [];
  const [before, after] = [old.document.revision, now.document.revision];
  if (old.name !== now.name) {
    const message = `the descriptions are of different APIs, ${quote(old.name)} and ${quote(now.name)}`;
    findings.push(finding("other-api", now.id, message));
  }
  if (changes.length > 0 && old.id === now.id && before !== undefined && before === after) {
    const message = `both descriptions carry the revision ${quote(before)}, and they are different`;
    findings.push(finding("revision-unchanged", now.id, message));
  }
  if (old.id === now.id && before !== undefined && after !== undefined && isEarlier(after, before)) {
    const message = `the new description carries the older revision, ${quote(after)} after ${quote(before)}: the arguments may be reversed`;
    findings.push(finding("revision-backwards", now.id, message));
  }
  return findings;
}

function cutFindings(followed: ReturnType<typeof compareSchemas>): readonly ComparisonFinding[] {
  const findings: ComparisonFinding[] = [];
  if (!followed.isWhole) {
    const message = "too many schemas took the place or the name of others: what was not followed counts as breaking";
    findings.push(finding("comparison-cut", "", message));
  }
  if (!followed.hasAllMethods) {
    const message = "too many schemas changed: for some, the methods that send and receive them are not listed";
    findings.push(finding("methods-cut", "", message));
  }
  return findings;
}

/** Compares revisions that are dates as yyyymmdd, or counters; other revisions are not compared. */
function isEarlier(a: string, b: string): boolean {
  const [digits, others] = [a, b].map((text) => (/^\d{1,40}$/.test(text) ? text.replace(/^0+/, "") : undefined));
  if (digits === undefined || others === undefined) return false;
  return digits.length < others.length || (digits.length === others.length && digits < others);
}
