import { fieldsOf, listOf, textsOf } from "../json/fields";
import { lastPart } from "../resource-names";
import { danger, type PlanDanger } from "./dangers";
import { classicTypes, domainsOf, hostnameOf, isDeleted, proxyTypes, types } from "./kinds";
import { nameOfCertificate } from "./lookup";
import { bareName, isSame, resourceName } from "./names";
import type { Change, Held } from "./plan-json";
import type { World } from "./world";

/** Certificates, their authorizations and the CNAMEs of these: what issues and renews stays as long as anything is served by it. */
export function certificateDangers(world: World): readonly PlanDanger[] {
  const users = usersOf(world.heldAfter(types.entry, ...proxyTypes));
  return [
    ...world.changes(types.certificate).flatMap((change) => certificateGone(change, users)),
    ...world.changes(...classicTypes).flatMap((change) => classicGone(change, world)),
    ...world.changes(types.authorization).flatMap((change) => authorizationGone(change, world)),
    ...world.changes(types.record).flatMap((change) => recordGone(change, world)),
  ];
}

/** Entries and proxies that use a certificate after the apply, by the certificate's id without its project. */
type Users = ReadonlyMap<string, readonly { readonly id: string; readonly user: Held }[]>;

function usersOf(held: readonly Held[]): Users {
  const users = new Map<string, { readonly id: string; readonly user: Held }[]>();
  for (const user of held) {
    const { certificates, certificate_manager_certificates: direct } = user.values;
    for (const id of textsOf(user.type === types.entry ? certificates : direct)) {
      const { path } = resourceName(id);
      const there = users.get(path);
      if (there === undefined) users.set(path, [{ id, user }]);
      else there.push({ id, user });
    }
  }
  return users;
}

function certificateGone(change: Change, users: Users): readonly PlanDanger[] {
  const { address, type, action, before, deposed } = change;
  const name = nameOfCertificate({ type, values: before });
  const id = String(before.id ?? "");
  if (action === "deleteThenCreate") {
    return [
      danger("certificate-replaced-destroy-first", address, `${id} would be gone before its successor is issued`, {
        hostnames: domainsOf(before),
      }),
    ];
  }
  if ((action !== "delete" && action !== "createThenDelete") || id === "") return [];
  const what = deposed ? `${id}, left of an earlier replacement,` : id;
  return (users.get(name.path) ?? [])
    .filter((one) => isSame(resourceName(one.id), name))
    .map(({ user }) => {
      const isEntry = user.type === types.entry;
      const whom = isEntry ? hostnameOf(user.values) : user.address;
      const hostnames = isEntry ? [whom] : domainsOf(before);
      return danger("certificate-destroyed-early", address, `${what} still serves ${whom}, which stays as it is`, {
        hostnames,
      });
    });
}

/** Checks deleted certificates of Compute Engine; only certificates of a proxy serve clients. */
function classicGone({ address, type, action, before }: Change, world: World): readonly PlanDanger[] {
  if (action !== "delete" && action !== "deleteThenCreate" && action !== "createThenDelete") return [];
  const isFirst = action === "deleteThenCreate";
  const code = isFirst ? "certificate-replaced-destroy-first" : "certificate-destroyed-early";
  const name = nameOfCertificate({ type, values: before });
  const proxies = isFirst ? world.heldBefore(...proxyTypes) : world.heldAfter(...proxyTypes);
  return proxies
    .filter(({ values }) => textsOf(values.ssl_certificates).some((id) => isOf(id, name.path, String(before.name))))
    .map((user) =>
      danger(code, address, `${String(before.name)} is what ${user.address} presents`, {
        hostnames: domainsOf(before),
      }),
    );
}

/** Whether an id is of a certificate of Compute Engine: by its path, or where that is not known by its name. */
function isOf(id: string, path: string, name: string): boolean {
  return resourceName(id).path === path || (path === name && lastPart(id) === name);
}

function authorizationGone(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  const domain = bareName(before.domain);
  if (action === "createThenDelete") {
    const kept = certificatesOf(change, world);
    const [first] = kept;
    if (first === undefined) return [];
    const next = String(after.name ?? "a new one");
    const message = `${String(before.name ?? "it")} makes way for ${next}, and ${first.address} was issued by it and stays`;
    return [danger("authorization-replaced", address, message, { hostnames: [domain] })];
  }
  if (!isDeleted(change) || isRetired(domain, world)) return [];
  const message = `certificates for ${domain} can no longer be renewed`;
  return [danger("authorization-deleted", address, message, { hostnames: [domain] })];
}

/** Certificates that stay and are renewed by an authorization. */
function certificatesOf({ before }: Change, world: World): readonly Held[] {
  const domain = bareName(before.domain);
  const own = resourceName(String(before.id ?? ""));
  return world.certificatesFor(domain).filter(({ address, values }) => {
    if (!world.isKept(address)) return false;
    const ids = textsOf(fieldsOf(listOf(values.managed)[0]).dns_authorizations);
    return own.path === "" || ids.length === 0 || ids.some((id) => isSame(resourceName(id), own));
  });
}

function recordGone(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after, deposed } = change;
  const domain = authorizedBy(before);
  if (domain === undefined || deposed) return [];
  const replaced = action === "deleteThenCreate" || (action === "createThenDelete" && before.name === after.name);
  if (action !== "delete" && !replaced && !leadsAway(change, domain, world)) return [];
  if (isRetired(domain, world)) return [];
  const message = `certificates for ${domain} can no longer be issued or renewed`;
  return [danger("authorization-record-deleted", address, message, { hostnames: [domain] })];
}

/** Whether a CNAME is led elsewhere than to the authorization that there is, or that is made in its place. */
function leadsAway({ action, before, after }: Change, domain: string, world: World): boolean {
  const [was, will] = [before, after].map(({ rrdatas }) => textsOf(rrdatas).map(bareName).sort().join());
  if (action !== "update" || was === will) return false;
  const { before: there, isChanged } = world.authorizationsFor(domain);
  if (isChanged && (will === "" || authorizedBy(after) === domain)) return false;
  return !there.some(({ values }) => {
    const proof = fieldsOf(listOf(values.dns_resource_record)[0]);
    return proof.data !== undefined && bareName(proof.data) === will;
  });
}

/** Returns the domain that a record authorizes; undefined for other records. */
export function authorizedBy(values: Readonly<Record<string, unknown>>): string | undefined {
  if (values.type !== "CNAME") return undefined;
  const match = /^_acme-challenge(?:_[a-z0-9]+)?\.(.+?)\.?$/i.exec(String(values.name ?? ""));
  const ours = textsOf(values.rrdatas).some((target) => /\.authorize\.certificatemanager\.goog\.?$/i.test(target));
  return match !== null && ours ? bareName(match[1]) : undefined;
}

/** Whether the same plan does away with every certificate for the domain, of which there is one at least. */
function isRetired(domain: string, world: World): boolean {
  return world.certificatesFor(domain).length > 0 && !world.hasCertificateAfter(domain);
}
