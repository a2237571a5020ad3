import { createPlainBoard, createRehearsalBoard } from "../../../../lib/cli/commands/rehearse/board";

import { testIo } from "../../../support/io";

const probe = { time: "", hostname: "a.example.com", side: "previous", address: "x" } as const;

/** Creates a board with a clock that the test advances by seconds. */
function openBoard() {
  let seconds = 0;
  let look: (() => void) | undefined;
  const io = testIo({ now: () => new Date(seconds * 1_000) });
  const board = createPlainBoard(io, (work) => {
    look = work;
    return () => {
      look = undefined;
    };
  });
  const pass = (count: number) => {
    for (let passed = 0; passed < count; passed++) {
      seconds += 1;
      look?.();
    }
  };
  return { ...board, pass, err: io.err };
}

test("reports the progress of a long apply every 20 seconds without a terminal", () => {
  const { observer, pass, err, end } = openBoard();
  observer.part?.({ numbers: [1], name: "1 certificates" });
  observer.progress?.({ program: "terraform", verb: "apply", done: 12, total: 665 });
  observer.probe?.({ ...probe, ok: true });
  observer.probe?.({ ...probe, ok: false });
  pass(45);
  expect(err().split("\n")).toEqual([
    "... 1 certificates: 20 s, terraform apply: 12 of 665 changes; 2 handshakes so far, 1 failed",
    "... 1 certificates: 40 s, terraform apply: 12 of 665 changes; 2 handshakes so far, 1 failed",
    "",
  ]);
  end();
  pass(45);
  expect(err().split("\n")).toHaveLength(3);
});

test("restarts the interval after other output, which is escaped", () => {
  const { say, pass, err } = openBoard();
  pass(15);
  say("ok \u001b[31m");
  pass(19);
  expect(err()).toBe("ok \\u{1b}[31m\n");
  pass(1);
  expect(err().split("\n")[1]).toBe("... getting ready: 35 s; 0 handshakes so far, 0 failed");
});

test("stops reporting a step as in progress when it has ended", () => {
  const { observer, pass, err } = openBoard();
  observer.part?.({ numbers: [3], name: "step 3 (certificates ACTIVE)" });
  observer.progress?.({ program: "terraform", verb: "plan", done: 0, total: undefined });
  pass(5);
  observer.part?.({ numbers: [3], name: "step 3 (certificates ACTIVE)", ok: true });
  observer.progress?.({ program: "terraform", verb: "destroy", done: 0, total: undefined });
  pass(15);
  expect(err()).toBe("... between steps: 15 s, terraform destroy; 0 handshakes so far, 0 failed\n");
});

test("prints to a pipeline, and prints nothing with --quiet", () => {
  const plain = createRehearsalBoard(testIo(), ["a.example.com"]);
  expect(plain.observer.progress).toBeDefined();
  plain.end();
  expect(createRehearsalBoard(testIo({ quiet: true }), ["a.example.com"]).observer).toEqual({});
});
