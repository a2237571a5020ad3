import type { Json, Side } from "../../side";

export const policyMethods = "monitoring.projects.alertPolicies";
export const checkMethods = "monitoring.projects.uptimeCheckConfigs";

export const projectName = (side: Side) => `projects/${side.project}`;

/** Returns an alert policy on the expiry log, as `CertificateAlerts` creates it. */
export function logPolicy(side: Side, word: string, more: Json = {}): Json {
  const filter = `logName="projects/${side.project}/logs/certificatemanager.googleapis.com%2Fcertificates_expiry"`;
  return {
    displayName: side.name(word),
    combiner: "OR",
    conditions: [{ displayName: "expiry", conditionMatchedLog: { filter } }],
    alertStrategy: { notificationRateLimit: { period: "86400s" }, autoClose: "604800s" },
    ...more,
  };
}

/** Returns an alert policy on a metric. */
export function metricPolicy(side: Side, word: string, metric: string, more = ""): Json {
  const conditionThreshold = {
    filter: `metric.type="${metric}" AND resource.type="uptime_url"${more}`,
    comparison: "COMPARISON_LT",
    thresholdValue: 7,
    duration: "600s",
    aggregations: [{ alignmentPeriod: "1200s", perSeriesAligner: "ALIGN_NEXT_OLDER" }],
  };
  return {
    displayName: side.name(word),
    combiner: "OR",
    conditions: [{ displayName: "condition", conditionThreshold }],
  };
}

/** Returns an uptime check that validates a certificate, with the required fields only. */
export function httpsCheck(side: Side, word: string, more: Json = {}): Json {
  return {
    displayName: side.name(word),
    timeout: "10s",
    httpCheck: { useSsl: true, validateSsl: true },
    monitoredResource: { type: "uptime_url", labels: { host: side.host("check") } },
    ...more,
  };
}

/** Creates the uptime check of a run, once. */
export function sharedCheck(side: Side): Promise<Json> {
  return side.once("uptime check", () =>
    side.make(`${checkMethods}.create`, { parent: projectName(side) }, httpsCheck(side, "check")),
  );
}
