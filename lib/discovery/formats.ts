/** The formats of published descriptions, and the rules for the text of their values. */

/** Returns the rule that a text violates, for example "a whole number from 0 to 4294967295". */
type FormatCheck = (text: string) => string | undefined;

/** Maximum duration in seconds: ±10,000 years, the range of google.protobuf.Duration. */
const longestDurationSeconds = 315_576_000_000;

const checks: ReadonlyMap<string, FormatCheck> = new Map([
  ["int32", wholeNumber(-(2 ** 31), 2 ** 31 - 1)],
  ["uint32", wholeNumber(0, 2 ** 32 - 1)],
  ["int64", bigNumber(-(2n ** 63n), 2n ** 63n - 1n)],
  ["uint64", bigNumber(0n, 2n ** 64n - 1n)],
  ["float", decimal(3.4028234663852886e38)],
  ["double", decimal(Number.MAX_VALUE)],
  ["byte", base64],
  ["date", (text) => (isDate(text) ? undefined : "a date as in 2026-11-21")],
  ["date-time", dateTime],
  ["google-datetime", dateTime],
  ["google-duration", duration],
  ["google-fieldmask", fieldMask],
]);

const unchecked = new Set(["google.protobuf.Value", "google.protobuf.Any", "any"]);

export function isKnownFormat(format: string): boolean {
  return checks.has(format) || unchecked.has(format);
}

export function formatCheck(format: string | undefined): FormatCheck | undefined {
  return format === undefined ? undefined : checks.get(format);
}

function wholeNumber(min: number, max: number): FormatCheck {
  return (text) => {
    const holds = /^-?\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max;
    return holds ? undefined : `a whole number from ${min} to ${max}`;
  };
}

function bigNumber(min: bigint, max: bigint): FormatCheck {
  return (text) => {
    const holds = /^-?\d{1,20}$/.test(text) && BigInt(text) >= min && BigInt(text) <= max;
    return holds ? undefined : `a whole number from ${min} to ${max}`;
  };
}

function decimal(max: number): FormatCheck {
  return (text) => {
    if (!isDecimal(text)) return "a number";
    const isSpecial = text === "NaN" || text.endsWith("Infinity");
    return isSpecial || Math.abs(Number(text)) <= max ? undefined : `a number from -${max} to ${max}`;
  };
}

/** Maximum length of a number. The regular expression engine needs stack for each digit. */
const longestNumber = 10_000;

export function isWholeNumber(text: string): boolean {
  return text.length <= longestNumber && /^-?\d+$/.test(text);
}

/** Accepts the special numbers of the JSON form of protocol buffers, too. Takes linear time. */
export function isDecimal(text: string): boolean {
  return text.length <= longestNumber && /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$|^NaN$|^-?Infinity$/.test(text);
}

/** Accepts the standard or URL-safe alphabet, with or without padding, as the JSON form of protocol buffers does. */
function base64(text: string): string | undefined {
  const digits = text.replace(/={0,2}$/, "");
  const padded = digits.length !== text.length;
  // Searches for other characters, because matching a whole long text needs stack for each character.
  const holds =
    !(/[^A-Za-z0-9+/]/.test(digits) && /[^A-Za-z0-9_-]/.test(digits)) &&
    digits.length % 4 !== 1 &&
    (!padded || text.length % 4 === 0);
  return holds ? undefined : "bytes in base64";
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Checks RFC 3339 with up to nine digits after the second, `Z` or an offset. A leap second is allowed. */
function dateTime(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-](\d\d):(\d\d))$/.exec(text);
  const [hours, minutes, seconds, offsetHours, offsetMinutes] = (match ?? []).slice(2).map((part) => Number(part ?? 0));
  const holds =
    match !== null &&
    isDate(match[1] ?? "") &&
    [hours, offsetHours].every((value) => (value ?? 0) <= 23) &&
    [minutes, offsetMinutes].every((value) => (value ?? 0) <= 59) &&
    (seconds ?? 0) <= 60;
  return holds ? undefined : "a time as in 2026-11-21T08:00:00Z";
}

function duration(text: string): string | undefined {
  const match = /^-?(\d{1,12})(?:\.\d{1,9})?s$/.exec(text);
  return match !== null && Number(match[1]) <= longestDurationSeconds ? undefined : "a duration in seconds as in 3.5s";
}

function fieldMask(text: string): string | undefined {
  const holds =
    text === "" || text.split(",").every((path) => path === "*" || /^[\w-]+(?:\.(?:[\w-]+|\*|`[^`,]+`))*$/.test(path));
  return holds ? undefined : "names of fields, separated by commas, as in labels,description";
}

/**
 * Returns the bound that a number violates, for example "at most 1000"; undefined if there is none. Bounds are text and
 * can exceed the range of a double. `NaN` violates every bound.
 */
export function brokenBound(
  value: string,
  { minimum, maximum }: { readonly minimum?: string; readonly maximum?: string },
): { readonly code: "minimum" | "maximum"; readonly rule: string } | undefined {
  // A bound that is not a number is ignored.
  const breaks = (bound: string, lesser: string, greater: string) =>
    value === "NaN" ? !Number.isNaN(Number(bound)) : isLess(lesser, greater);
  if (minimum !== undefined && breaks(minimum, value, minimum)) return { code: "minimum", rule: `at least ${minimum}` };
  if (maximum !== undefined && breaks(maximum, maximum, value)) return { code: "maximum", rule: `at most ${maximum}` };
  return undefined;
}

const whole = /^-?\d{1,40}$/;

function isLess(a: string, b: string): boolean {
  const beyondDouble = a.length > 15 || b.length > 15;
  return beyondDouble && whole.test(a) && whole.test(b) ? BigInt(a) < BigInt(b) : Number(a) < Number(b);
}
