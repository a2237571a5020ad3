import { InputError, type Problem } from "../errors";
import type { NameMap, SchemaDocument } from "./document";
import { checkSchemaShape } from "./shape";

/** Maximum number of reported problems: enough to recognize the kind of mistake. */
const mostProblems = 50;

/**
 * The schemas of a description. Each schema is checked when it is first requested, because a caller of one method needs
 * only a few of a thousand schemas.
 *
 * A request for a malformed schema throws an {@link InputError}, `description-malformed`.
 */
export class CheckedSchemas extends Map<string, SchemaDocument> {
  readonly #problems = new Map<string, readonly Problem[]>();

  constructor(schemas: NameMap<SchemaDocument>) {
    super();
    for (const name in schemas) if (Object.hasOwn(schemas, name)) super.set(name, schemas[name] as SchemaDocument);
  }

  override get(name: string): SchemaDocument | undefined {
    const schema = super.get(name);
    if (schema === undefined) return undefined;
    const problems = this.problemsOf(name);
    if (problems.length > 0) throw new InputError(problems);
    return schema;
  }

  /** Returns the problems of a schema; empty if it is valid. */
  problemsOf(name: string): readonly Problem[] {
    const known = this.#problems.get(name);
    if (known !== undefined) return known;
    const problems = checkSchemaShape(super.get(name), name);
    this.#problems.set(name, problems);
    return problems;
  }

  /** Checks all schemas. */
  checkAll(): void {
    const problems: Problem[] = [];
    for (const name of super.keys()) if (problems.length < mostProblems) problems.push(...this.problemsOf(name));
    if (problems.length > 0) throw new InputError(problems);
  }

  override [Symbol.iterator](): MapIterator<[string, SchemaDocument]> {
    return this.entries();
  }
  override entries(): MapIterator<[string, SchemaDocument]> {
    this.checkAll();
    return super.entries();
  }
  override values(): MapIterator<SchemaDocument> {
    this.checkAll();
    return super.values();
  }
  override forEach(each: (schema: SchemaDocument, name: string, all: Map<string, SchemaDocument>) => void): void {
    this.checkAll();
    super.forEach(each);
  }
}
