import type { CommandResult } from "../results";
import { type Hcp, reasonOf } from "./hcp";
import { outcomesOf } from "./outcomes";
import type { TaskRequest } from "./request";

/** HCP Terraform waits 10 minutes for a result; the last minute is for the report. */
const mostMs = 9 * 60_000;
const updateEveryMs = 60_000;
/** Time for reports after the deadline, in milliseconds. */
const lastReportMs = 30_000;

export interface TaskWork {
  readonly hcp: Hcp;
  /** Checks the JSON of a plan. @throws InputError for a text that is not a plan */
  readonly check: (plan: string) => Promise<CommandResult>;
  /** Calls `tick` at this interval until the returned function is called. */
  readonly every: (ms: number, tick: () => void) => () => void;
  /** Returns a signal that is aborted after a time. */
  readonly timeout: (ms: number) => AbortSignal;
  /** Logs what happens, in one line. */
  readonly say: (message: string) => void;
}

/**
 * Works on a task: reads the plan, checks it, and reports the result. A plan that can't be read or checked fails the
 * task, because a run must not go on unchecked.
 *
 * @returns the status that was reported; undefined if HCP Terraform did not accept the report
 */
export async function workOn(task: TaskRequest, work: TaskWork): Promise<"passed" | "failed" | undefined> {
  const { hcp, say, every, timeout } = work;
  const signal = timeout(mostMs);
  const running = () => {
    hcp.report(task, "running", "checking the plan", [], signal).catch((error: unknown) => {
      say(`${task.id}: the update was not accepted: ${reasonOf(error) ?? String(error)}`);
    });
  };
  const stop = every(updateEveryMs, running);
  try {
    running();
    const { status, message, outcomes } = await judge(task, work, signal);
    stop();
    await hcp.report(task, status, message, outcomes, timeout(lastReportMs));
    say(`${task.id}: ${status}: ${message}`);
    return status;
  } catch (error) {
    say(`${task.id}: the result was not accepted: ${reasonOf(error) ?? String(error)}`);
    return undefined;
  } finally {
    stop();
  }
}

async function judge(task: TaskRequest, { hcp, check, say }: TaskWork, signal: AbortSignal) {
  const failed = (message: string) => ({ status: "failed" as const, message, outcomes: [] });
  if (task.planUrl === undefined) {
    return failed(
      `the stage ${task.stage} has no plan; run this task after the plan (post_plan) or before the apply (pre_apply)`,
    );
  }
  try {
    const result = await check(await hcp.plan(task, signal));
    return {
      status: result.ok ? ("passed" as const) : ("failed" as const),
      message: result.summary,
      outcomes: outcomesOf(result),
    };
  } catch (error) {
    if (signal.aborted) return failed("the plan could not be read and checked within 9 minutes");
    const reason = reasonOf(error);
    if (reason === undefined) say(`${task.id}: ${error instanceof Error ? error.stack : String(error)}`);
    return failed(reason ?? "cert-migration made a mistake of its own; its log has the details");
  }
}
