import { type LibSource, libSources } from "../support/lib-sources";

/** A function with more lines is long, from its first line to its closing brace. */
const linesOfFunction = 60;
/** An interface with more members is large. */
const membersOfInterface = 8;

/** The exceptions that lib has at most. After a change that removes some, lower the limit. */
const mostLongFunctions = 21;
const mostLargeInterfaces = 82;
const mostBooleanParameters = 13;
const mostNonNullAssertions = 16;

interface SyntaxNode {
  readonly type?: string;
  readonly kind?: string;
  readonly span?: { readonly start: number; readonly end: number };
  readonly params?: readonly SyntaxNode[];
  readonly body?: SyntaxNode | readonly SyntaxNode[] | null;
  /** Parameter of a function or a constructor, within its node. */
  readonly pat?: SyntaxNode;
  readonly param?: SyntaxNode;
  readonly left?: SyntaxNode;
  readonly right?: SyntaxNode;
  readonly typeAnnotation?: SyntaxNode | null;
}

/** Returns every node of a tree that satisfies a condition. */
function nodesIn(tree: unknown, isWanted: (node: SyntaxNode) => boolean): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (isWanted(node)) found.push(node);
    for (const child of Object.values(node)) visit(child);
  };
  visit(tree);
  return found;
}

/** Declarations without a body, such as overloads and members of interfaces, do not count. */
function isFunction({ params, body }: SyntaxNode): boolean {
  return Array.isArray(params) && body !== undefined && body !== null;
}

function isBooleanParameter(parameter: SyntaxNode): boolean {
  const pattern = parameter.pat ?? parameter.param ?? parameter;
  if (pattern.type !== "AssignmentPattern") return pattern.typeAnnotation?.typeAnnotation?.kind === "boolean";
  return pattern.right?.type === "BooleanLiteral" || (pattern.left !== undefined && isBooleanParameter(pattern.left));
}

/** Returns the first and the last line of a node, from 1. */
function linesOf({ span = { start: 1, end: 1 } }: SyntaxNode, text: string): readonly [number, number] {
  const bytes = Buffer.from(text);
  // The offsets in a tree count bytes from 1.
  const lineAt = (offset: number) => bytes.toString("latin1", 0, offset - 1).split("\n").length;
  return [lineAt(span.start), lineAt(span.end)];
}

type Finder = (source: LibSource) => readonly SyntaxNode[];

const longFunctions: Finder = ({ tree, text }) =>
  nodesIn(tree, isFunction).filter((node) => {
    const [first, last] = linesOf(node, text);
    return last - first + 1 > linesOfFunction;
  });

const largeInterfaces: Finder = ({ tree }) =>
  nodesIn(tree, ({ type, body }) => {
    const members = type === "TsInterfaceDeclaration" && body && "body" in body ? body.body : undefined;
    return Array.isArray(members) && members.length > membersOfInterface;
  });

const booleanParameters: Finder = ({ tree }) =>
  nodesIn(tree, isFunction).flatMap(({ params = [] }) => (params.length > 1 ? params.filter(isBooleanParameter) : []));

const nonNullAssertions: Finder = ({ tree }) => nodesIn(tree, ({ type }) => type === "TsNonNullExpression");

test.each([
  [mostLongFunctions, `functions of more than ${linesOfFunction} lines`, longFunctions],
  [mostLargeInterfaces, `interfaces of more than ${membersOfInterface} members`, largeInterfaces],
  [mostBooleanParameters, "boolean parameters beside other parameters", booleanParameters],
  [mostNonNullAssertions, "non-null assertions", nonNullAssertions],
] as const)("lib has at most %i %s", (most, _, find) => {
  const found = libSources.flatMap((source) =>
    find(source).map((node) => {
      const [first] = linesOf(node, source.text);
      return `lib/${source.file}:${first} ${source.text.split("\n")[first - 1]?.trim()}`;
    }),
  );
  expect(found.length > most ? [`${found.length} instead of ${most}`, ...found] : []).toEqual([]);
});
