import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../lib/rehearsal/run-program";

const base = { program: "sh", folder: ".", env: process.env, onProcess: () => undefined };

test("interrupts a program and its child processes when aborted", async () => {
  const abort = new AbortController();
  // The program itself runs until its child process has ended.
  const script = "trap : INT; sh -c 'trap \"echo interrupted; exit 0\" INT; echo ready; while :; do sleep 0.02; done'";
  const { output } = await runProgram({
    ...base,
    words: ["-c", script],
    signal: abort.signal,
    onProcess: (child) => child?.stdout?.once("data", () => abort.abort()),
  });
  expect(output).toContain("interrupted");
});

test("returns the output and the exit status", async () => {
  const { signal } = new AbortController();
  const run = await runProgram({ ...base, words: ["-c", "echo out; echo err >&2; exit 3"], signal });
  expect(run).toMatchObject({ exitCode: 3, stdout: "out\n", killed: false });
  expect(run.output).toContain("err\n");
});

test("decodes characters of several octets that the pipe splits", async () => {
  const { signal } = new AbortController();
  const text = `x${"é│𝄞".repeat(100_000)}`;
  const script = `const text = "x" + "é│𝄞".repeat(100_000); process.stdout.write(text); process.stderr.write(text)`;
  const run = await runProgram({ ...base, program: process.execPath, words: ["-e", script], signal });
  expect(run.stdout === text).toBe(true);
  expect(run.output).not.toContain("\ufffd");
});

test("neither kills nor throws if the abort arrives when only detached processes are left", async () => {
  const folder = mkdtempSync(join(tmpdir(), "run-program-"));
  try {
    const abort = new AbortController();
    const left = `while [ ! -e '${join(folder, "stop")}' ]; do sleep 0.02; done; echo done`;
    const script = `require("child_process").spawn("sh", ["-c", ${JSON.stringify(left)}], { detached: true, stdio: "inherit" }).unref()`;
    const run = runProgram({
      ...base,
      program: process.execPath,
      words: ["-e", script],
      signal: abort.signal,
      onProcess: (child) =>
        child?.once("exit", () => {
          abort.abort();
          writeFileSync(join(folder, "stop"), "");
        }),
    });
    expect(await run).toEqual({ exitCode: 0, stdout: "done\n", output: "done\n", killed: false });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
