import { isIP } from "node:net";
import { InputError, type Problem } from "../errors";
import { canonicalAddress } from "../hostnames";
import { type Fields, isFields } from "../json/fields";
import { resourceNameIn } from "../resource-names";
import { quote } from "../text/quote";
import { countOf, listFirst } from "../text/words";
import { traitsOf } from "./load-balancer-kinds";
import { isReference } from "./shape/reference";
import { nearestCandidate } from "./shape/suggest";
import type { LoadBalancerSpec, MigrationSpec } from "./spec";
import type { SplitOptions, SplitStack } from "./split-model";

/** Maximum number of mistakes of one kind that are reported; further mistakes are counted. */
const maxReported = 10;

const optionNames = [
  "maxEntriesPerMap",
  "maxCertificatesPerStack",
  "assigned",
  "loadBalancerOf",
  "now",
  "identityOf",
] as const satisfies readonly (keyof SplitOptions)[];

/**
 * Checks the options, which may also come from JavaScript; `assigned` may come from a file.
 *
 * @param name of the migration
 * @throws InputError with `split-option-unknown`, `split-limit-invalid`, `split-assigned-invalid`
 */
export function checkSplitOptions(name: string, options: SplitOptions): void {
  const given: Fields = isFields(options) ? options : {};
  const problems = [...unknownOptions(given), ...badLimits(given), ...badAssignments(name, given.assigned)];
  if (problems.length > 0) throw new InputError(problems);
}

function unknownOptions(given: Fields): readonly Problem[] {
  const known: readonly string[] = optionNames;
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearestCandidate(name, optionNames);
      const advice = near === undefined ? `known are ${optionNames.join(", ")}` : `is '${near}' meant?`;
      return { code: "split-option-unknown", message: `${quote(name)} is not an option of a split; ${advice}` };
    });
}

function badLimits({ maxEntriesPerMap, maxCertificatesPerStack }: Fields): Problem[] {
  return Object.entries({ maxEntriesPerMap, maxCertificatesPerStack }).flatMap(([name, value]): Problem[] => {
    if (value === undefined && name !== "maxEntriesPerMap") return [];
    if (Number.isSafeInteger(value) && (value as number) >= 1) return [];
    const what = value === undefined ? "is missing" : `${shown(value)} is not a limit`;
    return [{ code: "split-limit-invalid", message: `${name} ${what}; give a whole number from 1` }];
  });
}

/**
 * Reports assignments to stacks of another migration. Such a stack would be created, and all of its resources with it.
 */
function badAssignments(name: string, assigned: unknown): readonly Problem[] {
  const code = "split-assigned-invalid";
  const advice = "pass the value of 'assigned' that the previous split returned";
  if (assigned === undefined) return [];
  if (!isFields(assigned)) {
    return [{ code, message: `assigned ${shown(assigned)} is not a mapping of hostnames to stacks; ${advice}` }];
  }
  const bad = Object.entries(assigned).filter(([, stack]) => !isStackOf(name, stack));
  return firstProblems(
    bad.map(([place, stack]) => {
      const what = `assigned ${quote(place)}: ${shown(stack)} is not a stack of ${quote(name)}`;
      return { code, message: `${what}, which are ${quote(`${name}-1`)} and so on; ${advice}` };
    }),
  );
}

function isStackOf(name: string, stack: unknown): boolean {
  return typeof stack === "string" && stack.startsWith(`${name}-`) && /^[1-9]\d*$/.test(stack.slice(name.length + 1));
}

/**
 * Checks that the stacks do not conflict: a proxy accepts one map, and port 443 of an address leads to one proxy.
 *
 * @param spec the whole migration
 * @throws InputError with `split-proxy-shared`, `split-address-shared`, `split-map-shared`
 */
export function checkSplitStacks(
  { loadBalancer, existingCertificateMap }: MigrationSpec,
  stacks: readonly SplitStack[],
  { loadBalancerOf }: SplitOptions,
): void {
  if (stacks.length < 2) return;
  const problems: Problem[] = [];
  if (loadBalancerOf === undefined && loadBalancer !== undefined && hasProxies(loadBalancer)) {
    const message = "several stacks would make or adopt the same proxy, which takes one map; give 'loadBalancerOf'";
    problems.push({ code: "split-proxy-shared", message });
  } else {
    problems.push(...sharedBy(stacks, proxiesOf, "split-proxy-shared", "which takes one map"));
    problems.push(...sharedBy(stacks, addressesOf, "split-address-shared", "whose port 443 leads to one proxy"));
  }
  if (existingCertificateMap !== undefined) {
    const message = `several stacks would fill the map ${quote(existingCertificateMap)}; let each make its own, or raise 'maxEntriesPerMap'`;
    problems.push({ code: "split-map-shared", message });
  }
  if (problems.length > 0) throw new InputError(problems);
}

function hasProxies(given: LoadBalancerSpec): boolean {
  const { newTargetHttpsProxy, newTargetSslProxy, adoptTargetHttpsProxies = [], adoptTargetSslProxies = [] } = given;
  return [newTargetHttpsProxy, newTargetSslProxy, ...adoptTargetHttpsProxies, ...adoptTargetSslProxies].some(Boolean);
}

