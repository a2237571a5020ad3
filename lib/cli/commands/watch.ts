import { defined } from "../../json/defined";
import type { WatchResolver, WatchSummary } from "../../live/watch";
import { countOf } from "../../text/words";
import type { ExitCode, Io } from "../command";
import { connectionOptions, readConnections } from "../connections";
import { defineCommand, type OptionValues, value, values } from "../declare";
import { requireAtLeast, sleep } from "../duration";
import * as load from "../load";
import { shardIn, shardOption } from "../shard";
import { sourceOptions } from "../source";
import { subjectOptions } from "../subjects";
import { writeLine } from "../text";
import { writeTable } from "../text-table";
import { checked, duration, ipAddress, oneOf } from "../value-types";
import { writeVerdict } from "../verdict";
import type { RehearsalRoute } from "./rehearse/route";
import { createWatchDisplay } from "./watch-board";
import { createWatchHooks, createWatchJson, openWatchLog } from "./watch-output";
import { placeWildcards, readMove } from "./watch-subjects";

/** Public resolvers of Google and Cloudflare, which many clients use. */
const publicResolvers = ["8.8.8.8", "1.1.1.1"] as const;

/** Minimum interval between two checks: each check sends a query for every hostname to the public resolvers. */
const leastEvery = "1s";
/**
 * Minimum interval if only the server of `--dns-server` receives queries, as in a rehearsal, whose clock runs faster.
 */
const leastEveryOfServer = "100ms";

/**
 * Default time until failures end a watch: a dozen checks at the default interval. A server restart takes less time,
 * and visitors do not tolerate a longer failure.
 */
const usualFailAfter = "2m";

const domainLabel = checked(
  "label-malformed",
  (given) => (/^(?!-)[a-z0-9-]{1,63}(?<!-)$/i.test(given) ? given.toLowerCase() : undefined),
  "is not a label of a domain name; use letters, digits and hyphens, as in 'shop'",
);

const watchCommandOptions = {
  ...sourceOptions,
  ...subjectOptions,
  "--previous <ip>": values(
    "an address of the previous provider; default: every address that is not the load balancer's",
    ipAddress,
  ),
  "--resolver <server>": values(
    "a resolver to query in place of the default resolvers: an address, HOST:PORT, or 'system'",
  ),
  "--wildcard-label <label>": value(domainLabel, "the name to watch below each wildcard; by default, an unused name"),
  "--dns-server <host:port>": "DNS server to query instead of the zones' name servers",
  ...connectionOptions,
  ...shardOption,
  "--every <time>": value(
    duration({ least: leastEveryOfServer }),
    `interval between checks of all hostnames; at least ${leastEvery}, or ${leastEveryOfServer} if only --dns-server is used`,
    "10s",
  ),
  "--until <what>": value(
    oneOf("good", "moved", "stopped"),
    "when to end: good for the time of --for after the move, moved, or only when interrupted",
    "good",
  ),
  "--for <time>": value(duration(), "time for which every check must succeed after the move", "10m"),
  "--fail-after <time>": value(
    duration(),
    `end with exit code 4 when a hostname has failed in every check for this time, with any resolver, except at the previous provider: then roll traffic back; 0s for the first failure (default: ${usualFailAfter}; unlimited with '--until stopped')`,
  ),
  "--blind-after <time>": value(
    duration({ least: "1s" }),
    "end with exit code 5 after no server, including every resolver, has answered for this time; sleep of the machine does not count",
    "15m",
  ),
  "--within <time>": value(duration(), "maximum duration of the watch", "24h"),
  "--log <file>": "write each check as a line of JSON to this new file",
  "--json": "print the summary as JSON",
};

export type WatchCommandOptions = OptionValues<typeof watchCommandOptions>;

