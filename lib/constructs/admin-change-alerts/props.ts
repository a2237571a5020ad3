import type { LoggingProjectBucketConfig } from "@cdktf/provider-google/lib/logging-project-bucket-config";
import type { AdminChange } from "./events";

/** Props of `AdminChangeAlerts`. */
export interface AdminChangeAlertsProps {
  /**
   * Changes that raise alerts: classes of events, single events, or both. An event has its name in the catalogue or
   * in the log (`CHANGE_HOSTED_MAIL_SETTING` and `CHANGE_GMAIL_SETTING` are the same). Each class has its own alert;
   * single events share one.
   *
   * Google has announced that mail settings will be logged as settings of any application, so the alert for mail
   * settings includes those.
   *
   * @default - every watch class: trust-anchors, authority, interop-endpoint, network-trust, mail-path and fleet
   */
  readonly events?: readonly AdminChange[];

  /**
   * Organization in which the events arrive: the digits of its id, without `organizations/`; not the customer id
   * (`C…`). References are allowed (`org_id` of the data source `google_organization`). A changed id replaces the
   * sink.
   *
   * @reference id
   */
  readonly organizationId: string;

  /**
   * Id of the project of log bucket, metrics and alert policies; references are allowed. A changed id replaces these
   * resources.
   *
   * @reference id
   */
  readonly project: string;

  /**
   * A log bucket of the project that already gets the events: its id `projects/…/locations/…/buckets/…`, a bucket of
   * this app, or `logBucketId` of another `AdminChangeAlerts`. The construct then creates no bucket, sink or
   * permission.
   *
   * @default - the construct creates a log bucket, a sink of the organization, and the permission of the sink to
   * write to the bucket
   * @reference id
   */
  readonly logBucket?: string | LoggingProjectBucketConfig;

  /**
   * Location of the created log bucket, `global` or a region. A changed location replaces the bucket.
   *
   * @default "global"
   * @reference id
   */
  readonly logBucketLocation?: string;

  /**
   * Generation of the created log bucket; part of its name. Increase it to deploy again within seven days of a destroy:
   * Cloud Logging keeps a deleted bucket for seven days and refuses every change of it. A change while the bucket is in
   * use replaces it, and its entries are lost after seven days.
   *
   * @default 1
   */
  readonly logBucketGeneration?: number;

  /** Retention of the created log bucket, in days, 1 to 3650. @default 30 */
  readonly logRetentionDays?: number;

  /**
   * Ids of notification channels, `projects/…/notificationChannels/…`, at most 16; references are allowed.
   *
   * @default - no notification: Monitoring only opens incidents, and synthesis prints a warning
   * @reference id
   */
  readonly notificationChannels?: readonly string[];

  /** Severity of an incident: `CRITICAL`, `ERROR` or `WARNING`. @default "WARNING" */
  readonly severity?: "CRITICAL" | "ERROR" | "WARNING";

  /**
   * Number of changes above which an alert is raised, for one actor and one event within `alignmentSeconds`; 0
   * to 1,000,000.
   *
   * @default 0
   */
  readonly thresholdCount?: number;

  /**
   * Period in which changes are counted, in seconds: a multiple of 60 from 60 to 90,000. Logging may take ten minutes
   * to count an entry, so a shorter period can miss entries.
   *
   * @default 600
   */
  readonly alignmentSeconds?: number;

  /**
   * Time without a change after which an incident closes, in seconds, 1,800 to 604,800. While an incident is open,
   * the same event by the same actor sends no further notification.
   *
   * @default 1800
   */
  readonly autoCloseSeconds?: number;

  /**
   * Delay between new metrics and their alert policies, in seconds, 0 to 600. Monitoring refuses a policy on a metric
   * that it doesn't know yet (`404 Cannot find metric`), which can take minutes; apply again in that case. The delay
   * needs Node on the runner; 0 removes it.
   *
   * @default 60
   */
  readonly settleSeconds?: number;

  /**
   * E-mail addresses of accounts whose changes raise no alert, for example service accounts; references are allowed.
   *
   * @default - every account's changes raise alerts
   * @reference checked
   */
  readonly ignoredActors?: readonly string[];

  /** Whether the alert policies are enabled. @default true */
  readonly enabled?: boolean;

  /** Labels of the alert policies, at most 64. @default - none @reference variables */
  readonly labels?: { readonly [key: string]: string };

  /**
   * Prefix of the names of bucket, sink and metrics: 1 to 20 characters of a-z, 0-9 and `-`, a letter first. A
   * changed prefix replaces these resources.
   *
   * @default - no prefix
   */
  readonly namePrefix?: string;
}
