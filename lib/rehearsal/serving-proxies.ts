/**
 * Target proxies that serve the hostnames today and get the map in place, as the output `cert_migration` of a stack
 * describes them.
 */
import { coverageOf } from "../hostnames";
import { fieldsOf, listOf } from "../json/fields";
import { lastPart, parseComputeName } from "../resource-names";
import { type Block, importsIn, migrationBlocks, resourcesOf, type StackJson } from "./stack";

/** A target HTTPS or SSL proxy that serves hostnames before the migration. */
export interface ServingProxy {
  readonly project: string;
  readonly collection: ProxyCollection;
  readonly name: string;
  readonly addresses: readonly string[];
  /** Certificates that are attached directly before the migration. */
  readonly certificates: readonly { readonly id: string; readonly domains: readonly string[] }[];
  /** Key of the migration in the output. */
  readonly migration: string;
  /** Whether the stack imports the proxy; the configuration of another owner manages the other proxies. */
  readonly isAdopted: boolean;
}

export type ProxyCollection = "targetHttpsProxies" | "targetSslProxies";

/** Resource types of the proxies. */
export const servingProxyTypes = {
  targetHttpsProxies: "google_compute_target_https_proxy",
  targetSslProxies: "google_compute_target_ssl_proxy",
} as const satisfies Record<ProxyCollection, string>;

const collections = Object.keys(servingProxyTypes) as ProxyCollection[];

/** Returns the proxies that serve hostnames of a stack's migrations today. */
export function servingProxiesOf(stack: StackJson): readonly ServingProxy[] {
  const adopted = new Set(
    collections.flatMap((collection) =>
      Object.values(resourcesOf(stack, servingProxyTypes[collection])).map(({ name }) => `${collection}/${name}`),
    ),
  );
  return Object.entries(migrationBlocks(stack)).flatMap(([migration, { servingProxies = [] }]) =>
    (servingProxies as readonly Block[]).map((block) => {
      const { project = "", name = "", collection: of } = parseComputeName(String(block.proxy)) ?? {};
      const collection = of === "targetSslProxies" ? of : "targetHttpsProxies";
      return {
        project,
        collection,
        name,
        addresses: block.addresses as readonly string[],
        certificates: (block.certificates ?? []) as ServingProxy["certificates"],
        migration,
        isAdopted: adopted.has(`${collection}/${name}`),
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
  const imported = new Set(importsIn(stack).map(({ to }) => to));
  const created = collections.flatMap((collection) =>
    Object.entries(resourcesOf(stack, servingProxyTypes[collection])).flatMap(([id, { name }]) =>
      imported.has(`${servingProxyTypes[collection]}.${id}`) ? [] : [`${collection}/${name}`],
    ),
  );
  const createdProxies = servingProxiesOf(stack)
    .map(({ collection, name }) => `${collection}/${name}`)
    .filter((proxyName) => created.includes(proxyName));
  if (createdProxies.length === 0) return { stack, created: [] };
  const output = fieldsOf(stack.output);
  const description = fieldsOf(output.cert_migration);
  const value = fieldsOf(description.value);
  const migrations = Object.entries(fieldsOf(value.migrations)).map(([path, migration]) => {
    const { servingProxies, ...rest } = fieldsOf(migration);
    const kept = listOf(servingProxies).filter(
      (attachment) => !createdProxies.some((proxy) => String(fieldsOf(attachment).proxy).endsWith(`/${proxy}`)),
    );
    return [path, kept.length === 0 ? rest : { ...rest, servingProxies: kept }] as const;
  });
  const changed = { ...description, value: { ...value, migrations: Object.fromEntries(migrations) } };
  return {
    stack: { ...stack, output: { ...output, cert_migration: changed } },
    created: createdProxies.map(lastPart).sort(),
  };
}

/**
 * Returns the addresses at which a hostname is served today; undefined if no serving proxy has a certificate for it.
 */
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
  const proxies = new Map(servingProxiesOf(stack).map((proxy) => [`${proxy.collection}/${proxy.name}`, proxy]));
  const changed = collections.flatMap((collection) => {
    const blocks = Object.entries(resourcesOf(stack, servingProxyTypes[collection])).map(([id, block]) => {
      const proxy = proxies.get(`${collection}/${block.name}`);
      return [id, proxy === undefined ? block : change(block, proxy)];
    });
    return blocks.length === 0 ? [] : [[servingProxyTypes[collection], Object.fromEntries(blocks)] as const];
  });
  if (changed.length === 0) return stack;
  return { ...stack, resource: { ...(stack.resource as Block), ...Object.fromEntries(changed) } };
}
