import { asText, fieldsOf, listOf, textsOf } from "../json/fields";
import { groupBy } from "../json/group-by";
import { lastPart, writeLocatedPath } from "../resource-names";
import { countOf } from "../text/words";
import { danger, listed, type PlanDanger } from "./dangers";
import {
  bareName,
  classicTypes,
  domainsOf,
  hostnameOf,
  isSame,
  issuanceConfigOf,
  managedOf,
  proxyTypes,
  resourceName,
  types,
  uploadedLeaf,
} from "./kinds";
import { nameOfCertificate } from "./lookup";
import { type Change, isDeleted, isDestroyed, type Resource } from "./plan-json";
import { bringsCertificate } from "./upload-rules";
import type { World } from "./world";

/** Checks certificates, their authorizations and the CNAMEs of the authorizations. */
export function certificateDangers(world: World): readonly PlanDanger[] {
  const users = usersOf(world.resourcesAfter(types.entry, ...proxyTypes));
  return [
    ...world.changes(types.certificate).flatMap((change) => certificateDeleted(change, users)),
    ...world.changes(...classicTypes).flatMap((change) => classicDeleted(change, world)),
    ...world.changes(types.authorization).flatMap((change) => authorizationDeleted(change, world)),
    ...world.changes(types.record).flatMap((change) => recordDeleted(change, world)),
  ];
}

/** Entries and proxies that use a certificate after the apply, by the certificate's id without its project. */
type Users = ReturnType<typeof usersOf>;

function usersOf(held: readonly Resource[]) {
  const uses = held.flatMap((user) => {
    const { certificates, certificate_manager_certificates: direct } = user.values;
    return textsOf(user.type === types.entry ? certificates : direct).map((id) => ({ name: resourceName(id), user }));
  });
  return groupBy(uses, ({ name }) => name.path);
}

function certificateDeleted(change: Change, users: Users): readonly PlanDanger[] {
  const { address, type, action, before, deposed } = change;
  const name = nameOfCertificate({ type, values: before });
  const id = asText(before.id ?? "");
  if (action === "deleteThenCreate") {
    const message = `${id} is destroyed before its successor is issued`;
    return [danger("certificate-replaced-destroy-first", address, message, { hostnames: domainsOf(before) })];
  }
  if ((action !== "delete" && action !== "createThenDelete") || id === "") return [];
  const what = deposed ? `${id}, left from an interrupted replacement,` : id;
  return (users.get(name.path) ?? [])
    .filter((use) => isSame(use.name, name))
    .map(({ user }) => {
      const isEntry = user.type === types.entry;
      const whom = isEntry ? hostnameOf(user.values) : user.address;
      const hostnames = isEntry ? [whom] : domainsOf(before);
      const message = `${what} still serves ${whom}, which this plan does not change`;
      return danger("certificate-destroyed-early", address, message, { hostnames });
    });
}

/** Checks deleted certificates of Compute Engine; only certificates of a proxy serve clients. */
function classicDeleted(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before } = change;
  if (!isDestroyed(change)) return [];
  const isFirst = action === "deleteThenCreate";
  const code = isFirst ? "certificate-replaced-destroy-first" : "certificate-destroyed-early";
  const name = nameOfCertificate({ type, values: before });
  const proxies = isFirst ? world.resourcesBefore(...proxyTypes) : world.resourcesAfter(...proxyTypes);
  return proxies
    .filter(({ values }) => textsOf(values.ssl_certificates).some((id) => isOf(id, name.path, asText(before.name))))
    .map((user) => {
      const message = `${user.address} presents ${asText(before.name)}`;
      return danger(code, address, message, { hostnames: domainsOf(before) });
    });
}

/** Compares the path of an id, or only its name if the path of the certificate is unknown. */
function isOf(id: string, path: string, name: string): boolean {
  return resourceName(id).path === path || (path === name && lastPart(id) === name);
}

function authorizationDeleted(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  const domain = bareName(before.domain);
  if (action === "createThenDelete") {
    const [first] = certificatesOf(change, world);
    if (first === undefined) return [];
    const next = asText(after.name ?? "a new one");
    const message = `${next} replaces ${asText(before.name ?? "the authorization")}, which ${first.address} needs for renewal`;
    return [danger("authorization-replaced", address, message, { hostnames: [domain] })];
  }
  if (!isDeleted(change) || isRetired(domain, world)) return [];
  const message = `certificates for ${domain} can no longer be renewed`;
  return [danger("authorization-deleted", address, message, { hostnames: [domain] })];
}

/** Returns the certificates that the plan keeps and that need an authorization for renewal. */
function certificatesOf({ before }: Change, world: World): readonly Resource[] {
  const domain = bareName(before.domain);
  const certificateName = resourceName(asText(before.id ?? ""));
  return world.certificatesFor(domain).filter(({ address, values }) => {
    if (!world.isKept(address)) return false;
    const ids = textsOf(managedOf(values).dns_authorizations);
    return (
      certificateName.path === "" || ids.length === 0 || ids.some((id) => isSame(resourceName(id), certificateName))
    );
  });
}

