import { asText, type Fields, textsOf } from "../json/fields";
import { countOf } from "../text/words";
import { danger, type PlanDanger } from "./dangers";
import { forwardingRuleTypes, isCertificateType, isSame, proxyTypes, resourceName, types } from "./kinds";
import type { KnownMigration } from "./known-migrations";
import { mapNamed, nameOfCertificate, nameOfMap } from "./lookup";
import { type Change, isCreated, isDestroyed, type Resource } from "./plan-json";
import type { World } from "./world";

/** An attribute that refers to certificates, and the only scope that its resource can use. */
interface CertificateUse {
  readonly type: string;
  readonly attribute: string;
  readonly scope: string;
}

/** Sources: the provider's source code at 7.45.0, and the pages of Google about each load balancer. */
const uses: readonly CertificateUse[] = [
  { type: types.entry, attribute: "certificates", scope: "DEFAULT" },
  { type: "google_compute_region_target_https_proxy", attribute: "certificate_manager_certificates", scope: "DEFAULT" },
  { type: "google_compute_target_https_proxy", attribute: "certificate_manager_certificates", scope: "ALL_REGIONS" },
  { type: types.backendAuthentication, attribute: "client_certificate", scope: "CLIENT_AUTH" },
  { type: types.edgeCacheService, attribute: "edge_ssl_certificates", scope: "EDGE_CACHE" },
];

/** Reports certificates with a scope that their resource can't use. Only checks certificates in the plan. */
export function scopeDangers(world: World): readonly PlanDanger[] {
  return uses.flatMap((use) => world.changes(use.type).flatMap((change) => scopesChanged(change, use, world)));
}

function scopesChanged(change: Change, use: CertificateUse, world: World): readonly PlanDanger[] {
  const { address, action, after, deposed } = change;
  if (deposed || action === "delete" || action === "no-op") return [];
  const named = after[use.attribute];
  const given = typeof named === "string" ? [named] : textsOf(named);
  const known = given.flatMap((id) => world.certificate(id) ?? []);
  const made = world.isUnknown(address, use.attribute) ? world.createdCertificates(address, use.attribute) : [];
  const unusable = [...new Set([...known, ...made])].filter(
    (resource) => resource.type === types.certificate && scopeOf(resource) !== use.scope,
  );
  return unusable.map((certificate) => {
    const message = `${certificate.address} has the scope ${scopeOf(certificate)}, but only ${use.scope} can be used here`;
    return danger("certificate-scope-unusable", address, message);
  });
}

function scopeOf({ values: { scope } }: Resource): string {
  return typeof scope === "string" && scope !== "" ? scope : "DEFAULT";
}

/** Reports deleted certificates whose `deletion_policy` (provider 7.33 or later) forbids the deletion. */
export function deletionDangers(world: World): readonly PlanDanger[] {
  return world.plan.changes.flatMap((change) => {
    const { address, type, before } = change;
    if (!isDestroyed(change) || !isCertificateType(type) || before.deletion_policy !== "PREVENT") return [];
    const message = `${asText(before.name)} is deleted, but its deletion_policy is PREVENT`;
    return [danger("certificate-deletion-prevented", address, message)];
  });
}

/** Types of Certificate Manager, whose service refuses a second resource of the same name. */
const namedTypes = [types.authorization, types.certificate, types.map, types.entry];

/** Fields that together identify a resource in the service. */
const identity = ["project", "location", "map", "name"] as const;

/**
 * Finds resources that the plan creates twice under the same name, for example because a module has several instances
 * in one project. Resources whose names are not known yet are left out.
 */
export function collisionDangers(world: World): readonly PlanDanger[] {
  return namedTypes.flatMap((type) => {
    const first = new Map<string, string>();
    return world.changes(type).flatMap((change) => {
      const { address, after, deposed, unknown } = change;
      if (deposed || !isCreated(change) || typeof after.name !== "string") return [];
      if (identity.some((field) => unknown[field])) return [];
      const key = JSON.stringify(identity.map((field) => after[field] ?? null));
      const earlier = first.get(key);
      first.set(key, earlier ?? address);
      if (earlier === undefined) return [];
      return [danger("created-twice", address, `${after.name} is also created as ${earlier}`)];
    });
  });
}

/**
 * Reports a state without resources, with which Terraform creates everything a second time: a plan that creates
 * resources of a known migration again, or a plan without a state that creates a load balancer together with the
 * address records of its traffic, which move in a later apply.
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
