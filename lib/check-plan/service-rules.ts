/** APIs, projects and billing accounts that load balancers, certificates and zones need, and their alerts. */
import { asText, type Fields, fieldsOf, listOf, textsOf } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import { addressTypes, classicTypes, forwardingRuleTypes, hasUnknown, proxyTypes, types } from "./kinds";
import { type Change, isChangedWithoutGap, isDeleted, isDestroyed, type Resource } from "./plan-json";
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

const policyType = "google_monitoring_alert_policy";
const checkType = "google_monitoring_uptime_check_config";
const channelType = "google_monitoring_notification_channel";

/** Types of alerts that an API serves. Most projects have these APIs for other reasons. */
const alertsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["monitoring.googleapis.com", [policyType, checkType]],
  ["logging.googleapis.com", [policyType]],
]);

export function serviceDangers(world: World): readonly PlanDanger[] {
  return [
    ...world.changes("google_project_service").flatMap((change) => serviceDisabled(change, world)),
    ...world.changes("google_project").flatMap((change) => [...projectDeleted(change), ...billingRemoved(change)]),
    ...world.changes("google_billing_project_info").flatMap(billingRemoved),
  ];
}

/** Returns whether a resource of an API no longer enables it. */
function isDisabled(change: Change): boolean {
  const { before, after, action } = change;
  const isLeft = before.service !== undefined && after.service !== undefined && before.service !== after.service;
  if (!isDestroyed(change) && !(action === "update" && isLeft)) return false;
  return before.disable_on_destroy !== false && before.deletion_policy !== "ABANDON";
}

