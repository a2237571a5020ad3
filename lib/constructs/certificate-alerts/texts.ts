import type { PlannedUptimeCheck } from "../../plan";

/** States in the expiry log of Certificate Manager that have an alert policy each. */
export const loggedStates = {
  "close-to-expiry": {
    state: "CLOSE_TO_EXPIRY",
    severity: "WARNING",
    what: "Certificates expire soon",
    why: [
      "Certificate Manager logs certificates whose end is near, once a day: certificates that Google manages 5 to 10 days before, uploaded ones from 10 days before.",
      "A managed certificate should have been renewed 30 days before its end, so its renewal has failed for weeks.",
    ].join(" "),
  },
  expired: {
    state: "EXPIRED",
    severity: "CRITICAL",
    what: "Certificates have expired",
    why: "Certificate Manager logs certificates that have expired. Load balancers no longer present them, or clients refuse them.",
  },
} as const;

export type LoggedState = keyof typeof loggedStates;

const steps = [
  "What to do:",
  "1. `cert-migration monitor` or `cert-migration doctor` on the stack names the certificate, the cause and the remedy.",
  "2. For a managed certificate, check the CNAME record of its DNS authorization and the CAA records of its domains: `cert-migration records --check`. Google tries again by itself.",
  "3. Replace an uploaded certificate as in `docs/operations.md` of cdktf-google-cert-migration.",
].join("\n");

/** Returns the filter of log entries about certificates in a state. */
export function expiryFilter(state: LoggedState): string {
  const log = 'log_id("certificatemanager.googleapis.com/certificates_expiry")';
  return `${log} AND jsonPayload.state="${loggedStates[state].state}"`;
}

/** Returns the text of the alert on a state in the expiry log, in Markdown. */
export function expiryDocumentation(state: LoggedState): string {
  return [loggedStates[state].why, "The log entry lists the certificates in `jsonPayload.certificates`.", steps].join(
    "\n\n",
  );
}

const renewals = {
  google: "Google should have renewed it 30 days before its end.",
  owner: "It is uploaded, so it is not renewed automatically.",
  unknown:
    "It existed before the migration: if it is managed, Google should have renewed it 30 days before its end; if it is uploaded, it has to be replaced.",
} as const;

/** Returns the text of the alert on an uptime check, in Markdown. */
export function checkDocumentation(check: PlannedUptimeCheck): string {
  const { hostname, certificate, migration, daysBeforeExpiry, renewedBy } = check;
  return [
    `The uptime check of \`${hostname}\` shakes hands over TLS and validates the certificate \`${certificate}\` of migration \`${migration}\`. The check follows public DNS: until traffic has moved, it tests the previous provider.`,
    [
      "The conditions:",
      `- Days until expiry: the presented certificate ends in less than ${daysBeforeExpiry} days. ${renewals[renewedBy]}`,
      "- Failed: several locations got no valid certificate, or no answer. Any HTTP status is an answer.",
      "- Absent: the check has had no result for an hour, so it protects nothing.",
    ].join("\n"),
    steps,
  ].join("\n\n");
}

/** Metrics of uptime checks. */
export const checkMetrics = {
  passed: "monitoring.googleapis.com/uptime_check/check_passed",
  daysLeft: "monitoring.googleapis.com/uptime_check/time_until_ssl_cert_expires",
} as const;

/** Returns the filter of a metric of one uptime check. @param checkId a reference */
export function uptimeFilter(metric: keyof typeof checkMetrics, checkId: string): string {
  return `resource.type="uptime_url" AND metric.type="${checkMetrics[metric]}" AND metric.labels.check_id="${checkId}"`;
}
