import { InputError } from "../../errors";
import { escapeUnsafe } from "../../quote";
import type { CompanyWords, EventName } from "../catalogue";
import { formatValue, renderMessage } from "../messages";
import { retentionDays, type UnreadableRecord } from "../query";
import { type Activity, type ActivityEvent, allParameters, eventKeys } from "../reading";
import {
  type AllowedChange,
  type Doubt,
  type ExpectedChange,
  type Freeze,
  type FreezeReport,
  notWatched,
  type Violation,
} from "./model";
import { readFreeze } from "./read";
import { isMeant, looksLike, severityOf, type Watch, watchOf } from "./watch";

/** What a listing of the freeze brought. */
export interface FreezeEvidence {
  /** When the listing began. */
  readonly listedAt: Date;
  /** Whether it reached its last page. */
  readonly complete: boolean;
  /** Why it did not; one line. */
  readonly failure?: string;
  readonly activities: readonly Activity[];
  readonly unreadable: readonly UnreadableRecord[];
  /** What the service itself says is missing. */
  readonly warnings: readonly string[];
}

export interface EvaluateOptions extends CompanyWords {
  /**
   * How long the log may take to be whole.
   *
   * @default 600: the public service speaks of a couple of minutes and of exceptions
   */
  readonly lagSeconds?: number;
  /** Whether the freeze is to be signed off: then anything short of its end is unknown. @default false */
  readonly signOff?: boolean;
}

/**
 * Judges a freeze by what the log has of it. It tells of changes after they were made, it prevents none; and it never
 * says "clear", only "clear as of", for what the log covers. A violation that was seen is told whatever else is in
 * doubt.
 *
 * @throws InputError where freeze or lag can't be used: a misspelled class would watch nothing and pass for clear
 */
export function evaluateFreeze(given: Freeze, evidence: FreezeEvidence, options: EvaluateOptions = {}): FreezeReport {
  const freeze = readFreeze(given);
  const watch = watchOf(freeze);
  const lagMs = checkLag(options.lagSeconds ?? 600) * 1_000;
  const watermarkMs = Math.min(freeze.end.getTime(), evidence.listedAt.getTime() - lagMs);
  const final = watermarkMs === freeze.end.getTime();
  const seen = sort(freeze, evidence, watch, options);
  const doubts = [
    ...doubtsOfListing(freeze, evidence),
    ...doubtsOfTime(freeze, watermarkMs, options.signOff === true),
    ...doubtsOfRecords(evidence, seen),
    ...doubtsOfPipe(freeze, seen),
  ];
  return {
    freeze: `${freeze.start.toISOString()}/${freeze.end.toISOString()}`,
    verdict: seen.violations.length > 0 ? "violations" : doubts.length > 0 ? "unknown" : "clear-as-of",
    asOf: watermarkMs > freeze.start.getTime() ? new Date(watermarkMs).toISOString() : null,
    final,
    checkedAt: evidence.listedAt.toISOString(),
    // A second look after the log has had its time again: what comes late turns clear into violated.
    nextCheckAt: new Date(Math.max(freeze.end.getTime(), evidence.listedAt.getTime()) + lagMs).toISOString(),
    violations: seen.violations,
    allowed: seen.allowed,
    doubts,
    unusedRules: (freeze.allow ?? []).flatMap((_, index) => (seen.usedRules.has(index) ? [] : [index])),
    expiredRules: [...seen.expiredRules].sort((a, b) => a - b),
    controlSeen: freeze.control === undefined ? null : seen.controlSeen,
    counts: { events: seen.events, watched: seen.watched, uncatalogued: seen.uncatalogued },
    notWatched,
  };
}

function checkLag(lagSeconds: number): number {
  if (Number.isFinite(lagSeconds) && lagSeconds >= 0) return lagSeconds;
  const message = `lagSeconds ${lagSeconds} is no time; use a number of seconds, 0 or more`;
  throw new InputError("seconds-invalid", message);
}

interface Sorted {
  readonly violations: Violation[];
  readonly allowed: AllowedChange[];
  readonly usedRules: Set<number>;
  readonly expiredRules: Set<number>;
  /** Names of uncatalogued events that look like a watched one, with that one. */
  readonly alike: Map<string, EventName>;
  /** Judgements by type and name: logs have the same few uncatalogued events over and over. */
  readonly likenesses: Map<string, EventName | undefined>;
  controlSeen: boolean;
  events: number;
  watched: number;
  uncatalogued: number;
}

function sort(freeze: Freeze, evidence: FreezeEvidence, watch: Watch, words: CompanyWords): Sorted {
  const sorted: Sorted = {
    violations: [],
    allowed: [],
    usedRules: new Set(),
    expiredRules: new Set(),
    alike: new Map(),
    likenesses: new Map(),
    controlSeen: false,
    events: 0,
    watched: 0,
    uncatalogued: 0,
  };
  const keys = new Set<string>();
  const ordered = evidence.activities
    .flatMap((activity) => (activity.time === undefined ? [] : [{ activity, time: activity.time }]))
    .filter(({ time }) => time >= freeze.start && time < freeze.end)
    .sort((a, b) => a.time.getTime() - b.time.getTime());
  for (const { activity, time } of ordered) {
    for (const [index, key] of eventKeys(activity).entries()) {
      const event = activity.events[index];
      if (event === undefined || keys.has(key)) continue;
      keys.add(key);
      sorted.events += 1;
      place({ activity, event, key, time }, freeze, watch, words, sorted);
    }
  }
  return sorted;
}

