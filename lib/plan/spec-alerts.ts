/**
 * Alerts in Cloud Monitoring for the time after the migration: on log entries of Certificate Manager about certificates
 * near their end, and on uptime checks that shake hands with a hostname as its clients do.
 *
 * Uptime checks follow public DNS. Until traffic has moved, they test the previous provider. They are created in phase
 * `serve`, and the alerts on log entries in every phase.
 */
export interface AlertsSpec {
  /**
   * Ids of notification channels, `projects/P/notificationChannels/NUMBER`, or references; at most 16.
   *
   * @default - nobody is notified: incidents appear only in Monitoring, and the plan has a warning
   * @reference id
   */
  readonly notificationChannels?: readonly string[];

  /**
   * Hostnames with an uptime check: `all`, `onePerCertificate` (its shortest hostname) or `none`. Each check has one
   * alert policy with three conditions. Google charges for check runs above a free allowance and for conditions; see
   * `docs/permissions.md#costs`.
   *
   * @default - "onePerCertificate", or "none" with `hostnames`
   */
  readonly uptimeChecks?: UptimeChecksName;

  /** Hostnames with an uptime check, in place of `uptimeChecks`; each is served by the migration. @default - none */
  readonly hostnames?: readonly string[];

  /**
   * Names to request for wildcards, as in `{ "*.example.com": "www.example.com" }`: a wildcard itself has no address.
   *
   * @default - wildcards have no check
   */
  readonly wildcardProbes?: { readonly [wildcard: string]: string };

  /**
   * Interval between two runs of an uptime check, in seconds: 60, 300, 600 or 900.
   *
   * @default 900
   */
  readonly checkIntervalSeconds?: number;

  /**
   * Days until the expiry of a certificate below which its alert begins, 1 to 60. Certificates that Google manages are
   * renewed 30 days before; from 30 days on, the alert would begin before each renewal. If the PEM of an uploaded
   * certificate is a reference, its lifetime is not known: set less than a third of it, for example 12 for 47 days.
   *
   * @minimum 1
   * @maximum 60
   * @default - 25, or a quarter of the lifetime of an uploaded certificate if that is less
   */
  readonly daysBeforeExpiry?: number;

  /** Whether a dashboard is created, with the results of the checks and the log entries. @default true */
  readonly dashboard?: boolean;
}

/** Which hostnames have an uptime check: all, one for each certificate, or none. */
export type UptimeChecksName = "all" | "onePerCertificate" | "none";
