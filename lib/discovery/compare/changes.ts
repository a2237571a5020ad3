import type { CodedFinding } from "../../findings/finding";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import type { comparisonFindings } from "../codes";

/**
 * `breaking`: a call that follows the old description, or a reader of its answer, can fail with the new description.
 * `compatible`: everything that worked still works. `noise`: no request or response differs.
 */
export type ChangeClass = "breaking" | "compatible" | "noise";

/**
 * Kind of the difference. Stable, kebab-case. `-narrowed`: fewer values are allowed than before. `-widened`: more
 * values. `-changed`: other values, or the relation is unknown.
 */
export type ChangeKind =
  | DocumentChangeKind
  | MethodChangeKind
  | MediaChangeKind
  | ParameterChangeKind
  | ValueChangeKind
  | SchemaChangeKind;

type DocumentChangeKind =
  | `${"root-url" | "mtls-root-url" | "service-path" | "batch-path" | "protocol" | "reserved-expansion"}-changed`
  | `${"label" | "feature" | "endpoint" | "auth-scope"}-${"added" | "removed"}`
  | `${"description" | "revision"}-changed`
  /** A field that does not affect calls, or an undeclared field. */
  | "field-changed";

type MethodChangeKind =
  | `${"method" | "scope" | "subscription"}-${"added" | "removed"}`
  | `${"request" | "response"}-${"added" | "removed" | "changed"}`
  | `${"http-method" | "path" | "flat-path" | "api-version" | "parameter-order"}-changed`
  /**
   * The method has another position in the resource tree, or another id. Many clients call methods by this position.
   */
  | "resource-changed";

type MediaChangeKind =
  | `${"media-download" | "media-upload" | "media-type" | "upload-protocol" | "upload-multipart"}-${"added" | "removed"}`
  | `media-size-${"narrowed" | "widened" | "changed"}`
  | "upload-path-changed";

type ParameterChangeKind = `parameter-${"added" | "removed"}` | "location-changed" | `repeated-${"gained" | "lost"}`;

/** Changes of both parameters and places in schemas. `enum-narrowed`: a list of allowed values was added. */
export type ValueChangeKind =
  | `${"type" | "format" | "pattern" | "minimum" | "maximum"}-${"narrowed" | "widened" | "changed"}`
  | `enum-${"narrowed" | "widened"}`
  | `enum-value-${"added" | "removed"}`
  | "default-changed"
  | `${"required" | "deprecation"}-${"gained" | "lost"}`;

type SchemaChangeKind =
  | `${"schema" | "property" | "additional-properties"}-${"added" | "removed"}`
  | "schema-renamed"
  | `read-only-${"gained" | "lost"}`
  /** A `$ref` refers to another schema, or only one of both schemas is a reference. */
  | "reference-changed"
  | `reference-${"dangling" | "fixed"}`;

/** Ids of the methods whose bodies contain a schema, sorted. */
export interface Reach {
  readonly request: readonly string[];
  readonly response: readonly string[];
}

/** One difference between two descriptions. */
export interface DescriptionChange {
  readonly kind: ChangeKind;
  readonly class: ChangeClass;
  /**
   * The changed element. A method's id; a parameter, for example `dns.changes.list ?sortBy` (`?alt` for a parameter of
   * the whole API); a place in a schema, for example `Certificate.managed.domains[]` (`.*` for properties with any
   * name); or a field of the document. Unchanged from the description: escape it before you print it to a terminal.
   */
  readonly subject: string;
  /** Value in the old description, if there is a value to show. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** The subject and its change. One line, safe for a terminal. */
  readonly message: string;
  /**
   * For a change in a schema: the methods of both descriptions that send or receive the schema. For an added or removed
   * schema: the methods of the description that has it.
   */
  readonly reaches?: Reach;
}

