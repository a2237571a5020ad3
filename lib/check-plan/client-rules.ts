/** Checks mutual TLS: server TLS policies of proxies, and the trust configs that validate clients. */
import { asText, type Fields, fieldsOf, listOf } from "../json/fields";
import { lastPart, locationIn } from "../resource-names";
import { danger, listed, type PlanDanger } from "./dangers";
import { hasUnknown, types } from "./kinds";
import { type Change, isChangedWithoutGap, isDeleted, type Resource } from "./plan-json";
import { namesOf } from "./switch-rules";
import type { World } from "./world";

const regionalProxy = "google_compute_region_target_https_proxy";
const httpsProxies = ["google_compute_target_https_proxy", regionalProxy] as const;

export function clientDangers(world: World): readonly PlanDanger[] {
  return [
    ...world.changes(...httpsProxies).flatMap((change) => policyChanged(change, world)),
    ...world
      .changes(types.serverTlsPolicy)
      .flatMap((change) => [...policyDeleted(change, world), ...policyUpdated(change, world)]),
    ...world.changes(types.trustConfig).flatMap((change) => trustConfigChanged(change, world)),
  ];
}

function policyChanged(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown } = change;
  if (!isChangedWithoutGap(change)) return [];
  const hostnames = namesOf(before, world);
  const [was, next] = [asText(before.server_tls_policy ?? ""), asText(after.server_tls_policy ?? "")];
  const isOpen = hasUnknown(unknown.server_tls_policy);
  if (was !== "" && next === "" && !isOpen) {
    const message = `the proxy loses the server TLS policy ${was} and no longer requests client certificates`;
    return [danger("client-policy-removed", address, message, { hostnames })];
  }
  // The provider reads an absent SSL policy as "" or null.
  const isSslPolicyChanged =
    (before.ssl_policy || null) !== (after.ssl_policy || null) || hasUnknown(unknown.ssl_policy);
  if (type === regionalProxy && action === "update" && was !== "" && isSslPolicyChanged) {
    const message = `the SSL policy of the proxy changes, and the provider removes the server TLS policy ${was} in the same request`;
    return [danger("client-policy-lost", address, message, { hostnames })];
  }
  if (!isOpen && (next === "" || next === was)) return [];
  const previousPolicy = policyNamed(was, world.resourcesBefore(types.serverTlsPolicy));
  const policy = isOpen
    ? policyCreated(address, world)
    : policyNamed(next, world.resourcesAfter(types.serverTlsPolicy));
  if (rejectsInvalid(previousPolicy) === true) {
    return policy === undefined ? [] : trustMoved(address, previousPolicy, policy, world);
  }
  const rejects = rejectsInvalid(policy);
  if (rejects === false) return [];
  const name = isOpen ? asText(policy?.values.name ?? "that is created") : next;
  if (rejects === true) {
    const message = `the proxy gets the server TLS policy ${name}, which rejects clients without a valid certificate`;
    return [danger("client-policy-rejects", address, message, { hostnames })];
  }
  const message = `the proxy gets the server TLS policy ${name}, whose mode the plan does not contain`;
  return [danger("client-policy-unknown", address, message, { hostnames })];
}

/** Checks a policy that changes in place: the change affects the clients of all its proxies. */
function policyUpdated(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown, deposed } = change;
  if (deposed || action !== "update") return [];
  const users = world.resourcesAfter(...httpsProxies).filter(({ address: proxy, values }) => {
    return world.isKept(proxy) && isPolicyOf(asText(values.server_tls_policy ?? ""), before);
  });
  if (users.length === 0) return [];
  const hostnames = [...new Set(users.flatMap(({ values }) => namesOf(values, world)))];
  const proxies = listed(users.map((user) => user.address));
  const was: Resource = { address, type, values: before };
  const next: Resource = { address, type, values: after };
  if (hasUnknown(unknown.mtls_policy) && rejectsInvalid(next) === undefined) {
    const message = `the mode of the policy changes for ${proxies}, and the plan does not contain the new mode`;
    return [danger("client-policy-unknown", address, message, { hostnames })];
  }
  if (rejectsInvalid(was) !== undefined && rejectsInvalid(next) === undefined) {
    const message = `the policy no longer validates clients of ${proxies}`;
    return [danger("client-policy-removed", address, message, { hostnames })];
  }
  if (rejectsInvalid(was) !== true && rejectsInvalid(next) === true) {
    const message = `the policy rejects clients of ${proxies} that have no valid certificate`;
    return [danger("client-policy-rejects", address, message, { hostnames })];
  }
  return trustMoved(address, was, next, world);
}

