import type { TerraformJson, TerraformModule } from "./model";

interface RootBlocksOptions {
  /** Address of the module in the root module, for example `module.certificates` or `module.certificates[0]`. */
  readonly moduleAddress: string;
  /** Whether resources move into the module from a stack, or back to the addresses of a stack. */
  readonly direction: "into module" | "to stack";
  /** Lines of the comment at the top of the file. */
  readonly header: readonly string[];
}

/**
 * Returns the blocks that Terraform accepts in a root module only: `import` blocks for resources that already exist,
 * and `moved` blocks between the addresses of a cdktf or cdktn stack and those in the module. A `moved` block for a
 * resource that the state does not contain has no effect.
 */
export function rootBlocksOf({ imports, addresses }: TerraformModule, options: RootBlocksOptions): TerraformJson {
  const { direction, header, moduleAddress } = options;
  const inModule = (address: string) => `${moduleAddress}.${address}`;
  if (direction === "to stack") {
    return { "//": header, moved: addresses.map((address) => ({ from: inModule(address), to: address })) };
  }
  return {
    "//": header,
    ...(imports.length === 0 ? {} : { import: imports.map(({ id, to }) => ({ id, to: inModule(to) })) }),
    moved: addresses.map((address) => ({ from: address, to: inModule(address) })),
  };
}
