/** Alerts of Cloud Monitoring about certificates. */
import { asText, type Fields, fieldsOf, listOf, textsOf } from "../json/fields";
import { danger, type PlanDanger } from "./dangers";
import { isDeleted, types } from "./kinds";
import type { Change } from "./plan-json";
import type { World } from "./world";

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
