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
  | { readonly kind: "map" | "list"; readonly item: InputShape };

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
  if (first === "attribute") {
    const names = [...new Set(paths.map(([step]) => step?.name ?? ""))].sort();
    const below = (name: string) => shapeOf(paths.filter(([step]) => step?.name === name).map(([, ...rest]) => rest));
    return { kind: "object", members: new Map(names.map((name) => [name, below(name)])) };
  }
  // All items of a map or list have one type.
  return { kind: first === "key" ? "map" : "list", item: shapeOf(paths.map(([, ...rest]) => rest)) };
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

/** A use of a variable with a value that fits. */
interface ExampleUse extends InputUse {
  readonly example: string;
}

/** Returns a value of a variable in which each use finds its example. Of several for one text, any special one fits. */
export function exampleOf(uses: readonly ExampleUse[]): unknown {
  return exampleAt(uses.map(({ path, example }) => ({ steps: stepsOf(path), example })));
}

/** Example that fits wherever no special form is needed. */
const plainExample = "example";

function exampleAt(uses: readonly { readonly steps: readonly Step[]; readonly example: string }[]): unknown {
  const [first] = uses.map(({ steps }) => steps[0]);
  if (first === undefined) return uses.find(({ example }) => example !== plainExample)?.example ?? plainExample;
  const isItem = first.kind !== "attribute";
  const below = (name: string) => {
    const inside = uses.filter(({ steps }) => steps[0]?.name === name);
    // Items of a map or list have the members of all items.
    const others = isItem ? uses.filter((use) => !inside.includes(use)) : [];
    return exampleAt([...inside, ...others].map(({ steps, example }) => ({ steps: steps.slice(1), example })));
  };
  const names = [...new Set(uses.flatMap(({ steps }) => steps[0]?.name ?? []))];
  if (first.kind !== "number") return Object.fromEntries(names.map((name) => [name, below(name)]));
  return Array.from({ length: Math.max(...names.map(Number)) + 1 }, (_, at) =>
    below(names.includes(`${at}`) ? `${at}` : (names[0] ?? "")),
  );
}
