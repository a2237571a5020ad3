import { type EventDefinition, type EventName, eventCatalogue, eventNames } from "./catalogue";

/**
 * The company names that stand in event names and messages where specification 2 writes `VENDOR` and `PARTNER`.
 */
export interface CompanyWords {
  /**
   * Whose device management it is, as in "Google Device Management".
   *
   * @default "Google"
   */
  readonly vendor?: string;
  /**
   * Whose device enrollment it is, as in "Apple DEP sync".
   *
   * @default "Apple"
   */
  readonly partner?: string;
}

export const defaultWords = { vendor: "Google", partner: "Apple" } as const satisfies Required<CompanyWords>;

type Replaced<
  Name extends string,
  Word extends string,
  By extends string,
> = Name extends `${infer Before}${Word}${infer After}` ? `${Before}${By}${After}` : never;

/**
 * The names under which records carry an event: that of specification 2, the one that the public service writes, and
 * that with other company words.
 */
export type RecordedName<Name extends EventName> =
  | Name
  | Replaced<Name, "VENDOR", string>
  | Replaced<Name, "PARTNER", string>
  | Replaced<Name, "HOSTED_MAIL", "GMAIL">;

/**
 * The name that the public service writes for an event: `GOOGLE` for `VENDOR`, `APPLE` for `PARTNER`, `GMAIL` for
 * `HOSTED_MAIL`.
 */
export function serviceName(name: EventName, words: CompanyWords = {}): string {
  return name
    .replace("VENDOR", identifier(words.vendor ?? defaultWords.vendor))
    .replace("PARTNER", identifier(words.partner ?? defaultWords.partner))
    .replace("HOSTED_MAIL", "GMAIL");
}

/**
 * The method name under which Cloud Logging has an event, where the organization shares its data:
 * `google.admin.AdminService.` and the public service's name in lower camel case, as in
 * `google.admin.AdminService.assignRole`.
 */
export function loggingMethodName(name: EventName, words: CompanyWords = {}): string {
  const camel = serviceName(name, words)
    .toLowerCase()
    .replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return `google.admin.AdminService.${camel}`;
}

/** A company's name as it stands in identifiers: `Acme Inc.` is `ACME_INC`. */
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
/** Those that a company has another name for. */
const withWords = eventNames.filter((name) => serviceName(name) !== name);

/** The other names, beside its own, under which an event is found by {@link findEvent}. */
export function aliasesOf(name: EventName, words: CompanyWords = {}): readonly string[] {
  return [...new Set([serviceName(name), serviceName(name, words)])].filter((alias) => alias !== name);
}

/**
 * Looks an event up by the name of specification 2, by the name that the public service writes, or by that with other
 * company words.
 *
 * @returns undefined where no catalogued event has this name
 */
export function findEvent(name: string, words?: CompanyWords): EventDefinition | undefined {
  const found = byName.get(name);
  if (found !== undefined || words === undefined) return found;
  const own = withWords.find((candidate) => serviceName(candidate, words) === name);
  return own === undefined ? undefined : eventCatalogue[own];
}

/**
 * Where specification 2 and the overview page of the public service write an event type differently, the form of the
 * specification.
 */
export function canonicalType(type: string): string {
  return type === "DELEGATED_ADMIN" ? "DELEGATED_ADMIN_SETTINGS" : type;
}
