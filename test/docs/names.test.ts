import { libSources } from "../support/sources";

/** Names that several files export, with the reason why each file needs it. At most 15. */
const sharedNames: Readonly<Record<string, string>> = {
  command: "the loader of commands imports this name from the file of each command",
  checkPlan: "lib/cli/load has a lazy import for each module, named after what it loads",
  makeFolder: "lib/cli/load has a lazy import for each module, named after what it loads",
  terraformFolder: "lib/cli/load has a lazy import for each module, named after what it loads",
  x509: "lazy imports of two packages, each named after its package",
  yaml: "lazy imports of one package, in modules that may not import each other",
};

/** Words of a name that pages must not use either, as whole words of camelCase. */
const wordsToAvoid = new Set([
  "anew",
  "mend",
  "mended",
  "mends",
  "mending",
  "play",
  "played",
  "playing",
  "struck",
  "strike",
  "strikes",
  "tell",
  "tells",
  "told",
  "whoever",
  "nobody",
]);

/** Files that read members which earlier builds wrote into files of users, under their former names. */
const formerNames = new Set([
  "rehearsal/evidence/former-evidence.ts",
  "report/read/rehearsal.ts",
  "report/read/watch-lines.ts",
]);

/** Files in which `old` and `new` are two descriptions of an API. */
const comparesDescriptions = /^(?:discovery\/compare\/|cli\/commands\/api\/compare\.ts$)/;

/** Returns the words of a name, in lower case. */
function wordsOf(name: string): readonly string[] {
  return name.split(/(?=[A-Z])|[_-]|\d+/).map((word) => word.toLowerCase());
}

/** Returns whether a name calls a side of a migration old or new; `oldValue` is a field of Cloud DNS. */
function hasFormerSide(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word, index) => {
    if (word === "old") return name !== "oldValue" && words[index - 1] !== "too";
    return word === "new" && /^(?:address|provider|server|side)/.test(words[index + 1] ?? "");
  });
}

interface SyntaxNode {
  readonly type?: string;
  readonly value?: unknown;
  readonly declaration?: SyntaxNode;
  readonly declarations?: readonly { readonly id: SyntaxNode }[];
  readonly identifier?: SyntaxNode;
  readonly id?: SyntaxNode;
}

/** Returns the names that a file declares and exports; exports of other files' names are left out. */
function exportedNames({ body }: { readonly body: readonly unknown[] }): readonly string[] {
  const names = (body as readonly SyntaxNode[]).flatMap(({ type, declaration }) =>
    type !== "ExportDeclaration" || declaration === undefined
      ? []
      : declaration.declarations === undefined
        ? [declaration.identifier ?? declaration.id]
        : declaration.declarations.map(({ id }) => id),
  );
  // The overloads of a function have one name.
  return [...new Set(names.flatMap((name) => (typeof name?.value === "string" ? [name.value] : [])))];
}

/** Returns every identifier and every text of a file that is one word. */
function identifiers(tree: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, value } = node as SyntaxNode;
    if (type === "Identifier" && typeof value === "string") found.add(value);
    if (type === "StringLiteral" && typeof value === "string" && /^[\w-]+$/.test(value)) found.add(value);
    for (const child of Object.values(node)) visit(child);
  };
  visit(tree);
  return found;
}

test("an exported name has one meaning in lib", () => {
  const filesOf = new Map<string, string[]>();
  for (const { file, tree } of libSources)
    for (const name of exportedNames(tree)) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  const several = Object.fromEntries([...filesOf].filter(([name, { length }]) => length > 1 && !(name in sharedNames)));
  expect(several).toEqual({});
  expect(Object.keys(sharedNames).filter((name) => (filesOf.get(name)?.length ?? 0) < 2)).toEqual([]);
  expect(Object.keys(sharedNames).length).toBeLessThanOrEqual(15);
});

test("identifiers contain no word that pages must not use", () => {
  const found = libSources.flatMap(({ file, tree }) =>
    [...(formerNames.has(file) ? [] : identifiers(tree))]
      .filter((name) => wordsOf(name).some((word) => wordsToAvoid.has(word)))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test("code names the two sides of a migration 'previous' and 'load balancer', as the output and the pages do", () => {
  const found = libSources.flatMap(({ file, tree }) =>
    [...(formerNames.has(file) || comparesDescriptions.test(file) ? [] : identifiers(tree))]
      .filter(hasFormerSide)
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
