import type { LoggingProjectBucketConfig } from "@cdktf/provider-google/lib/logging-project-bucket-config";
import type { AdminChange } from "./events";

/** What `AdminChangeAlerts` takes. */
export interface AdminChangeAlertsProps {
  /**
   * The changes that raise alerts: classes of events, single events, or both. An event can be named as the catalogue
   * has it or as the service writes it (`CHANGE_HOSTED_MAIL_SETTING` and `CHANGE_GMAIL_SETTING` are the same). Each
   * class gets an alert of its own; events that are named by themselves share one.
   *
   * Settings of mail are announced to be told as settings of any application, so the alert for them hears those too.
   *
   * @default - every watch class: trust-anchors, authority, interop-endpoint, network-trust, mail-path and fleet
   */
  readonly events?: readonly AdminChange[];

  /**
   * The organization at which the events arrive: the digits of its id, without `organizations/`; not the customer id
   * (`C…`). References are fine (`org_id` of the data source `google_organization`). Changing it replaces the sink.
   */
  readonly organizationId: string;

  /**
   * Id of the project that holds log bucket, metrics and alert policies; references are fine. Changing it replaces all
   * of them.
   */
  readonly project: string;

  /**
   * A log bucket of the project that gets the events already: its id `projects/…/locations/…/buckets/…`, the bucket of
   * this app, or `logBucketId` of another `AdminChangeAlerts`. Neither bucket, sink nor grant is made then.
   *
   * @default - a log bucket, a sink of the organization that fills it, and the right of the sink to write to it are made
   */
  readonly logBucket?: string | LoggingProjectBucketConfig;

  /**
   * Location of the log bucket that is made, `global` or a region. Changing it replaces the bucket.
   *
   * @default "global"
   */
  readonly logBucketLocation?: string;

  /** How long the log bucket that is made keeps entries, in days, 1 to 3650. @default 30 */
  readonly logRetentionDays?: number;

  /**
   * Who is notified: ids of notification channels, `projects/…/notificationChannels/…`, at most 16; references are
   * fine.
   *
   * @default - nobody: incidents are opened in Monitoring, and a warning says so at synth
   */
  readonly notificationChannels?: readonly string[];

  /** How an incident is ranked: `CRITICAL`, `ERROR` or `WARNING`. @default "WARNING" */
  readonly severity?: "CRITICAL" | "ERROR" | "WARNING";

  /**
   * An alert is raised when one actor makes more changes by one event than this within {@link alignmentSeconds}; 0 to
   * 1,000,000.
   *
   * @default 0
   */
  readonly thresholdCount?: number;

  /**
   * The time over which changes are counted, in seconds: a multiple of 60 from 60 to 90,000. Logging may take ten
   * minutes to count an entry, so a shorter time can be over before anything is counted.
   *
   * @default 600
   */
  readonly alignmentSeconds?: number;

  /**
   * After how long without a change an incident closes, in seconds, 1,800 to 604,800. While it is open, the same event
   * by the same actor does not notify again.
   *
   * @default 1800
   */
  readonly autoCloseSeconds?: number;

  /**
   * How long Terraform waits between new metrics and the alert policies on them, in seconds, 0 to 600. Monitoring
   * refuses a policy on a metric that it has not heard of yet (`404 Cannot find metric`), which can take minutes;
   * applying again goes on from there. The wait needs Node where Terraform runs; 0 leaves it out.
   *
   * @default 60
   */
  readonly settleSeconds?: number;

  /**
   * E-mail addresses of those whose changes raise no alert, such as the service account of planned automation;
   * references are fine.
   *
   * @default - everybody's changes raise alerts
   */
  readonly ignoredActors?: readonly string[];

  /** Whether the alert policies are at work. @default true */
  readonly enabled?: boolean;

  /** Labels of the alert policies, at most 64. @default - none */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Stands before the names of bucket, sink and metrics: 1 to 20 characters of a-z, 0-9 and `-`, a letter first.
   * Changing it replaces them.
   *
   * @default - names begin with what they are for
   */
  readonly namePrefix?: string;
}
