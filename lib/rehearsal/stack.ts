/** A stack as Terraform reads it, `cdk.tf.json`. */
export type StackJson = Readonly<Record<string, unknown>>;

export type Block = Readonly<Record<string, unknown>>;

/** The resources of a type, by logical id. */
export function resourcesOf(stack: StackJson, type: string): Readonly<Record<string, Block>> {
  const all = (stack.resource ?? {}) as Readonly<Record<string, Readonly<Record<string, Block>>>>;
  return all[type] ?? {};
}

/** The project of the provider block. */
export function projectOf(stack: StackJson): string {
  const { google = [] } = (stack.provider ?? {}) as { readonly google?: readonly { readonly project?: string }[] };
  return google[0]?.project ?? "my-project";
}

/** The stack with the state of the folder that Terraform runs in: its own backend, or its home at a service, gives way. */
export function withLocalState(stack: StackJson): StackJson {
  const { backend: _backend, cloud: _cloud, ...terraform } = (stack.terraform ?? {}) as Block;
  return { ...stack, terraform };
}

/** The stack with its state at an address, by Terraform's `http` backend. */
export function withHttpState(stack: StackJson, backend: Readonly<Record<string, string>>): StackJson {
  const local = withLocalState(stack);
  return { ...local, terraform: { ...(local.terraform as Block), backend: { http: backend } } };
}

/** The stack with more arguments in every block of the google provider. */
export function withProviderArguments(stack: StackJson, more: Block): StackJson {
  const { google = [{}], ...others } = (stack.provider ?? {}) as Readonly<Record<string, Block | readonly Block[]>>;
  const blocks = (Array.isArray(google) ? google : [google]) as readonly Block[];
  return { ...stack, provider: { ...others, google: blocks.map((block) => ({ ...block, ...more })) } };
}

/** The stack as it may be destroyed: what is live is guarded by `prevent_destroy`, and a rehearsal's is not. */
export function withoutProtection(stack: StackJson): StackJson {
  const types = Object.entries((stack.resource ?? {}) as Readonly<Record<string, Readonly<Record<string, Block>>>>);
  const unguarded = ({ lifecycle, ...block }: Block): Block => {
    const { prevent_destroy: _guard, ...rest } = (lifecycle ?? {}) as Block;
    return Object.keys(rest).length === 0 ? block : { ...block, lifecycle: rest };
  };
  const resource = types.map(([type, blocks]) => [
    type,
    Object.fromEntries(Object.entries(blocks).map(([name, block]) => [name, unguarded(block)])),
  ]);
  return { ...stack, resource: Object.fromEntries(resource) };
}

/** Addresses of the zones that the stack imports. */
export function importedZones(stack: StackJson): readonly string[] {
  const imports = (stack.import ?? []) as readonly { readonly to: string }[];
  return imports.map(({ to }) => to).filter((address) => address.startsWith("google_dns_managed_zone."));
}
