import { readFaultPlan } from "../../../lib/cloud";
import { InputError } from "../../../lib/errors";

it("a fault plan is accepted unchanged if it is valid", () => {
  const plan = {
    seed: 7,
    requestsPerMinute: 100,
    propagationMs: 60_000,
    requests: [
      { method: "certificatemanager.*", status: "UNAVAILABLE", probability: 0.1, times: 3, delayMs: 5, cut: false },
    ],
    operations: [{ method: "*", message: "no" }],
    dns: [
      {
        name: "_acme-challenge.*",
        type: "CNAME",
        rcode: "SERVFAIL",
        drop: true,
        truncate: true,
        delayMs: 1,
        rrdatas: [],
      },
    ],
    issuance: [{ domain: "*.example.com", failureReason: "CAA", details: "forbidden" }],
  };
  expect(readFaultPlan(plan)).toBe(plan);
  expect(readFaultPlan({})).toEqual({});
});

test.each<[what: string, plan: unknown, messages: readonly string[]]>([
  [
    "no object",
    [],
    [
      "faults: the JSON is not an object; write an object with seed, requestsPerMinute, propagationMs, requests, operations, dns, issuance, authorities, all optional",
    ],
  ],
  [
    "null",
    undefined,
    [
      "faults: the JSON is not an object; write an object with seed, requestsPerMinute, propagationMs, requests, operations, dns, issuance, authorities, all optional",
    ],
  ],
  [
    "unknown parts",
    { faults: [] },
    [
      "faults: 'faults' is unknown; there are seed, requestsPerMinute, propagationMs, requests, operations, dns, issuance, authorities",
    ],
  ],
  [
    "malformed numbers",
    { seed: "1", requestsPerMinute: -1, propagationMs: Number.NaN },
    [
      "faults: 'seed' must be a number from 0",
      "faults: 'requestsPerMinute' must be a number from 0",
      "faults: 'propagationMs' must be a number from 0",
    ],
  ],
  ["a seed with a fraction", { seed: 1.5 }, ["faults: 'seed' must be a whole number from 0 to 4294967295"]],
  ["a seed that is too large", { seed: 2 ** 32 }, ["faults: 'seed' must be a whole number from 0 to 4294967295"]],
  [
    "malformed lists",
    { requests: {}, dns: null },
    ["faults: 'requests' must be a list", "faults: 'dns' must be a list"],
  ],
  [
    "malformed items",
    { operations: ["x", null] },
    ["faults: 'operations[0]' must be an object", "faults: 'operations[1]' must be an object"],
  ],
  [
    "missing required fields",
    { requests: [{}], operations: [{}], dns: [{}], issuance: [{}] },
    [
      "faults: 'requests[0].method' is missing",
      "faults: 'operations[0].method' is missing",
      "faults: 'dns[0].name' is missing",
      "faults: 'issuance[0].domain' is missing",
      "faults: 'issuance[0].failureReason' is missing",
    ],
  ],
  [
    "unknown fields",
    { operations: [{ method: "*", colour: 1 }] },
    ["faults: 'operations[0].colour' is unknown; there are probability, times, method, message"],
  ],
  [
    "unknown enumeration values",
    {
      requests: [{ method: "*", status: "BUSY" }],
      dns: [{ name: "*", rcode: "WRONG" }],
      issuance: [{ domain: "*", failureReason: "MOOD" }],
    },
    [
      expect.stringMatching(/^faults: 'requests\[0\].status' must be one of UNAVAILABLE, /),
      "faults: 'dns[0].rcode' must be one of SERVFAIL, NXDOMAIN, REFUSED, NOTIMP, FORMERR",
      "faults: 'issuance[0].failureReason' must be one of CONFIG, CAA, RATE_LIMITED",
    ],
  ],
  [
    "values of other types",
    { dns: [{ name: 1, drop: "yes", rrdatas: [1], delayMs: "5" }] },
    [
      "faults: 'dns[0].name' must be a text",
      "faults: 'dns[0].drop' must be true or false",
      "faults: 'dns[0].rrdatas' must be a list of texts",
      "faults: 'dns[0].delayMs' must be a number from 0",
    ],
  ],
  [
    "a probability above 1",
    { requests: [{ method: "*", probability: 1.5 }] },
    ["faults: 'requests[0].probability' must be from 0 to 1"],
  ],
  [
    "names of built-in object members",
    JSON.parse('{"__proto__": 1, "requests": [{"method": "*", "constructor": 1}]}'),
    [
      "faults: '__proto__' is unknown; there are seed, requestsPerMinute, propagationMs, requests, operations, dns, issuance, authorities",
      expect.stringMatching(/^faults: 'requests\[0\].constructor' is unknown/),
    ],
  ],
  ["control characters in a name", { "a\u001bb": 1 }, [expect.stringContaining("'a\\u{1b}b' is unknown")]],
])("a fault plan fails for %s, with every mistake", (_what, plan, messages) => {
  let problems: readonly object[] = [];
  try {
    readFaultPlan(plan);
  } catch (error) {
    problems = error instanceof InputError ? error.problems : [];
  }
  expect(problems).toEqual(messages.map((message) => ({ code: "faults-malformed", message })));
});
