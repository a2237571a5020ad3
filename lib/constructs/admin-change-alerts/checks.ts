import { LoggingProjectBucketConfig } from "@cdktf/provider-google/lib/logging-project-bucket-config";
import { eventNames, findEvent, serviceName, watchClassNames } from "../../audit/catalogue";
import type { Problem } from "../../errors";
import { stepsOf } from "../../json/pointer";
import {
  type Description,
  isReference,
  nearestCandidate,
  referenceIn,
  shapeMistakes,
  type TokenReader,
} from "../../plan/shape";
import { isNotificationChannel, parseLocatedName } from "../../resource-names";
import { quote } from "../../text/quote";
import { plainOf } from "../plain";
import { typeOfValue } from "../read-props";
import type { AdminChangeAlertsProps } from "./props";

const projectPattern = /^([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$|^[0-9]+$/;
const bucketOptions = ["logBucketLocation", "logBucketGeneration", "logRetentionDays"] as const;

/** Minimum, maximum and step of each number. */
const ranges = {
  logRetentionDays: [1, 3650, 1],
  logBucketGeneration: [1, 1_000_000, 1],
  thresholdCount: [0, 1_000_000, 1],
  alignmentSeconds: [60, 90_000, 60],
  autoCloseSeconds: [1_800, 604_800, 1],
  settleSeconds: [0, 600, 1],
} as const;

type Report = (code: Problem["code"], message: string) => void;

const description: Description = {
  readSchema: () => require("./props.schema.json") as object,
  subject: "the props",
};

/** The props whose values have the types of the description, and the problems of all props. */
export interface CheckedAlertProps {
  readonly usable: AdminChangeAlertsProps;
  readonly problems: readonly Problem[];
}

/**
 * Returns all problems of the props that are known at synthesis. References are accepted unchecked.
 *
 * @param props may have any values: props from `JSON.parse` or from the app's context have no checked types
 */
export function checkAlertProps(props: unknown, readToken: TokenReader): CheckedAlertProps {
  const given = plainOf(Object(props) as AdminChangeAlertsProps);
  const { logBucket } = given;
  const data =
    typeOfValue(logBucket) === LoggingProjectBucketConfig.tfResourceType
      ? { ...given, logBucket: "${var.token}" }
      : given;
  // A missing id is reported below: it may come from the environment.
  const mistakes = shapeMistakes(data, readToken, description).filter(({ missing }) => missing === undefined);
  const wrong = new Set(mistakes.map(({ pointer }) => stepsOf(pointer)[0]));
  const usable = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && !wrong.has(name)),
  ) as unknown as AdminChangeAlertsProps;
  const known = adminChangeProblems(usable).filter(
    ({ code }) =>
      !(code === "project-invalid" && wrong.has("project")) &&
      !(code === "organization-id-invalid" && wrong.has("organizationId")),
  );
  return { usable, problems: [...mistakes.map(({ explain }) => explain()), ...known] };
}

function adminChangeProblems(props: AdminChangeAlertsProps): readonly Problem[] {
  const problems: Problem[] = [];
  const report: Report = (code, message) => problems.push({ code, message });
  checkEvents(props.events, report);
  checkPlaces(props, report);
  checkLogBucket(props, report);
  checkNumbers(props, report);
  checkTexts(props, report);
  checkChannels(props.notificationChannels ?? [], report);
  checkLabels(props.labels ?? {}, report);
  return problems;
}

function checkEvents(events: readonly string[] = watchClassNames, report: Report): void {
  const classes: readonly string[] = watchClassNames;
  if (events.length === 0) {
    const advice = `name events or classes, or remove it for every class: ${classes.join(", ")}`;
    report("events-empty", `'events' is empty; ${advice}`);
  }
  for (const name of events) {
    if (isReference(name)) {
      const what = "'events' contains a reference, but filters are written before Terraform runs";
      report("reference-not-allowed", `${what}; write the name itself`);
    } else if (!classes.includes(name) && findEvent(name) === undefined) {
      const meant = nearestCandidate(name, [
        ...classes,
        ...eventNames,
        ...eventNames.map((event) => serviceName(event)),
      ]);
      const remedy =
        meant === undefined ? `use a catalogued event or one of ${classes.join(", ")}` : `is '${meant}' meant?`;
      report("event-unknown", `${quote(name)} in 'events' is neither an event nor a class; ${remedy}`);
    }
  }
}

/** Both values may come from the environment and be missing, whatever their types say. */
function checkPlaces({ organizationId = "", project = "" }: Partial<AdminChangeAlertsProps>, report: Report): void {
  if (!isReference(organizationId) && !/^[1-9][0-9]{0,19}$/.test(organizationId)) {
    const advice = "use only the digits that 'gcloud organizations list' prints, not the customer id";
    report("organization-id-invalid", `'organizationId' is ${quote(organizationId)}; ${advice}`);
  }
  if (!isReference(project) && !projectPattern.test(project)) {
    report("project-invalid", `'project' is ${quote(project)}; use the id of a project, without 'projects/'`);
  }
}