/** Reports certificates that only the trust config of the previous policy contains. */
function trustMoved(address: string, was: Resource | undefined, next: Resource, world: World): readonly PlanDanger[] {
  const trusted = (policy: Resource | undefined, among: readonly Resource[]) => {
    const config = among.find((resource) => policy !== undefined && usesTrustConfig(policy, resource.values));
    return config && { address: config.address, pems: trustedPems(config.values) };
  };
  const from = trusted(was, world.resourcesBefore(types.trustConfig));
  const to = trusted(next, world.resourcesAfter(types.trustConfig));
  // `trustConfigChanged` reports changes of one trust config.
  if (from === undefined || to === undefined || from.address === to.address) return [];
  const lost = from.pems.filter((pem) => !to.pems.includes(pem));
  if (lost.length === 0) return [];
  const message = `the new trust config lacks ${lost.length} of the certificates of ${from.address}`;
  return [danger("trust-anchor-removed", address, message)];
}

/** Reports a policy that is deleted while proxies use it, also to replace it without create_before_destroy. */
function policyDeleted(change: Change, world: World): readonly PlanDanger[] {
  if (!isDeleted(change)) return [];
  const { address, before } = change;
  const users = usersDuring(change, httpsProxies, world).filter(({ values }) =>
    isPolicyOf(asText(values.server_tls_policy ?? ""), before),
  );
  if (users.length === 0) return [];
  const hostnames = [...new Set(users.flatMap(({ values }) => namesOf(values, world)))];
  const message = `still used by ${listed(users.map((user) => user.address))}`;
  return [danger("client-policy-deleted", address, message, { hostnames })];
}

function trustConfigChanged(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after, deposed } = change;
  if (deposed) return [];
  if (isDeleted(change)) {
    const userTypes = [types.serverTlsPolicy, types.backendAuthentication] as const;
    const users = usersDuring(change, userTypes, world).filter((user) => usesTrustConfig(user, before));
    if (users.length === 0) return [];
    const message = `still used by ${listed(users.map((resource) => resource.address))}`;
    return [danger("trust-config-deleted", address, message)];
  }
  if (action !== "update") return [];
  const kept = new Set(trustedPems(after));
  const lost = trustedPems(before).filter((pem) => !kept.has(pem));
  const isUsed = world.resourcesBefore(types.serverTlsPolicy).some((policy) => usesTrustConfig(policy, before));
  if (lost.length === 0 || !isUsed) return [];
  return [danger("trust-anchor-removed", address, `the trust config loses ${lost.length} of its certificates`)];
}

/**
 * Returns the resources that may refer to a resource when it is deleted. Terraform deletes a replaced resource before
 * it updates the resources that use it.
 */
function usersDuring({ action }: Change, userTypes: readonly string[], world: World): readonly Resource[] {
  if (action === "delete") return world.resourcesAfter(...userTypes);
  return world.resourcesBefore(...userTypes).filter(({ address }) => world.isKept(address));
}

/** Returns the roots and the allowlisted certificates; intermediates only complete chains. */
function trustedPems({ trust_stores: stores, allowlisted_certificates: allowlisted }: Fields): readonly string[] {
  const anchors = listOf(stores).flatMap((store) => listOf(fieldsOf(store).trust_anchors));
  return [...anchors, ...listOf(allowlisted)].map((anchor) => asText(fieldsOf(anchor).pem_certificate).trim());
}

/** A server TLS policy validates clients with a trust config; a backend authentication config validates backends. */
function usesTrustConfig({ type, values }: Resource, { name, location }: Fields): boolean {
  const isPolicy = type === types.serverTlsPolicy;
  const link = asText((isPolicy ? mutualTlsOf(values).client_validation_trust_config : values.trust_config) ?? "");
  return lastPart(link) === name && locationIn(link) === location;
}

/** Whether a policy rejects clients; undefined if the plan does not show it. */
function rejectsInvalid(policy: Resource | undefined): boolean | undefined {
  const { client_validation_mode: mode } = mutualTlsOf(policy?.values ?? {});
  return typeof mode === "string" ? mode === "REJECT_INVALID" : undefined;
}

function mutualTlsOf({ mtls_policy: mutualTls }: Fields): Fields {
  return fieldsOf(listOf(mutualTls)[0]);
}

function policyNamed(link: string, among: readonly Resource[]): Resource | undefined {
  return among.find(({ values }) => isPolicyOf(link, values));
}

/** Returns whether a link leads to a policy. */
function isPolicyOf(link: string, { name, location }: Fields): boolean {
  return link !== "" && name === lastPart(link) && (location ?? "global") === (locationIn(link) ?? "global");
}

/** Returns the policy that this apply creates and that the proxy refers to. */
function policyCreated(proxy: string, world: World): Resource | undefined {
  return world
    .resourcesAfter(types.serverTlsPolicy)
    .find(({ address }) => world.isCreatedNow(address) && world.isAfter(proxy, address));
}
