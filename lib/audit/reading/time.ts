/** A point in time in a record. */
export interface RecordedTime {
  /** Milliseconds since 1970, truncated. */
  readonly milliseconds: number;
  /**
   * RFC 3339 in UTC, with all digits of the fraction except trailing zeros. Equal times have equal texts, however they
   * were written.
   */
  readonly text: string;
  /** Whether the record has RFC 3339, as the service writes it. */
  readonly standard: boolean;
}

const form =
  /^(\d{4})([-/])(\d{2})\2(\d{2})([Tt ])(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,18}))?(?: ?(Z|z|UTC|GMT)|([+-])(\d{2}):?(\d{2}))?$/;

/**
 * Reads a time in RFC 3339, with or without a fraction, with `Z` or a fixed offset. Also reads the forms of collectors:
 * a space instead of the `T`, slashes in the date, and `UTC` or no zone (then UTC).
 *
 * @returns undefined if the text is not a time
 */
export function readTime(text: string): RecordedTime | undefined {
  return readServiceTime(text) ?? readAnyTime(text);
}

/** Reads the form that the service writes. To match all forms took a tenth of the time of reading a record. */
function readServiceTime(text: string): RecordedTime | undefined {
  if (text.length !== "2026-11-21T10:00:00.000Z".length) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString() !== text) return undefined;
  return { milliseconds, text: text.replace(/\.?0*Z$/, "Z"), standard: true };
}

function readAnyTime(text: string): RecordedTime | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year,
    dash,
    month,
    day,
    separator,
    hour,
    minute,
    second,
    fraction = "",
    zone,
    sign,
    offsetHours,
    offsetMinutes,
  ] = match;
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const local = Date.parse(`${date}Z`);
  // Date.parse accepts February 30 and the hour 24, and moves them to the next day.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, -5) !== date) return undefined;
  if (Number(offsetHours ?? 0) > 23 || Number(offsetMinutes ?? 0) > 59) return undefined;
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000 * (sign === "-" ? -1 : 1);
  const seconds = local - offset;
  const digits = fraction.replace(/0+$/, "");
  const iso = offset === 0 ? date : new Date(seconds).toISOString().slice(0, -5);
  // An offset can move the time outside of the years that RFC 3339 can express.
  if (iso.length !== date.length) return undefined;
  return {
    milliseconds: seconds + Number(digits.slice(0, 3).padEnd(3, "0")),
    text: `${iso}${digits === "" ? "" : `.${digits}`}Z`,
    standard: dash === "-" && separator === "T" && (zone === "Z" || (sign !== undefined && text.at(-3) === ":")),
  };
}
