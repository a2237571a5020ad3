import { eventNames, findEvent, serviceName, watchClassNames } from "../../audit/catalogue";
import type { Problem } from "../../errors";
import { isReference, suggest } from "../../plan";
import { parseLocatedName } from "../../resource-names";
import { quote } from "../../text/quote";
import type { AdminChangeAlertsProps } from "./props";

const severities = ["CRITICAL", "ERROR", "WARNING"];
const projectPattern = /^([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$|^[0-9]+$/;

/** Everything that is wrong with the props, as far as it can be seen at synth: references are taken as they are. */
export function adminChangeProblems(props: AdminChangeAlertsProps): readonly Problem[] {
  return [
    ...checkEvents(props.events),
    ...checkPlaces(props),
    ...checkLogBucket(props),
    ...checkNumbers(props),
    ...checkTexts(props),
    ...checkChannels(props.notificationChannels ?? []),
    ...checkLabels(props.labels ?? {}),
  ];
}

function* checkEvents(events: readonly string[] = watchClassNames): Generator<Problem> {
  if (events.length === 0) {
    yield {
      code: "events-empty",
      message: `'events' is empty; name events or classes, or leave it out for every class: ${watchClassNames.join(", ")}`,
    };
  }
  const classes: readonly string[] = watchClassNames;
  for (const name of events) {
    if (isReference(name)) {
      yield {
        code: "reference-not-allowed",
        message: "'events' holds a reference; filters are made before Terraform runs, write the name itself",
      };
    } else if (!classes.includes(name) && findEvent(name) === undefined) {
      const meant = suggest(name, [...classes, ...eventNames, ...eventNames.map((event) => serviceName(event))]);
      const remedy =
        meant === undefined ? `use a catalogued event or one of ${classes.join(", ")}` : `is '${meant}' meant?`;
      yield {
        code: "event-unknown",
        message: `${quote(name)} in 'events' is neither an event nor a class; ${remedy}`,
      };
    }
  }
}

/** Either one may come from the environment and be missing whatever its type says. */
function* checkPlaces({ organizationId = "", project = "" }: Partial<AdminChangeAlertsProps>): Generator<Problem> {
  if (!isReference(organizationId) && !/^[1-9][0-9]{0,19}$/.test(organizationId)) {
    yield {
      code: "organization-id-invalid",
      message: `'organizationId' is ${quote(organizationId)}; give the digits alone, as 'gcloud organizations list' shows them, not the customer id`,
    };
  }
  if (!isReference(project) && !projectPattern.test(project)) {
    yield {
      code: "project-invalid",
      message: `'project' is ${quote(project)}; give the id of a project, without 'projects/'`,
    };
  }
}

function* checkLogBucket({ logBucket, project, ...made }: AdminChangeAlertsProps): Generator<Problem> {
  const location = made.logBucketLocation;
  if (logBucket !== undefined) {
    for (const option of ["logBucketLocation", "logBucketGeneration", "logRetentionDays"] as const) {
      if (made[option] === undefined) continue;
      yield {
        code: "log-bucket-option-unused",
        message: `'${option}' is for the log bucket that is made, and 'logBucket' names another one; leave one of them out`,
      };
    }
  } else if (location !== undefined && !isReference(location) && !/^[a-z][a-z0-9-]*$/.test(location)) {
    yield {
      code: "log-bucket-location-invalid",
      message: `'logBucketLocation' is ${quote(location)}; use 'global' or a region such as 'europe-west1'`,
    };
  }
  if (typeof logBucket !== "string" || isReference(logBucket)) return;
  const bucket = parseLocatedName(logBucket);
  if (bucket?.collection !== "buckets" || !/^[A-Za-z0-9_.-]{1,100}$/.test(bucket.name)) {
    yield {
      code: "log-bucket-invalid",
      message: `'logBucket' is ${quote(logBucket)}; use projects/PROJECT/locations/LOCATION/buckets/BUCKET, a bucket of a project`,
    };
  } else if (
    project !== undefined &&
    !isReference(project) &&
    isNumber(bucket.project) === isNumber(project) &&
    bucket.project !== project
  ) {
    yield {
      code: "log-bucket-in-other-project",
      message: `'logBucket' is in project ${quote(bucket.project)} and 'project' is ${quote(project)}; a metric has to be in the project of its bucket`,
    };
  }
}

function* checkNumbers(props: AdminChangeAlertsProps): Generator<Problem> {
  const ranges = {
    logRetentionDays: [1, 3650, 1],
    logBucketGeneration: [1, 1_000_000, 1],
    thresholdCount: [0, 1_000_000, 1],
    alignmentSeconds: [60, 90_000, 60],
    autoCloseSeconds: [1_800, 604_800, 1],
    settleSeconds: [0, 600, 1],
  } as const;
  for (const [name, [min, max, step]] of Object.entries(ranges)) {
    const value = props[name as keyof typeof ranges];
    if (value === undefined || (Number.isInteger(value) && value >= min && value <= max && value % step === 0))
      continue;
    const allowed = step === 1 ? "a whole number" : `a multiple of ${step}`;
    yield { code: "value-out-of-range", message: `'${name}' is ${value}; use ${allowed} from ${min} to ${max}` };
  }
}

function* checkTexts({ severity, namePrefix, ignoredActors = [] }: AdminChangeAlertsProps): Generator<Problem> {
  if (severity !== undefined && !severities.includes(severity)) {
    yield { code: "severity-invalid", message: `'severity' is ${quote(severity)}; use ${severities.join(", ")}` };
  }
  if (namePrefix !== undefined && !/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/.test(namePrefix)) {
    yield {
      code: "name-prefix-invalid",
      message: `${quote(namePrefix)} can't begin a resource name; use 1 to 20 of a-z, 0-9 and '-', a letter first and no '-' last`,
    };
  }
  for (const actor of ignoredActors) {
    if (isReference(actor) || /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(actor)) continue;
    yield {
      code: "actor-invalid",
      message: `${quote(actor)} in 'ignoredActors' is no e-mail address; use one such as terraform@my-project.iam.gserviceaccount.com`,
    };
  }
}

function* checkChannels(channels: readonly string[]): Generator<Problem> {
  if (channels.length > 16) {
    yield {
      code: "notification-channels-too-many",
      message: `there are ${channels.length} notification channels; an alert policy takes at most 16`,
    };
  }
  for (const channel of channels) {
    if (isReference(channel) || /^projects\/[^/\s]+\/notificationChannels\/[0-9]+$/.test(channel)) continue;
    yield {
      code: "notification-channel-invalid",
      message: `${quote(channel)} is not a notification channel; use projects/PROJECT/notificationChannels/NUMBER`,
    };
  }
}

function* checkLabels(labels: Readonly<Record<string, string>>): Generator<Problem> {
  const entries = Object.entries(labels);
  if (entries.length > 64) {
    yield { code: "labels-too-many", message: `there are ${entries.length} labels; an alert policy takes at most 64` };
  }
  for (const [key, value] of entries) {
    if (!/^[a-z][a-z0-9_-]{0,62}$/.test(key)) {
      yield {
        code: "label-key-invalid",
        message: `${quote(key)} can't be the key of a label; use 1 to 63 of a-z, 0-9, '_' and '-', a letter first`,
      };
    }
    if (!isReference(value) && !/^[a-z0-9_-]{0,63}$/.test(value)) {
      yield {
        code: "label-value-invalid",
        message: `${quote(value)} can't be the value of label ${quote(key)}; use at most 63 of a-z, 0-9, '_' and '-'`,
      };
    }
  }
}

function isNumber(project: string): boolean {
  return /^[0-9]+$/.test(project);
}
