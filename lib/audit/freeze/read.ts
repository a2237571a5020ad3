import { InputError, type Problem } from "../../errors";
import { quote } from "../../quote";
import { type EventName, eventNames, findEvent, type WatchClassName, watchClassNames } from "../catalogue";
import { nearest } from "../query";
import { type Data, isData, own, readTime } from "../reading";
import type { AllowRule, ExpectedChange, Freeze } from "./model";

/**
 * Reads a freeze from data, as from YAML or JSON: times as RFC 3339, the rest as {@link Freeze} has it.
 *
 * @throws InputError with everything that is wrong with it, each with its place
 */
export function readFreeze(data: unknown): Freeze {
  const problems: Problem[] = [];
  const reader = new FreezeReader(problems);
  const freeze = reader.freeze(data);
  if (problems.length > 0) throw new InputError(problems);
  return freeze;
}

class FreezeReader {
  readonly #problems: Problem[];

  constructor(problems: Problem[]) {
    this.#problems = problems;
  }

  freeze(data: unknown): Freeze {
    const given = this.#mapping(data, "freeze", ["start", "end", "watch", "allow", "control", "hostnames"]);
    const [start, end] = [this.#time(given, "start", "freeze"), this.#time(given, "end", "freeze")];
    if (this.#problems.length === 0 && start >= end) this.#report("freeze-empty", "freeze: start is not before end");
    const watch = this.#list(given, "watch", "freeze", (item, at) => this.#watched(item, at));
    if (watch?.length === 0)
      this.#report("freeze-watches-nothing", "freeze.watch is empty; name classes or events, or leave it out for all");
    const allow = this.#list(given, "allow", "freeze", (item, at) => this.#rule(item, at));
    const hostnames = this.#list(given, "hostnames", "freeze", (item, at) => this.#text(item, at));
    const control = own(given, "control");
    return {
      start,
      end,
      ...(watch === undefined ? {} : { watch }),
      ...(allow === undefined ? {} : { allow }),
      ...(hostnames === undefined ? {} : { hostnames }),
      ...(control === undefined ? {} : { control: this.#change(control, "freeze.control", []) }),
    };
  }

  #rule(data: unknown, at: string): AllowRule {
    const given = isData(data) ? data : {};
    const change = this.#change(data, at, ["ticket", "expires"]);
    return {
      ...change,
      actor: this.#text(own(given, "actor"), `${at}.actor`),
      ticket: this.#text(own(given, "ticket"), `${at}.ticket`),
      expires: this.#time(given, "expires", at),
    };
  }

  #change(data: unknown, at: string, further: readonly string[]): ExpectedChange {
    const given = this.#mapping(data, at, ["event", "actor", "parameters", ...further]);
    const event = this.#event(own(given, "event"), `${at}.event`);
    const [actor, parameters] = [own(given, "actor"), own(given, "parameters")];
    return {
      event,
      ...(actor === undefined || further.length > 0 ? {} : { actor: this.#text(actor, `${at}.actor`) }),
      ...(parameters === undefined ? {} : { parameters: this.#parameters(parameters, event, `${at}.parameters`) }),
    };
  }

  #parameters(data: unknown, event: EventName, at: string): Readonly<Record<string, string>> {
    const allowed = findEvent(event)?.parameters.map(({ name }): string => name) ?? [];
    const given = this.#mapping(data, at, allowed);
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, this.#text(value, `${at}.${quote(name)}`)]),
    );
  }

  #watched(item: unknown, at: string): WatchClassName | EventName {
    const name = this.#text(item, at);
    const event = findEvent(name);
    if (event !== undefined || (watchClassNames as readonly string[]).includes(name))
      return event?.name ?? (name as WatchClassName);
    const advice = this.#advice(name, watchClassNames) ?? `use an event, or one of ${watchClassNames.join(", ")}`;
    if (name !== "") this.#report("watch-unknown", `${at}: ${quote(name)} is neither a class nor an event; ${advice}`);
    return name as WatchClassName;
  }

  #event(item: unknown, at: string): EventName {
    const name = this.#text(item, at);
    const event = findEvent(name);
    if (event === undefined && name !== "") {
      const advice = this.#advice(name, []) ?? "see 'cert-migration audit events'";
      this.#report("event-uncatalogued", `${at}: ${quote(name)} is not in the catalogue; ${advice}`);
    }
    return event?.name ?? (name as EventName);
  }

  #advice(name: string, further: readonly string[]): string | undefined {
    const meant = nearest(name, [...further, ...eventNames]);
    return meant === undefined ? undefined : `did you mean ${meant}`;
  }

  #time(given: Data, name: string, at: string): Date {
    const value = own(given, name);
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
    const time = typeof value === "string" ? readTime(value) : undefined;
    if (time?.standard === true) return new Date(time.milliseconds);
    const what =
      value === undefined ? "is missing" : `${typeof value === "string" ? quote(value) : "the value"} is no time`;
    this.#report("time-invalid", `${at}.${name}: ${what}; use RFC 3339 with a zone, as in 2026-11-21T22:00:00Z`);
    return new Date(0);
  }

  #text(value: unknown, at: string): string {
    if (typeof value === "string" && value !== "") return value;
    this.#report(
      "text-missing",
      `${at}: ${value === undefined ? "is missing" : "is no text"}; give one that is not empty`,
    );
    return "";
  }

  #list<Item>(
    given: Data,
    name: string,
    at: string,
    read: (item: unknown, at: string) => Item,
  ): readonly Item[] | undefined {
    const value = own(given, name);
    if (value === undefined) return undefined;
    if (Array.isArray(value)) return value.map((item: unknown, index) => read(item, `${at}.${name}[${index}]`));
    this.#report("list-expected", `${at}.${name}: is no list`);
    return undefined;
  }

  #mapping(value: unknown, at: string, allowed: readonly string[]): Data {
    if (!isData(value)) {
      this.#report("mapping-expected", `${at}: is no mapping; it has ${allowed.join(", ")}`);
      return {};
    }
    for (const name of Object.keys(value).filter((candidate) => !allowed.includes(candidate))) {
      const meant = nearest(name, allowed);
      const advice = meant === undefined ? `it has ${allowed.join(", ") || "none"}` : `did you mean ${meant}`;
      this.#report("property-unknown", `${at}: there is no ${quote(name)}; ${advice}`);
    }
    return value;
  }

  #report(code: string, message: string): void {
    this.#problems.push({ code, message });
  }
}
