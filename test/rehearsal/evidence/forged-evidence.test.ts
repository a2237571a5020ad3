import { at, type Forgery, failedFor, type MadeEvidence, migrationOf, stateOf, thrownAway } from "./made-evidence";

describe("forged probes", () => {
  test.each<Forgery>([
    [
      "a failure that the verdict hides",
      (made) => made.keep({ probes: [{ ...made.probes[0], ok: false }, made.probes[1] ?? {}] }),
      ["failed handshakes", "probes by second"],
    ],
    ["a deleted probe", (made) => made.keep({ probes: made.probes.slice(1) }), ["probes", "probes by second"]],
    [
      "a hostname that was not probed in a step",
      (made) =>
        made.keep({
          probes: [made.probes[0] ?? {}, { ...made.probes[1], hostname: "b.example.com" }],
          answers: [
            ...made.answers,
            { time: at(4), name: "b.example.com", type: "A", answers: [{ data: "203.0.113.7", ttl: 60 }] },
          ],
          result: {
            ...made.result,
            steps: made.steps.map((step, index) => (index === 0 ? { ...step, until: at(2) } : step)),
          },
        }),
      ["hostnames probed in every step", "probes by second", "duration of each step", "certificate names"],
    ],
    [
      "deleted counts by second",
      (made) => made.keep({ result: { ...made.result, bySecond: [] } }),
      ["probes by second"],
    ],
    [
      "counts by second of a hostname without probes",
      (made) => {
        const bySecond = made.result.bySecond as readonly object[];
        const more = { hostname: "b.example.com", second: `${at(1).slice(0, 19)}Z`, probes: 1, failed: 0 };
        made.keep({ result: { ...made.result, bySecond: [...bySecond, more] } });
      },
      ["probes by second"],
    ],
    [
      "a step with probes of its own",
      (made) => made.keep({ result: { ...made.result, steps: withFirst(made, { probes: 7 }) } }),
      ["probes of each step"],
    ],
    [
      "a step with failures of its own",
      (made) => made.keep({ result: { ...made.result, steps: withFirst(made, { failedHandshakes: 5 }) } }),
      ["probes of each step"],
    ],
    [
      "a step with seconds of its own",
      (made) => made.keep({ result: { ...made.result, steps: withFirst(made, { seconds: 0.1 }) } }),
      ["duration of each step"],
    ],
  ])("fails for %s", async (_, keep, checks) => {
    expect(await failedFor(keep)).toEqual(checks);
  });
});

describe("forged steps of the rehearsal", () => {
  test.each<Forgery>([
    [
      "steps that were left out",
      (made) => made.keep({ result: { ...made.result, steps: made.steps.slice(0, 1) } }),
      ["steps and parts", "result"],
    ],
    ...["watch", "rotation", "rollback"].map(
      (name): Forgery => [
        `a ${name} that was not rehearsed`,
        (made) => made.keep({ result: { ...made.result, [name]: true } }),
        ["steps and parts"],
      ],
    ),
    [
      "a watch, a rotation and a rollback that were left out, and five steps",
      (made) => {
        const later = { ...migrationOf("a.example.com", "b.example.com"), phase: "serve" };
        made.keep({ lastState: stateOf("c", { ...later, entries: [], traffic: { to: "loadBalancer" } }) });
      },
      ["steps and parts"],
    ],
    [
      "a hostname without its probes",
      (made) =>
        made.keep({
          lastState: stateOf("c", { ...migrationOf("a.example.com", "*.b.example.com"), certificates: [] }),
        }),
      ["hostnames probed in every step"],
    ],
  ])("fails for %s", async (_, keep, checks) => {
    expect(await failedFor(keep)).toEqual(checks);
  });
});

describe("forged plans, states and logs of Terraform", () => {
  test.each<Forgery>([
    ["an apply without a plan after it", (made) => made.keep({ plan: undefined }), ["plans after each apply"]],
    ["an apply without a state after it", (made) => made.keep({ state: undefined }), ["states"]],
    ["a state with an unplanned resource", (made) => made.keep({ state: stateOf("other") }), ["states"]],
    [
      "deleted runs of Terraform",
      (made) => made.keep({ runs: "$ terraform plan -x\nexit code 2\n\n" }),
      ["Terraform runs"],
    ],
    ["an error after the last run", (made) => made.keep({ destroy: `${made.destroy}Error: x\n` }), ["Terraform runs"]],
    [
      "an error in a successful run",
      (made) => made.keep({ runs: made.runs.replace("exit code 0", "Error: x\nexit code 0") }),
      ["Terraform runs"],
    ],
    [
      "a forged failure of an apply, which hides that the plan after it is missing",
      (made) => made.keep({ plan: undefined, runs: made.runs.replace("exit code 0", "exit code 1") }),
      ["Terraform runs"],
    ],
    ["no destroy in the end", (made) => made.keep({ destroy: "" }), ["Terraform runs"]],
    [
      "a second plan with changes",
      (made) => made.keep({ plan: { resource_changes: [{ change: { actions: ["update"] } }] } }),
      ["plans after each apply"],
    ],
    [
      "a second plan that changes an output",
      (made) => made.keep({ plan: { output_changes: { url: { actions: ["update"] }, ip: { actions: ["no-op"] } } } }),
      ["plans after each apply"],
    ],
  ])("fails for %s", async (_, keep, checks) => {
    expect(await failedFor(keep)).toEqual(checks);
  });
});