function serviceDisabled(change: Change, world: World): readonly PlanDanger[] {
  const { address, before } = change;
  if (!isDisabled(change)) return [];
  const service = asText(before.service ?? "");
  const kinds = usersOf.get(service);
  if (kinds === undefined || isRetired(kinds, before.project, world)) return [];
  const project = asText(before.project ?? "the project");
  const users = addressesOf(kept(kinds, before.project, world));
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

/**
 * Returns a danger for each alert about certificates that the plan removes, disables, weakens or leaves without a
 * channel, while certificates remain. Nothing else shows that a renewal fails until the certificate ends.
 */
export function alertDangers(world: World): readonly PlanDanger[] {
  const had = world.resourcesBefore(types.certificate).length > 0;
  const remain = world.resourcesAfter(types.certificate).length > 0;
  if (had && !remain) return [];
  const judge = (kind: string, weaken: (change: Change) => readonly string[]) => (change: Change) => {
    const how = isDeleted(change) ? ["is deleted"] : isChangedWithoutGap(change) ? weaken(change) : [];
    const name = `the ${kind} '${asText(change.before.display_name ?? "")}'`;
    return how.length === 0 ? [] : [danger("alert-removed", change.address, `${name} ${how.join("; ")}`)];
  };
  const isAboutCertificates = ({ before }: Change) => conditionsOf(before).some(isOnCertificates);
  const validates = ({ before }: Change) => httpOf(before).validate_ssl === true;
  return [
    ...world.changes(policyType).filter(isAboutCertificates).flatMap(judge("alert policy", weakenedPolicy)),
    ...world.changes(checkType).filter(validates).flatMap(judge("uptime check", weakenedCheck)),
    ...world.changes("google_project_service").flatMap((change) => alertsDisabled(change, world)),
    ...channelsSilenced(world),
  ];
}

/** Returns whether a resource is an alert about certificates. */
function isAlert({ type, values }: Resource): boolean {
  return type === checkType ? httpOf(values).validate_ssl === true : conditionsOf(values).some(isOnCertificates);
}

function alertsDisabled(change: Change, world: World): readonly PlanDanger[] {
  const { address, before } = change;
  const service = asText(before.service ?? "");
  const alerts = kept(alertsOf.get(service) ?? [], before.project, world).filter(isAlert);
  if (alerts.length === 0 || !isDisabled(change)) return [];
  const where = asText(before.project ?? "the project");
  return [
    danger(
      "alert-removed",
      address,
      `${service} is disabled in ${where}; alerts of this API: ${listed(addressesOf(alerts))}`,
    ),
  ];
}

/** Returns a danger for each channel that is deleted or disabled, if an alert about certificates has no other. */
function channelsSilenced(world: World): readonly PlanDanger[] {
  const silenced = world
    .changes(channelType)
    .filter((change) => isDestroyed(change) || (change.after.enabled === false && change.before.enabled !== false));
  const names = new Set(silenced.map(({ before }) => asText(before.name ?? before.id ?? "")));
  const mute = world
    .resourcesAfter(policyType)
    .filter(isAlert)
    .filter(({ values }) => {
      const channels = textsOf(values.notification_channels);
      return channels.length > 0 && channels.every((channel) => names.has(channel));
    });
  return silenced.flatMap(({ address, before, after }) => {
    const users = mute.filter(({ values }) =>
      textsOf(values.notification_channels).includes(asText(before.name ?? "")),
    );
    if (users.length === 0) return [];
    const how = after.enabled === false ? "is disabled" : "is deleted";
    const channel = `the notification channel '${asText(before.display_name ?? "")}'`;
    return [
      danger("alert-removed", address, `${channel} ${how}; alerts without another: ${listed(addressesOf(users))}`),
    ];
  });
}

function addressesOf(resources: readonly Resource[]): readonly string[] {
  return resources.map(({ address }) => address);
}

function weakenedCheck({ before, after, unknown }: Change): readonly string[] {
  if (after.disabled === true && before.disabled !== true) return ["is disabled"];
  const [was, is, open] = [httpOf(before), httpOf(after), httpOf(unknown)];
  const [former, host] = [hostOf(before), hostOf(after)];
  if (former !== undefined && host !== undefined && host !== former) return [`checks ${host} in place of ${former}`];
  return ["validate_ssl", "use_ssl"]
    .filter((field) => was[field] === true && is[field] !== true)
    .filter((field) => !hasUnknown(unknown.http_check) && open[field] !== true)
    .map((field) => `no longer validates the certificate: '${field}' is no longer true`);
}

function weakenedPolicy({ before, after, unknown }: Change): readonly string[] {
  if (before.enabled !== false && after.enabled === false) return ["is disabled"];
  const isWithoutChannel =
    textsOf(before.notification_channels).length > 0 && listOf(after.notification_channels).length === 0;
  if (isWithoutChannel && !hasUnknown(unknown.notification_channels)) return ["loses its last notification channel"];
  const needsAll = before.combiner === "OR" && typeof after.combiner === "string" && after.combiner !== "OR";
  if (needsAll) return [`needs all conditions at once: 'combiner' changes from OR to ${after.combiner}`];
  if (hasUnknown(unknown.conditions)) return [];
  const conditions = conditionsOf(after);
  return conditionsOf(before)
    .filter(isOnCertificates)
    .flatMap((condition) => weakenedCondition(condition, conditions));
}

/** A condition of an alert policy. */
interface Condition {
  readonly name: string;
  /** Name of its block, for example `condition_threshold`. */
  readonly kind: string;
  /** What it watches, a filter or a query; undefined if unknown. */
  readonly filter: string | undefined;
  readonly block: Fields;
}

function conditionsOf({ conditions }: Fields): readonly Condition[] {
  return listOf(conditions).flatMap((value) =>
    Object.entries(fieldsOf(value)).flatMap(([kind, blocks]) =>
      listOf(blocks).map((listed) => {
        const block = fieldsOf(listed);
        const filter = [block.filter, block.query].find((text) => typeof text === "string");
        return { name: asText(fieldsOf(value).display_name ?? ""), kind, filter, block };
      }),
    ),
  );
}

/**
 * Returns whether a condition watches the expiry log of Certificate Manager, results of uptime checks, or metrics of
 * `cert-migration monitor`. PromQL writes `:uptime_check_` for `/uptime_check/`.
 */
function isOnCertificates({ filter = "" }: Condition): boolean {
  return /certificatemanager\.googleapis\.com|[/:]uptime_check[/_]|\bcert_migration_/.test(filter);
}

/** Returns how the conditions after the apply weaken a former condition; empty if one of them is as strong. */
function weakenedCondition({ name, kind, filter, block }: Condition, after: readonly Condition[]): readonly string[] {
  // The filter is unknown if the apply replaces the uptime check that it names.
  const alike = after.filter((other) => other.kind === kind && (other.filter ?? filter) === filter);
  const fields = alike.map((other) => [weakerField(block, other.block), other] as const);
  if (fields.some(([field]) => field === undefined)) return [];
  const [weaker] = fields.flatMap(([field, other]) =>
    field === undefined || other.filter === undefined
      ? []
      : [`'${field}' changes from ${shown(block[field])} to ${shown(other.block[field])}`],
  );
  return weaker === undefined
    ? [`loses the condition '${name}': no condition has the filter '${filter}'`]
    : [`weakens the condition '${name}': ${weaker}`];
}

const weakerFields: Readonly<Record<string, (before: Fields, after: Fields) => boolean>> = {
  comparison: (before, after) => typeof after.comparison === "string" && after.comparison !== before.comparison,
  threshold_value: (before, after) => {
    // An unknown threshold is absent; null is 0.
    const { threshold_value: threshold = before.threshold_value } = after;
    const rise = Number(threshold) - Number(before.threshold_value);
    return before.comparison === "COMPARISON_LT" ? rise < 0 : rise > 0;
  },
  // For example 300s, the time for which the threshold has to be exceeded.
  duration: (before, after) => secondsOf(after.duration ?? before.duration) > secondsOf(before.duration),
  trigger: (before, after) => {
    const { trigger = before.trigger } = after;
    return ["count", "percent"].some((part) => numberOf(trigger, part) > numberOf(before.trigger, part));
  },
  // What another aggregation does to an alert can't be judged in general.
  aggregations: (before, after) =>
    after.aggregations !== undefined && JSON.stringify(after.aggregations) !== JSON.stringify(before.aggregations),
};

/** Returns the field that makes a condition fire later, or never; undefined if it fires as before or earlier. */
function weakerField(before: Fields, after: Fields): string | undefined {
  return Object.keys(weakerFields).find((field) => weakerFields[field]?.(before, after));
}

function shown(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : asText(value ?? "nothing");
}

function secondsOf(duration: unknown): number {
  return Number.parseFloat(asText(duration ?? "0")) || 0;
}

/** Returns a number of a block's only instance; 0 if it is not there. */
function numberOf(block: unknown, field: string): number {
  return Number(fieldsOf(listOf(block)[0])[field] ?? 0);
}

/** Returns the host that an uptime check connects to; undefined if it is unknown. */
function hostOf({ monitored_resource: resource }: Fields): string | undefined {
  const { host } = fieldsOf(fieldsOf(listOf(resource)[0]).labels);
  return typeof host === "string" ? host : undefined;
}

function httpOf({ http_check: check }: Fields): Fields {
  return fieldsOf(listOf(check)[0]);
}
