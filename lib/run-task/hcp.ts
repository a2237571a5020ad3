import { setTimeout as wait } from "node:timers/promises";
import { InputError, ServiceError } from "../errors";
import { createHttpClient, environmentFetch, type HttpClientOptions } from "../http";
import { quote } from "../text/quote";
import type { TaskOutcome } from "./outcomes";
import type { TaskRequest } from "./request";

/** Status of a task's result. */
type TaskStatus = "running" | "passed" | "failed";

/** Reads the plan of a task, and reports its result. */
export interface Hcp {
  /** Returns the JSON of the plan. @throws ServiceError if HCP Terraform refuses or does not answer in time */
  plan(task: TaskRequest, signal: AbortSignal): Promise<string>;
  /** Reports a status. @throws ServiceError */
  report(
    task: TaskRequest,
    status: TaskStatus,
    message: string,
    outcomes: readonly TaskOutcome[],
    signal: AbortSignal,
  ): Promise<void>;
}

/** Maximum size of a plan in bytes; the same as of `check-plan`. */
const mostPlanBytes = 400 * 1024 * 1024;
const redirects = [301, 302, 303, 307, 308];
/** The plan's address redirects once, to the storage of HCP Terraform. */
const mostRedirects = 3;
/** Pause in milliseconds before the next request for a plan whose JSON does not exist yet. */
const planPauseMs = 5_000;

/**
 * Creates the client. The token of a task goes to the address of the plan and of the callback, and never to the target
 * of a redirect.
 *
 * @param deadlineMs timeout of a request with its repetitions, in milliseconds
 */
export function createHcp(deadlineMs: number, options: Pick<HttpClientOptions, "now" | "sleep" | "random"> = {}): Hcp {
  const fetchOnce = environmentFetch();
  const client = createHttpClient({
    ...options,
    fetch: (url, init) => fetchOnce(url, { ...init, redirect: "manual" }),
    limits: { deadlineMs, timeoutMs: 120_000, maxBodyBytes: mostPlanBytes },
    retry: { maxAttempts: 50 },
  });
  const get = async (task: TaskRequest, signal: AbortSignal) => {
    let url = task.planUrl ?? "";
    for (let step = 0; ; step += 1) {
      const headers: Readonly<Record<string, string>> = step === 0 ? { authorization: `Bearer ${task.token}` } : {};
      const purpose = "reading the plan of the run";
      const answer = await client.send({ method: "GET", url, headers, purpose, accept: redirects, signal });
      if (!redirects.includes(answer.status)) return answer;
      url = redirectTarget(url, answer.headers.get("location"), step);
    }
  };
  return {
    plan: async (task, signal) => {
      for (;;) {
        const { status, text } = await get(task, signal);
        // 204: the run has planned, and the JSON of its plan is not written yet.
        if (status !== 204) return text;
        await (options.sleep ?? pause)(planPauseMs, signal);
      }
    },
    report: async (task, status, message, outcomes, signal) => {
      await client.send({
        method: "PATCH",
        url: task.callbackUrl,
        headers: { authorization: `Bearer ${task.token}`, "content-type": "application/vnd.api+json" },
        body: JSON.stringify({
          data: {
            type: "task-results",
            attributes: { status, message },
            ...(outcomes.length === 0 ? {} : { relationships: { outcomes: { data: outcomes } } }),
          },
        }),
        purpose: "reporting the result of the task",
        retries: { repeatable: true },
        signal,
      });
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal });
}

function redirectTarget(from: string, location: string | undefined, step: number): string {
  const target = location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined;
  const refuse = (why: string) =>
    new ServiceError(`reading the plan of the run: the answer is a redirect ${why}`, {
      code: "service-refused",
      retryable: false,
    });
  if (target === undefined) throw refuse("without a target");
  if (step >= mostRedirects) throw refuse("after three redirects");
  if (target.protocol !== new URL(from).protocol)
    throw refuse(`from ${new URL(from).protocol} to ${quote(target.protocol)}`);
  return target.href;
}

/** Returns the message of an error for the result of a task; undefined for an error of this program. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof ServiceError || error instanceof InputError ? error.message : undefined;
}
