import { danger, type PlanDanger } from "./dangers";
import { fieldsOf, listOf, textsOf } from "./fields";
import type { Change } from "./plan-json";
import {
  bareId,
  bareName,
  classicTypes,
  domainsOf,
  hostnameOf,
  isCertificate,
  proxyTypes,
  types,
  type World,
} from "./world";

/** Certificates, their authorizations and the CNAMEs of these: what issues and renews stays as long as anything is served by it. */
export function certificateDangers(world: World): readonly PlanDanger[] {
  return [
    ...world.changes(types.certificate).flatMap((change) => certificateGone(change, world)),
    ...world.changes(...classicTypes).flatMap((change) => classicGone(change, world)),
    ...world.changes(types.authorization).flatMap((change) => authorizationGone(change, world)),
    ...world.changes(types.record).flatMap((change) => recordGone(change, world)),
  ];
}

function certificateGone({ address, action, before, deposed }: Change, world: World): readonly PlanDanger[] {
  const id = bareId(String(before.id ?? ""));
  if (action === "deleteThenCreate") {
    return [
      danger("certificate-replaced-destroy-first", address, `${id} would be gone before its successor is issued`),
    ];
  }
  if (action !== "delete" || id === "") return [];
  const users = world.after.filter((held) => usesOf(held).some((used) => bareId(used) === id));
  const what = deposed ? `${id}, left of an earlier replacement,` : id;
  return users.map(({ address: user, type, values }) => {
    const name = type === types.entry ? hostnameOf(values) : user;
    return danger("certificate-destroyed-early", address, `${what} still serves ${name}, which stays as it is`);
  });
}

/** Certificates of Compute Engine: those alone matter that a proxy has, since the others serve nobody. */
function classicGone({ address, type, action, before }: Change, world: World): readonly PlanDanger[] {
  if (action !== "delete" && action !== "deleteThenCreate") return [];
  const [code, held] =
    action === "delete"
      ? (["certificate-destroyed-early", world.after] as const)
      : (["certificate-replaced-destroy-first", world.before] as const);
  const isUsed = (ids: unknown) => textsOf(ids).some((id) => isCertificate({ type, values: before }, id));
  return held
    .filter((user) => proxyTypes.has(user.type) && isUsed(user.values.ssl_certificates))
    .map((user) => danger(code, address, `${String(before.name)} is what ${user.address} presents`));
}

function usesOf({ type, values }: World["after"][number]): readonly string[] {
  if (type === types.entry) return textsOf(values.certificates);
  return proxyTypes.has(type) ? textsOf(values.certificate_manager_certificates) : [];
}

function authorizationGone({ address, action, before }: Change, world: World): readonly PlanDanger[] {
  if (action !== "delete" && action !== "deleteThenCreate") return [];
  const domain = bareName(before.domain);
  if (isRetired(domain, world)) return [];
  return [danger("authorization-deleted", address, `certificates for ${domain} could not be renewed any more`)];
}

function recordGone(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after, deposed } = change;
  const domain = authorizedBy(before);
  if (domain === undefined || deposed) return [];
  const replaced = action === "deleteThenCreate" || (action === "createThenDelete" && before.name === after.name);
  if (action !== "delete" && !replaced && !leadsAway(change, domain, world)) return [];
  if (isRetired(domain, world)) return [];
  return [
    danger(
      "authorization-record-deleted",
      address,
      `certificates for ${domain} could not be issued or renewed any more`,
    ),
  ];
}

/** Whether a CNAME is led elsewhere than to the authorization that there is, or that is made in its place. */
function leadsAway({ action, before, after }: Change, domain: string, world: World): boolean {
  const [was, will] = [before, after].map(({ rrdatas }) => textsOf(rrdatas).map(bareName).sort().join());
  if (action !== "update" || was === will) return false;
  const isFor = ({ type, values }: { readonly type: string; readonly values: Change["after"] }) =>
    type === types.authorization && bareName(values.domain) === domain;
  const isRemade = world.plan.changes.some(
    (change) => isFor({ type: change.type, values: change.after }) && change.action !== "no-op",
  );
  if (isRemade && (will === "" || authorizedBy(after) === domain)) return false;
  return !world.before.some((held) => {
    const proof = fieldsOf(listOf(held.values.dns_resource_record)[0]);
    return isFor(held) && proof.data !== undefined && bareName(proof.data) === will;
  });
}

/** The domain that a record proves, where it does. */
export function authorizedBy(values: Readonly<Record<string, unknown>>): string | undefined {
  if (values.type !== "CNAME") return undefined;
  const match = /^_acme-challenge(?:_[a-z0-9]+)?\.(.+?)\.?$/i.exec(String(values.name ?? ""));
  const ours = textsOf(values.rrdatas).some((target) => /\.authorize\.certificatemanager\.goog\.?$/i.test(target));
  return match !== null && ours ? bareName(match[1]) : undefined;
}

/** Whether the same plan does away with every certificate for the domain, of which there is one at least. */
function isRetired(domain: string, world: World): boolean {
  const isFor = (held: World["before"][number]) =>
    held.type === types.certificate && domainsOf(held.values).some((name) => name.replace(/^\*\./, "") === domain);
  return world.before.some(isFor) && !world.after.some(isFor);
}
