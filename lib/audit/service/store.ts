import { createHash } from "node:crypto";
import { InputError } from "../../errors";
import { defined } from "../../json/defined";
import { type EventName, eventCatalogue, type ParametersOf } from "../catalogue";
import { type Activity, parseActivity, type ReadOptions, readLosslessJson } from "../reading";
import { type Data, isData, own } from "../reading/values";

/** Persistent storage of records. */
export interface RecordLog {
  /** Returns every stored record as JSON, oldest first. */
  read(): readonly string[];
  /** Stores a record. After the return, the record survives a crash. */
  append(json: string): void;
}

/** Options of a store of activities. */
export interface ActivityStoreOptions extends Omit<ReadOptions, "strict"> {
  /** Returns the current time. @default the machine's clock */
  readonly now?: () => Date;
  /**
   * Persistent storage in addition to memory, see {@link openRecordLog}.
   *
   * @default - nowhere: they end with the process
   */
  readonly log?: RecordLog;
  /** Customer of records without a customer. @default "C00000000" */
  readonly customerId?: string;
}

/** A record in the store. */
export interface StoredActivity {
  readonly activity: Activity;
  /** The record as listings contain it. */
  readonly record: Readonly<Record<string, unknown>>;
  readonly timeMs: number;
  /** Position of the record in the order of arrival, from 1. */
  readonly sequence: number;
  /** The record is not listed before this time, in milliseconds since 1970. */
  readonly visibleFromMs: number;
}

/** Activities in the order in which they are listed. */
export interface ActivityStore {
  /**
   * Adds a record. The store fills in missing values (time, qualifier, application, customer), then checks the record
   * against the catalog.
   *
   * @param visibleFrom the record is listed from this time on, because the service also lists some records late
   * @throws InputError with all problems of the record; then nothing was stored
   */
  ingest(record: unknown, options?: { readonly visibleFrom?: Date }): Activity;
  /** Records an activity in the typed form. */
  record(activity: NewActivity): Activity;
  /** Returns all records, newest first. Records with the same time are in reverse order of arrival. */
  all(): readonly StoredActivity[];
  /** Returns the sequence number of the last record that arrived. */
  lastSequence(): number;
}

/** @throws InputError `record-log-malformed` if the log has a record that cannot be read */
export function createActivityStore(options: ActivityStoreOptions = {}): ActivityStore {
  const { now = () => new Date(), log, customerId = "C00000000" } = options;
  const words: ReadOptions = defined({ vendor: options.vendor, partner: options.partner });
  const stored: StoredActivity[] = [];

  const insert = (activity: Activity, record: Readonly<Record<string, unknown>>, visibleFromMs: number): void => {
    const timeMs = activity.time?.getTime() ?? 0;
    // Most records are newer than all previous records, so their position is the first.
    let low = 0;
    for (let high = stored.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((stored[middle]?.timeMs ?? 0) > timeMs) low = middle + 1;
      else high = middle;
    }
    stored.splice(low, 0, { activity, record, timeMs, sequence: stored.length + 1, visibleFromMs });
  };

  const ingest: ActivityStore["ingest"] = (given, { visibleFrom } = {}) => {
    const at = now();
    const raw = typeof given === "string" ? readLosslessJson(given) : given;
    const record = isData(raw) ? complete(raw, at, stored.length + 1, customerId) : raw;
    const activity = parseActivity(record, { ...words, strict: true });
    const visibleFromMs = (visibleFrom ?? at).getTime();
    // If the record has a field with the same name as a field of the envelope, reading the log would confuse the two.
    const isPlain = visibleFrom === undefined && isData(record) && own(record, "visibleFromMs") === undefined;
    log?.append(JSON.stringify(isPlain ? record : { record, visibleFromMs }));
    insert(activity, record as Readonly<Record<string, unknown>>, visibleFromMs);
    return activity;
  };

  for (const [index, line] of (log?.read() ?? []).entries()) restore(line, index, words, insert);
  return {
    ingest,
    record: (activity) => ingest(activityRecord(activity)),
    all: () => stored,
    lastSequence: () => stored.length,
  };
}

function restore(
  line: string,
  index: number,
  words: ReadOptions,
  insert: (activity: Activity, record: Readonly<Record<string, unknown>>, visibleFromMs: number) => void,
): void {
  try {
    const read = readLosslessJson(line);
    const visibleFromMs = isData(read) ? own(read, "visibleFromMs") : undefined;
    const record = isData(read) && visibleFromMs !== undefined ? own(read, "record") : read;
    const activity = parseActivity(record, { ...words, strict: true });
    insert(activity, record as Data, typeof visibleFromMs === "number" ? visibleFromMs : 0);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const message = `record ${index + 1} of the log can't be read: ${error.problems[0]?.message}; fix or remove the line`;
    throw new InputError("record-log-malformed", message);
  }
}

function complete(record: Data, now: Date, sequence: number, customerId: string): Data {
  const given = own(record, "id");
  const id = isData(given) ? given : {};
  const time = own(id, "time") ?? now.toISOString();
  return {
    kind: "admin#reports#activity",
    ...record,
    id: {
      ...id,
      time,
      uniqueQualifier: own(id, "uniqueQualifier") ?? qualifier(`${sequence} ${String(time)}`),
      applicationName: own(id, "applicationName") ?? "admin",
      customerId: own(id, "customerId") ?? customerId,
    },
  };
}

/** Returns the digits of a 64-bit number, which may be negative, as in the service. */
function qualifier(seed: string): string {
  return createHash("sha256").update(seed).digest().readBigInt64BE().toString();
}

/** An event to record. */
export type NewEvent = {
  [Name in EventName]: { readonly name: Name; readonly parameters?: ParametersOf<Name> };
}[EventName];

/** An activity to record. The store fills in missing fields. */
export interface NewActivity {
  /** Time of the activity. @default - when it is recorded */
  readonly time?: Date;
  readonly actor: { readonly email?: string; readonly profileId?: string; readonly callerType?: string };
  readonly ipAddress?: string;
  /** At least one event. */
  readonly events: readonly NewEvent[];
}

/** Returns the record of an activity in the service's own form. */
export function activityRecord({ time, actor, ipAddress, events }: NewActivity): Readonly<Record<string, unknown>> {
  return {
    ...(time === undefined ? {} : { id: { time: time.toISOString() } }),
    actor: { callerType: "USER", ...actor },
    ...defined({ ipAddress }),
    events: events.map(({ name, parameters = {} }) => {
      const { type, parameters: definitions } = eventCatalogue[name];
      const listed = Object.entries<string | boolean | undefined>(parameters)
        .filter(([, value]) => value !== undefined)
        .map(([parameter, value]) => {
          const kind = definitions.find((definition) => definition.name === parameter)?.type ?? "string";
          return { name: parameter, [{ string: "value", integer: "intValue", boolean: "boolValue" }[kind]]: value };
        });
      return { type, name, ...(listed.length === 0 ? {} : { parameters: listed }) };
    }),
  };
}
