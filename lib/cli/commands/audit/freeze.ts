import type { FreezeEvidence, FreezeReport } from "../../../audit";
import { InputError } from "../../../errors";
import { quote } from "../../../text/quote";
import type { Command, Invocation, Io } from "../../command";
import { readDuration, wordsFor } from "../../duration";
import { readTextFile } from "../../files";
import { connect, wordsOf } from "./connection";

/** What a change freeze is, for every command that holds one against the log. */
export const freezeOptions: NonNullable<Command["options"]> = [
  {
    flags: "--freeze <file>",
    description: "YAML or JSON with start, end and, where wanted, watch, allow, control and hostnames",
  },
  { flags: "--lag <time>", description: "how long the log may take to be whole", default: "10m" },
];

/** How long a listing of the log may take, retries included, where the command does not say. */
export const defaultListing = "30s";

/**
 * Checks the freeze of `--freeze` against the administrators' log.
 *
 * @param timeout how long the listing may take, as `--timeout` has it: what is not known by then is unknown
 * @throws InputError for a freeze that can't be used, or a token that is missing
 */
export async function guardFreeze(options: Invocation["options"], timeout: string, io: Io): Promise<FreezeReport> {
  const { ask } = await readGuard(options, io, timeout);
  return ask();
}

/** Holds a freeze against the log. */
export interface FreezeGuard {
  /** @throws InputError for a token that can't be read any more; whatever aborted the signal */
  readonly ask: () => Promise<FreezeReport>;
  /** What is to be said of the freeze where `ask` came to nothing. @param why one line */
  readonly unknown: (why: string) => FreezeReport;
}

/**
 * Reads all that the guard needs, and asks nobody yet: what is wrong with it is known before anything else is done.
 *
 * @throws InputError for a freeze that can't be used, or a token that is missing
 */
export async function readGuard(
  options: Invocation["options"],
  io: Io,
  timeout = defaultListing,
): Promise<FreezeGuard> {
  const { evaluateFreeze, gatherEvidence } = require("../../../audit") as typeof import("../../../audit");
  const freeze = await readFreezeFile(options.freeze as string | undefined, io);
  const lagSeconds = readDuration(options.lag as string, "--lag") / 1_000;
  const timeoutMs = readDuration(timeout, "--timeout", { least: "1s" });
  const late = new AbortController();
  const source = await connect(options, { ...io, signal: AbortSignal.any([io.signal, late.signal]) });
  const gather = async () => {
    const failure = `the service did not list the whole log within ${wordsFor(timeoutMs)}`;
    const timer = setTimeout(() => late.abort(new Error(failure)), timeoutMs);
    try {
      const now = await source.time();
      return await gatherEvidence(source, freeze, { now: () => now, signal: io.signal, limit: late.signal });
    } finally {
      clearTimeout(timer);
    }
  };
  const judge = (evidence: FreezeEvidence) =>
    evaluateFreeze(freeze, evidence, { lagSeconds, signOff: options.signOff === true, ...wordsOf(options) });
  return {
    ask: async () => judge(await gather()),
    unknown: (failure) =>
      judge({ listedAt: io.now(), complete: false, failure, activities: [], unreadable: [], warnings: [] }),
  };
}

/** Syntax errors that are told at once. */
const mostProblems = 10;

/**
 * Reads a freeze.
 *
 * @throws InputError with everything that is wrong with it
 */
async function readFreezeFile(path: string | undefined, io: Io) {
  if (path === undefined)
    throw new InputError("freeze-missing", "there is no freeze to guard; give --freeze with a file");
  const { parseDocument } = require("yaml") as typeof import("yaml");
  const { readFreeze } = require("../../../audit") as typeof import("../../../audit");
  const document = parseDocument(await readTextFile(path, "--freeze", io), { prettyErrors: true });
  const malformed = (reasons: readonly string[]) =>
    new InputError(
      reasons.map((reason) => ({ code: "freeze-malformed", message: `--freeze ${quote(path)} is no YAML: ${reason}` })),
    );
  if (document.errors.length > 0) {
    // Of brackets that are not closed, each one is told at the same place.
    const told = document.errors.map(({ message }) => message.split("\n")[0]?.replace(/:$/, "") ?? "");
    if (told.some((one) => one.includes("call stack")))
      throw malformed(["it is nested too deep; a freeze has 3 levels"]);
    throw malformed([...new Set(told)].slice(0, mostProblems));
  }
  try {
    return readFreeze(document.toJS({ maxAliasCount: 0 }));
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw malformed(["it has an alias, and none is followed; write the values out"]);
  }
}
