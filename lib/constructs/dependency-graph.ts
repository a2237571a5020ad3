import { DefaultTokenResolver, StringConcat, TerraformElement, TerraformStack, Tokenization } from "cdktf";
import type { IConstruct } from "constructs";
import { type Fields, fieldsOf } from "../json/fields";

/** References of the configuration language to resources, data sources, modules and locals. */
const references = /\b(?:data\.)?[a-z][\w-]*\.[A-Za-z_][\w-]*/g;

/** The dependencies of the resources, data sources, modules and locals of a stack, by their addresses. */
export class DependencyGraph {
  readonly #dependencies: ReadonlyMap<string, readonly string[]>;

  constructor(stack: TerraformStack) {
    const texts = new Map<string, string>();
    for (const element of elementsOf(stack)) {
      const resolver = new DefaultTokenResolver(new StringConcat());
      const block = Tokenization.resolve(element.toTerraform(), { scope: element, resolver, preparing: false });
      for (const [address, body] of blocksIn(fieldsOf(block))) texts.set(address, JSON.stringify(body ?? null));
    }
    const known = ([address]: readonly string[]) => address !== undefined && texts.has(address);
    this.#dependencies = new Map(
      [...texts].map(([address, text]) => [address, [...text.matchAll(references)].filter(known).map(([to]) => to)]),
    );
  }

  /**
   * Returns a shortest path of dependencies between addresses.
   *
   * @returns the addresses from the first to the last; undefined without a path of at least one dependency
   */
  pathBetween(from: readonly string[], to: ReadonlySet<string>): readonly string[] | undefined {
    const paths = new Map<string, readonly string[]>();
    let ends: readonly (readonly string[])[] = from.map((address) => [address]);
    while (ends.length > 0) {
      const longer: (readonly string[])[] = [];
      for (const path of ends) {
        for (const next of this.#dependencies.get(path.at(-1) ?? "") ?? []) {
          if (to.has(next)) return [...path, next];
          if (paths.has(next)) continue;
          const extended = [...path, next];
          paths.set(next, extended);
          longer.push(extended);
        }
      }
      ends = longer;
    }
    return undefined;
  }
}

/** Returns the elements of a stack, without nested stacks. */
function elementsOf(stack: TerraformStack): readonly TerraformElement[] {
  const below = (construct: IConstruct): readonly TerraformElement[] =>
    construct.node.children.flatMap((child) => {
      if (TerraformStack.isStack(child)) return [];
      return TerraformElement.isTerraformElement(child) ? [child, ...below(child)] : below(child);
    });
  return below(stack);
}

/** Yields the addresses and bodies of the blocks of an element. */
function* blocksIn({ resource, data, module, locals }: Fields): Generator<readonly [string, unknown]> {
  for (const [prefix, types] of [
    ["", resource],
    ["data.", data],
  ] as const) {
    for (const [type, blocks] of Object.entries(fieldsOf(types))) {
      for (const [name, body] of Object.entries(fieldsOf(blocks))) {
        yield [`${prefix}${type}.${name}`, { ...fieldsOf(body), "//": undefined }];
      }
    }
  }
  for (const [name, body] of Object.entries(fieldsOf(module))) yield [`module.${name}`, body];
  for (const [name, body] of Object.entries(fieldsOf(locals))) yield [`local.${name}`, body];
}
