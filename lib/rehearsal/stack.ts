/** A stack as Terraform reads it, `cdk.tf.json`. */
export type StackJson = Readonly<Record<string, unknown>>;

export type Block = Readonly<Record<string, unknown>>;

/** Whether something is a text that is known before Terraform runs. */
export function isLiteral(value: unknown): value is string {
  return typeof value === "string" && !value.includes("${");
}

/** The resources of a type, by logical id. */
export function resourcesOf(stack: StackJson, type: string): Readonly<Record<string, Block>> {
  const all = (stack.resource ?? {}) as Readonly<Record<string, Readonly<Record<string, Block>>>>;
  return all[type] ?? {};
}

/** Sources that the provider stand-in answers for, by their last part. */
export const googleProviders = ["google", "google-beta"] as const;

/** The blocks of a provider, whether the stack writes one or a list. */
export function providerBlocksOf(stack: StackJson, name: string): readonly Block[] {
  const { [name]: blocks = [] } = (stack.provider ?? {}) as Readonly<Record<string, Block | readonly Block[]>>;
  return Array.isArray(blocks) ? blocks : [blocks as Block];
}

/** The project of the provider block; where the one of `google` names none, that of `google-beta`. */
export function projectOf(stack: StackJson): string {
  const blocks = googleProviders.flatMap((name) => providerBlocksOf(stack, name));
  const named = blocks.find(({ project }) => typeof project === "string");
  return (named?.project as string | undefined) ?? "my-project";
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

/** The stack with more arguments in every block of the google provider, and of its beta. */
export function withProviderArguments(stack: StackJson, more: Block): StackJson {
  const { google = [{}], ...others } = (stack.provider ?? {}) as Readonly<Record<string, Block | readonly Block[]>>;
  const provider = Object.entries({ ...others, google }).map(([name, given]) => {
    const blocks = (Array.isArray(given) ? given : [given]) as readonly Block[];
    const isOwn = googleProviders.some((own) => own === name);
    return [name, isOwn ? blocks.map((block) => ({ ...block, ...more })) : given];
  });
  return { ...stack, provider: Object.fromEntries(provider) };
}

/** The stack with a version of the google provider in place of the one that it requires, as in `8.0.0`. */
export function withProviderVersion(stack: StackJson, version: string): StackJson {
  const terraform = (stack.terraform ?? {}) as Block;
  const required = (terraform.required_providers ?? {}) as Readonly<Record<string, Block>>;
  const google = { source: "hashicorp/google", ...required.google, version };
  return { ...stack, terraform: { ...terraform, required_providers: { ...required, google } } };
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

/**
 * Addresses of what stays when a stack is destroyed: zones that it imports, with more in them than its own records, and the services of projects, without which
 * nothing else could be deleted any more.
 */
export function outlivingOf(stack: StackJson): readonly string[] {
  const imports = (stack.import ?? []) as readonly { readonly to: string }[];
  const zones = imports.map(({ to }) => to).filter((address) => address.startsWith("google_dns_managed_zone."));
  const type = "google_project_service";
  return [...zones, ...Object.keys(resourcesOf(stack, type)).map((name) => `${type}.${name}`)];
}

/** What `required_providers` states for the version of the google provider. */
export function versionConstraintOf({ terraform }: StackJson): { readonly versionConstraint?: string } {
  const { required_providers: providers = {} } = (terraform ?? {}) as { required_providers?: Block };
  const { version } = (providers.google ?? {}) as { version?: unknown };
  return typeof version === "string" ? { versionConstraint: version } : {};
}