function recordDeleted(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after, deposed } = change;
  const domain = authorizedBy(before);
  if (domain === undefined || deposed) return [];
  const replaced = action === "deleteThenCreate" || (action === "createThenDelete" && before.name === after.name);
  if (action !== "delete" && !replaced && !removesAuthorizationRecord(change, domain, world)) return [];
  if (isRetired(domain, world)) return [];
  const moved = successorOf(change, world);
  if (moved !== undefined) {
    const zone = lastPart(asText(moved.values.managed_zone ?? "")) || "another zone";
    const message = `the CNAME of ${domain} is deleted, and created again in ${zone} (${moved.address}) by the same apply`;
    return [danger("authorization-record-moved", address, message, { hostnames: [domain] })];
  }
  const message = `certificates for ${domain} can no longer be issued or renewed`;
  return [danger("authorization-record-deleted", address, message, { hostnames: [domain] })];
}

/** Returns the same CNAME that the apply creates in another zone or project. In one zone, both are one record set. */
function successorOf({ before }: Change, world: World): Resource | undefined {
  const identity = ({ managed_zone: zone, project }: Resource["values"]) =>
    JSON.stringify([lastPart(asText(zone ?? "")), project ?? null]);
  const text = ({ name, type, rrdatas }: Resource["values"]) =>
    JSON.stringify([bareName(name), type, textsOf(rrdatas).map(bareName).sort()]);
  return world.resourcesAfter(types.record).find(({ address, values }) => {
    return world.isCreatedNow(address) && text(values) === text(before) && identity(values) !== identity(before);
  });
}

/** Returns whether a CNAME no longer has the data of an authorization for its domain. */
function removesAuthorizationRecord({ action, before, after }: Change, domain: string, world: World): boolean {
  const [was, will] = [before, after].map(({ rrdatas }) => textsOf(rrdatas).map(bareName).sort().join());
  if (action !== "update" || was === will) return false;
  const { before: authorizations, isChanged } = world.authorizationsFor(domain);
  if (isChanged && (will === "" || authorizedBy(after) === domain)) return false;
  return !authorizations.some(({ values }) => {
    const proof = fieldsOf(listOf(values.dns_resource_record)[0]);
    return proof.data !== undefined && bareName(proof.data) === will;
  });
}

/** Returns the domain that a record authorizes; undefined for other records. */
export function authorizedBy(values: Readonly<Record<string, unknown>>): string | undefined {
  if (values.type !== "CNAME") return undefined;
  const match = /^_acme-challenge(?:_[a-z0-9]+)?\.(.+?)\.?$/i.exec(asText(values.name ?? ""));
  const ours = textsOf(values.rrdatas).some((target) => /\.authorize\.certificatemanager\.goog\.?$/i.test(target));
  return match !== null && ours ? bareName(match[1]) : undefined;
}

/** Returns whether the plan deletes all certificates for a domain that has certificates. */
function isRetired(domain: string, world: World): boolean {
  return world.certificatesFor(domain).length > 0 && !world.hasCertificateAfter(domain);
}

/** Checks issuance configs, which certificates of private CAs need for renewal. */
export function issuanceDangers(world: World): readonly PlanDanger[] {
  return world.changes(types.issuanceConfig).flatMap((change) => issuanceConfigDeleted(change, world));
}

function issuanceConfigDeleted(change: Change, world: World): readonly PlanDanger[] {
  if (!isDestroyed(change)) return [];
  const { id, project, location, name } = change.before;
  const path = {
    location: asText(location ?? "global"),
    collection: "certificateIssuanceConfigs",
    name: asText(name),
  };
  const resource = typeof id === "string" ? resourceName(id) : resourceName(writeLocatedPath(path), project);
  const users = world.resourcesAfter(types.certificate).filter(({ values }) => {
    const config = issuanceConfigOf(values);
    return config !== undefined && isSame(resourceName(config), resource);
  });
  if (users.length === 0) return [];
  const hostnames = [...new Set(users.flatMap(({ values }) => domainsOf(values)))];
  const message = `still used by ${listed(users.map((user) => user.address))}`;
  return [danger("issuance-config-deleted", change.address, message, { hostnames })];
}

const dayMs = 24 * 3_600_000;
/** Days before the expiry from which on the check warns; `plan` warns equally early. */
const soonDays = 30;

/** Checks the dates of uploaded certificates whose PEM the plan contains; Google does not renew them. */
export function validityDangers(world: World, now: Date): readonly PlanDanger[] {
  const kinds = [types.certificate, ...classicTypes];
  const changes = world.changes(...kinds).filter(bringsCertificate);
  const brought = new Set(changes.map(({ address }) => address));
  return world.resourcesAfter(...kinds).flatMap((held) => outOfDate(held, brought, now));
}

/** @param brought addresses of the certificates that the plan adds or changes */
function outOfDate({ address, values }: Resource, brought: ReadonlySet<string>, now: Date): readonly PlanDanger[] {
  const leaf = uploadedLeaf(values);
  if (leaf === undefined) return [];
  const isBrought = brought.has(address);
  const name = asText(values.name ?? "the certificate");
  const [from, until] = [leaf.notBefore, leaf.notAfter].map((date) => date.toISOString());
  const hostnames = leaf.dnsNames;
  const leftMs = leaf.notAfter.getTime() - now.getTime();
  if (leftMs <= 0) {
    const code = isBrought ? "uploaded-certificate-not-valid" : "uploaded-certificate-expired";
    return [danger(code, address, `${name} expired at ${until}`, { hostnames })];
  }
  if (isBrought && leaf.notBefore > now) {
    return [danger("uploaded-certificate-not-valid", address, `${name} is not valid before ${from}`, { hostnames })];
  }
  if (leftMs > soonDays * dayMs) return [];
  const message = `${name} expires at ${until}, in ${countOf(Math.floor(leftMs / dayMs), "day")}`;
  return [danger("uploaded-certificate-expires-soon", address, message, { hostnames })];
}
