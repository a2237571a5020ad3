import { InputError } from "../errors";
import { isPrivateDomain } from "../hostnames";
import { type SourceMigration, sourceFromStack } from "../source";
import type { ProviderRequirement } from "../terraform-provider";

/** A stack as Terraform reads it: the content of `cdk.tf.json`. */
export type StackJson = Readonly<Record<string, unknown>>;

export type Block = Readonly<Record<string, unknown>>;

/** Returns whether a value is a text that is known before Terraform runs. */
export function isLiteral(value: unknown): value is string {
  return typeof value === "string" && !value.includes("${");
}

/** Blocks by name. */
export type BlocksByName = Readonly<Record<string, Block>>;

/** Blocks by type and name. */
export type BlocksByType = Readonly<Record<string, BlocksByName>>;

/** Returns the resources of a type, by logical id. */
export function resourcesOf(stack: StackJson, type: string): BlocksByName {
  return ((stack.resource ?? {}) as BlocksByType)[type] ?? {};
}

/** Returns the forwarding rules, global and regional. */
export function forwardingRulesOf(stack: StackJson): readonly Block[] {
  const types = ["google_compute_global_forwarding_rule", "google_compute_forwarding_rule"];
  return types.flatMap((type) => Object.values(resourcesOf(stack, type)));
}

/** An `import` block. */
interface Import {
  /** Address of the resource, for example `google_dns_record_set.www`. */
  readonly to: string;
  readonly id: string;
}

export function importsIn(stack: StackJson): readonly Import[] {
  return (stack.import ?? []) as readonly Import[];
}

/** Returns the descriptions of a stack's migrations by path, from its output `cert_migration`. */
export function migrationBlocks(stack: StackJson): BlocksByName {
  const { cert_migration: description } = (stack.output ?? {}) as Readonly<Record<string, { readonly value?: Block }>>;
  return (description?.value?.migrations ?? {}) as BlocksByName;
}

