/**
 * Target proxies that serve the hostnames today and get the map in place, as the output `cert_migration` of a stack
 * describes them.
 */
import { coverageOf } from "../hostnames";
import { fieldsOf, listOf } from "../json/fields";
import { lastPart, parseComputeName } from "../resource-names";
import { type Block, resourcesOf, type StackJson } from "./stack";

/** A target HTTPS proxy that serves hostnames before the migration. */
export interface ServingProxy {
  readonly project: string;
  readonly name: string;
  readonly addresses: readonly string[];
  /** Certificates that are attached directly before the migration. */
  readonly certificates: readonly { readonly id: string; readonly domains: readonly string[] }[];
  /** Key of the migration in the output. */
  readonly migration: string;
  /** Whether the stack imports the proxy; the configuration of another owner manages the other proxies. */
  readonly isAdopted: boolean;
}

const type = "google_compute_target_https_proxy";

/** Returns the proxies that serve hostnames of a stack's migrations today. */
export function servingProxiesOf(stack: StackJson): readonly ServingProxy[] {
  const { cert_migration: own } = (stack.output ?? {}) as Readonly<Record<string, { readonly value?: Block }>>;
  const migrations = (own?.value?.migrations ?? {}) as Readonly<Record<string, Block>>;
  const adopted = new Set(Object.values(resourcesOf(stack, type)).map(({ name }) => name));
  return Object.entries(migrations).flatMap(([migration, { servingProxies = [] }]) =>
    (servingProxies as readonly Block[]).map((block) => {
      const { project = "", name = "" } = parseComputeName(String(block.proxy)) ?? {};
      return {
        project,
        name,
        addresses: block.addresses as readonly string[],
        certificates: (block.certificates ?? []) as ServingProxy["certificates"],
        migration,
        isAdopted: adopted.has(name),
      };
    }),
  );
}

/**
 * Returns a stack without the serving proxies that it creates. A copy of a folder has no state, so the apply creates
 * these proxies, with their map, although they exist today.
 *
 * @returns the stack, and the names of the proxies
 */
export function withoutCreatedServing(stack: StackJson): {
  readonly stack: StackJson;
  readonly created: readonly string[];
} {
  const imported = new Set(((stack.import ?? []) as readonly { readonly to: string }[]).map(({ to }) => to));
  const created = Object.entries(resourcesOf(stack, type)).flatMap(([id, { name }]) =>
    imported.has(`${type}.${id}`) ? [] : [String(name)],
  );
  const own = created.filter((name) => servingProxiesOf(stack).some((proxy) => proxy.name === name));
  if (own.length === 0) return { stack, created: own };
  const output = fieldsOf(stack.output);
  const description = fieldsOf(output.cert_migration);
  const value = fieldsOf(description.value);
  const migrations = Object.entries(fieldsOf(value.migrations)).map(([path, migration]) => {
    const { servingProxies, ...rest } = fieldsOf(migration);
    const kept = listOf(servingProxies).filter((one) => !own.includes(lastPart(String(fieldsOf(one).proxy))));
    return [path, kept.length === 0 ? rest : { ...rest, servingProxies: kept }] as const;
  });
  const changed = { ...description, value: { ...value, migrations: Object.fromEntries(migrations) } };
  return { stack: { ...stack, output: { ...output, cert_migration: changed } }, created: own };
}

/** Returns the addresses at which a hostname is served today; undefined if no serving proxy has a certificate for it. */
export function servedAt(proxies: readonly ServingProxy[], hostname: string): readonly string[] | undefined {
  const serves = ({ certificates }: ServingProxy) =>
    certificates.some(({ domains }) => coverageOf(new Set(domains), hostname) !== "none");
  return proxies.find(serves)?.addresses;
}

/** Returns a stack whose adopted serving proxies have no map, as before the attachment and after a rollback. */
export function withoutMap(stack: StackJson): StackJson {
  return withProxies(stack, ({ certificate_map: _map, ...block }, { certificates }) => ({
    ...block,
    ssl_certificates: certificates.map(({ id }) => id),
  }));
}

/** Returns a stack whose adopted serving proxies have only the map. */
export function withoutDirectCertificates(stack: StackJson): StackJson {
  return withProxies(stack, ({ ssl_certificates: _certificates, ...block }) => block);
}

function withProxies(stack: StackJson, change: (block: Block, proxy: ServingProxy) => Block): StackJson {
  const proxies = new Map(servingProxiesOf(stack).map((proxy) => [proxy.name, proxy]));
  const blocks = Object.entries(resourcesOf(stack, type)).map(([id, block]) => {
    const proxy = proxies.get(String(block.name));
    return [id, proxy === undefined ? block : change(block, proxy)];
  });
  if (blocks.length === 0) return stack;
  return { ...stack, resource: { ...(stack.resource as Block), [type]: Object.fromEntries(blocks) } };
}
