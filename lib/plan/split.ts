import { createHash } from "node:crypto";
import { InputError, type Problem } from "../errors";
import { withRemedy } from "../findings/finding";
import { baseDomain } from "../hostnames";
import { defined } from "../json/defined";
import { groupBy } from "../json/group-by";
import { quote } from "../text/quote";
import { listFirst } from "../text/words";
import { defaultLoadBalancerKind } from "./load-balancer-kinds";
import type { MigrationPlan, PlannedCertificate } from "./model";
import { planMigration } from "./plan";
import { shapeMistakes } from "./shape/mistakes";
import type { MigrationSpec } from "./spec";
import { checkSplitOptions, checkSplitStacks, firstProblems } from "./split-checks";
import type { SplitMigration, SplitOptions, SplitStack } from "./split-model";
import { divide } from "./split-part";

/**
 * The fraction to which the first split fills stacks at most. New certificates need room, and hashing does not
 * distribute evenly.
 */
const firstFill = 0.75;

/**
 * Splits a migration into several, each for its own stack, state, map and load balancer, so that no map exceeds its
 * quota and an apply affects one stack only.
 *
 * Certificates that share an authorized domain stay together, because a domain has one authorization. With
 * `assigned`, every hostname stays in its stack; new hostnames go to a stack with room, or to a new stack. Without
 * `assigned`, the stack of a certificate depends on its name and the number of stacks. That number doubles when the
 * fleet outgrows it, and about half of the certificates then move.
 *
 * @throws InputError with the errors of the plan, or `split-option-unknown`, `split-limit-invalid`,
 * `split-assigned-invalid`, `split-group-too-large`, `split-stack-full`, `split-joins-stacks`, `split-proxy-shared`,
 * `split-address-shared`, `split-map-shared`
 *
 * @example
 * ```ts
 * const fleet: MigrationSpec = {
 *   name: "fleet",
 *   certificates: [{ domains: ["berlin.example.com"] }, { domains: ["hamburg.example.com"] }],
 *   dns: { kind: "external" },
 * };
 * const { stacks } = splitMigration(fleet, { maxEntriesPerMap: 1 });
 * for (const { name, spec } of stacks) ManagedCertMigration.fromSpec(stack, name, spec);
 * ```
 */