export const command = defineCommand({
  description: `Resolves every hostname at the name servers of its zone, at this machine's resolver and at public resolvers (${publicResolvers.join(", ")}), and makes a TLS connection to each address, repeatedly. The command shows how much traffic leads to the load balancer, counts failures, and ends when everything has moved without failures, or when a hostname has failed in every check for the time of --fail-after. Failures at the previous provider are counted and don't end the watch, because a rollback leads there. A hostname without an address at the start, and without a previous address in the plan (or in --previous, if it is the only hostname), is new: the watch waits for its address, and reports a failure if the address disappears again. A wildcard is watched by a name below it, if DNS has an address for it. A resolver that does not answer is skipped, and retried at growing intervals. A time in which the watch has no data (sleep, no network) is a gap and not a failure; a lost network is reported within 5 seconds, and ends the watch after the time of --blind-after. The command changes nothing.`,
  options: watchCommandOptions,
  json: "kind, time, startedAt, migrations, verdict, reason, stopped, blindSince?, seconds, attempts, failures, unconfirmed?, gaps, gapSeconds, gapPeriods, silentResolvers, share, movedAt?, findings, hostnames, notWatched, wildcards?, resolvers, previousAddresses, loadBalancerAddresses, everyMs",
  examples: {
    "cert-migration watch --spec migration.yaml --log watch.jsonl": "during 'terraform apply'",
    "cert-migration watch --hostname example.com --address 203.0.113.7 --until moved": "one hostname",
  },
  exitCodes: {
    3: "in a rehearsal: its cloud refused or did not answer",
    4: "a connection failed, or a hostname that is not new had no address",
    5: "no connection failed, but the watch ended before all traffic had moved without failures for the time of --for, or no server answered for the time of --blind-after",
  },
  run: async ({ options, json: format }, io) => {
    const { until } = options;
    const move = await readMove(options, io);
    const times = readTimes(options);
    const connections = await readConnections(options, io);
    const resolvers = readResolvers(options, connections.rehearsal, io);
    const { notWatched, ...subjects } = await placeWildcards(move, resolvers, options.wildcardLabel, io);
    const log = options.log === undefined ? undefined : openWatchLog(options.log, io);
    const progress = createWatchDisplay(io, { until, goodMs: times.goodMs, withinMs: times.withinMs });
    const { migrations } = move;
    // Only the command knows the plan and the shard.
    const ofCommand = { ...(migrations.length === 0 ? {} : { migrations }), ...shardIn(options, io) };
    const json = createWatchJson(migrations);
    const hooks = createWatchHooks(progress, log);
    try {
      const summary = await load.watch().watchTraffic({
        subjects,
        schedule: { ...times, until, concurrency: connections.concurrency },
        resolvers,
        shakeHands: (address, hostname) => connections.shakeHands(address, hostname),
        signal: io.signal,
        now: () => io.now().getTime(),
        sleep,
        observers: {
          ...hooks,
          onProgress: (seen, goodForMs) => {
            progress.measure(seen, goodForMs);
            hooks.onProgress(seen, goodForMs);
          },
          onLine: (line) => {
            json.take(line);
            progress.take(line);
            hooks.onLine(line.kind === "start" ? { ...line, ...ofCommand } : line);
          },
        },
      });
      progress.end();
      if (options.json) io.stdout.write(format(json.result(summary, notWatched)));
      else printTable(summary, io);
      printVerdict(summary, notWatched, io);
      return exitCodeOf(summary, until);
    } finally {
      progress.end();
      log?.close();
    }
  },
});

/** Returns the times of a watch in milliseconds. */
function readTimes(options: WatchCommandOptions) {
  const { every: everyMs, for: goodMs, within: withinMs, blindAfter: blindMs } = options;
  const asksOthers = options.dnsServer === undefined || options.resolver.length > 0;
  if (asksOthers) requireAtLeast(everyMs, "--every", leastEvery);
  return { everyMs, goodMs, withinMs, blindMs, ...readFailAfter(options) };
}

/**
 * Returns the time after which failures end a watch. `--until stopped` has no default, so that the watch also shows a
 * recovery.
 */
export function readFailAfter({ until, failAfter }: Pick<WatchCommandOptions, "until" | "failAfter">) {
  const byDefault = until === "stopped" ? undefined : duration().read(usualFailAfter, "--fail-after");
  return defined({ failedMs: failAfter ?? byDefault });
}

