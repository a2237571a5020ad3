import type { FreezeEvidence, FreezeReport } from "../../../audit";
import { InputError } from "../../../errors";
import { quote } from "../../../text/quote";
import type { Io } from "../../command";
import { type OptionValues, value } from "../../declare";
import { wordsFor } from "../../duration";
import { readTextFile } from "../../files";
import * as load from "../../load";
import { duration } from "../../value-types";
import { type AuditConnectionOptions, connect, wordsOf } from "./connection";

export const freezeOptions = {
  "--freeze <file>": "YAML or JSON file with start, end and optionally watch, allow, control and hostnames",
  "--lag <time>": value(duration(), "maximum delay of events in the log", "10m"),
} as const;

type FreezeOptions = OptionValues<typeof freezeOptions> & AuditConnectionOptions & { readonly signOff?: boolean };

/** States of the verdicts on a freeze. */
export const freezeStates = { "clear-as-of": "done", violations: "failed", unknown: "unknown" } as const;

/** Default time limit of a listing of the log, including retries. */
export const defaultListing = "30s";

/** Time limit of a listing. */
export const listingTime = duration({ least: "1s" });

export interface FreezeGuard {
  /** Compares the freeze with the current log. */
  readonly ask: () => Promise<FreezeReport>;
  /**
   * Returns the report for a failed `ask`.
   *
   * @param why reason, in one line
   */
  readonly unknown: (why: string) => FreezeReport;
}

/** Reads everything that the guard needs, and sends no request yet: mistakes are reported before any other work. */
export async function readGuard(
  options: FreezeOptions,
  io: Io,
  timeoutMs = listingTime.read(defaultListing, "--timeout"),
): Promise<FreezeGuard> {
  const { evaluateFreeze, gatherEvidence } = load.audit();
  const freeze = await readFreezeFile(options.freeze, io);
  const lagSeconds = options.lag / 1_000;
  const limit = new TimeLimit(timeoutMs, `the service did not list the whole log within ${wordsFor(timeoutMs)}`);
  const { signal } = limit;
  const ofBoth = AbortSignal.any([io.signal, signal]);
  const nothing = { complete: false, activities: [], unreadable: [], warnings: [] };
  /** Returns undefined if the time is over before the end of the work. */
  const inTime = async <Result>(work: () => Promise<Result>) => {
    try {
      return await limit.during(work);
    } catch (error) {
      if (!signal.aborted || io.signal.aborted) throw error;
      return undefined;
    }
  };
  // Finding the credentials may need an answer of the network, for example of the metadata server.
  const source = await inTime(() => connect(options, { ...io, signal: ofBoth }));
  const gather = async (): Promise<FreezeEvidence> => {
    const evidence = await inTime(async () => {
      const now = await source?.time();
      if (source === undefined || now === undefined) return undefined;
      return gatherEvidence(source, freeze, { now: () => now, signal: io.signal, limit: signal });
    });
    return evidence ?? { ...nothing, listedAt: io.now(), failure: limit.message };
  };
  const judge = (evidence: FreezeEvidence) =>
    evaluateFreeze(freeze, evidence, { lagSeconds, signOff: options.signOff === true, ...wordsOf(options) });
  return {
    ask: async () => judge(await gather()),
    unknown: (failure) => judge({ ...nothing, listedAt: io.now(), failure }),
  };
}

/** Limits the time of several pieces of work together. The time between them does not count. */
class TimeLimit {
  readonly #late = new AbortController();
  readonly message: string;
  #leftMs: number;

  constructor(milliseconds: number, message: string) {
    this.#leftMs = milliseconds;
    this.message = message;
  }

  /** Aborts when the time is over, with an error that has the message. */
  get signal(): AbortSignal {
    return this.#late.signal;
  }

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const beganMs = performance.now();
    const timer = setTimeout(() => this.#late.abort(new Error(this.message)), this.#leftMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - beganMs));
    }
  }
}

const mostProblems = 10;

/** Reads a freeze. */
async function readFreezeFile(path: string | undefined, io: Io) {
  if (path === undefined)
    throw new InputError("freeze-missing", "the change freeze is missing; add --freeze with a file");
  const { parseDocument } = load.yaml();
  const { readFreeze } = load.audit();
  const document = parseDocument(await readTextFile(path, "--freeze", io), { prettyErrors: true });
  const malformed = (reasons: readonly string[]) =>
    new InputError(
      reasons.map((reason) => ({ code: "freeze-malformed", message: `--freeze ${quote(path)} is no YAML: ${reason}` })),
    );
  if (document.errors.length > 0) {
    // The parser reports the same position for each unclosed bracket, so duplicates are removed below.
    const messages = document.errors.map(({ message }) => message.split("\n")[0]?.replace(/:$/, "") ?? "");
    if (messages.some((message) => message.includes("call stack")))
      throw malformed(["it is nested too deep; a freeze has 3 levels"]);
    throw malformed([...new Set(messages)].slice(0, mostProblems));
  }
  try {
    return readFreeze(document.toJS({ maxAliasCount: 0 }));
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw malformed(["it has an alias, and none is followed; write the values out"]);
  }
}