/**
 * A remark about the comparison itself. The subject is the id of the new API, or empty.
 *
 * `revision-unchanged`: two different descriptions of one version have the same revision. `revision-backwards`: the new
 * description has the older revision. `other-api`: the descriptions are of different APIs. `comparison-cut`: not every
 * replaced schema was compared; the others count as breaking. `methods-cut`: some changes in schemas have no
 * {@link DescriptionChange.reaches}; their class is still correct.
 */
export type ComparisonFinding = CodedFinding<keyof typeof comparisonFindings>;

/** Identity of a description, as far as the description states it. */
export interface ComparedDocuments {
  /** Id of the API: `<name>:<version>`. */
  readonly id: string;
  readonly revision: string | undefined;
}

/** The differences of two revisions of a description. */
export interface Comparison {
  readonly from: ComparedDocuments;
  readonly to: ComparedDocuments;
  /** Breaking changes first, then compatible changes, then noise; each group is sorted by subject. */
  readonly changes: readonly DescriptionChange[];
  /** Number of breaking changes. */
  readonly breaking: number;
  readonly compatible: number;
  readonly noise: number;
  readonly findings: readonly ComparisonFinding[];
}

export type ReportChange = (change: DescriptionChange) => void;

/** A change without its message. The text follows the subject, for example "was removed". */
interface ChangeParts extends Omit<DescriptionChange, "message" | "reaches"> {
  readonly text: string;
  readonly reaches?: Reach | undefined;
}

export function changeOf({ text, before, after, reaches, ...rest }: ChangeParts): DescriptionChange {
  return {
    ...rest,
    ...defined({ before, after }),
    message: `${quote(rest.subject)} ${text}`,
    ...defined({ reaches }),
  };
}

/** Records a change of one subject. The text follows the subject, for example "was removed". */
export type ReportOfSubject = (
  kind: ChangeKind,
  inClass: ChangeClass,
  text: string,
  before?: unknown,
  after?: unknown,
) => void;

export function reportsOf(subject: string, report: ReportChange): ReportOfSubject {
  return (kind, inClass, text, before, after) =>
    report(changeOf({ kind, class: inClass, subject, text, before, after }));
}

const ranks: Readonly<Record<ChangeClass, number>> = { breaking: 2, compatible: 1, noise: 0 };

export function worse(a: ChangeClass, b: ChangeClass): ChangeClass {
  return ranks[a] >= ranks[b] ? a : b;
}

/** Sorts changes: breaking first, then by subject. The order does not depend on the order of keys in a description. */
export function sortChanges(changes: readonly DescriptionChange[]): readonly DescriptionChange[] {
  return [...changes].sort(
    (a, b) =>
      ranks[b.class] - ranks[a.class] ||
      inOrder(a.subject, b.subject) ||
      inOrder(a.kind, b.kind) ||
      inOrder(a.message, b.message),
  );
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Class of a difference for a place that callers send, and for a place that callers receive. */
export interface Effect {
  readonly request: ChangeClass;
  readonly response: ChangeClass;
}

export type Direction = keyof Effect;

/** Fewer values than before. Callers may send a value that is now invalid; readers get no new values. */
export const narrows: Effect = { request: "breaking", response: "compatible" };
/** More values than before, of a kind that readers pass on without reading. */
export const widens: Effect = { request: "compatible", response: "compatible" };
/** More values than before, which readers may be unable to read. */
export const loosens: Effect = { request: "compatible", response: "breaking" };
export const breaks: Effect = { request: "breaking", response: "breaking" };
export const isCompatible: Effect = { request: "compatible", response: "compatible" };
export const isNoise: Effect = { request: "noise", response: "noise" };

/** A difference between two schemas, before it is known whether the schemas are sent or received. */
export interface Difference {
  readonly kind: ChangeKind;
  readonly effect: Effect;
  /** Text after the subject, for example "was removed". */
  readonly text: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Suffix of the subject if the difference concerns only a part, for example `=FAILED`. */
  readonly part?: string;
}

export type Say = (difference: Difference) => void;
