/** A state without resources, with which Terraform creates everything a second time. */
import type { Fields } from "../json/fields";
import { countOf } from "../text/words";
import { danger, type PlanDanger } from "./dangers";
import { forwardingRuleTypes, isCertificateType, proxyTypes, types } from "./kinds";
import type { KnownMigration } from "./known-migrations";
import { mapNamed, nameOfCertificate, nameOfMap } from "./lookup";
import { isSame, resourceName } from "./names";
import type { World } from "./world";

/**
 * Reports a plan that creates resources of a known migration again, or a plan without a state that creates a load
 * balancer together with the address records of its traffic, which move in a later apply.
 */
export function stateDangers(world: World, migrations: readonly KnownMigration[]): readonly PlanDanger[] {
  const changes = world.plan.changes.filter(({ deposed, action }) => !deposed && action !== "no-op");
  const created = changes.filter(({ action }) => action === "create");
  const known = created.find(({ address, type, after }) => {
    if (type === types.map) {
      return migrations.some(
        ({ map }) => map?.id !== undefined && isSame(mapNamed(map.id, {}), nameOfMap({ address, values: after })),
      );
    }
    if (!isCertificateType(type) || typeof after.name !== "string") return false;
    const certificateName = nameOfCertificate({ type, values: after });
    return migrations.some(({ certificates }) => {
      return certificates.some(
        ({ id, kind }) => id !== undefined && kind !== "existing" && isSame(resourceName(id), certificateName),
      );
    });
  });
  if (known !== undefined) {
    const message = `${known.address} is created, and exists already according to '--outputs'; the state does not contain it`;
    return [danger("state-lost", known.address, message, {})];
  }
  if (world.plan.prior.size > 0 || created.length === 0 || created.length < changes.length) return [];
  const has = (...kinds: readonly string[]) => created.some(({ type }) => kinds.includes(type));
  const isServing = has(types.entry, types.certificate) && has(...proxyTypes, ...forwardingRuleTypes);
  if (!isServing || !created.some(({ type, after }) => type === types.record && isAddress(after))) return [];
  const message = `the state has no resources, and the plan creates ${countOf(created.length, "resource")}`;
  return [danger("state-lost", "", message)];
}

/** Returns whether a record has addresses. A CNAME may be of a DNS authorization, whose data is unknown at first. */
function isAddress({ type }: Fields): boolean {
  return type === "A" || type === "AAAA";
}