function exitCodeOf({ verdict }: WatchSummary, until: "good" | "moved" | "stopped"): ExitCode {
  if (verdict === "failures") return 4;
  return verdict === "good" || (verdict === "moved" && until !== "good") ? 0 : 5;
}

function printTable(summary: WatchSummary, io: Io): void {
  const found = new Set(summary.hostnames.flatMap(({ codes }) => Object.keys(codes)));
  const hasCodes = found.size > 0;
  const rows = summary.hostnames.map(({ hostname, wildcard, attempts, failures, codes, share, movedAt }) => {
    const counts = Object.entries(codes).map(([code, failed]) => `${code} ${failed}`);
    return [
      wildcard === undefined ? hostname : `${wildcard} as ${hostname}`,
      `${share.loadBalancer} of ${share.loadBalancer + share.previous + share.other + share.unknown}`,
      movedAt?.replace(/\.\d+Z$/, "Z") ?? "-",
      String(attempts),
      String(failures),
      ...(hasCodes ? [counts.join(", ")] : []),
    ];
  });
  const head = ["hostname", "moved", "since", "attempts", "failures", ...(hasCodes ? ["codes"] : [])];
  writeTable(head, rows, io);
  const known = new Map(Object.entries(load.watch().watchCodes));
  for (const code of found) {
    const explained = known.get(code);
    if (explained !== undefined) writeLine(`${code}: ${explained.meaning} - ${explained.remedy}`, io, "stdout");
  }
}

const states = {
  good: "done",
  moved: "done",
  failures: "failed",
  "not-moved": "waiting",
  blind: "unknown",
  unseen: "unknown",
} as const;

function printVerdict(summary: WatchSummary, notWatched: readonly string[], io: Io): void {
  const { verdict, reason, attempts, failures, unconfirmed = 0, gaps, gapSeconds, seconds } = summary;
  const doubt = unconfirmed === 0 ? "" : `, ${unconfirmed} not confirmed by the server`;
  const without = notWatched.length === 0 ? "" : `; without ${notWatched.join(", ")}`;
  const unseen = gaps === 0 ? "" : `; in ${countOf(gaps, "gap")} of ${gapSeconds} s together nothing could be seen`;
  const counts = `${countOf(attempts, "attempt")}, ${failures} failed${doubt}, in ${seconds} s`;
  const rest = `: ${reason}; ${counts}${unseen}${without}`;
  writeVerdict({ state: states[verdict], headline: verdict, rest }, io, "stderr");
}

function readResolvers(
  options: WatchCommandOptions,
  rehearsal: RehearsalRoute | undefined,
  { signal, now }: Io,
): readonly WatchResolver[] {
  const { authoritativeResolver, resolverAt } = load.watch();
  const { createDnsView, machineResolvers, readNameServer } = load.doctor();
  // Every resolver has its own views: queries to a dead resolver never delay the others.
  const view = () => createDnsView({ resolvers: [], signal });
  // One lost packet must not make a resolver look dead.
  const control = () => createDnsView({ resolvers: [], signal, timeoutMs: 1_000, attempts: 6 });
  const at = (name: string, address: Parameters<typeof resolverAt>[1]) => resolverAt(name, address, view(), control());
  const server = options.dnsServer ?? rehearsal?.nameServer;
  const usual = server === undefined ? ["system", ...publicResolvers] : [];
  const names = [...new Set(options.resolver.length > 0 ? options.resolver : usual)];
  const further = names.flatMap((name) => {
    if (name !== "system") return [at(name, readNameServer(name, "--resolver"))];
    const [first] = machineResolvers();
    return first === undefined ? [] : [at("system", first)];
  });
  if (server !== undefined) {
    return [at("authoritative", readNameServer(server, "--dns-server")), ...further];
  }
  const resolvers = [...machineResolvers(), ...publicResolvers.map((address) => ({ address, port: 53 }))];
  return [authoritativeResolver({ resolvers, signal, now: () => now().getTime() }), ...further];
}
