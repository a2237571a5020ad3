import { type Case, type Fields, planOf } from "../plans";

const policy = "google_monitoring_alert_policy.days";
const uptime = "google_monitoring_uptime_check_config.shop";
const onChecks: Fields = {
  display_name: "Certificate of example.com",
  enabled: true,
  notification_channels: ["projects/p/notificationChannels/1"],
  conditions: [
    {
      condition_threshold: [
        { filter: 'metric.type="monitoring.googleapis.com/uptime_check/time_until_ssl_cert_expires"' },
      ],
    },
  ],
};
const onLog: Fields = {
  ...onChecks,
  conditions: [
    {
      condition_matched_log: [{ filter: 'log_id("certificatemanager.googleapis.com/certificates_expiry")' }],
    },
  ],
};
const onCpu: Fields = {
  ...onChecks,
  conditions: [{ condition_threshold: [{ filter: 'metric.type="compute.googleapis.com/instance/cpu/utilization"' }] }],
};
const check = (isValidated: boolean): Fields => ({
  display_name: "shop",
  http_check: [{ use_ssl: true, validate_ssl: isValidated }],
});
const deleted = (address: string, before: Fields) =>
  planOf([{ address, actions: ["delete"] }], { there: { [address]: before } });
const changed = (before: Fields, after: Fields) =>
  planOf([{ address: policy, actions: ["update"], after }], { there: { [policy]: before } });
const warned = [`alert-removed ${policy}`];

export const refused: readonly Case[] = [];

export const passing: readonly Case[] = [
  ["an alert on the days until expiry is deleted, with a warning", deleted(policy, onChecks), warned],
  ["an alert on the expiry log is deleted, with a warning", deleted(policy, onLog), warned],
  ["an alert on something else is deleted", deleted(policy, onCpu), []],
  [
    "an uptime check that validates certificates is deleted, with a warning",
    deleted(uptime, check(true)),
    [`alert-removed ${uptime}`],
  ],
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
];
