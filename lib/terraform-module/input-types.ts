/** Types of variables, by how a migration refers to them: `var.zone`, `var.network.id`, `var.zones["example.com"]`. */

/** A use of a variable. */
export interface InputUse {
  /** What follows the name of the variable: attributes and indexes, for example `.network["eu"].id`; or empty. */
  readonly path: string;
}

/** Shape of the values that the uses of a variable have in common. */
export type InputShape =
  | { readonly kind: "text" | "any" }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, InputShape> }
  | { readonly kind: "map" | "list"; readonly keys: readonly string[]; readonly item: InputShape };

/** Returns the shape of a variable; `any` if the uses don't fit together. */
export function shapeOfUses(uses: readonly InputUse[]): InputShape {
  return shapeOf(uses.map(({ path }) => stepsOf(path)));
}

interface Step {
  readonly kind: "attribute" | "key" | "number";
  readonly name: string;
}

function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(/\.([^.[\]]+)|\["([^"]*)"\]|\[(\d+)\]/g)].map(([, attribute, key, number]): Step => {
    if (attribute !== undefined) return { kind: "attribute", name: attribute };
    return key !== undefined ? { kind: "key", name: key } : { kind: "number", name: number ?? "" };
  });
}

function shapeOf(paths: readonly (readonly Step[])[]): InputShape {
  const [first] = paths.map(([step]) => step?.kind);
  if (paths.some(([step]) => step?.kind !== first)) return { kind: "any" };
  if (first === undefined) return { kind: "text" };
  const names = [...new Set(paths.map(([step]) => step?.name ?? ""))].sort();
  const below = (name: string) => shapeOf(paths.filter(([step]) => step?.name === name).map(([, ...rest]) => rest));
  if (first === "attribute") return { kind: "object", members: new Map(names.map((name) => [name, below(name)])) };
  // All items of a map or list have one type.
  return { kind: first === "key" ? "map" : "list", keys: names, item: shapeOf(paths.map(([, ...rest]) => rest)) };
}

/** Returns the type as Terraform writes it, for example `map(string)`. */
export function typeTextOf(shape: InputShape): string {
  switch (shape.kind) {
    case "text":
      return "string";
    case "any":
      return "any";
    case "object":
      return `object({ ${[...shape.members].map(([name, member]) => `${name} = ${typeTextOf(member)}`).join(", ")} })`;
    case "map":
    case "list":
      return `${shape.kind}(${typeTextOf(shape.item)})`;
  }
}

/** Returns a value of the shape. @param text value of each text in it */
export function exampleOf(shape: InputShape, text: string): unknown {
  switch (shape.kind) {
    case "text":
    case "any":
      return text;
    case "object":
      return Object.fromEntries([...shape.members].map(([name, member]) => [name, exampleOf(member, text)]));
    case "map":
      return Object.fromEntries(shape.keys.map((key) => [key, exampleOf(shape.item, text)]));
    case "list":
      return Array.from({ length: Math.max(...shape.keys.map(Number)) + 1 }, () => exampleOf(shape.item, text));
  }
}