describe("forged certificates, sides and addresses of probes", () => {
  test.each<Forgery>([
    [
      "a discarded probe while the prober ran",
      (made) => made.keep({ discarded: [{ ...thrownAway, ranMs: 6_000 }], result: { ...made.result, discarded: 1 } }),
      ["discarded probes"],
    ],
    [
      "a successful probe without a certificate",
      (made) => made.keep({ probes: made.probes.map(({ certificate: _, ...probe }) => probe) }),
      ["certificate names"],
    ],
    [
      "a probe that went to the other side",
      (made) => made.keep({ probes: made.probes.map((probe) => ({ ...probe, side: "loadBalancer" })) }),
      ["sides"],
    ],
    [
      "an address that DNS never returned",
      (made) => made.keep({ answers: made.answers.slice(0, 1) }),
      ["probed addresses"],
    ],
    [
      "a certificate without an issuer in the bundle",
      (made) => made.keep({ certificates: [] }),
      ["presented certificates", "certificate names"],
    ],
    ["a chain without a root", (made) => made.keep({ bundle: "" }), ["certificate chains"]],
  ])("fails for %s", async (_, keep, checks) => {
    expect(await failedFor(keep)).toEqual(checks);
  });
});

describe("forged requests and DNS answers", () => {
  test.each<Forgery>([
    [
      "deleted requests",
      (made) => made.keep({ requests: [], result: { ...made.result, lines: linesOf(made, 0) } }),
      ["requests", "requested certificates"],
    ],
    [
      "a deleted request",
      (made) => {
        const [first = {}, second] = made.requests;
        made.keep({ requests: [first, { ...second, number: 3 }] });
      },
      ["requests"],
    ],
    [
      "deleted DNS answers",
      (made) => made.keep({ result: { ...made.result, lines: { ...linesOf(made, 2), "answers.jsonl": 3 } } }),
      ["lines of each file"],
    ],
    [
      "a certificate that no request created",
      (made) => made.keep({ requests: made.requests.map((request) => renamed(request)) }),
      ["requested certificates"],
    ],
    [
      "removed deletions, with new numbers for the remaining requests",
      (made) => made.keep({ requests: made.requests.slice(0, 1) }),
      ["deletions"],
    ],
    [
      "a load balancer that was never deleted",
      (made) => {
        const insert = { number: 3, method: "compute.urlMaps.insert", status: 200, target: "/x", caller: "token …" };
        made.keep({ requests: [...made.requests, insert] });
      },
      ["deletions"],
    ],
    [
      "a recreated certificate that was deleted once",
      (made) => {
        const [create = {}, gone = {}] = made.requests;
        made.keep({ requests: [create, gone, { ...create, number: 3 }] });
      },
      ["deletions"],
    ],
  ])("fails for %s", async (_, keep, checks) => {
    expect(await failedFor(keep)).toEqual(checks);
  });
});

describe("forged verdicts", () => {
  test.each<Forgery>([
    [
      "a discarded probe that is missing from the verdict",
      (made) => made.keep({ discarded: [thrownAway] }),
      ["discarded probes"],
    ],
    ...["watch", "rotation", "rollback", "completed", "converged"].map(
      (name): Forgery => [
        `a verdict beside ${name} that failed`,
        (made) => made.keep({ result: { ...made.result, [name]: false } }),
        ["result"],
      ],
    ),
    [
      "a verdict that contradicts its steps",
      (made) => made.keep({ result: { ...made.result, destroyed: false } }),
      ["result"],
    ],
  ])("fails for %s", async (_, keep, checks) => {
    expect(await failedFor(keep)).toEqual(checks);
  });
});

/** Renames the certificate in its request; deletions stay unchanged. */
function renamed(request: object): object {
  return JSON.parse(
    JSON.stringify(request).replace("certificateId=c", "certificateId=c2").replace("certificates/c", "certificates/c2"),
  ) as object;
}

const linesOf = (made: MadeEvidence, requests: number) => ({
  "requests.jsonl": requests,
  "answers.jsonl": made.answers.length,
  "certificates.jsonl": made.certificates.length,
});

function withFirst({ steps }: MadeEvidence, change: object): readonly object[] {
  return steps.map((step, index) => (index === 0 ? { ...step, ...change } : step));
}
