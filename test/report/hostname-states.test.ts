import { type StepState, stepNames } from "../../lib/live/status";
import type { ReportData } from "../../lib/report";
import { hostnameStatesOf } from "../../lib/report/hostname-states";
import type { VerifiedPair } from "../../lib/report/model";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute));

function status(minute: number, hostname: string, ...states: readonly StepState[]) {
  const steps = stepNames.map((name, index) => ({ step: index + 1, name, state: states[index] ?? "done" }) as const);
  return { source: "s.json", time: at(minute), hostnames: [{ migration: "prod/shop", hostname, steps }] };
}

function verified(minute: number, hostname: string, ...codes: readonly (string | undefined)[]) {
  const results = codes.map((code, index) => {
    const pair = { hostname, address: `203.0.113.${index + 1}`, ok: code === undefined };
    return code === undefined ? pair : { ...pair, failure: { code, remedy: `fix ${code}` } };
  });
  return { source: "v.json", time: at(minute), results };
}

function watched(
  minute: number,
  hostname: string,
  share: Partial<Record<"previous" | "loadBalancer" | "other" | "unknown", number>>,
) {
  const counted = {
    hostname,
    attempts: 10,
    failures: 0,
    codes: [],
    share: { previous: 0, loadBalancer: 0, other: 0, unknown: 0, ...share },
  };
  return {
    source: "w.jsonl",
    from: at(0),
    until: at(minute),
    resolvers: ["one", "two"],
    buckets: [],
    bucketMs: 1_000,
    gaps: [],
    gapCount: 0,
    blind: { count: 0, milliseconds: 0 },
    hostnames: [counted],
    attempts: 10,
    failures: 0,
  };
}

/** Returns the states of the only hostname and its current step. */
function hostnameState(data: Omit<ReportData, "title" | "generatedAt">) {
  const [only] = hostnameStatesOf({ title: "t", generatedAt: at(60), ...data });
  return { states: only?.steps.map(({ state }) => state).join(" "), current: only?.current };
}

const before7 = "done done done done done done";

test("uses the latest of several statuses for a hostname, in whatever order they are given", () => {
  const statuses = [status(5, "example.com"), status(1, "example.com", "todo"), status(3, "example.com", "failed")];
  expect(hostnameState({ statuses })).toEqual({ states: `${before7} done done`, current: undefined });
});

test("lists the same hostname in two migrations twice", () => {
  const one = status(1, "example.com");
  const other = { ...one, hostnames: one.hostnames.map((hostname) => ({ ...hostname, migration: "prod/pay" })) };
  const migrations = hostnameStatesOf({ title: "t", generatedAt: at(60), statuses: [one, other] }).map(
    ({ migration }) => migration,
  );
  expect(migrations).toEqual(["prod/shop", "prod/pay"]);
});

describe("the seventh step", () => {
  const unknown = status(5, "example.com", "done", "done", "done", "done", "done", "done", "unknown", "done");

  test("is done if every address serves the hostname", () => {
    expect(
      hostnameState({ statuses: [unknown], verifications: [verified(6, "example.com", undefined, undefined)] }).states,
    ).toBe(`${before7} done done`);
  });

  test("has failed if one address does not, with the code, the address and the remedy", () => {
    const verifications = [verified(6, "example.com", undefined, "name-mismatch", "timeout")];
    expect(hostnameState({ statuses: [unknown], verifications }).current).toEqual({
      step: 7,
      name: "served and verified",
      state: "failed",
      code: "name-mismatch",
      reason: "name-mismatch at 203.0.113.2, and at 1 more address",
      next: "fix name-mismatch",
    });
  });

  test("has failed once at one address for several types of clients", () => {
    const [failed] = verified(6, "example.com", "timeout").results;
    const results = ["ecdsa", "rsa"].map((client) => ({ ...failed, client })) as readonly VerifiedPair[];
    const verifications = [{ source: "v.json", time: at(6), results }];
    expect(hostnameState({ statuses: [unknown], verifications }).current?.reason).toBe("timeout at 203.0.113.1");
  });

  test("depends on the latest verify at each address", () => {
    const verifications = [verified(9, "example.com", undefined), verified(6, "example.com", "timeout")];
    expect(hostnameState({ statuses: [unknown], verifications }).states).toBe(`${before7} done done`);
  });

  test("is what a newer status contains", () => {
    const failed = status(9, "example.com", "done", "done", "done", "done", "done", "done", "failed", "done");
    expect(hostnameState({ statuses: [failed], verifications: [verified(6, "example.com", undefined)] }).states).toBe(
      `${before7} failed done`,
    );
  });

  test("stays not needed in that case", () => {
    const needless = status(1, "example.com", "done", "done", "done", "done", "done", "done", "none", "done");
    expect(hostnameState({ statuses: [needless], verifications: [verified(6, "example.com", "timeout")] }).states).toBe(
      `${before7} none done`,
    );
  });
});

