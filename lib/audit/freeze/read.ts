import { InputError, type Problem } from "../../errors";
import type { Code } from "../../findings/codes";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import { type EventName, eventNames, findEvent, type WatchClassName, watchClassNames } from "../catalogue";
import { nearest } from "../query/nearest";
import { readTime } from "../reading";
import { type Data, isData, own } from "../reading/values";
import type { AllowRule, ExpectedChange, Freeze } from "./model";

/**
 * Reads a freeze from data, for example from YAML or JSON. Times are RFC 3339; the other fields are those of {@link
 * Freeze}.
 *
 * @throws InputError with all problems, each with its place
 */
export function readFreeze(data: unknown): Freeze {
  const problems: Problem[] = [];
  const freeze = freezeOf(data, (code, message) => problems.push({ code, message }));
  if (problems.length > 0) throw new InputError(problems);
  return freeze;
}

type Report = (code: Code, message: string) => void;

function freezeOf(data: unknown, report: Report): Freeze {
  const given = mappingOf(data, "freeze", ["start", "end", "watch", "allow", "control", "hostnames"], report);
  const [start, end] = [timeOf(given, "start", "freeze", report), timeOf(given, "end", "freeze", report)];
  if (start !== noTime && end !== noTime && start >= end)
    report("freeze-empty", "freeze: start is not before end; move one of them");
  const watch = listOf(given, "watch", "freeze", (item, at) => watchedOf(item, at, report), report);
  if (watch?.length === 0) {
    report("freeze-watches-nothing", "freeze.watch is empty; name classes or events, or leave it out for all");
  }
  const allow = listOf(given, "allow", "freeze", (item, at) => ruleOf(item, at, report), report);
  const hostnames = listOf(given, "hostnames", "freeze", (item, at) => textOf(item, at, report), report);
  const control = own(given, "control");
  return {
    start,
    end,
    ...defined({ watch, allow, hostnames }),
    ...(control === undefined ? {} : { control: changeOf(control, "freeze.control", [], report) }),
  };
}

function ruleOf(data: unknown, at: string, report: Report): AllowRule {
  const given = isData(data) ? data : {};
  const change = changeOf(data, at, ["ticket", "expires"], report);
  return {
    ...change,
    actor: textOf(own(given, "actor"), `${at}.actor`, report),
    ticket: textOf(own(given, "ticket"), `${at}.ticket`, report),
    expires: timeOf(given, "expires", at, report),
  };
}

function changeOf(data: unknown, at: string, further: readonly string[], report: Report): ExpectedChange {
  const given = mappingOf(data, at, ["event", "actor", "parameters", ...further], report);
  const event = eventOf(own(given, "event"), `${at}.event`, report);
  const [actor, parameters] = [own(given, "actor"), own(given, "parameters")];
  return {
    event,
    ...(actor === undefined || further.length > 0 ? {} : { actor: textOf(actor, `${at}.actor`, report) }),
    ...(parameters === undefined ? {} : { parameters: parametersOf(parameters, event, `${at}.parameters`, report) }),
  };
}

function parametersOf(data: unknown, event: EventName, at: string, report: Report): Readonly<Record<string, string>> {
  const allowed = findEvent(event)?.parameters.map(({ name }): string => name) ?? [];
  const given = mappingOf(data, at, allowed, report);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, textOf(value, `${at}.${quote(name)}`, report)]),
  );
}

function watchedOf(item: unknown, at: string, report: Report): WatchClassName | EventName {
  const name = textOf(item, at, report);
  const event = findEvent(name);
  if (event !== undefined) return event.name;
  if ((watchClassNames as readonly string[]).includes(name)) return name as WatchClassName;
  const advice = adviceFor(name, watchClassNames) ?? `use an event, or one of ${watchClassNames.join(", ")}`;
  if (name !== "") report("watch-unknown", `${at}: ${quote(name)} is neither a class nor an event; ${advice}`);
  return name as WatchClassName;
}

function eventOf(item: unknown, at: string, report: Report): EventName {
  const name = textOf(item, at, report);
  const event = findEvent(name);
  if (event === undefined && name !== "") {
    const advice = adviceFor(name, []) ?? "see 'cert-migration audit events'";
    report("event-uncatalogued", `${at}: ${quote(name)} is not in the catalogue; ${advice}`);
  }
  return event?.name ?? (name as EventName);
}

function adviceFor(name: string, further: readonly string[]): string | undefined {
  const meant = nearest(name, [...further, ...eventNames]);
  return meant === undefined ? undefined : `did you mean ${meant}`;
}

/** Placeholder for a time that cannot be read. Results that use it are never returned. */
const noTime = new Date(0);

function timeOf(given: Data, name: string, at: string, report: Report): Date {
  const value = own(given, name);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  const time = typeof value === "string" ? readTime(value) : undefined;
  if (time?.standard === true) return new Date(time.milliseconds);
  const what =
    value === undefined ? "is missing" : `${typeof value === "string" ? quote(value) : "the value"} is not a time`;
  report("time-invalid", `${at}.${name}: ${what}; use RFC 3339 with a zone, as in 2026-11-21T22:00:00Z`);
  return noTime;
}

function textOf(value: unknown, at: string, report: Report): string {
  if (typeof value === "string" && value !== "") return value;
  report("text-missing", `${at}: ${value === undefined ? "is missing" : "is no text"}; give one that is not empty`);
  return "";
}

function listOf<Item>(
  given: Data,
  name: string,
  at: string,
  read: (item: unknown, at: string) => Item,
  report: Report,
): readonly Item[] | undefined {
  const value = own(given, name);
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item: unknown, index) => read(item, `${at}.${name}[${index}]`));
  report("list-expected", `${at}.${name}: is not a list; write a list, even for one entry`);
  return undefined;
}

function mappingOf(value: unknown, at: string, allowed: readonly string[], report: Report): Data {
  if (!isData(value)) {
    report("mapping-expected", `${at}: is not a mapping; expected members: ${allowed.join(", ")}`);
    return {};
  }
  for (const name of Object.keys(value).filter((candidate) => !allowed.includes(candidate))) {
    const meant = nearest(name, allowed);
    const advice = meant === undefined ? `it has ${allowed.join(", ") || "none"}` : `did you mean ${meant}`;
    report("property-unknown", `${at}: there is no ${quote(name)}; ${advice}`);
  }
  return value;
}
