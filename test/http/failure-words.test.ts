import { failureWords } from "../../lib/http/failure-words";

const failed = (cause: unknown) => new TypeError("fetch failed", { cause });

test.each([
  ["one address", failed(new Error("connect ECONNREFUSED 127.0.0.1:1")), "connect ECONNREFUSED 127.0.0.1:1"],
  [
    "several addresses",
    failed(
      Object.assign(
        new AggregateError([new Error("connect ECONNREFUSED ::1:1"), new Error("connect ECONNREFUSED 127.0.0.1:1")]),
        { code: "ECONNREFUSED" },
      ),
    ),
    "connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127.0.0.1:1",
  ],
  [
    "message without a code",
    failed(Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" })),
    "other side closed (UND_ERR_SOCKET)",
  ],
  ["a code without a message", failed(Object.assign(new Error(""), { code: "ECONNRESET" })), "ECONNRESET"],
  ["control characters", failed(new Error("a\u001b[2J")), "a\\u{1b}[2J"],
  ["no cause", new Error("fetch failed"), "fetch failed"],
  ["no error", "gone", "gone"],
  ["nothing", undefined, "undefined"],
])("describes a failure by %s", (_, thrown, words) => {
  expect(failureWords(thrown)).toBe(words);
});