export function splitMigration(spec: MigrationSpec, options: SplitOptions): SplitMigration {
  const mistakes = shapeMistakes(spec);
  if (mistakes.length > 0) throw new InputError(mistakes.map(({ explain }) => explain()));
  checkSplitOptions(spec.name, options);
  const plan = planMigration(withoutLoadBalancer(spec), options);
  const errors = plan.findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    throw new InputError(errors.map((error) => ({ code: error.code, message: withRemedy(error) })));
  const groups = groupsOf(plan);
  const stackOf = assign(spec.name, groups, options);
  const parts = [...groupBy(groups, (group) => stackOf.get(group) ?? "")]
    .sort(([a], [b]) => byNumber(a, b))
    .map(([name, groups]) => ({
      name,
      certificates: groups.flatMap((group) => group.certificates),
      entries: groups.reduce((sum, group) => sum + group.entries, 0),
    }));
  const specs = divide(spec, plan, parts);
  const stacks = parts.map((part): SplitStack => {
    const { name, entries } = part;
    const own = specs.get(part) as MigrationSpec;
    return { name, spec: { ...own, ...defined({ loadBalancer: options.loadBalancerOf?.(name) }) }, entries };
  });
  checkSplitStacks(spec, stacks, options);
  const assigned = groups.flatMap((group) =>
    group.places.map((place): readonly [string, string] => [place, stackOf.get(group) ?? ""]),
  );
  return { stacks, assigned: Object.fromEntries(assigned.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Removes proxies and addresses, which each stack has for itself and which are checked there. */
function withoutLoadBalancer(spec: MigrationSpec): MigrationSpec {
  const { kind = defaultLoadBalancerKind, region } = spec.loadBalancer ?? {};
  return {
    ...spec,
    phase: "serve",
    loadBalancer: { kind, ...defined({ region }) },
    ...(spec.traffic === undefined ? {} : { traffic: { ...spec.traffic, to: "previous" } }),
  };
}

/** Certificates that have to stay in one stack. */
interface Group {
  /** The first of the certificate ids. */
  readonly key: string;
  readonly certificates: readonly PlannedCertificate[];
  readonly entries: number;
  /**
   * Identifies the group in the next run: hostnames, which stay the same when certificates get other names or domains.
   * No other group has them.
   */
  readonly places: readonly string[];
}

/**
 * Groups certificates that must stay together: they need an authorization for the same domain, or an entry lists both.
 */
function groupsOf(plan: MigrationPlan): readonly Group[] {
  const first = new Map<string, string>();
  const leader = (id: string): string => {
    const parent = first.get(id) ?? id;
    if (parent === id) return id;
    const found = leader(parent);
    first.set(id, found);
    return found;
  };
  const join = (left: string, right: string) => {
    const [a, b] = [leader(left), leader(right)].sort() as [string, string];
    if (a !== b) first.set(b, a);
  };
  const byDomain = new Map<string, string>();
  // Entries refer to existing certificates by resource name.
  const idOf = new Map(
    plan.certificates.map((certificate) => [
      certificate.kind === "existing" ? certificate.existingId : certificate.id,
      certificate.id,
    ]),
  );
  for (const certificate of plan.certificates) {
    const { id, kind, domains } = certificate;
    if (kind !== "managed" || certificate.issuance !== undefined) continue;
    for (const domain of domains.map(baseDomain)) {
      const known = byDomain.get(domain);
      if (known === undefined) byDomain.set(domain, id);
      else join(known, id);
    }
  }
  const entriesOf = groupBy(plan.entries, ({ certificates }) => {
    const [owner = "", ...others] = certificates.flatMap((name) => idOf.get(name) ?? []);
    for (const member of others) join(owner, member);
    return owner;
  });
  return [...groupBy(plan.certificates, ({ id }) => leader(id))]
    .map(([key, certificates]) => {
      const entries = certificates.flatMap(({ id }) => (entriesOf.get(id) ?? []).map(({ hostname }) => hostname));
      return { key, certificates, entries: entries.length, places: placesOf(certificates, entries) };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** @param entries hostnames of the map's entries; empty if certificates are attached directly */
function placesOf(certificates: readonly PlannedCertificate[], entries: readonly string[]): readonly string[] {
  const authorized = certificates.flatMap(({ kind, domains }) => (kind === "managed" ? domains : []));
  const hostnames = new Set([...authorized, ...entries.filter((hostname) => hostname !== "PRIMARY")]);
  return hostnames.size > 0 ? [...hostnames] : certificates.map(({ id }) => id);
}

interface Load {
  entries: number;
  certificates: number;
}

function assign(prefix: string, groups: readonly Group[], options: SplitOptions): ReadonlyMap<Group, string> {
  const { maxEntriesPerMap, maxCertificatesPerStack = Number.POSITIVE_INFINITY, assigned = {} } = options;
  const problems: Problem[] = [];
  const loads = new Map<string, Load>();
  const stackOf = new Map<Group, string>();
  const put = (group: Group, stack: string) => {
    const load = loads.get(stack) ?? { entries: 0, certificates: 0 };
    loads.set(stack, load);
    load.entries += group.entries;
    load.certificates += group.certificates.length;
    stackOf.set(group, stack);
  };
  const fits = (entries: number, certificates: number) =>
    entries <= maxEntriesPerMap && certificates <= maxCertificatesPerStack;
  const hasRoom = (stack: string, group: Group) => {
    const { entries, certificates } = loads.get(stack) ?? { entries: 0, certificates: 0 };
    return fits(entries + group.entries, certificates + group.certificates.length);
  };

  for (const group of groups) {
    const stays = [
      ...new Set(group.places.flatMap((place) => (Object.hasOwn(assigned, place) ? (assigned[place] ?? []) : []))),
    ];
    const [stack] = stays;
    if (stays.length > 1) problems.push(joinsStacks(group, stays));
    if (stack !== undefined) put(group, stack);
  }
  for (const [stack, { entries, certificates }] of loads) {
    if (!fits(entries, certificates)) problems.push(stackFull(stack, entries, certificates));
  }
  const large = groups.filter((group) => !fits(group.entries, group.certificates.length) && !stackOf.has(group));
  problems.push(...firstProblems(large.map(tooLarge)));
  if (problems.length > 0) throw new InputError(problems);

  const open = new Set(loads.keys());
  const name = (number: number) => `${prefix}-${number}`;
  if (open.size === 0) {
    for (let number = 1; number <= firstCount(groups, options); number++) open.add(name(number));
  }
  for (const group of groups) {
    if (stackOf.has(group)) continue;
    const stack = drawn(group.key, open, (candidate) => hasRoom(candidate, group)) ?? openAnother(open, name);
    put(group, stack);
  }
  return stackOf;
}

/**
 * Returns the first number of stacks: a power of two, so that the number changes only after the fleet has grown
 * considerably.
 */
function firstCount(groups: readonly Group[], options: SplitOptions): number {
  const { maxEntriesPerMap, maxCertificatesPerStack = Number.POSITIVE_INFINITY } = options;
  const entries = groups.reduce((sum, group) => sum + group.entries, 0);
  const certificates = groups.reduce((sum, group) => sum + group.certificates.length, 0);
  if (entries <= maxEntriesPerMap && certificates <= maxCertificatesPerStack) return 1;
  const needed = Math.max(entries / maxEntriesPerMap, certificates / maxCertificatesPerStack) / firstFill;
  return 2 ** Math.ceil(Math.log2(needed));
}

function openAnother(open: Set<string>, name: (number: number) => string): string {
  let number = open.size + 1;
  while (open.has(name(number))) number++;
  open.add(name(number));
  return name(number);
}

/**
 * Returns the first stack with room, in an order that depends on the group. When a stack is added or removed, the order
 * of the others stays the same.
 */
function drawn(key: string, stacks: Iterable<string>, hasRoom: (stack: string) => boolean): string | undefined {
  let first: string | undefined;
  let lowest = "";
  for (const stack of stacks) {
    if (!hasRoom(stack)) continue;
    const lot = createHash("sha256").update(`${key}\n${stack}`).digest("hex");
    if (first === undefined || lot < lowest) [first, lowest] = [stack, lot];
  }
  return first;
}

function namesOf({ certificates }: Group): string {
  const names = certificates.map(({ id }) => quote(id));
  return listFirst(names, 5);
}

function joinsStacks(group: Group, stacks: readonly string[]): Problem {
  const what = `hostnames of ${namesOf(group)}, which share a domain, an entry or a certificate, are deployed in`;
  const remedy =
    "remove the entry or certificate that they share, or remove the hostnames of one stack from 'assigned' and move them manually";
  return { code: "split-joins-stacks", message: `${what} ${stacks.map(quote).join(" and ")}; ${remedy}` };
}

function stackFull(stack: string, entries: number, certificates: number): Problem {
  const message = `stack ${quote(stack)} has ${entries} entries and ${certificates} certificates, more than the limits allow; raise them, or remove hostnames from 'assigned' and move them manually`;
  return { code: "split-stack-full", message };
}

function tooLarge(group: Group): Problem {
  const { certificates, entries } = group;
  const [what, advice] =
    certificates.length === 1
      ? [`certificate ${namesOf(group)} has ${entries} entries`, "put its hostnames into several certificates"]
      : [
          `the certificates ${namesOf(group)} share domains and have ${entries} entries together`,
          "let certificates share fewer domains",
        ];
  const message = `${what}, more than one stack takes; raise the limits, or ${advice}`;
  return { code: "split-group-too-large", message };
}

/** Compares names with numbers by value: `shop-10` comes after `shop-9`. */
function byNumber(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
