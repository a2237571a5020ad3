import { defaultWords, eventCatalogue, serviceName, type WatchedEvent } from "../../audit/catalogue";
import type { AlertedEvents } from "./events";

// Monitoring fills these in when it notifies; `$$` is how Terraform writes a `$` before `{`.
const event = "`$${metric.label.event}`";
const actor = "`$${metric.label.actor}`";

/** Subject of the notifications. */
export const alertSubject = "Admin console: $${metric.label.event} by $${metric.label.actor}";

/**
 * Text of an alert in Markdown: what happened, why it matters, which events it covers in the
 * console's own words, and what to do. The service takes 8,192 characters; all events of the catalogue together have
 * fewer.
 */
export function alertDocumentation({ why, events }: AlertedEvents, organizationId: string): string {
  return [
    `${actor} made a change in the Admin console of organization ${organizationId}: ${event}.`,
    `Why it matters: ${why}.`,
    ["This alert covers:", ...events.map(describe)].join("\n"),
    ...(events.some((watched) => watched.event.includes("HOSTED_MAIL"))
      ? ["Mail settings may be logged as application settings: the log entry names the application."]
      : []),
    [
      "What to do:",
      "1. Look at the change in the log bucket, or with `cert-migration audit list`.",
      "2. If the change was not planned, stop the migration until the reason is known.",
      "3. Run `cert-migration audit guard` before the next step: late or missing events raise no alert.",
    ].join("\n"),
  ].join("\n\n");
}

function describe({ event, only }: WatchedEvent): string {
  const message = eventCatalogue[event].message
    .replace("<VENDOR>", defaultWords.vendor)
    .replace("<PARTNER>", defaultWords.partner);
  const where =
    only === undefined ? "" : ` (only where ${only.parameter} is ${only.values.join(", ")}, missing, or a new value)`;
  return `- \`${serviceName(event)}\`: ${message}${where}`;
}
