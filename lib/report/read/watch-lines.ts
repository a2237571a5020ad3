import { type Fields, isFields } from "../../json/fields";
import type {
  WatchAbsence,
  WatchGap,
  WatchGapBegin,
  WatchGapReason,
  WatchHostname,
  WatchSample,
  WatchShare,
  WatchSide,
  WatchStart,
  WatchSummary,
  WatchVerdict,
} from "../../live/watch";
import type { NamedMigration } from "../model";
import { isCount, isNotEmpty as isText, parseTime } from "./field-reader";

/** The fields that a report needs from a line of a watch's log. */
export type ReadLine =
  | (Pick<WatchStart, "kind" | "hostnames" | "resolvers" | "everyMs" | "shard"> & {
      readonly time: Date;
      readonly migrations: readonly NamedMigration[];
      readonly loadBalancerAddresses: readonly string[];
      /** Names that stand in for wildcards, each with its wildcard. */
      readonly wildcards: ReadonlyMap<string, string>;
    })
  | (Pick<WatchSample, "kind" | "hostname" | "resolver" | "ok"> & {
      readonly time: Date;
      readonly side: WatchSide | "unknown";
      readonly code: string;
      readonly detail: string | undefined;
      readonly shared: boolean;
    })
  | (Pick<WatchAbsence, "kind" | "hostname" | "resolver"> & { readonly time: Date })
  | (Pick<WatchGapBegin, "kind" | "reason"> & {
      readonly time: Date;
      readonly noticedAt: Date;
      readonly resolver: string | undefined;
    })
  | (Pick<WatchGap, "kind" | "reason" | "discarded"> & {
      readonly time: Date;
      readonly until: Date;
      readonly resolver: string | undefined;
    })
  | (Pick<WatchSummary, "kind" | "verdict" | "reason" | "attempts" | "failures"> & {
      readonly time: Date;
      readonly hostnames: readonly Pick<WatchHostname, "hostname" | "share">[];
    })
  | { readonly kind: "unknown" };

/** A line of one kind. */
export type LineOf<Kind extends ReadLine["kind"]> = Extract<ReadLine, { readonly kind: Kind }>;

const sides: readonly WatchSide[] = ["previous", "loadBalancer", "other"];
/** Sides in logs of earlier builds, which also had `newAddresses`, and `old` and `new` in shares. */
const formerSides: Readonly<Record<string, WatchSide>> = { old: "previous", new: "loadBalancer" };
const reasons: readonly WatchGapReason[] = ["stood-still", "network-lost", "resolver-silent"];
const verdicts: readonly WatchVerdict[] = ["good", "moved", "failures", "not-moved", "blind", "unseen"];

/**
 * Reads one line of a log.
 *
 * @returns `undefined` if the line cannot be read: it is not JSON, or lacks a required field of its kind
 */
export function readLine(line: string): ReadLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isFields(value) || typeof value.kind !== "string") return undefined;
  const read = Object.hasOwn(readers, value.kind) ? readers[value.kind] : undefined;
  if (read === undefined) return { kind: "unknown" };
  const time = parseTime(value.time);
  return time === undefined ? undefined : read(value, time);
}

/** Readers by kind of line. Each returns undefined if a required field is missing. */
const readers: Readonly<Record<string, (value: Fields, time: Date) => ReadLine | undefined>> = {
  start: readStart,
  sample: readSample,
  absent: readAbsence,
  "gap-begin": readGapBegin,
  gap: readGap,
  summary: readSummary,
};

function readStart(value: Fields, time: Date): ReadLine | undefined {
  const { version, hostnames, resolvers, everyMs } = value;
  if (version !== 1 || !areTexts(hostnames) || !areTexts(resolvers) || !isCount(everyMs)) return undefined;
  const standsFor = Object.entries(isFields(value.wildcards) ? value.wildcards : {});
  const wildcards = new Map(standsFor.filter((pair): pair is [string, string] => isText(pair[1])));
  const { loadBalancerAddresses = value.newAddresses, shard } = value;
  return {
    kind: "start",
    time,
    hostnames,
    resolvers,
    everyMs,
    wildcards,
    migrations: readMigrations(value.migrations),
    loadBalancerAddresses: areTexts(loadBalancerAddresses) ? loadBalancerAddresses : [],
    ...(isText(shard) ? { shard } : {}),
  };
}

/** Reads the migrations of a start line; logs of older versions have none. */
function readMigrations(value: unknown): readonly NamedMigration[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((line: unknown) => {
    if (!isFields(line) || !isText(line.name)) return [];
    return [{ name: line.name, ...(isText(line.project) ? { project: line.project } : {}) }];
  });
}

function readSample(value: Fields, time: Date): ReadLine | undefined {
  const { hostname, resolver, ok, code, detail, shared } = value;
  const side = formerSides[String(value.side)] ?? value.side;
  if (!isText(hostname) || !isText(resolver) || typeof ok !== "boolean") return undefined;
  if (side !== undefined && !isOneOf(sides, side)) return undefined;
  return {
    kind: "sample",
    time,
    hostname,
    resolver,
    ok,
    side: side ?? "unknown",
    code: isText(code) ? code : "failed",
    detail: isText(detail) ? detail : undefined,
    shared: shared === true,
  };
}

function readAbsence({ hostname, resolver }: Fields, time: Date): ReadLine | undefined {
  return isText(hostname) && isText(resolver) ? { kind: "absent", time, hostname, resolver } : undefined;
}

function readGapBegin({ reason, resolver, ...value }: Fields, time: Date): ReadLine | undefined {
  const noticedAt = parseTime(value.noticedAt);
  if (noticedAt === undefined || (reason !== "network-lost" && reason !== "resolver-silent")) return undefined;
  return { kind: "gap-begin", time, noticedAt, reason, resolver: isText(resolver) ? resolver : undefined };
}

function readGap(value: Fields, time: Date): ReadLine | undefined {
  const { reason, resolver, discarded } = value;
  const until = parseTime(value.until);
  if (until === undefined || until < time || !isOneOf(reasons, reason) || !isCount(discarded)) return undefined;
  return { kind: "gap", time, until, reason, discarded, resolver: isText(resolver) ? resolver : undefined };
}

function readSummary(value: Fields, time: Date): ReadLine | undefined {
  const { verdict, reason, attempts, failures, hostnames } = value;
  if (!isOneOf(verdicts, verdict) || !isText(reason) || !isCount(attempts) || !isCount(failures)) return undefined;
  if (!Array.isArray(hostnames)) return undefined;
  // The watch left out resolvers that never answered. They do not count as failures of a hostname.
  const silent = areTexts(value.silentResolvers) ? value.silentResolvers.length : 0;
  const read = hostnames.flatMap((item: unknown) => {
    if (!isFields(item) || !isText(item.hostname)) return [];
    const share = readShare(item.share);
    if (share === undefined) return [];
    return [{ hostname: item.hostname, share: { ...share, unknown: Math.max(0, share.unknown - silent) } }];
  });
  return { kind: "summary", time, verdict, reason, attempts, failures, hostnames: read };
}

function readShare(value: unknown): WatchShare | undefined {
  if (!isFields(value)) return undefined;
  const { previous = value.old, loadBalancer = value.new, other, unknown } = value;
  return isCount(previous) && isCount(loadBalancer) && isCount(other) && isCount(unknown)
    ? { previous, loadBalancer, other, unknown }
    : undefined;
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return words.some((word) => word === value);
}
