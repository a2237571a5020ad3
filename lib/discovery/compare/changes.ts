import { quote } from "../../text/quote";

/**
 * `breaking`: a call, or a reader of its answer, that kept to the old description can fail by the new one. `compatible`: everything that worked
 * still does. `noise`: nothing on the wire is different.
 */
export type ChangeClass = "breaking" | "compatible" | "noise";

/** What is different. Stable, kebab-case. `-narrowed`: fewer values are allowed than before; `-widened`: more; `-changed`: others, or it can't be told. */
export type ChangeKind =
  | DocumentChangeKind
  | MethodChangeKind
  | MediaChangeKind
  | ParameterChangeKind
  | ValueChangeKind
  | SchemaChangeKind;

type DocumentChangeKind =
  | "root-url-changed"
  | "mtls-root-url-changed"
  | "service-path-changed"
  | "batch-path-changed"
  | "protocol-changed"
  | "reserved-expansion-changed"
  | "label-added"
  | "label-removed"
  | "feature-added"
  | "feature-removed"
  | "endpoint-added"
  | "endpoint-removed"
  | "auth-scope-added"
  | "auth-scope-removed"
  | "description-changed"
  | "revision-changed"
  /** A field that says nothing about calls, or that nobody declared. */
  | "field-changed";

type MethodChangeKind =
  | "method-added"
  | "method-removed"
  | "http-method-changed"
  | "path-changed"
  | "flat-path-changed"
  /** The method stands in another place of the resource tree, by which many clients call it. */
  | "resource-changed"
  | "api-version-changed"
  | "parameter-order-changed"
  | "request-added"
  | "request-removed"
  | "request-changed"
  | "response-added"
  | "response-removed"
  | "response-changed"
  | "scope-added"
  | "scope-removed"
  | "subscription-added"
  | "subscription-removed";

type MediaChangeKind =
  | "media-download-added"
  | "media-download-removed"
  | "media-upload-added"
  | "media-upload-removed"
  | "media-type-added"
  | "media-type-removed"
  | "media-size-narrowed"
  | "media-size-widened"
  | "media-size-changed"
  | "upload-protocol-added"
  | "upload-protocol-removed"
  | "upload-path-changed"
  | "upload-multipart-added"
  | "upload-multipart-removed";

type ParameterChangeKind =
  | "parameter-added"
  | "parameter-removed"
  | "location-changed"
  | "repeated-gained"
  | "repeated-lost";

/** What may happen to a parameter as well as to a place in a schema. */
export type ValueChangeKind =
  | `${"type" | "format" | "pattern" | "minimum" | "maximum"}-${"narrowed" | "widened" | "changed"}`
  /** A list of allowed values where there was none. */
  | "enum-narrowed"
  /** No list of allowed values any longer. */
  | "enum-widened"
  | "enum-value-added"
  | "enum-value-removed"
  | "default-changed"
  | "required-gained"
  | "required-lost"
  | "deprecation-gained"
  | "deprecation-lost";

type SchemaChangeKind =
  | "schema-added"
  | "schema-removed"
  | "schema-renamed"
  | "property-added"
  | "property-removed"
  | "additional-properties-added"
  | "additional-properties-removed"
  | "read-only-gained"
  | "read-only-lost"
  /** A `$ref` leads to another schema, or a schema in place became one with a name, or the other way round. */
  | "reference-changed"
  | "reference-dangling"
  | "reference-mended";

/** Ids of the methods in whose bodies a schema occurs; sorted. */
export interface Reach {
  readonly request: readonly string[];
  readonly response: readonly string[];
}

/** One thing that is different between two descriptions. */
export interface Change {
  readonly kind: ChangeKind;
  readonly class: ChangeClass;
  /**
   * What it is about: a method's id, a parameter as in `dns.changes.list ?sortBy` (`?alt` for one of the whole API), a place in a schema as in
   * `Certificate.managed.domains[]` (`.*` for properties with any name), or a field of the document. As written in the description: escape it before
   * it goes to a terminal.
   */
  readonly subject: string;
  /** What the old description has, where there is something to show. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** The subject and what happened to it. One line, safe to show. */
  readonly message: string;
  /**
   * Of a change in a schema: the methods that send or receive it, as far as both descriptions have them; of a schema that is new or gone, those of
   * the description that has it.
   */
  readonly reaches?: Reach;
}

/** Something to know about the comparison itself. */
export interface ComparisonFinding {
  /**
   * `revision-unchanged`: the descriptions of one version differ and carry the same revision. `revision-backwards`: the new one carries the older one.
   * `other-api`: they describe different APIs. `comparison-cut`: not every schema that took another's place was followed; what was not counts as
   * breaking. `methods-cut`: some changes in schemas have no {@link Change.reaches}; their class is right all the same.
   */
  readonly code: "revision-unchanged" | "revision-backwards" | "other-api" | "comparison-cut" | "methods-cut";
  /** One line, lower case, no final period. */
  readonly message: string;
}

/** Which description, as far as it says so. */
export interface Compared {
  /** `<name>:<version>`. */
  readonly id: string;
  readonly revision: string | undefined;
}

export interface Comparison {
  readonly from: Compared;
  readonly to: Compared;
  /** Breaking ones first, then compatible ones, then noise; each by subject. */
  readonly changes: readonly Change[];
  /** How many of the changes are breaking. */
  readonly breaking: number;
  readonly compatible: number;
  readonly noise: number;
  readonly findings: readonly ComparisonFinding[];
}

/** Takes the changes as they are found. */
export type Report = (change: Change) => void;

/** A change before its message: what follows the subject, as in "is gone". */
export interface ChangeParts extends Omit<Change, "message" | "reaches"> {
  readonly text: string;
  readonly reaches?: Reach | undefined;
}

/** Leaves out what isn't there, so that changes compare as whole values. */
export function changeOf({ text, before, after, reaches, ...rest }: ChangeParts): Change {
  return {
    ...rest,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    message: `${quote(rest.subject)} ${text}`,
    ...(reaches === undefined ? {} : { reaches }),
  };
}

/** Takes the changes of one subject; the text follows the subject, as in "is gone". */
export type ReportOfSubject = (
  kind: ChangeKind,
  inClass: ChangeClass,
  text: string,
  before?: unknown,
  after?: unknown,
) => void;

export function reportsOf(subject: string, report: Report): ReportOfSubject {
  return (kind, inClass, text, before, after) =>
    report(changeOf({ kind, class: inClass, subject, text, before, after }));
}

const ranks: Readonly<Record<ChangeClass, number>> = { breaking: 2, compatible: 1, noise: 0 };

export function worse(a: ChangeClass, b: ChangeClass): ChangeClass {
  return ranks[a] >= ranks[b] ? a : b;
}

/** Breaking first, then by subject; an order that no order of keys in a description has a part in. */
export function sortChanges(changes: readonly Change[]): readonly Change[] {
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
