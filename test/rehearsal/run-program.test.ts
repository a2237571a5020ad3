import { runProgram } from "../../lib/rehearsal/run-program";

const base = { program: "sh", folder: ".", env: process.env, onProcess: () => undefined };

test("an abort interrupts a program and what it has started", async () => {
  const abort = new AbortController();
  // The program itself goes on until what it waits for has ended.
  const script = "trap : INT; sh -c 'trap \"echo interrupted; exit 0\" INT; echo ready; while :; do sleep 0.02; done'";
  const { output } = await runProgram({
    ...base,
    words: ["-c", script],
    signal: abort.signal,
    onProcess: (child) => child?.stdout?.once("data", () => abort.abort()),
  });
  expect(output).toContain("interrupted");
});

test("what it wrote and how it ended are told", async () => {
  const { signal } = new AbortController();
  const run = await runProgram({ ...base, words: ["-c", "echo out; echo err >&2; exit 3"], signal });
  expect(run).toMatchObject({ exitCode: 3, stdout: "out\n", killed: false });
  expect(run.output).toContain("err\n");
});