describe("the eighth step", () => {
  const todo = status(5, "example.com", "done", "done", "done", "done", "done", "done", "done", "todo");

  test.each([
    [{ loadBalancer: 2 }, "done", undefined],
    [{ loadBalancer: 1, previous: 1 }, "waiting", "1 of 2 resolvers lead to the load balancer"],
    [{ loadBalancer: 1, unknown: 1 }, "waiting", "1 of 2 resolvers lead to the load balancer"],
    [{ previous: 2 }, "todo", "0 of 2 resolvers lead to the load balancer"],
    [{ other: 2 }, "todo", "0 of 2 resolvers lead to the load balancer"],
  ])("is %j by a later watch: %s", (share, state, reason) => {
    const { states, current } = hostnameState({ statuses: [todo], watches: [watched(9, "example.com", share)] });
    expect(states).toBe(`${before7} done ${state}`);
    expect(current?.reason).toBe(reason);
  });

  test("combines watches on several machines at the same time, and otherwise uses the latest", () => {
    const reasonOf = (...watches: readonly ReturnType<typeof watched>[]) =>
      hostnameState({ statuses: [todo], watches }).current?.reason;
    const beside = watched(18, "example.com", { previous: 2 });
    const latest = watched(19, "example.com", { loadBalancer: 2 });
    expect(reasonOf(beside, latest)).toBe("2 of 4 resolvers lead to the load balancer");
    expect(reasonOf(latest, beside)).toBe("2 of 4 resolvers lead to the load balancer");
    expect(reasonOf(beside, { ...latest, from: new Date(at(18).getTime() + 1) })).toBeUndefined();
    expect(reasonOf(watched(8, "example.com", { previous: 2 }), latest)).toBeUndefined();
  });

  test("is that of the status if the watch is older, or observed nothing", () => {
    const done = status(5, "example.com");
    expect(hostnameState({ statuses: [done], watches: [watched(4, "example.com", { previous: 2 })] }).states).toBe(
      `${before7} done done`,
    );
    expect(hostnameState({ statuses: [done], watches: [watched(9, "example.com", { unknown: 2 })] }).states).toBe(
      `${before7} done done`,
    );
  });
});

test("lists hostnames without a status after the others, with what is known", () => {
  const hostnameStates = hostnameStatesOf({
    title: "t",
    generatedAt: at(60),
    statuses: [status(1, "example.com")],
    verifications: [verified(2, "verified.example.com", undefined)],
    watches: [watched(2, "watched.example.com", { loadBalancer: 2 })],
  });
  expect(hostnameStates.map(({ hostname, steps }) => [hostname, steps[6]?.state, steps[7]?.state])).toEqual([
    ["example.com", "done", "done"],
    ["verified.example.com", "done", "unknown"],
    ["watched.example.com", "unknown", "done"],
  ]);
});
