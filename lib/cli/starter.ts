import { rehearsalProcess } from "../gate-call";
import type { Io } from "./command";
import { ancestorOf, hasEnded, type ProcessReader, readProcess } from "./processes";
import { writeNote } from "./text";

/** Names of the programs that run gates. */
const starters = /^(?:terraform|tofu|opentofu)/i;
const rehearsalName = "the rehearsal";
/** Interval of the check, in milliseconds: the longest time for which a gate outlives the process that started it. */
const intervalMs = 2_000;

interface Watching {
  readonly pid: number;
  readonly read: ProcessReader;
  /** Calls a function repeatedly. @returns a function that ends the calls */
  readonly repeat: (work: () => void) => () => void;
}

const usual: Watching = {
  pid: process.pid,
  read: readProcess,
  repeat: (work) => {
    const timer = setInterval(work, intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/**
 * Runs the work of a gate, and stops it when the Terraform that started the gate no longer exists: nothing reads the
 * result any more, and Terraform would start the gate again. In a rehearsal, the work also stops when the process of
 * the rehearsal no longer exists, because Terraform itself ends only when it next writes a line. A command that was not
 * started by Terraform runs to its end.
 *
 * @param work receives an `Io` whose signal is also aborted when Terraform or the rehearsal is gone
 */
export async function whileStarterRuns<Result>(
  io: Io,
  work: (io: Io) => Promise<Result>,
  { pid, read, repeat }: Watching = usual,
): Promise<Result> {
  // A system without a list of processes shows no process, not even this one.
  if (read(pid) === undefined) return work(io);
  const gone = new AbortController();
  const stop = (name: string) => {
    if (gone.signal.aborted) return;
    writeNote("gate-stopped", `${name}, which started this gate, no longer exists: the gate stops`, io);
    gone.abort(new Error(`${name} no longer exists`));
  };
  const starter = ancestorOf(pid, starters, read);
  const rehearsalPid = Number(io.env[rehearsalProcess] || Number.NaN);
  const rehearsal = Number.isNaN(rehearsalPid) ? undefined : read(rehearsalPid);
  if (rehearsal === undefined && !Number.isNaN(rehearsalPid)) stop(rehearsalName);
  const end = repeat(() => {
    if (starter !== undefined && hasEnded(starter, read)) stop(starter.name);
    if (rehearsal !== undefined && hasEnded(rehearsal, read)) stop(rehearsalName);
  });
  try {
    return await work({ ...io, signal: AbortSignal.any([io.signal, gone.signal]) });
  } finally {
    end();
  }
}
