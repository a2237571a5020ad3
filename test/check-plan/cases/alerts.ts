import { type Case, type Fields, planOf } from "../plans";

const policy = "google_monitoring_alert_policy.days";
const uptime = "google_monitoring_uptime_check_config.shop";
const daysLeft = 'metric.type="monitoring.googleapis.com/uptime_check/time_until_ssl_cert_expires"';
const passed = 'metric.type="monitoring.googleapis.com/uptime_check/check_passed"';
const cpu = 'metric.type="compute.googleapis.com/instance/cpu/utilization"';
const below = (threshold: number | null, filter = daysLeft): Fields => ({
  display_name: "Expires soon",
  condition_threshold: [{ filter, comparison: "COMPARISON_LT", threshold_value: threshold }],
});
const above = (threshold: number): Fields => ({
  display_name: "Failed",
  condition_threshold: [{ filter: passed, comparison: "COMPARISON_GT", threshold_value: threshold }],
});
const failedFor = (change: Fields): Fields => ({
  display_name: "Failed",
  condition_threshold: [
    {
      filter: passed,
      comparison: "COMPARISON_GT",
      threshold_value: 1,
      duration: "300s",
      aggregations: [{ alignment_period: "1200s", cross_series_reducer: "REDUCE_COUNT_FALSE" }],
      trigger: [{ count: 1 }],
      ...change,
    },
  ],
});
const onFailures = (change: Fields = {}): Fields => ({ ...onChecks, conditions: [failedFor(change)] });
const onChecks: Fields = {
  display_name: "Certificate of example.com",
  enabled: true,
  combiner: "OR",
  notification_channels: ["projects/p/notificationChannels/1"],
  conditions: [below(25), above(1)],
};
const onLog: Fields = {
  ...onChecks,
  conditions: [
    {
      condition_matched_log: [{ filter: 'log_id("certificatemanager.googleapis.com/certificates_expiry")' }],
    },
  ],
};
const onCpu: Fields = { ...onChecks, conditions: [below(25, cpu)] };
const check = (isValidated: boolean, change: Fields = {}): Fields => ({
  display_name: "shop",
  http_check: [{ use_ssl: true, validate_ssl: isValidated }],
  monitored_resource: [{ type: "uptime_url", labels: { host: "shop.example.com" } }],
  ...change,
});
const deleted = (address: string, before: Fields) =>
  planOf([{ address, actions: ["delete"] }], { there: { [address]: before } });
const changed = (before: Fields, after: Fields, unknown: Fields = {}) =>
  planOf([{ address: policy, actions: ["update"], after, unknown }], { there: { [policy]: before } });
const checkChanged = (after: Fields, actions: readonly string[] = ["update"], unknown: Fields = {}) =>
  planOf([{ address: uptime, actions, after, unknown }], { there: { [uptime]: check(true) } });
const channel = "google_monitoring_notification_channel.ops";
const api = "google_project_service.api";
const ops: Fields = { name: "projects/p/notificationChannels/1", display_name: "ops", enabled: true };
/** Plan of a change beside an alert policy and its channel. */
const besideAlert = (
  address: string,
  before: Fields,
  { after, policies = onChecks }: { readonly after?: Fields; readonly policies?: Fields } = {},
) =>
  planOf([{ address, actions: after === undefined ? ["delete"] : ["update"], ...(after && { after }) }], {
    there: { [policy]: policies, [address]: before },
  });
const query = (text: string): Fields => ({
  ...onChecks,
  conditions: [{ display_name: "Query", condition_prometheus_query_language: [{ query: text, duration: "60s" }] }],
});
const warned = [`alert-removed ${policy}`];
const apiWarned = [`alert-removed ${api}`];
const channelWarned = [`alert-removed ${channel}`];
const checkWarned = [`alert-removed ${uptime}`];

