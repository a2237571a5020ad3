import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "@swc/core";
import { fieldsOf, isFields, listOf } from "../../lib/json/fields";

/** A type of an entry point that is not written as a plain declaration. */
export interface DerivedType {
  /** Name of the declaration that contains the type. */
  readonly declaration: string;
  /** What derives the type: a kind of syntax, or a type of TypeScript itself such as `Omit`. */
  readonly by: string;
}

/** Types of TypeScript itself that other languages have too. */
const plainTypes: ReadonlySet<string> = new Set(["Array", "Error", "ErrorOptions"]);

const derivedSyntax: Readonly<Record<string, string>> = {
  TsMappedType: "mapped type",
  TsConditionalType: "conditional type",
  TsTypeQuery: "typeof",
  TsIntersectionType: "intersection",
  TsIndexedAccessType: "indexed access",
};

type Node = Readonly<Record<string, unknown>>;

/** A module: its declarations, and the places of the names that it imports or exports from elsewhere. */
interface Module {
  readonly declarations: ReadonlyMap<string, Node>;
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
  readonly exportedNames: readonly string[];
  /** Modules of which everything is exported. */
  readonly exportsAllOf: readonly string[];
}

/** The syntax of every type that an entry point exports, and of the types of the package that these refer to. */
export class ExportedTypes {
  readonly #modules = new Map<string, Module>();
  readonly #seen = new Set<Node>();
  readonly #derived: DerivedType[] = [];
  readonly #names = new Set<string>();

  /** @param entry path of a module */
  constructor(entry: string) {
    for (const name of this.#namesOf(entry)) this.#visit(entry, name);
  }

  /** Types that are derived from others, in the order of their declarations; each once. */
  get derived(): readonly DerivedType[] {
    const unique = new Map(this.#derived.map((one) => [`${one.declaration} ${one.by}`, one]));
    return [...unique.values()];
  }

  /** Names of all declarations that were read. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  #namesOf(path: string): readonly string[] {
    const { exportedNames, exportsAllOf } = this.#module(path);
    return [...exportedNames, ...exportsAllOf.flatMap((other) => this.#namesOf(other))];
  }

  /** Reads a name of a module, wherever it is declared. Names of other packages are not read. */
  #visit(path: string, name: string): boolean {
    const module = this.#module(path);
    const own = module.declarations.get(name);
    if (own !== undefined) {
      if (!this.#seen.has(own)) {
        this.#seen.add(own);
        this.#names.add(name);
        this.#read(own, { path, declaration: name, parameters: parametersOf(own) });
      }
      return true;
    }
    const imported = module.imports.get(name);
    if (imported !== undefined) return imported.path === "" || this.#visit(imported.path, imported.name);
    return module.exportsAllOf.some((other) => this.#visit(other, name));
  }

  #read(node: Node, place: { path: string; declaration: string; parameters: ReadonlySet<string> }): void {
    const { path, declaration, parameters } = place;
    const report = (by: string) => this.#derived.push({ declaration, by });
    const type = String(node.type);
    const syntax = derivedSyntax[type] ?? (type === "TsTypeOperator" && node.op === "keyof" ? "keyof" : undefined);
    if (syntax !== undefined) report(syntax);
    if (isInferred(node)) report("inferred type");
    const name = referredName(node);
    if (name !== undefined && !parameters.has(name) && !this.#visit(path, name) && !plainTypes.has(name)) report(name);
    for (const part of visibleParts(node)) this.#read(part, place);
  }

  #module(path: string): Module {
    const known = this.#modules.get(path) ?? readModule(path);
    this.#modules.set(path, known);
    return known;
  }
}

function readModule(path: string): Module {
  const { body } = parseSync(readFileSync(path, "utf8"), { syntax: "typescript", target: "es2022" });
  const declarations = new Map<string, Node>();
  const imports = new Map<string, { path: string; name: string }>();
  const exportedNames: string[] = [];
  const exportsAllOf: string[] = [];
  for (const item of body as unknown as readonly Node[]) {
    const declared = item.type === "ExportDeclaration" ? fieldsOf(item.declaration) : item;
    const declaredName = nameOf(declared.id ?? declared.identifier);
    if (declaredName !== undefined) declarations.set(declaredName, declared);
    if (item.type === "ExportDeclaration" && declaredName !== undefined) exportedNames.push(declaredName);
    const source = pathOf(path, fieldsOf(item.source).value);
    if (item.type === "ExportAllDeclaration") exportsAllOf.push(source);
    for (const specifier of listOf(item.specifiers).map(fieldsOf)) {
      const [original, local] =
        item.type === "ImportDeclaration"
          ? [nameOf(specifier.imported) ?? nameOf(specifier.local), nameOf(specifier.local)]
          : [nameOf(specifier.orig), nameOf(specifier.exported) ?? nameOf(specifier.orig)];
      if (original === undefined || local === undefined) continue;
      imports.set(local, { path: source, name: original });
      if (item.type === "ExportNamedDeclaration") exportedNames.push(local);
    }
  }
  return { declarations, imports, exportedNames, exportsAllOf };
}

/** Returns the path of an imported module; empty for a module of another package. */
function pathOf(from: string, source: unknown): string {
  if (typeof source !== "string" || !source.startsWith(".")) return "";
  const base = join(dirname(from), source);
  return [`${base}.ts`, join(base, "index.ts")].find((path) => existsSync(path)) ?? "";
}

function nameOf(identifier: unknown): string | undefined {
  const { value } = fieldsOf(identifier);
  return typeof value === "string" ? value : undefined;
}

/** Returns the name that a node refers to; undefined for other nodes. */
function referredName(node: Node): string | undefined {
  if (node.type === "TsTypeReference") return nameOf(node.typeName);
  if (node.type === "TsExpressionWithTypeArguments") return nameOf(node.expression);
  return node.type === "ClassDeclaration" ? nameOf(node.superClass) : undefined;
}

function parametersOf(node: Node): ReadonlySet<string> {
  const parameters = listOf(fieldsOf(node.typeParams).parameters);
  return new Set(parameters.flatMap((one) => nameOf(fieldsOf(one).name) ?? []));
}

/** Returns whether a member of a class has no declared type. */
function isInferred(node: Node): boolean {
  if (node.accessibility === "private") return false;
  if (node.type === "ClassProperty") return !isFields(node.typeAnnotation);
  return node.type === "ClassMethod" && node.kind !== "setter" && !isFields(fieldsOf(node.function).returnType);
}

/** Returns the parts of a declaration that its declaration file has: neither bodies and values nor private members. */
function visibleParts(node: Node): readonly Node[] {
  const isHidden = (part: Node) =>
    /^Private|^(?:BlockStatement|FunctionBody)$/.test(String(part.type)) || part.accessibility === "private";
  return Object.entries(node)
    .filter(([key]) => !(key === "value" && node.type === "ClassProperty") && key !== "superClass")
    .flatMap(([, value]) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]))
    .flatMap((value) => (isFields(value) && !isHidden(value) ? [value] : []));
}
