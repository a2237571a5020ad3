import { type EventDefinition, type EventName, eventCatalogue, eventNames } from "./catalogue";

/** The company names that replace `VENDOR` and `PARTNER` of specification 2 in event names and messages. */
export interface CompanyWords {
  /** Company that provides the device management, as in "Google Device Management". @default "Google" */
  readonly vendor?: string;
  /** Company that provides the device enrollment, as in "Apple DEP sync". @default "Apple" */
  readonly partner?: string;
}

/** The default company names. */
export const defaultWords = { vendor: "Google", partner: "Apple" } as const satisfies Required<CompanyWords>;

type Replaced<
  Name extends string,
  Word extends string,
  By extends string,
> = Name extends `${infer Before}${Word}${infer After}` ? `${Before}${By}${After}` : never;

/**
 * Names of an event in records: the name in specification 2, the name that the public service writes, and the name with
 * other company names.
 */
export type RecordedName<Name extends EventName> =
  | Name
  | Replaced<Name, "VENDOR", string>
  | Replaced<Name, "PARTNER", string>
  | Replaced<Name, "HOSTED_MAIL", "GMAIL">;

/**
 * Returns the name that the public service writes for an event. It writes `GOOGLE` for `VENDOR`, `APPLE` for `PARTNER`
 * and `GMAIL` for `HOSTED_MAIL`.
 */
export function serviceName(name: EventName, words: CompanyWords = {}): string {
  return name
    .replace("VENDOR", identifier(words.vendor ?? defaultWords.vendor))
    .replace("PARTNER", identifier(words.partner ?? defaultWords.partner))
    .replace("HOSTED_MAIL", "GMAIL");
}

/**
 * Returns the method name of an event in Cloud Logging, for organizations that share their data with Google Cloud. The
 * name is `google.admin.AdminService.` and the public service's name in lower camel case, for example
 * `google.admin.AdminService.assignRole`.
 */
export function loggingMethodName(name: EventName, words: CompanyWords = {}): string {
  const camel = serviceName(name, words)
    .toLowerCase()
    .replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return `google.admin.AdminService.${camel}`;
}

/** Returns a company's name as identifiers contain it: `Acme Inc.` becomes `ACME_INC`. */
function identifier(word: string): string {
  return word
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

const byName = new Map<string, EventDefinition>();
for (const name of eventNames) {
  byName.set(name, eventCatalogue[name]);
  byName.set(serviceName(name), eventCatalogue[name]);
}
/** Events whose name in the public service differs from the name in specification 2. */
const withWords = eventNames.filter((name) => serviceName(name) !== name);

/** Returns the other names that {@link findEvent} accepts for an event. */
export function aliasesOf(name: EventName, words: CompanyWords = {}): readonly string[] {
  return [...new Set([serviceName(name), serviceName(name, words)])].filter((alias) => alias !== name);
}

/**
 * Finds an event by the name in specification 2, by the public service's name, or by a name with other company names.
 *
 * @returns undefined if no catalogued event has this name
 */
export function findEvent(name: string, words?: CompanyWords): EventDefinition | undefined {
  const found = byName.get(name);
  if (found !== undefined || words === undefined) return found;
  const known = withWords.find((candidate) => serviceName(candidate, words) === name);
  return known === undefined ? undefined : eventCatalogue[known];
}

/**
 * Returns the event type as specification 2 writes it. The overview page of the public service writes some types
 * differently.
 */
export function canonicalType(type: string): string {
  return type === "DELEGATED_ADMIN" ? "DELEGATED_ADMIN_SETTINGS" : type;
}