/** Changes that weaken an alert, each with its message. */
export const weakened: readonly (readonly [string, ReturnType<typeof planOf>, string])[] = [
  [
    "the API of alerts is disabled",
    besideAlert(api, { service: "monitoring.googleapis.com", project: "p" }),
    `monitoring.googleapis.com is disabled in p; alerts of this API: ${policy}`,
  ],
  [
    "the API of logs is disabled",
    besideAlert(api, { service: "logging.googleapis.com" }),
    `logging.googleapis.com is disabled in the project; alerts of this API: ${policy}`,
  ],
  [
    "the only channel of an alert is disabled",
    besideAlert(channel, ops, { after: { enabled: false } }),
    `the notification channel 'ops' is disabled; alerts without another: ${policy}`,
  ],
  [
    "the only channel of an alert is deleted",
    besideAlert(channel, { ...ops, force_delete: true }),
    `the notification channel 'ops' is deleted; alerts without another: ${policy}`,
  ],
  [
    "an alert in PromQL gets another query",
    changed(query("monitoring_googleapis_com:uptime_check_time_until_ssl_cert_expires < 25"), query("vector(0) > 1")),
    "the alert policy 'Certificate of example.com' loses the condition 'Query': no condition has the filter 'monitoring_googleapis_com:uptime_check_time_until_ssl_cert_expires < 25'",
  ],
  [
    "an uptime check that validates certificates no longer does",
    checkChanged(check(false)),
    "the uptime check 'shop' no longer validates the certificate: 'validate_ssl' is no longer true",
  ],
  [
    "an uptime check is replaced by one that does not use TLS",
    checkChanged({ http_check: [{ use_ssl: false, validate_ssl: true }] }, ["create", "delete"]),
    "the uptime check 'shop' no longer validates the certificate: 'use_ssl' is no longer true",
  ],
  ["an uptime check is disabled", checkChanged(check(true, { disabled: true })), "the uptime check 'shop' is disabled"],
  [
    "an uptime check is replaced by one of another host",
    checkChanged(check(true, { monitored_resource: [{ labels: { host: "www.example.com" } }] }), ["create", "delete"]),
    "the uptime check 'shop' checks www.example.com in place of shop.example.com",
  ],
  [
    "an alert waits longer",
    changed(onFailures(), { conditions: [failedFor({ duration: "3600s" })] }),
    "the alert policy 'Certificate of example.com' weakens the condition 'Failed': 'duration' changes from 300s to 3600s",
  ],
  [
    "an alert needs more failing series",
    changed(onFailures({ trigger: [] }), { conditions: [failedFor({ trigger: [{ count: 5 }] })] }),
    `the alert policy 'Certificate of example.com' weakens the condition 'Failed': 'trigger' changes from [] to [{"count":5}]`,
  ],
  [
    "an alert counts in another way",
    changed(onFailures(), { conditions: [failedFor({ aggregations: [{ alignment_period: "7200s" }] })] }),
    `the alert policy 'Certificate of example.com' weakens the condition 'Failed': 'aggregations' changes from [{"alignment_period":"1200s","cross_series_reducer":"REDUCE_COUNT_FALSE"}] to [{"alignment_period":"7200s"}]`,
  ],
  [
    "an alert begins fewer days before the expiry",
    changed(onChecks, { conditions: [below(0), above(1)] }),
    "the alert policy 'Certificate of example.com' weakens the condition 'Expires soon': 'threshold_value' changes from 25 to 0",
  ],
  [
    "an alert loses its threshold",
    changed(onChecks, { conditions: [below(null), above(1)] }),
    "the alert policy 'Certificate of example.com' weakens the condition 'Expires soon': 'threshold_value' changes from 25 to null",
  ],
  [
    "an alert needs failures at more locations",
    changed(onChecks, { conditions: [below(25), above(9)] }),
    "the alert policy 'Certificate of example.com' weakens the condition 'Failed': 'threshold_value' changes from 1 to 9",
  ],
  [
    "an alert begins above its threshold instead of below",
    changed(onChecks, {
      conditions: [
        {
          condition_threshold: [{ filter: daysLeft, comparison: "COMPARISON_GT", threshold_value: 25 }],
        },
        above(1),
      ],
    }),
    "the alert policy 'Certificate of example.com' weakens the condition 'Expires soon': 'comparison' changes from COMPARISON_LT to COMPARISON_GT",
  ],
  [
    "an alert watches another metric",
    changed(onChecks, { conditions: [below(25, cpu), above(1)] }),
    `the alert policy 'Certificate of example.com' loses the condition 'Expires soon': no condition has the filter '${daysLeft}'`,
  ],
  [
    "an alert loses a condition, and weakens another",
    changed(onChecks, { conditions: [below(24)] }),
    `the alert policy 'Certificate of example.com' weakens the condition 'Expires soon': 'threshold_value' changes from 25 to 24; loses the condition 'Failed': no condition has the filter '${passed}'`,
  ],
  [
    "an alert needs all conditions at once",
    changed(onChecks, { combiner: "AND" }),
    "the alert policy 'Certificate of example.com' needs all conditions at once: 'combiner' changes from OR to AND",
  ],
];

