import type { WatchOptions, WatchResolver, WatchSummary } from "../../live/watch";
import { countOf } from "../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { connectionOptions, readConnections } from "../connections";
import { readDuration, sleep } from "../duration";
import { createProgress } from "../progress";
import { sourceOptions } from "../source";
import { subjectOptions } from "../subjects";
import { formatTable, jsonDocument, safe } from "../text";
import type { RehearsalRoute } from "./rehearse/route";
import { createWatchHooks, createWatchJson, openWatchLog, type WatchJson } from "./watch-output";
import { placeWildcards, readLabel, readMove } from "./watch-subjects";

/** Public resolvers of Google and Cloudflare, which many clients use. */
const publicResolvers = ["8.8.8.8", "1.1.1.1"] as const;

/** Minimum interval between two checks: each check sends a query for every hostname to the public resolvers. */
const leastEvery = "1s";
/**
 * Minimum interval if only the server of `--dns-server` receives queries, as in a rehearsal, whose clock runs faster.
 */
const leastEveryOwn = "100ms";

/**
 * Default time until failures end a watch: a dozen checks at the default interval. A server restart takes less time,
 * and visitors do not tolerate a longer failure.
 */
const usualFailAfter = "2m";

export const watchCommand: CommandDetails = {
  description: `Resolves every hostname at the name servers of its zone, at this machine's resolver and at public resolvers (${publicResolvers.join(", ")}), and makes a TLS connection to each address, repeatedly. The command shows how much traffic leads to the load balancer, counts failures, and ends when everything has moved without failures, or when a hostname has failed in every check for the time of --fail-after. Failures at the previous provider are counted and don't end the watch, because a rollback leads there. A hostname without an address at the start, and without a previous address in the plan (or in --old, if it is the only hostname), is new: the watch waits for its address, and reports a failure if the address disappears again. A wildcard is watched by a name below it, if DNS has an address for it. A resolver that does not answer is skipped, and retried at growing intervals. A time in which the watch has no data (sleep, no network) is a gap and not a failure; a lost network is reported within 5 seconds, and ends the watch after the time of --blind-after. The command changes nothing.`,
  options: [
    ...sourceOptions,
    ...subjectOptions,
    {
      flags: "--old <ip>",
      description: "an address of the previous provider; default: every address that is not the load balancer's",
      repeatable: true,
    },
    {
      flags: "--resolver <server>",
      description: "a resolver to query in place of the default resolvers: an address, HOST:PORT, or 'system'",
      repeatable: true,
    },
    {
      flags: "--wildcard-label <label>",
      description: "the name to watch below each wildcard; by default, an unused name",
    },
    { flags: "--dns-server <host:port>", description: "DNS server to query instead of the zones' name servers" },
    ...connectionOptions,
    {
      flags: "--every <time>",
      description: `interval between checks of all hostnames; at least ${leastEvery}, or ${leastEveryOwn} if only --dns-server is used`,
      default: "10s",
    },
    {
      flags: "--until <what>",
      description: "when to end: good for the time of --for after the move, moved, or only when interrupted",
      choices: ["good", "moved", "stopped"],
      default: "good",
    },
    { flags: "--for <time>", description: "time for which every check must succeed after the move", default: "10m" },
    {
      flags: "--fail-after <time>",
      description: `end with exit code 4 when a hostname has failed in every check for this time, with any resolver, except at the previous provider: then roll traffic back; 0s for the first failure (default: ${usualFailAfter}; unlimited with '--until stopped')`,
    },
    {
      flags: "--blind-after <time>",
      description:
        "end with exit code 5 after no server, including every resolver, has answered for this time; sleep of the machine does not count",
      default: "15m",
    },
    { flags: "--within <time>", description: "maximum duration of the watch", default: "24h" },
    { flags: "--log <file>", description: "write each check as a line of JSON to this new file" },
    { flags: "--json", description: "print the summary as JSON" },
  ],
  examples: [
    { command: "cert-migration watch --spec migration.yaml --log watch.jsonl", what: "during 'terraform apply'" },
    {
      command: "cert-migration watch --hostname example.com --address 203.0.113.7 --until moved",
      what: "one hostname",
    },
  ],
  exitCodes: {
    4: "a connection failed, or a hostname that is not new had no address",
    5: "no connection failed, but the watch ended before all traffic had moved and stayed good, or no server answered for the time of --blind-after",
  },
  run: runWatch,
};

