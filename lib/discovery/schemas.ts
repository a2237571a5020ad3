import { InputError, type Problem } from "../errors";
import type { NameMap, SchemaDocument } from "./document";
import { checkSchemaShape } from "./shape";

export type Schemas = ReadonlyMap<string, SchemaDocument>;

/** Maximum length of a chain. Published references never lead to another reference. */
const mostHops = 20;

export interface FollowedReference {
  readonly name: string | undefined;
  /** Undefined if a reference has no target, or is circular. */
  readonly target: SchemaDocument | undefined;
}

export function followReference(schema: SchemaDocument, schemas: Schemas): FollowedReference {
  let name: string | undefined;
  let target: SchemaDocument | undefined = schema;
  for (let hops = 0; target?.$ref !== undefined; hops++) {
    if (hops === mostHops) return { name, target: undefined };
    name = target.$ref;
    target = schemas.get(name);
  }
  return { name, target };
}

/** Returns the schema itself, or the target of its `$ref`; undefined if the target is missing or circular. */
export function resolveReference(schema: SchemaDocument, schemas: Schemas): SchemaDocument | undefined {
  return schema.$ref === undefined ? schema : followReference(schema, schemas).target;
}

/** Returns the type of a resolved schema, also without `type`; undefined if any value is valid. */
export function schemaType({ type, properties, additionalProperties, items }: SchemaDocument): string | undefined {
  if (type !== undefined) return type;
  if (properties !== undefined || additionalProperties !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

export function childrenOf(schema: SchemaDocument): readonly SchemaDocument[] {
  const { properties, items, additionalProperties } = schema;
  return [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...(additionalProperties ? [additionalProperties] : []),
  ];
}

const mostProblems = 50;

/**
 * The schemas of a description. Each schema is checked when it is first requested, because a caller of one method needs
 * only a few of a thousand schemas. A request for a malformed schema throws an {@link InputError},
 * `description-malformed`.
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

  problemsOf(name: string): readonly Problem[] {
    const known = this.#problems.get(name);
    if (known !== undefined) return known;
    const problems = checkSchemaShape(super.get(name), name);
    this.#problems.set(name, problems);
    return problems;
  }

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