interface Seen {
  readonly activity: Activity;
  readonly event: ActivityEvent;
  readonly key: string;
  readonly time: Date;
}

function place(seen: Seen, freeze: Freeze, watch: Watch, words: CompanyWords, sorted: Sorted): void {
  const { activity, event, key, time } = seen;
  if (!event.known) {
    sorted.uncatalogued += 1;
    const like = remembered(sorted.likenesses, `${event.type} ${event.name}`, () => looksLike(event, watch));
    if (like !== undefined) sorted.alike.set(event.name, like);
    return;
  }
  const told = {
    key,
    time: time.toISOString(),
    actor: escapeUnsafe(activity.actor.label),
    event: event.canonicalName,
    message: renderMessage(event, words),
  };
  if (freeze.control !== undefined && !sorted.controlSeen && isDescribed(seen, freeze.control)) {
    sorted.controlSeen = true;
    sorted.allowed.push({ ...told, ticket: "control" });
    return;
  }
  const watched = watch.get(event.canonicalName);
  if (watched === undefined || !isMeant(event, watched.only)) return;
  sorted.watched += 1;
  const ticket = ticketFor(seen, freeze, sorted);
  if (ticket !== undefined) {
    sorted.allowed.push({ ...told, ticket });
    return;
  }
  const severity = severityOf(event, freeze.hostnames ?? []);
  sorted.violations.push({ ...told, watchedAs: watched.as, why: watched.why, severity });
}

function remembered<Value>(memory: Map<string, Value>, name: string, make: () => Value): Value {
  if (!memory.has(name)) memory.set(name, make());
  return memory.get(name) as Value;
}

function ticketFor(seen: Seen, { allow = [] }: Freeze, sorted: Sorted): string | undefined {
  let ticket: string | undefined;
  for (const [index, rule] of allow.entries()) {
    if (!isDescribed(seen, rule)) continue;
    if (seen.time < rule.expires) {
      sorted.usedRules.add(index);
      ticket ??= escapeUnsafe(rule.ticket);
    } else {
      sorted.expiredRules.add(index);
    }
  }
  return ticket;
}

function isDescribed({ activity, event }: Seen, change: ExpectedChange): boolean {
  if (event.canonicalName !== change.event) return false;
  const { email, profileId, label } = activity.actor;
  const names = [email, profileId, label].map((name) => name?.toLowerCase());
  if (change.actor !== undefined && !names.includes(change.actor.toLowerCase())) return false;
  const parameters = allParameters(event);
  return Object.entries(change.parameters ?? {}).every(([name, wanted]) => {
    const value = parameters.get(name);
    return value !== undefined && formatValue(value) === wanted;
  });
}

function doubtsOfListing(
  { start }: Freeze,
  { listedAt, complete, failure, warnings }: FreezeEvidence,
): readonly Doubt[] {
  const doubts: Doubt[] = [];
  if (!complete) {
    const why = failure === undefined ? "" : `: ${escapeUnsafe(failure)}`;
    doubts.push({ code: "listing-incomplete", message: `the listing did not reach its last page${why}` });
  }
  if (start.getTime() < listedAt.getTime() - retentionDays * 86_400_000) {
    doubts.push({
      code: "freeze-too-old",
      message: `the freeze began more than ${retentionDays} days ago, and the service keeps no more`,
    });
  }
  for (const warning of warnings) {
    doubts.push({ code: "data-missing", message: `the service says that data is missing: ${escapeUnsafe(warning)}` });
  }
  return doubts;
}

function doubtsOfTime({ start, end }: Freeze, watermarkMs: number, signOff: boolean): readonly Doubt[] {
  if (watermarkMs <= start.getTime()) {
    return [
      {
        code: "lag-not-over",
        message: "the log can't be expected to have anything of the freeze yet; ask again later",
      },
    ];
  }
  if (!signOff || watermarkMs === end.getTime()) return [];
  const message = `the log is whole up to ${new Date(watermarkMs).toISOString()} only, and the freeze goes on to ${end.toISOString()}`;
  return [{ code: "freeze-not-over", message }];
}

/** Findings of a record that leave open when something happened, or what. */
const crippling = new Set([
  "time-missing",
  "time-malformed",
  "events-missing",
  "event-malformed",
  "event-name-missing",
]);

function doubtsOfRecords({ activities, unreadable }: FreezeEvidence, { alike }: Sorted): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const crippled = activities.filter(({ findings }) => findings.some(({ code }) => crippling.has(code)));
  const count = unreadable.length + crippled.length;
  if (count > 0) {
    const example =
      unreadable[0]?.problem.message ?? crippled[0]?.findings.find(({ code }) => crippling.has(code))?.message;
    doubts.push({ code: "record-unreadable", message: `${count} records can't be placed, for one: ${example}` });
  }
  for (const [name, like] of alike) {
    const message = `the event ${escapeUnsafe(name)} is not catalogued and looks like ${like}, which is watched; look at it by hand`;
    doubts.push({ code: "event-alike", message });
  }
  return doubts;
}

function doubtsOfPipe({ control }: Freeze, { controlSeen, events }: Sorted): readonly Doubt[] {
  if (control !== undefined) {
    if (controlSeen) return [];
    const message = `the ${control.event} that was to be made on purpose was not seen, so nothing shows that the log arrives`;
    return [{ code: "control-missing", message }];
  }
  if (events > 0) return [];
  return [{ code: "no-data", message: "there is no event at all in the freeze: no data is not the same as no change" }];
}
