/** A type in an assembly of jsii. */
interface TypeReference {
  readonly fqn?: string;
  readonly collection?: { readonly elementtype: TypeReference };
  readonly union?: { readonly types: readonly TypeReference[] };
}

interface Typed {
  readonly name: string;
  readonly type: TypeReference;
}

interface Callable {
  readonly name?: string;
  readonly parameters?: readonly Typed[];
}

interface AssemblyType {
  readonly name: string;
  /** Whether the type is a data type: an interface with properties only. */
  readonly datatype?: boolean;
  readonly interfaces?: readonly string[];
  readonly properties?: readonly Typed[];
  readonly initializer?: Callable;
  readonly methods?: readonly Callable[];
}

export interface Assembly {
  readonly types: Readonly<Record<string, AssemblyType>>;
}

/**
 * Returns the properties and parameters that lose what a user wrote, for example `TrafficSpec.previous`. jsii turns a
 * map without type into a data type, and drops all keys that this type lacks. This concerns unions, lists and maps in
 * values that the user passes, and parameters before the last: the keys of the last are named arguments in Python.
 *
 * A union of data types is also lossy in a value that the user reads. jsii chooses the first type, and can't read a key
 * of this type that the value lacks.
 */
export function lossyTypes({ types }: Assembly): readonly string[] {
  const isData = ({ fqn = "" }: TypeReference) => types[fqn]?.datatype === true;
  const partsOf = ({ collection, union }: TypeReference) =>
    collection === undefined ? (union?.types ?? []) : [collection.elementtype];
  const hasDataInUnion = (type: TypeReference): boolean =>
    (type.union?.types ?? []).some(isData) || partsOf(type).some(hasDataInUnion);
  const hasDataInside = (type: TypeReference): boolean =>
    partsOf(type).some((part) => isData(part) || hasDataInside(part));

  const callables = Object.values(types).flatMap(({ name, initializer, methods = [] }) =>
    [...(initializer === undefined ? [] : [initializer]), ...methods].map((callable) => ({ name, callable })),
  );
  const passed = new Set<string>();
  const pass = (type: TypeReference): void => {
    for (const part of partsOf(type)) pass(part);
    const { fqn = "" } = type;
    if (!isData(type) || passed.has(fqn)) return;
    passed.add(fqn);
    for (const each of types[fqn]?.interfaces ?? []) pass({ fqn: each });
    for (const property of types[fqn]?.properties ?? []) pass(property.type);
  };
  for (const { callable } of callables) for (const parameter of callable.parameters ?? []) pass(parameter.type);

  const properties = Object.entries(types).flatMap(([fqn, { name, properties: all = [] }]) => {
    const isLossy = passed.has(fqn) ? hasDataInside : hasDataInUnion;
    return all.filter(({ type }) => isLossy(type)).map((property) => `${name}.${property.name}`);
  });
  const parameters = callables.flatMap(({ name, callable }) => {
    const isLossy = ({ type }: Typed, index: number) =>
      hasDataInside(type) || (isData(type) && index < (callable.parameters?.length ?? 0) - 1);
    return (callable.parameters ?? [])
      .filter(isLossy)
      .map((parameter) => `${name}.${callable.name ?? "constructor"}(${parameter.name})`);
  });
  return [...properties, ...parameters].sort();
}
