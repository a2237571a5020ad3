import { fieldsOf, listOf, textsOf } from "../json/fields";
import { googleIdentity, readCaa } from "../x509";
import { danger, listed, type PlanDanger } from "./dangers";
import { classicTypes, domainsOf, isUploaded, types } from "./kinds";
import { bareName } from "./names";
import type { Held } from "./plan-json";
import type { World } from "./world";

/** CAs that issue managed certificates of Compute Engine; a CAA record for one of them is enough. */
const classicIdentities = [googleIdentity, "letsencrypt.org"];

/** CAA records that come to forbid the CA of managed certificates, or of which a new managed certificate is forbidden. */
export function caaDangers(world: World): readonly PlanDanger[] {
  const changes = world.changes(types.record).filter(({ deposed, action, before, after }) => {
    return !deposed && action !== "no-op" && (before.type === "CAA" || after.type === "CAA");
  });
  const after = setsOf(world.heldAfter(types.record), (address) => world.isUnknown(address, "rrdatas"));
  if (changes.length === 0 && after.size === 0) return [];
  const before = setsOf(world.heldBefore(types.record), () => false);
  const addresses = new Map(
    changes.flatMap((change) =>
      [change.before.name, change.after.name].map((name) => [bareName(name), change.address]),
    ),
  );
  const found = new Map<string, { readonly address: string; readonly owner: string; readonly domains: Set<string> }>();
  for (const held of world.heldAfter(types.certificate, ...classicTypes)) {
    if (isUploaded(held.type, held.values) || isPrivate(held)) continue;
    for (const domain of domainsOf(held.values)) {
      const set = closest(after, domain);
      if (set === undefined || !forbids(set, domain, held)) continue;
      const was = closest(before, domain);
      if (!world.isMadeNow(held.address) && was !== undefined && forbids(was, domain, held)) continue;
      const address = addressOf(domain, addresses) ?? held.address;
      const there = found.get(address) ?? { address, owner: set.owner, domains: new Set<string>() };
      found.set(address, there);
      there.domains.add(domain);
    }
  }
  return [...found.values()].map(({ address, owner, domains }) => {
    const names = [...domains].sort();
    const message = `the CAA records of ${owner} forbid Google Trust Services to issue for ${listed(names)}`;
    return danger("caa-forbids-issuance", address, message, { hostnames: names });
  });
}

interface CaaSet {
  readonly owner: string;
  /** As in a zone file; `undefined` where they are not known yet. */
  readonly records: readonly string[] | undefined;
}

function setsOf(records: readonly Held[], isUnknown: (address: string) => boolean): ReadonlyMap<string, CaaSet> {
  const sets = new Map<string, CaaSet>();
  for (const { address, values } of records) {
    if (values.type !== "CAA") continue;
    const owner = bareName(values.name);
    const isOpen = values.rrdatas === undefined || isUnknown(address);
    const there = sets.get(owner);
    const known = isOpen || (there !== undefined && there.records === undefined) ? undefined : textsOf(values.rrdatas);
    // Some providers hold each record on its own.
    sets.set(owner, { owner, records: known === undefined ? undefined : [...(there?.records ?? []), ...known] });
  }
  return sets;
}

/** The set that a CA goes by: the closest one at or above a name (RFC 8659, 3). */
function closest(sets: ReadonlyMap<string, CaaSet>, domain: string): CaaSet | undefined {
  return pathUp(domain).flatMap((name) => sets.get(name) ?? [])[0];
}

/** Address of the change that decides: of the closest record that is created, changed or deleted. */
function addressOf(domain: string, addresses: ReadonlyMap<string, string>): string | undefined {
  return pathUp(domain).flatMap((name) => addresses.get(name) ?? [])[0];
}

function pathUp(domain: string): readonly string[] {
  const labels = baseOf(domain).split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

function baseOf(domain: string): string {
  return domain.replace(/^\*\./, "");
}

function forbids({ records }: CaaSet, domain: string, { type }: Held): boolean {
  if (records === undefined || records.length === 0) return false;
  const identities = classicTypes.has(type) ? classicIdentities : [googleIdentity];
  return identities.every((identity) => ["forbidden", "critical"].includes(readCaa(domain, records, identity).verdict));
}

/** Whether a certificate is issued by a CA of the user's own, which no CAA record is for. */
function isPrivate({ values }: Held): boolean {
  const { issuance_config: config } = fieldsOf(listOf(values.managed)[0]);
  return typeof config === "string" && config !== "";
}
