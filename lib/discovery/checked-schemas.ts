import { InputError, type Problem } from "../errors";
import type { NameMap, SchemaDocument } from "./document";
import { checkSchemaShape } from "./shape";

/** Enough to see what kind of mistake it is. */
const mostProblems = 50;

/**
 * The schemas of a description, each looked at when it is asked for the first time: a caller of one method needs a handful of a thousand.
 *
 * Whoever asks for one that has not the shape of a schema gets an {@link InputError}, `description-malformed`.
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

  /** What keeps one from being a schema; empty where nothing does. */
  problemsOf(name: string): readonly Problem[] {
    const known = this.#problems.get(name);
    if (known !== undefined) return known;
    const problems = checkSchemaShape(super.get(name), name);
    this.#problems.set(name, problems);
    return problems;
  }

  /** Looks at all of them. */
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