async function runWatch(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { options } = invocation;
  const { watchTraffic } = require("../../live/watch") as typeof import("../../live/watch");
  const move = await readMove(invocation, io);
  const label = readLabel(options.wildcardLabel as string | undefined);
  const asksOthers = options.dnsServer === undefined || (options.resolver as readonly string[]).length > 0;
  const times = {
    everyMs: readDuration(options.every as string, "--every", { least: asksOthers ? leastEvery : leastEveryOwn }),
    goodMs: readDuration(options.for as string, "--for"),
    withinMs: readDuration(options.within as string, "--within"),
    blindMs: readDuration(options.blindAfter as string, "--blind-after", { least: "1s" }),
    ...readFailAfter(options),
  };
  const until = options.until as "good" | "moved" | "stopped";
  const connections = await readConnections(invocation, io);
  const resolvers = readResolvers(options, connections.rehearsal, io);
  const { notWatched, ...subjects } = await placeWildcards(move, resolvers, label, io);
  const log = typeof options.log === "string" ? openWatchLog(options.log, io) : undefined;
  const progress = createProgress(io, {
    noun: ["answer leads to the load balancer", "answers lead to the load balancer"],
  });
  const { migrations } = move;
  const json = createWatchJson(migrations);
  const hooks = createWatchHooks(progress, log);
  try {
    const summary = await watchTraffic({
      ...subjects,
      ...times,
      until,
      resolvers,
      shakeHands: (address, hostname) => connections.shakeHands(address, hostname),
      concurrency: connections.concurrency,
      signal: io.signal,
      now: () => io.now().getTime(),
      sleep,
      ...hooks,
      onLine: (line) => {
        json.take(line);
        // Only the command knows the plan.
        hooks.onLine(line.kind === "start" && migrations.length > 0 ? { ...line, migrations } : line);
      },
    });
    progress.end();
    printSummary(summary, notWatched, options.json === true ? json.result(summary, notWatched) : undefined, io);
    return exitCodeOf(summary, until);
  } finally {
    progress.end();
    log?.close();
  }
}

/**
 * Returns the time after which failures end a watch. `--until stopped` has no default, so that the watch also shows a
 * recovery.
 */
export function readFailAfter({ until, failAfter }: Invocation["options"]): Pick<WatchOptions, "failedMs"> {
  const time = (failAfter as string | undefined) ?? (until === "stopped" ? undefined : usualFailAfter);
  return time === undefined ? {} : { failedMs: readDuration(time, "--fail-after") };
}

function exitCodeOf({ verdict }: WatchSummary, until: "good" | "moved" | "stopped"): ExitCode {
  if (verdict === "failures") return 4;
  return verdict === "good" || (verdict === "moved" && until !== "good") ? 0 : 5;
}

function printSummary(summary: WatchSummary, notWatched: readonly string[], json: WatchJson | undefined, io: Io): void {
  if (json !== undefined) {
    io.stdout.write(jsonDocument(json));
  } else {
    const { watchCodes } = require("../../live/watch") as typeof import("../../live/watch");
    const rows = summary.hostnames.map(({ hostname, wildcard, attempts, failures, codes, share, movedAt }) => [
      wildcard === undefined ? hostname : `${wildcard} as ${hostname}`,
      `${share.new} of ${share.new + share.old + share.other + share.unknown}`,
      movedAt ?? "-",
      String(attempts),
      String(failures),
      Object.entries(codes)
        .map(([code, count]) => `${code} ${count}`)
        .join(", "),
    ]);
    const head = ["hostname", "moved", "since", "attempts", "failures", "codes"];
    io.stdout.write(formatTable(head, rows));
    for (const code of new Set(summary.hostnames.flatMap(({ codes }) => Object.keys(codes)))) {
      const known = (watchCodes as Readonly<Record<string, (typeof watchCodes)["timeout"]>>)[code];
      if (known !== undefined) io.stdout.write(`${code}: ${known.meaning} - ${known.remedy}\n`);
    }
  }
  const { verdict, reason, attempts, failures, unconfirmed = 0, gaps, gapSeconds, seconds } = summary;
  const doubt = unconfirmed === 0 ? "" : `, ${unconfirmed} not confirmed by the server`;
  const without = notWatched.length === 0 ? "" : `; without ${safe(notWatched.join(", "))}`;
  const unseen = gaps === 0 ? "" : `; in ${countOf(gaps, "gap")} of ${gapSeconds} s together nothing could be seen`;
  io.stderr.write(
    `${verdict}: ${safe(reason)}; ${countOf(attempts, "attempt")}, ${failures} failed${doubt}, in ${seconds} s${unseen}${without}\n`,
  );
}

function readResolvers(
  options: Invocation["options"],
  rehearsal: RehearsalRoute | undefined,
  { signal, now }: Io,
): readonly WatchResolver[] {
  const { authoritativeResolver, resolverAt } = require("../../live/watch") as typeof import("../../live/watch");
  const { createDnsView, machineResolvers, readNameServer } =
    require("../../live/doctor") as typeof import("../../live/doctor");
  // Every resolver has its own views: queries to a dead resolver never delay the others.
  const view = () => createDnsView({ resolvers: [], signal });
  // One lost packet must not make a resolver look dead.
  const control = () => createDnsView({ resolvers: [], signal, timeoutMs: 1_000, attempts: 6 });
  const at = (name: string, address: Parameters<typeof resolverAt>[1]) => resolverAt(name, address, view(), control());
  const server = (options.dnsServer as string | undefined) ?? rehearsal?.nameServer;
  const given = options.resolver as readonly string[];
  const usual = server === undefined ? ["system", ...publicResolvers] : [];
  const names = [...new Set(given.length > 0 ? given : usual)];
  const further = names.flatMap((name) => {
    if (name !== "system") return [at(name, readNameServer(name, "--resolver"))];
    const [own] = machineResolvers();
    return own === undefined ? [] : [at("system", own)];
  });
  if (server !== undefined) {
    return [at("authoritative", readNameServer(server, "--dns-server")), ...further];
  }
  const resolvers = [...machineResolvers(), ...publicResolvers.map((address) => ({ address, port: 53 }))];
  return [authoritativeResolver({ resolvers, signal, now: () => now().getTime() }), ...further];
}