function checkLogBucket({ logBucket, project, ...created }: AdminChangeAlertsProps, report: Report): void {
  const location = created.logBucketLocation;
  if (logBucket === undefined) {
    if (location === undefined || isReference(location) || /^[a-z][a-z0-9-]*$/.test(location)) return;
    const advice = "use 'global' or a region such as 'europe-west1'";
    report("log-bucket-location-invalid", `'logBucketLocation' is ${quote(location)}; ${advice}`);
    return;
  }
  for (const option of bucketOptions.filter((name) => created[name] !== undefined)) {
    const what = `'${option}' is for a new log bucket, but 'logBucket' names an existing log bucket`;
    report("log-bucket-option-unused", `${what}; remove one of the two`);
  }
  if (typeof logBucket !== "string" || isReference(logBucket)) return;
  const bucket = parseLocatedName(logBucket);
  if (bucket?.collection !== "buckets" || !/^[A-Za-z0-9_.-]{1,100}$/.test(bucket.name)) {
    const advice = "use projects/PROJECT/locations/LOCATION/buckets/BUCKET, a bucket of a project";
    report("log-bucket-invalid", `'logBucket' is ${quote(logBucket)}; ${advice}`);
    return;
  }
  const { project: owner } = bucket;
  if (project === undefined || isReference(project) || owner === project || isNumber(owner) !== isNumber(project))
    return;
  const what = `'logBucket' is in project ${quote(owner)} and 'project' is ${quote(project)}`;
  report("log-bucket-in-other-project", `${what}; a metric has to be in the project of its bucket`);
}

function checkNumbers(props: AdminChangeAlertsProps, report: Report): void {
  for (const [name, [min, max, step]] of Object.entries(ranges)) {
    const value = props[name as keyof typeof ranges];
    if (value === undefined) continue;
    if (Number.isInteger(value) && value >= min && value <= max && value % step === 0) continue;
    const allowed = step === 1 ? "a whole number" : `a multiple of ${step}`;
    report("value-out-of-range", `'${name}' is ${value}; use ${allowed} from ${min} to ${max}`);
  }
}

function checkTexts({ namePrefix, ignoredActors = [] }: AdminChangeAlertsProps, report: Report): void {
  if (namePrefix !== undefined && !/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/.test(namePrefix)) {
    const advice = "use 1 to 20 characters of a-z, 0-9 and '-', with a letter first and no '-' last";
    report("name-prefix-invalid", `${quote(namePrefix)} can't begin a resource name; ${advice}`);
  }
  for (const actor of ignoredActors) {
    if (isReference(actor) && !/TfToken\[/.test(actor) && referenceIn(actor) === undefined) {
      const advice = "use an address, or one reference such as ${var.NAME}";
      report("expression-not-allowed", `${quote(actor)} in 'ignoredActors' is an expression; ${advice}`);
      continue;
    }
    if (isReference(actor) || /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(actor)) continue;
    const advice = "use an address such as terraform@my-project.iam.gserviceaccount.com";
    report("actor-invalid", `${quote(actor)} in 'ignoredActors' is not an e-mail address; ${advice}`);
  }
}

function checkChannels(channels: readonly string[], report: Report): void {
  if (channels.length > 16) {
    const what = `there are ${channels.length} notification channels`;
    report("notification-channels-too-many", `${what}; an alert policy accepts at most 16`);
  }
  for (const channel of channels) {
    if (isReference(channel) || isNotificationChannel(channel)) continue;
    const advice = "use projects/PROJECT/notificationChannels/NUMBER";
    report("notification-channel-invalid", `${quote(channel)} is not a notification channel; ${advice}`);
  }
}

function checkLabels(labels: Readonly<Record<string, string>>, report: Report): void {
  const entries = Object.entries(labels);
  if (entries.length > 64) {
    report("labels-too-many", `there are ${entries.length} labels; an alert policy accepts at most 64`);
  }
  for (const [key, value] of entries) {
    if (!/^[a-z][a-z0-9_-]{0,62}$/.test(key)) {
      const advice = "use 1 to 63 characters of a-z, 0-9, '_' and '-', with a letter first";
      report("label-key-invalid", `${quote(key)} can't be the key of a label; ${advice}`);
    }
    if (!isReference(value) && !/^[a-z0-9_-]{0,63}$/.test(value)) {
      const advice = "use at most 63 characters of a-z, 0-9, '_' and '-'";
      report("label-value-invalid", `${quote(value)} can't be the value of label ${quote(key)}; ${advice}`);
    }
  }
}

function isNumber(project: string): boolean {
  return /^[0-9]+$/.test(project);
}
