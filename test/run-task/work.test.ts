import { ServiceError } from "../../lib/errors";
import { type Hcp, type TaskRequest, workOn } from "../../lib/run-task";

const task: TaskRequest = {
  stage: "post_plan",
  id: "taskrs-1",
  token: "t",
  planUrl: "https://app.terraform.io/plan",
  callbackUrl: "https://app.terraform.io/result",
  workspace: "w",
  run: "run-1",
};
const passed = { command: "check-plan", version: "0", ok: true, summary: "fine", checks: [], findings: [], tables: [] };

/** Works on a task with a clock that the test moves. */
function startWork(hcp: Partial<Hcp>, check = async () => passed) {
  const reports: string[] = [];
  const said: string[] = [];
  const ticks: (() => void)[] = [];
  const timeouts: AbortController[] = [];
  const result = workOn(task, {
    hcp: {
      plan: async () => "{}",
      report: async (_, status, message) => void reports.push(`${status}: ${message}`),
      ...hcp,
    },
    check,
    every: (ms, tick) => {
      ticks.push(tick);
      said.push(`every ${ms} ms`);
      return () => void ticks.splice(0);
    },
    timeout: (ms) => {
      const timeout = new AbortController();
      timeouts.push(timeout);
      said.push(`timeout ${ms} ms`);
      return timeout.signal;
    },
    say: (message) => said.push(message),
  });
  return {
    result,
    reports,
    said,
    minute: () => {
      for (const tick of [...ticks]) tick();
    },
    end: () => timeouts[0]?.abort(),
    ticks,
  };
}

test("reports that it is running once a minute until the result", async () => {
  let answer: (plan: string) => void = () => undefined;
  const work = startWork({
    plan: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  work.minute();
  work.minute();
  answer("{}");
  expect(await work.result).toBe("passed");
  expect(work.reports).toEqual([...Array(3).fill("running: checking the plan"), "passed: fine"]);
  expect([work.said.includes("every 60000 ms"), work.ticks]).toEqual([true, []]);
});

test("fails the task after 9 minutes, so that the report arrives within 10", async () => {
  const work = startWork({
    plan: (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  });
  work.end();
  expect(await work.result).toBe("failed");
  expect(work.reports.at(-1)).toBe("failed: the plan could not be read and checked within 9 minutes");
  expect(work.said.slice(0, 2)).toEqual(["timeout 540000 ms", "every 60000 ms"]);
});

test("fails the task if the check has a mistake of its own", async () => {
  const work = startWork({}, async () => {
    throw new TypeError("x is undefined");
  });
  expect(await work.result).toBe("failed");
  expect(work.reports.at(-1)).toBe("failed: cert-migration made a mistake of its own; its log has the details");
  expect(work.said.join("\n")).toContain("x is undefined");
});

test("an update that is refused does not end the work", async () => {
  const refused = new ServiceError("HTTP 503", { code: "service-refused", retryable: false });
  const reports: string[] = [];
  const work = startWork({
    report: async (_, status) => {
      if (status === "running") throw refused;
      reports.push(status);
    },
  });
  expect(await work.result).toBe("passed");
  expect(reports).toEqual(["passed"]);
});
