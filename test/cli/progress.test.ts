import { createProgress } from "../../lib/cli/progress";
import { testIo } from "../support/io";

/** Creates a progress display on a terminal or pipe, with a simulated clock; the test redraws the live line. */
function display({ isTTY, columns = 60, ...more }: { isTTY: boolean; columns?: number; TERM?: string; quiet?: true }) {
  let nowMs = 0;
  const due: (() => void)[] = [];
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const io = testIo({
    stdout: { write: (text: string) => written.push(`out: ${text}`) },
    stderr: { write, isTTY, columns },
    env: more.TERM === undefined ? {} : { TERM: more.TERM },
    now: () => new Date(nowMs),
    ...(more.quiet === undefined ? {} : { quiet: more.quiet }),
  });
  const progress = createProgress(io, { noun: ["hostname", "hostnames"], schedule: (work) => void due.push(work) });
  return {
    ...progress,
    pass: (milliseconds: number) => {
      nowMs += milliseconds;
    },
    runDue: () => {
      for (const work of due.splice(0)) work();
    },
    /** Returns the output since the last call. */
    written: () => written.splice(0),
  };
}

test("progress on a terminal moves one line, and erases it at the end", () => {
  const { update, end, written } = display({ isTTY: true });
  update(5, 20, "1 failed");
  expect(written()).toEqual(["\r[======                  ] 5 of 20 hostnames  1 failed\u001b[K"]);
  end();
  expect(written()).toEqual(["\r\u001b[K"]);
  update(6, 20);
  expect(written()).toEqual([]);
});

test("progress on a terminal redraws at most ten times a second, and always shows the last update", () => {
  const { update, pass, runDue, written } = display({ isTTY: true });
  for (let done = 1; done <= 99; done += 1) {
    update(done, 100);
    pass(1);
  }
  expect(written()).toHaveLength(1);
  pass(1);
  runDue();
  expect(written()).toEqual(["\r[======================= ] 99 of 100 hostnames\u001b[K"]);
  update(100, 100);
  expect(written()).toEqual([]);
  pass(100);
  runDue();
  expect(written()).toEqual(["\r[========================] 100 of 100 hostnames\u001b[K"]);
});

test("progress on a terminal updates the time every second without further events, after two seconds", () => {
  const { update, pass, runDue, written } = display({ isTTY: true });
  update(0, 0);
  expect(written()).toEqual(["\r0 hostnames\u001b[K"]);
  for (let second = 0; second < 3; second += 1) {
    pass(1_000);
    runDue();
  }
  expect(written()).toEqual(["\r0 hostnames\u001b[K", "\r0 hostnames  2 s\u001b[K", "\r0 hostnames  3 s\u001b[K"]);
});

test("progress on a terminal shows a text instead of the count until the next update", () => {
  const { update, show, pass, written } = display({ isTTY: true });
  update(1, 2, "3 failures");
  show("no server has answered", () => "the watch ends in 5 s");
  pass(100);
  show("no server has answered", () => "the watch ends in 5 s");
  update(2, 2);
  pass(100);
  update(2, 2);
  expect(written()).toEqual([
    "\r[============            ] 1 of 2 hostnames  3 failures\u001b[K",
    "\rno server has answered  the watch ends in 5 s\u001b[K",
    "\r[========================] 2 of 2 hostnames\u001b[K",
  ]);
});

test("progress on a terminal cuts the line to the terminal's columns, counted in display width", () => {
  const { update, written } = display({ isTTY: true, columns: 24 });
  update(3, 0, "例え例え例え例え");
  expect(written()).toEqual(["\r3 hostnames  例え例え…\u001b[K"]);
});

test("progress on a terminal prints lines and results above the progress line, without control characters", () => {
  const { update, line, result, written } = display({ isTTY: true });
  update(1, 0, "\u001b[2J");
  expect(written()).toEqual(["\r1 hostname  \\u{1b}[2J\u001b[K"]);
  line("a\u001b[2J");
  expect(written()).toEqual(["\r\u001b[K", "a\\u{1b}[2J\n", "\r1 hostname  \\u{1b}[2J\u001b[K"]);
  result("{}\n");
  expect(written()).toEqual(["\r\u001b[K", "out: {}\n", "\r1 hostname  \\u{1b}[2J\u001b[K"]);
});

test("progress on a terminal does not draw a pending line after the end", () => {
  const { update, end, runDue, written } = display({ isTTY: true });
  update(1, 2);
  update(2, 2);
  end();
  written();
  runDue();
  expect(written()).toEqual([]);
});

test.each([{ isTTY: false }, { isTTY: true, TERM: "dumb" }])(
  "prints a plain line from time to time with %j",
  (kind) => {
    const { update, line, pass, runDue, end, written } = display(kind);
    update(1, 20);
    pass(1_999);
    update(2, 20);
    expect(written()).toEqual([]);
    pass(1);
    update(3, 20, "1 failed");
    update(4, 20);
    expect(written()).toEqual(["3 of 20 hostnames, 1 failed, 2 s\n"]);
    pass(9_999);
    runDue();
    expect(written()).toEqual([]);
    pass(1);
    runDue();
    expect(written()).toEqual(["4 of 20 hostnames, 12 s\n"]);
    line("changed");
    pass(10_000);
    end();
    update(5, 20);
    runDue();
    expect(written()).toEqual(["changed\n"]);
  },
);

test("shows an announced step immediately, without a terminal too, and does not repeat it immediately", () => {
  for (const isTTY of [true, false]) {
    const { announce, runDue, written } = display({ isTTY });
    announce("synthesizing 500 certificates");
    expect(written()).toEqual([`${isTTY ? "\r" : ""}synthesizing 500 certificates${isTTY ? "\u001b[K" : "\n"}`]);
    runDue();
    expect(written()).toEqual([]);
  }
});

test("repeats an unchanged line once a minute without a terminal, with the remaining time", () => {
  const { update, pass, runDue, written } = display({ isTTY: false });
  let left = 200;
  update(1, 2, "1 failing", () => `${left} s left`);
  const lines: string[] = [];
  for (let second = 0; second < 130; second += 1) {
    pass(1_000);
    left -= 1;
    runDue();
    lines.push(...written());
  }
  expect(lines).toEqual([198, 138, 78].map((rest) => `1 of 2 hostnames, 1 failing, ${rest} s left\n`));
});

test.each([true, false])("prints only results with --quiet (terminal: %s)", (isTTY) => {
  const { update, line, result, pass, end, written } = display({ isTTY, quiet: true });
  update(1, 20);
  pass(60_000);
  update(2, 20);
  line("changed");
  result("{}\n");
  end();
  expect(written()).toEqual(["out: {}\n"]);
});