export const refused: readonly Case[] = [];

export const passing: readonly Case[] = [
  [
    "an alert on metrics of 'cert-migration monitor' is deleted, with a warning",
    deleted(policy, query("cert_migration_days_to_expiry < 25")),
    warned,
  ],
  [
    "the API of alerts is kept enabled",
    besideAlert(api, { service: "monitoring.googleapis.com", disable_on_destroy: false }),
    [],
  ],
  [
    "the API of alerts is disabled where no alert is about certificates",
    besideAlert(api, { service: "monitoring.googleapis.com" }, { policies: onCpu }),
    [],
  ],
  [
    "one of two channels of an alert is disabled",
    besideAlert(channel, ops, {
      after: { enabled: false },
      policies: { ...onChecks, notification_channels: [ops.name, "projects/p/notificationChannels/2"] },
    }),
    [],
  ],
  ["a channel of an alert gets another name", besideAlert(channel, ops, { after: { display_name: "team" } }), []],
  ["the channel of an alert on something else is deleted", besideAlert(channel, ops, { policies: onCpu }), []],
  ["an alert on the days until expiry is deleted, with a warning", deleted(policy, onChecks), warned],
  ["an alert on the expiry log is deleted, with a warning", deleted(policy, onLog), warned],
  ["an alert on something else is deleted", deleted(policy, onCpu), []],
  ["an uptime check that validates certificates is deleted, with a warning", deleted(uptime, check(true)), checkWarned],
  ["an uptime check that validates no certificate is deleted", deleted(uptime, check(false)), []],
  ["an alert is disabled, with a warning", changed(onChecks, { enabled: false }), warned],
  [
    "an alert loses its last notification channel, with a warning",
    changed(onChecks, { notification_channels: [] }),
    warned,
  ],
  [
    "an alert gets another channel",
    changed(onChecks, { notification_channels: ["projects/p/notificationChannels/2"] }),
    [],
  ],
  [
    "an alert is replaced by one that exists before it is deleted",
    planOf([{ address: policy, actions: ["create", "delete"], after: onChecks }], { there: { [policy]: onChecks } }),
    [],
  ],
  ["an alert begins more days before the expiry", changed(onChecks, { conditions: [below(26), above(0)] }), []],
  [
    "an alert waits less long, and needs fewer failing series",
    changed(onFailures({ trigger: [{ count: 5 }] }), { conditions: [failedFor({ duration: "0s" })] }),
    [],
  ],
  [
    "an alert whose times are unknown",
    changed(
      onFailures(),
      { conditions: [failedFor({ duration: undefined, trigger: undefined, aggregations: undefined })] },
      { conditions: [{ condition_threshold: [{ duration: true, trigger: true, aggregations: true }] }] },
    ),
    [],
  ],
  ["an alert gets a condition", changed(onChecks, { conditions: [above(1), below(5, cpu), below(25)] }), []],
  ["an alert on something else is weakened", changed(onCpu, { conditions: [below(0, cpu)] }), []],
  [
    "an alert follows its uptime check, which is replaced",
    changed(
      onChecks,
      { conditions: [{ condition_threshold: [{ comparison: "COMPARISON_LT", threshold_value: 25 }] }, above(1)] },
      { conditions: [{ condition_threshold: [{ filter: true }] }, {}] },
    ),
    [],
  ],
  ["conditions of an alert are unknown", changed(onChecks, { conditions: undefined }, { conditions: true }), []],
  [
    "channels of an alert are unknown",
    changed(onChecks, { notification_channels: undefined }, { notification_channels: true }),
    [],
  ],
  [
    "an uptime check gets another path",
    checkChanged({ http_check: [{ use_ssl: true, validate_ssl: true, path: "/health" }] }),
    [],
  ],
  [
    "whether an uptime check validates certificates is unknown",
    checkChanged({ http_check: [{ use_ssl: true }] }, ["update"], { http_check: [{ validate_ssl: true }] }),
    [],
  ],
  ...weakened.map(([what, plan]): Case => {
    const codes = [
      ["an uptime check", checkWarned],
      ["the API", apiWarned],
      ["the only channel", channelWarned],
    ] as const;
    const [, expected = warned] = codes.find(([start]) => what.startsWith(start)) ?? [];
    return [`${what}, with a warning`, plan, expected];
  }),
];
