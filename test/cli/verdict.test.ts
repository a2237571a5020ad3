import { closeOnTerminal, type VerdictLine, writeState, writeVerdict } from "../../lib/cli/verdict";
import { testIo } from "../support/io";

const refused: VerdictLine = { state: "failed", headline: "the plan is refused", rest: ": 1 danger, 0 warnings" };

/** Returns what a function writes to stderr. */
function written(write: (io: ReturnType<typeof testIo>) => void, terminal?: object, env = {}): string {
  const shown: string[] = [];
  const stderr = { write: (text: string) => shown.push(text), ...terminal };
  write(testIo({ stderr, env }));
  return shown.join("");
}

const wide = { isTTY: true, columns: 80 };

test("has a mark, bold and a color on a terminal, and only its words in a pipe", () => {
  const write = (io: ReturnType<typeof testIo>) => writeVerdict(refused, io, "stderr");
  expect(written(write, wide)).toBe(
    "\u001b[1m\u001b[31mX the plan is refused\u001b[0m\u001b[0m: 1 danger, 0 warnings\n",
  );
  expect(written(write, wide, { NO_COLOR: "1" })).toBe("X the plan is refused: 1 danger, 0 warnings\n");
  expect(written(write)).toBe("the plan is refused: 1 danger, 0 warnings\n");
});

test("colors the part of a long headline that is in the first line", () => {
  const verdict: VerdictLine = { state: "done", headline: "one of the words that do not fit", rest: ", and the rest" };
  expect(written((io) => writeVerdict(verdict, io, "stderr"), { isTTY: true, columns: 30 })).toBe(
    "\u001b[1m\u001b[32m+ one of the words that do not\u001b[0m\u001b[0m\n  fit, and the rest\n",
  );
});

test("escapes what could control the terminal, in the headline and in the rest", () => {
  const verdict: VerdictLine = { state: "done", headline: "a\u001b[2J", rest: "\u001b[2J" };
  const text = written((io) => writeVerdict(verdict, io, "stderr"), wide);
  expect(text).toBe("\u001b[1m\u001b[32m+ a\\u{1b}[2J\u001b[0m\u001b[0m\\u{1b}[2J\n");
});

test("closes only on a terminal, and not with --quiet", () => {
  const close = (quiet: boolean) => (io: ReturnType<typeof testIo>) => closeOnTerminal(refused, { ...io, quiet });
  expect(written(close(false), wide)).toContain("X the plan is refused");
  expect(written(close(true), wide)).toBe("");
  expect(written(close(false))).toBe("");
});

test("marks a line about something in a state, and colors only the mark", () => {
  const write = (io: ReturnType<typeof testIo>) => writeState("unknown", "freeze: unknown", io, "stderr");
  expect(written(write, wide)).toBe("\u001b[33m?\u001b[0m freeze: unknown\n");
  expect(written(write, undefined, { FORCE_COLOR: "1" })).toBe("freeze: unknown\n");
});
