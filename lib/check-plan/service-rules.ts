/** APIs, projects and billing accounts that load balancers, certificates and zones need, and their alerts. */
import { asText, type Fields, fieldsOf, listOf, textsOf } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import { addressTypes, classicTypes, forwardingRuleTypes, proxyTypes, types } from "./kinds";
import { type Change, isDeleted, isDestroyed, type Resource } from "./plan-json";
import type { World } from "./world";

/** Types of resources that an API serves. */
const usersOf: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "certificatemanager.googleapis.com",
    [types.authorization, types.certificate, types.map, types.entry, types.issuanceConfig, types.trustConfig],
  ],
  ["dns.googleapis.com", [types.zone, types.record]],
  ["compute.googleapis.com", [...forwardingRuleTypes, ...proxyTypes, ...addressTypes, ...classicTypes]],
  ["networksecurity.googleapis.com", [types.serverTlsPolicy, types.backendAuthentication]],
  ["privateca.googleapis.com", [types.issuanceConfig]],
]);

export function serviceDangers(world: World): readonly PlanDanger[] {
  return [
    ...world.changes("google_project_service").flatMap((change) => serviceDisabled(change, world)),
    ...world.changes("google_project").flatMap((change) => [...projectDeleted(change), ...billingRemoved(change)]),
    ...world.changes("google_billing_project_info").flatMap(billingRemoved),
  ];
}

function serviceDisabled(change: Change, world: World): readonly PlanDanger[] {
  const { address, before, after, action } = change;
  const isLeft = before.service !== undefined && after.service !== undefined && before.service !== after.service;
  if (!isDestroyed(change) && !(action === "update" && isLeft)) return [];
  if (before.disable_on_destroy === false || before.deletion_policy === "ABANDON") return [];
  const service = asText(before.service ?? "");
  const kinds = usersOf.get(service);
  if (kinds === undefined || isRetired(kinds, before.project, world)) return [];
  const project = asText(before.project ?? "the project");
  const users = kept(kinds, before.project, world).map((resource) => resource.address);
  const needed = users.length === 0 ? "resources of other configurations may need it" : `${listed(users)} need it`;
  return [danger("service-disabled", address, `${service} is disabled in ${project}; ${needed}`)];
}

/** Returns whether the plan deletes all resources of these types in a project. */
function isRetired(kinds: readonly string[], project: unknown, world: World): boolean {
  const before = world.resourcesBefore(...kinds).filter((held) => isIn(held, project));
  return before.length > 0 && kept(kinds, project, world).length === 0;
}

function kept(kinds: readonly string[], project: unknown, world: World): readonly Resource[] {
  return world.resourcesAfter(...kinds).filter((held) => isIn(held, project));
}

function isIn({ values }: Resource, project: unknown): boolean {
  return typeof values.project !== "string" || typeof project !== "string" || values.project === project;
}

function projectDeleted(change: Change): readonly PlanDanger[] {
  const { address, before } = change;
  const isKept = before.deletion_policy === "ABANDON" || before.skip_delete === true;
  if (!isDestroyed(change) || isKept) return [];
  return [danger("project-deleted", address, `the project ${idOf(before)} is deleted`)];
}

function billingRemoved(change: Change): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown } = change;
  const account = asText(before.billing_account ?? "");
  if (account === "" || change.deposed) return [];
  const isGone =
    action === "update"
      ? !after.billing_account && unknown.billing_account !== true
      : type === "google_billing_project_info" && action === "delete";
  if (!isGone) return [];
  return [danger("billing-removed", address, `the project ${idOf(before)} loses the billing account ${account}`)];
}

function idOf({ project_id: id, project, name }: Fields): string {
  return asText(id ?? project ?? name ?? "of the resource");
}

const policyType = "google_monitoring_alert_policy";
const checkType = "google_monitoring_uptime_check_config";

/**
 * Returns a danger for each alert about certificates that the plan removes, disables or leaves without a channel, while
 * certificates remain. Nothing else shows that a renewal fails until the certificate ends.
 */
export function alertDangers(world: World): readonly PlanDanger[] {
  const had = world.resourcesBefore(types.certificate).length > 0;
  const remain = world.resourcesAfter(types.certificate).length > 0;
  if (had && !remain) return [];
  return [
    ...world.changes(policyType).flatMap(policyDanger),
    ...world.changes(checkType).flatMap((change) => {
      if (!isDeleted(change) || !validates(change.before)) return [];
      return [danger("alert-removed", change.address, `the uptime check ${nameOf(change)} is deleted`)];
    }),
  ];
}

function policyDanger(change: Change): readonly PlanDanger[] {
  const { address, before, after, action } = change;
  if (!isAboutCertificates(before)) return [];
  const report = (what: string) => [danger("alert-removed", address, `the alert policy ${nameOf(change)} ${what}`)];
  if (isDeleted(change)) return report("is deleted");
  if (action !== "update") return [];
  if (before.enabled !== false && after.enabled === false) return report("is disabled");
  const isWithoutChannel =
    textsOf(before.notification_channels).length > 0 && listOf(after.notification_channels).length === 0;
  return isWithoutChannel ? report("loses its last notification channel") : [];
}

function nameOf({ before }: Change): string {
  return `'${asText(before.display_name ?? "")}'`;
}

/** Returns whether a policy watches the expiry log of Certificate Manager, or results of uptime checks. */
function isAboutCertificates({ conditions }: Fields): boolean {
  return /certificatemanager\.googleapis\.com|\/uptime_check\//.test(JSON.stringify(conditions ?? ""));
}

function validates({ http_check: check }: Fields): boolean {
  return fieldsOf(listOf(check)[0]).validate_ssl === true;
}
