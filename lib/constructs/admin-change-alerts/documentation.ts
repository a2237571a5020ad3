import { defaultWords, eventCatalogue, serviceName, type WatchedEvent } from "../../audit/catalogue";
import type { AlertedEvents } from "./events";

// Monitoring fills these in when it notifies; `$$` is how Terraform writes a `$` before `{`.
const event = "`$${metric.label.event}`";
const actor = "`$${metric.label.actor}`";

/** Subject of the notifications. */
export const alertSubject = "Admin console: $${metric.label.event} by $${metric.label.actor}";

/**
 * What an alert says to whoever it wakes, in Markdown: what happened, why it matters, which events it stands for in the
 * console's own words, and what to do. The service takes 8,192 characters; all events of the catalogue together have
 * fewer.
 */
export function alertDocumentation({ why, events }: AlertedEvents, organizationId: string): string {
  return [
    `${actor} made a change in the Admin console of organization ${organizationId}: ${event}.`,
    `Why it matters: ${why}.`,
    ["This alert stands for:", ...events.map(describe)].join("\n"),
    ...(events.some((watched) => watched.event.includes("HOSTED_MAIL"))
      ? ["Settings of mail may be told as settings of an application, of whichever one: the log entry says which."]
      : []),
    [
      "What to do:",
      "1. Look at the change in the log bucket, or with `cert-migration audit list`.",
      "2. If nobody planned it, hold the next step of the migration until it is understood.",
      "3. Ask `cert-migration audit guard` before going on: an event that came late, or never, raised no alert.",
    ].join("\n"),
  ].join("\n\n");
}

function describe({ event, only }: WatchedEvent): string {
  const message = eventCatalogue[event].message
    .replace("<VENDOR>", defaultWords.vendor)
    .replace("<PARTNER>", defaultWords.partner);
  const where =
    only === undefined
      ? ""
      : ` (only where ${only.parameter} is ${only.values.join(", ")}, not told, or one that is new)`;
  return `- \`${serviceName(event)}\`: ${message}${where}`;
}