/** A resource that belongs to one stack. */
interface Owned {
  /** Complete identity of the resource. */
  readonly identity: readonly (string | undefined)[];
  /** The identity for messages, with long names shortened. */
  readonly words: string;
}

/** Reports the resources that several stacks share although they belong to one. */
function sharedBy(
  stacks: readonly SplitStack[],
  ownedBy: (spec: MigrationSpec) => readonly Owned[],
  code: Problem["code"],
  reason: string,
): readonly Problem[] {
  const found = new Map<string, { readonly words: string; readonly owners: Set<string> }>();
  for (const { name, spec } of stacks) {
    for (const { identity, words } of ownedBy(spec)) {
      const key = JSON.stringify(identity);
      const same = found.get(key);
      if (same === undefined) found.set(key, { words, owners: new Set([name]) });
      else same.owners.add(name);
    }
  }
  const shared = [...found.values()].filter(({ owners }) => owners.size > 1);
  return firstProblems(
    shared.map(({ words, owners }) => {
      const some = listFirst([...owners].map(quote), 3);
      const advice = "let 'loadBalancerOf' give each stack its own";
      return { code, message: `the stacks ${some} have the same ${words}, ${reason}; ${advice}` };
    }),
  );
}

/** Returns proxies with their identity. New proxies without a name get a name of their stack. */
function proxiesOf({ loadBalancer, project: migrationProject }: MigrationSpec): readonly Owned[] {
  if (loadBalancer === undefined) return [];
  const { project, region, newTargetHttpsProxy, newTargetSslProxy } = loadBalancer;
  const { adoptTargetHttpsProxies = [], adoptTargetSslProxies = [] } = loadBalancer;
  const place = region === undefined ? "" : ` in ${quote(region)}`;
  const describe = (kind: string, own: { readonly name?: string; readonly project?: string } | undefined): Owned[] => {
    if (own?.name === undefined) return [];
    const where = own.project ?? project ?? migrationProject;
    const words = `target ${kind} proxy ${quote(own.name)}${place}${where === undefined ? "" : ` of project ${quote(where)}`}`;
    return [{ identity: [kind, own.name, region, where], words }];
  };
  return [
    ...[newTargetHttpsProxy, ...adoptTargetHttpsProxies].flatMap((adoptTargetHttpsProxy) =>
      describe("HTTPS", adoptTargetHttpsProxy),
    ),
    ...[newTargetSslProxy, ...adoptTargetSslProxies].flatMap((adoptTargetSslProxy) =>
      describe("SSL", adoptTargetSslProxy),
    ),
  ];
}

/** Returns the addresses of a stack with their identity. A reference has a different meaning in each stack. */
function addressesOf({ loadBalancer, project }: MigrationSpec): readonly Owned[] {
  if (loadBalancer === undefined) return [];
  const { kind, addresses, newTargetHttpsProxy, newTargetSslProxy } = loadBalancer;
  const where = loadBalancer.project ?? project;
  const describe = (address: string, network?: string): Owned[] => {
    if (isReference(address)) return [];
    // A public address is globally unique. Internal addresses are unique in their network, and names in their project.
    const isOwn = isIP(address) === 0 || traitsOf(kind).isInternal;
    const scope = isOwn ? [where && ` of project ${quote(where)}`, network && ` in ${quote(network)}`] : [];
    const name = resourceNameIn(canonicalAddress(address));
    const identity = isOwn ? [name, where, network] : [name];
    return [{ identity, words: `address ${quote(name)}${scope.join("")}` }];
  };
  const ofRules = [newTargetHttpsProxy, newTargetSslProxy].flatMap((proxy) => {
    const { ipv4Address, ipv6Address, network } = proxy?.forwardingRules ?? {};
    return [ipv4Address, ipv6Address].flatMap((address) => (address === undefined ? [] : describe(address, network)));
  });
  // Without a map, certificates of several stacks may be attached to one proxy, which is then created elsewhere.
  const isShareable = traitsOf(kind).presents === "certificates" || addresses === undefined;
  return [...ofRules, ...(isShareable ? [] : listOf(addresses).flatMap((address) => describe(address)))];
}

function listOf(addresses: NonNullable<LoadBalancerSpec["addresses"]>): readonly string[] {
  if (!("ipv4" in addresses) && !("ipv6" in addresses)) return addresses as readonly string[];
  return [...(addresses.ipv4 ?? []), ...(addresses.ipv6 ?? [])];
}

/** Returns the first problems, and the number of further problems. */
export function firstProblems(problems: readonly Problem[]): readonly Problem[] {
  const [first] = problems;
  const more = problems.length - maxReported;
  if (first === undefined || more <= 0) return problems;
  return [
    ...problems.slice(0, maxReported),
    { code: first.code, message: `and ${countOf(more, "more", "more")} like these` },
  ];
}

function shown(value: unknown): string {
  return quote(typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)));
}