/** Returns the migrations of a stack. A stack without the output of its migrations has none, and is rehearsed too. */
export function sourceMigrationsIn(stack: StackJson): readonly SourceMigration[] {
  try {
    return sourceFromStack(JSON.stringify(stack), "the stack").migrations;
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

/**
 * Returns whether clients of a rehearsal resolve names in a managed zone: public zones, and private zones of domains
 * that public DNS does not have. These zones exist before a migration.
 */
export function isServedZone({ visibility, dns_name: dnsName }: Block): boolean {
  return visibility !== "private" || (isLiteral(dnsName) && isPrivateDomain(dnsName));
}

/** Names of the providers that the provider stand-in replaces: the last part of their sources. */
export const googleProviders = ["google", "google-beta"] as const;

export function isGoogleProvider(name: string): boolean {
  return googleProviders.some((provider) => provider === name);
}

/** Returns the blocks of a provider, whether the stack has one block or a list. */
export function providerBlocksOf(stack: StackJson, name: string): readonly Block[] {
  const { [name]: blocks = [] } = (stack.provider ?? {}) as Readonly<Record<string, Block | readonly Block[]>>;
  return Array.isArray(blocks) ? blocks : [blocks as Block];
}

/** Returns the project of the `google` provider blocks; if they have none, the project of `google-beta`. */
export function projectOfStack(stack: StackJson): string {
  const blocks = googleProviders.flatMap((name) => providerBlocksOf(stack, name));
  const named = blocks.find(({ project }) => typeof project === "string");
  return (named?.project as string | undefined) ?? "my-project";
}

/**
 * Returns the stack with its state in the folder in which Terraform runs, without the stack's own backend or cloud
 * block.
 */
export function withLocalState(stack: StackJson): StackJson {
  const { backend: _backend, cloud: _cloud, ...terraform } = (stack.terraform ?? {}) as Block;
  return { ...stack, terraform };
}

/** Returns the stack with its state at a URL, through Terraform's `http` backend. */
export function withHttpState(stack: StackJson, backend: Readonly<Record<string, string>>): StackJson {
  const local = withLocalState(stack);
  return { ...local, terraform: { ...(local.terraform as Block), backend: { http: backend } } };
}

/** Returns the stack with additional arguments in every block of the google and google-beta providers. */
export function withProviderArguments(stack: StackJson, more: Block): StackJson {
  const { google = [{}], ...otherProviders } = (stack.provider ?? {}) as Readonly<
    Record<string, Block | readonly Block[]>
  >;
  const provider = Object.entries({ ...otherProviders, google }).map(([name, given]) => {
    const blocks = (Array.isArray(given) ? given : [given]) as readonly Block[];
    return [name, isGoogleProvider(name) ? blocks.map((block) => ({ ...block, ...more })) : given];
  });
  return { ...stack, provider: Object.fromEntries(provider) };
}

/** Returns the stack with another required version of the google provider, for example `8.0.0`. */
export function withProviderVersion(stack: StackJson, version: string): StackJson {
  const terraform = (stack.terraform ?? {}) as Block;
  const required = requiredProvidersOf(stack);
  const google = { source: "hashicorp/google", ...requirementFrom(required.google), version };
  return { ...stack, terraform: { ...terraform, required_providers: { ...required, google } } };
}

/**
 * Returns the stack without what protects live resources, so that a rehearsal can destroy its own: `prevent_destroy`,
 * and a `deletion_policy` by which a destroy would fail or leave a resource behind. Resources of an older version of
 * the provider, which has few such arguments, also lose theirs.
 */
export function withoutProtection(stack: StackJson): StackJson {
  const types = Object.entries((stack.resource ?? {}) as BlocksByType);
  const unguarded = ({ lifecycle, ...protectedBlock }: Block): Block => {
    const block = withoutDeletionPolicy(protectedBlock);
    const { prevent_destroy: _guard, ...rest } = (lifecycle ?? {}) as Block;
    return Object.keys(rest).length === 0 ? block : { ...block, lifecycle: rest };
  };
  const resource = types.map(([type, blocks]) => [
    type,
    Object.fromEntries(Object.entries(blocks).map(([name, block]) => [name, unguarded(block)])),
  ]);
  const { provider = {} } = stack as { provider?: Readonly<Record<string, Block | readonly Block[]>> };
  const providers = Object.entries(provider).map(([name, blocks]) => [
    name,
    Array.isArray(blocks) ? blocks.map(withoutDeletionPolicy) : withoutDeletionPolicy(blocks as Block),
  ]);
  return {
    ...stack,
    ...(providers.length === 0 ? {} : { provider: Object.fromEntries(providers) }),
    resource: Object.fromEntries(resource),
  };
}

/**
 * Returns whether the state of a stack protects resources from a destroy. Only an apply of the stack without its
 * protection changes that.
 */
export function isProtectedInState(stack: StackJson): boolean {
  return /"deletion_policy":\s*"(?!DELETE")/.test(JSON.stringify([stack.resource, stack.provider]));
}

function withoutDeletionPolicy({ deletion_policy: _policy, ...block }: Block): Block {
  return block;
}

/**
 * Returns the addresses of resources that remain when a stack is destroyed. These are imported zones, which also
 * contain other records. The services of projects also remain, because nothing else could be deleted without them.
 */
export function outlivingOf(stack: StackJson): readonly string[] {
  const zones = importsIn(stack)
    .map(({ to }) => to)
    .filter((address) => address.startsWith("google_dns_managed_zone."));
  const type = "google_project_service";
  return [...zones, ...Object.keys(resourcesOf(stack, type)).map((name) => `${type}.${name}`)];
}

/**
 * Returns what the stack requires of the google provider, in `required_providers`. Its beta has the same versions, so
 * a stack with only the beta requires that version.
 */
export function requirementOf(stack: StackJson): ProviderRequirement {
  const required = requiredProvidersOf(stack);
  const [google, beta] = googleProviders.map((name) => requirementFrom(required[name]));
  return { source: google?.source, version: (google ?? beta)?.version };
}

function requiredProvidersOf({ terraform }: StackJson): Block {
  return (terraform as { readonly required_providers?: Block } | undefined)?.required_providers ?? {};
}

/** Returns an item of `required_providers`, which may be only the version constraint. */
function requirementFrom(given: unknown): ProviderRequirement | undefined {
  return typeof given === "string" ? { version: given } : (given as ProviderRequirement | undefined);
}
