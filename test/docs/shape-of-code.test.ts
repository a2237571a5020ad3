import { libSources, type Source, sourcesBelow } from "../support/sources";

/** A function with more lines is long, from its first line to its closing brace. */
const linesOfFunction = 60;
/** An interface with more members is large. */
const membersOfInterface = 8;

/** The exceptions that lib has at most. After a change that removes some, lower the limit. */
const mostLongFunctions = 20;
const mostLargeInterfaces = 24;
const mostBooleanParameters = 13;
const mostNonNullAssertions = 16;

/** The same for test, where a block of 'describe' is a function as well. */
const mostLongFunctionsOfTests = 29;

const ofGoogle = "the format of Google's API descriptions";
const ofProps = "props and fields of a spec are flat, and users have written them";
const ofInventory = "a published schema defines the JSON of 'inventory --project'";

/** Large interfaces whose members others define or rely on, with the reason. They do not count. */
const contracts: Readonly<Record<string, string>> = {
  ActivityQuery: "the parameters of Google's Reports API",
  DescriptionDocument: ofGoogle,
  DirectoryItem: ofGoogle,
  MethodDocument: ofGoogle,
  SchemaDocument: ofGoogle,
  AdminChangeAlertsProps: ofProps,
  AdoptedTargetHttpsProxySpec: ofProps,
  MigrationSettings: ofProps,
  MigrationOutput: "a published schema defines the output of a stack",
  ProjectCertificate: ofInventory,
  ProjectForwardingRule: ofInventory,
  ProjectInventory: ofInventory,
  ProjectProbe: ofInventory,
  ProjectProxy: ofInventory,
  MigrationPlan: "the JSON of 'plan'",
  WatchSummary: "the JSON of 'watch'",
};
const mostContracts = 16;

interface SyntaxNode {
  readonly type?: string;
  readonly kind?: string;
  /** Name of a declaration. */
  readonly id?: { readonly value?: string };
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

/** Returns the line of a node's beginning, from 1. */
function lineOf({ span }: SyntaxNode, text: string): number {
  return span === undefined ? 1 : linesBetween(Buffer.from(text), 1, span.start);
}

/** Counts the lines between two offsets of a tree, which count bytes from 1. */
function linesBetween(bytes: Buffer, start: number, end: number): number {
  return bytes.toString("latin1", start - 1, end - 1).split("\n").length;
}

type Finder = (source: Source) => readonly SyntaxNode[];

const longFunctions: Finder = ({ tree, text }) => {
  const bytes = Buffer.from(text);
  return nodesIn(tree, isFunction).filter(
    ({ span }) => span !== undefined && linesBetween(bytes, span.start, span.end) > linesOfFunction,
  );
};

const allLargeInterfaces: Finder = ({ tree }) =>
  nodesIn(tree, ({ type, body }) => {
    const members = type === "TsInterfaceDeclaration" && body && "body" in body ? body.body : undefined;
    return Array.isArray(members) && members.length > membersOfInterface;
  });

const nameOf = ({ id }: SyntaxNode) => id?.value ?? "";

const largeInterfaces: Finder = (source) =>
  allLargeInterfaces(source).filter((node) => !Object.hasOwn(contracts, nameOf(node)));

const booleanParameters: Finder = ({ tree }) =>
  nodesIn(tree, isFunction).flatMap(({ params = [] }) => (params.length > 1 ? params.filter(isBooleanParameter) : []));

const nonNullAssertions: Finder = ({ tree }) => nodesIn(tree, ({ type }) => type === "TsNonNullExpression");

test.each([
  [mostLongFunctions, `functions of more than ${linesOfFunction} lines`, longFunctions],
  [mostLargeInterfaces, `interfaces of more than ${membersOfInterface} members`, largeInterfaces],
  [mostBooleanParameters, "boolean parameters beside other parameters", booleanParameters],
  [mostNonNullAssertions, "non-null assertions", nonNullAssertions],
] as const)("lib has at most %i %s", (most, _, find) => {
  expect(excessOf("lib", libSources, find, most)).toEqual([]);
});

test(`test has at most ${mostLongFunctionsOfTests} functions of more than ${linesOfFunction} lines`, () => {
  expect(excessOf("test", sourcesBelow("test"), longFunctions, mostLongFunctionsOfTests)).toEqual([]);
});

test("lists as contracts only large interfaces of lib, within the limit", () => {
  const large = libSources.flatMap((source) => allLargeInterfaces(source).map(nameOf));
  expect(Object.keys(contracts).filter((name) => !large.includes(name))).toEqual([]);
  expect(Object.keys(contracts).length).toBeLessThanOrEqual(mostContracts);
});

/** Returns where a folder has what is counted if there are more than allowed, and otherwise nothing. */
function excessOf(folder: string, sources: readonly Source[], find: Finder, most: number): readonly string[] {
  const found = sources.flatMap((source) =>
    find(source).map((node) => {
      const first = lineOf(node, source.text);
      return `${folder}/${source.file}:${first} ${source.text.split("\n")[first - 1]?.trim()}`;
    }),
  );
  return found.length > most ? [`${found.length} instead of ${most}`, ...found] : [];
}
