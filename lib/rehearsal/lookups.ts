/**
 * Reads which load balancer resources the data sources of a stack look up. They exist before a migration. Zones and
 * record sets are in `world.ts`.
 */
import { defined } from "../json/defined";
import { writeComputeScope, writeLocation } from "../resource-names";
import { derivedDataTypes } from "../terraform-provider";
import { backendsOf } from "./backends";
import { providerOf } from "./known-values";
import { createPost, forwardingRule, type Post, type RequestPlace } from "./post-resource";
import type { ProviderCertificate } from "./previous-provider";
import {
  type Block,
  type BlocksByType,
  forwardingRulesOf,
  isLiteral,
  migrationBlocks,
  projectOfStack,
  resourcesOf,
  type StackJson,
} from "./stack";

/** A resource that one POST creates. */
interface LookedUp {
  /** Path and query of the collection. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether it is a certificate; then it gets the certificate of the previous provider. */
  readonly isCertificate: boolean;
}

/** A forwarding rule that leads to another load balancer than that of the migration. */
interface LookedUpRule {
  readonly project: string;
  readonly region?: string;
  readonly name: string;
  readonly address: string;
}

export interface Lookups {
  readonly objects: readonly LookedUp[];
  readonly rules: readonly LookedUpRule[];
  /**
   * Public IP addresses, by the expression that refers to them, for example
   * `data.google_compute_global_address.web.address`.
   */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Types that only repeat the provider block. */
const ofProvider = new Set(["google_client_config", "google_project"]);

/**
 * Returns whether a data source reads a resource that the rehearsal cloud does not have, so that only the stand-in
 * answers.
 */
export function isMadeUp(type: string): boolean {
  return derivedDataTypes.has(type);
}

/** Arguments that identify a resource. */
const keys = ["name", "project", "region", "managed_zone", "type"] as const;

/**
 * Returns whether the resource that a data source looks up can exist beforehand: its name is known, or a resource of
 * the stack creates it.
 *
 * @param resources resources of the stack, without the removed ones
 */
export function isPreparable(type: string, block: Block, resources: BlocksByType): boolean {
  if ("for_each" in block || "count" in block) return false;
  if (derivedDataTypes.has(type) || ofProvider.has(type)) return true;
  return keys.every((key) => {
    const value = block[key];
    if (typeof value !== "string" || isLiteral(value)) return true;
    const [, isData, kind = "", name = ""] = /^\$\{(data\.)?([a-z]\w+)\.([\w-]+)\.\w+\}$/.exec(value) ?? [];
    if (isData !== undefined) return key === "managed_zone" && kind === "google_dns_managed_zone";
    return resources[kind]?.[name] !== undefined;
  });
}

/** First addresses for looked-up resources; no other part of a rehearsal assigns addresses of these ranges. */
const firstAddress = { ipv4: [203, 0, 113, 100], ipv6: "2001:db8:0:100::" } as const;

/** Returns the resources that must exist so that the data sources of a stack can be read. */
export function lookupsOf(stack: StackJson): Lookups {
  const objects: LookedUp[] = [];
  const rules: LookedUpRule[] = [];
  const addresses = new Map<string, string>();
  const internal = backendsOf(stack).urlMaps.some((map) => map.internal === true);
  const scheme = internal ? "INTERNAL_MANAGED" : "EXTERNAL_MANAGED";
  for (const { type, id, block, project, region } of lookedUp(stack)) {
    const name = String(block.name);
    const place = `compute/v1/${writeComputeScope({ project, region })}`;
    const add = (collection: string, more: object) =>
      void objects.push({
        path: `${place}/${collection}`,
        body: { name, ...more },
        isCertificate: collection === "sslCertificates",
      });
    const nextAddress = (attribute: string): string => {
      const expression = `data.${type}.${id}.${attribute}`;
      const surveyed = literalOf(block[attribute]);
      const address = surveyed ?? addressAt(addresses.size, isIpv6(stack, expression) ? "ipv6" : "ipv4");
      addresses.set(expression, address);
      return address;
    };
    if (/_address$/.test(type)) add("addresses", { address: nextAddress("address") });
    if (/_backend_service$/.test(type)) add("backendServices", { loadBalancingScheme: scheme, protocol: "HTTP" });
    if (/_health_check$/.test(type)) add("healthChecks", { type: "TCP", tcpHealthCheck: { port: 443 } });
    if (/_ssl_certificate$/.test(type)) add("sslCertificates", { type: "SELF_MANAGED" });
    if (/_ssl_policy$/.test(type)) add("sslPolicies", {});
    if (/_forwarding_rule$/.test(type)) {
      rules.push({ project, ...defined({ region }), name, address: nextAddress("ip_address") });
    }
    if (type === "google_certificate_manager_certificate_map") {
      const path = `v1/${writeLocation({ project, location: "global" })}/certificateMaps?certificateMapId=${encodeURIComponent(name)}`;
      objects.push({ path, body: {}, isCertificate: false });
    }
  }
  return { objects, rules, addresses };
}

/** Returns the data sources that name a resource which the stack does not create. */
function lookedUp(stack: StackJson) {
  const all = Object.entries((stack.data ?? {}) as BlocksByType).flatMap(([type, blocks]) =>
    Object.entries(blocks).map(([id, block]) => ({ type, id, block })),
  );
  return all
    .filter(({ type, block }) => isLiteral(block.name) && !isMadeBy(stack, type, block))
    .map((lookUp) => {
      const provider = providerOf(stack, lookUp.block);
      const isRegional = /^google_compute_(?:region_|address$|forwarding_rule$)/.test(lookUp.type);
      const region = String(literalOf(lookUp.block.region) ?? literalOf(provider.region) ?? "us-central1");
      const project = String(literalOf(lookUp.block.project) ?? literalOf(provider.project) ?? projectOfStack(stack));
      return { ...lookUp, project, region: isRegional ? region : undefined };
    });
}

function isMadeBy(stack: StackJson, type: string, { name }: Block): boolean {
  return Object.values(resourcesOf(stack, type)).some((resource) => resource.name === name);
}

function literalOf(value: unknown): string | undefined {
  return isLiteral(value) ? value : undefined;
}

function addressAt(index: number, family: "ipv4" | "ipv6"): string {
  const [first, second, third, last] = firstAddress.ipv4;
  return family === "ipv6"
    ? `${firstAddress.ipv6}${(index + 1).toString(16)}`
    : `${first}.${second}.${third}.${last + index}`;
}

/** Returns whether the references to an address accept only IPv6. */
function isIpv6(stack: StackJson, expression: string): boolean {
  const refers = (value: unknown) => JSON.stringify(value ?? null).includes(`\${${expression}}`);
  const rules = forwardingRulesOf(stack);
  const records = Object.values(resourcesOf(stack, "google_dns_record_set"));
  return (
    rules.some((rule) => rule.ip_version === "IPV6" && refers(rule.ip_address)) ||
    records.some((record) => record.type === "AAAA" && refers(record.rrdatas)) ||
    migrationAddresses(stack).ipv6.some((address) => refers(address))
  );
}

/**
 * Returns the IP addresses of the stack's load balancers, as its migrations state them. References to looked-up
 * addresses are resolved; other references are omitted.
 */
export function lookedUpAddresses(stack: StackJson, { addresses }: Lookups): readonly string[] {
  const { ipv4, ipv6 } = migrationAddresses(stack);
  const resolved = [...ipv4, ...ipv6].map(
    (address) => addresses.get(/^\$\{(.+)\}$/.exec(address)?.[1] ?? "") ?? address,
  );
  return [...new Set(resolved.filter(isLiteral))];
}

function migrationAddresses(stack: StackJson): { readonly ipv4: readonly string[]; readonly ipv6: readonly string[] } {
  const migrations = Object.values(migrationBlocks(stack));
  const listed = (family: "ipv4" | "ipv6") =>
    migrations.flatMap(({ addresses }) => ((addresses as Block | undefined)?.[family] ?? []) as readonly string[]);
  return { ipv4: listed("ipv4"), ipv6: listed("ipv6") };
}

export interface Preparation extends RequestPlace {
  readonly certificate: ProviderCertificate;
}

const purpose = "preparing what the stack looks up";
/** 409: an existing resource stays unchanged. */
const isThere = [409];

/** Creates the looked-up resources in a cloud, except the forwarding rules. */
export async function makeLookedUp({ objects }: Lookups, { certificate, ...place }: Preparation): Promise<void> {
  const post = createPost(place, purpose, isThere);
  const { chainPem, privateKeyPem } = certificate;
  const selfManaged = { certificate: chainPem, privateKey: privateKeyPem };
  for (const { path, body, isCertificate } of objects) {
    await post(path, isCertificate ? { ...body, selfManaged } : body);
  }
}

/**
 * Creates the forwarding rules.
 *
 * @param target path of an existing target proxy, for global rules; if it is undefined, each rule gets its own proxy,
 * which answers only HTTP
 * @returns a function that gives each rule its own proxy, so that the target can be destroyed while the rules still
 * exist
 */
export async function makeLookedUpRules(
  { rules }: Lookups,
  { cloudUrl, http }: RequestPlace,
  target: string | undefined,
): Promise<() => Promise<void>> {
  const post = createPost({ cloudUrl, http }, purpose, isThere);
  const make = async (rule: LookedUpRule, led: string | undefined) => {
    const { name, address } = rule;
    const place = writeComputeScope(rule);
    const body =
      led === undefined
        ? forwardingRule(name, address, await makeHttpProxy(post, place, name), 80)
        : forwardingRule(name, address, led);
    await post(`compute/v1/${place}/forwardingRules`, body);
  };
  const isLed = ({ region }: LookedUpRule) => region === undefined && target !== undefined;
  for (const rule of rules) await make(rule, isLed(rule) ? target : undefined);
  return async () => {
    for (const rule of rules.filter(isLed)) {
      const url = `${cloudUrl}compute/v1/${writeComputeScope(rule)}/forwardingRules/${rule.name}`;
      await http.send({ method: "DELETE", url, purpose, accept: [404] });
      await make(rule, undefined);
    }
  };
}

async function makeHttpProxy(post: Post, place: string, name: string): Promise<string> {
  const proxyName = `${name.slice(0, 50)}-today`;
  const service = { name: proxyName, loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "HTTP" };
  await post(`compute/v1/${place}/backendServices`, service);
  await post(`compute/v1/${place}/urlMaps`, {
    name: proxyName,
    defaultService: `${place}/backendServices/${proxyName}`,
  });
  await post(`compute/v1/${place}/targetHttpProxies`, { name: proxyName, urlMap: `${place}/urlMaps/${proxyName}` });
  return `${place}/targetHttpProxies/${proxyName}`;
}
