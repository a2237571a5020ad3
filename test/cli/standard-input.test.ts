import { PassThrough, Readable } from "node:stream";
import { readInput } from "../../lib/cli/standard-input";
import { runCli, runWith, testIo } from "../support/io";

const commands = [
  ["audit", "render"],
  ["check-plan", "-"],
  ["inventory", "--hosts", "-"],
  ["plan", "--outputs", "-"],
] as const;
const notice = "reading from the terminal; Ctrl-D on a line of its own ends it\n";

describe.each(commands.map((words) => [words.join(" "), words] as const))("%s", (_, words) => {
  test("prints to a person at a terminal that it reads standard input, and ends at the first Ctrl-C", async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stopping = new AbortController();
    const said: string[] = [];
    const write = (text: string) => {
      said.push(text);
      if (text === notice) setImmediate(() => stopping.abort(new Error("stopped by SIGINT")));
    };
    expect(await runWith([...words], testIo({ stdin, signal: stopping.signal, stderr: { write } }))).toBe(130);
    expect(said).toEqual([notice, "stopped before the end; nothing was changed [stopped]\n"]);
  });

  test("prints no such notice when it reads a pipe", async () => {
    const stdin = new PassThrough();
    const io = testIo({ stdin });
    stdin.end("");
    await runWith([...words], io);
    expect(io.err()).not.toContain("terminal");
  });
});

test.each([
  ["", [], "there is no record in standard input [events-not-found]\n"],
  [
    '{"id":{"time":"2026-11-21T00:00:00Z","uniqueQualifier":"1","applicationName":"admin"},"events":[{"name":"A"}]}',
    ["--event", "ASSIGN_ROLE"],
    "there is no event that was asked for in 1 record of standard input [events-not-found]\n",
  ],
])("audit render explains why it prints nothing: %j %j", async (stdin, words, message) => {
  const { exitCode, stdout, stderr } = await runCli(["audit", "render", "--format", "jsonl", ...words], { stdin });
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 4, stdout: "", stderr: message });
});

test("refuses standard input for two inputs instead of reading the second as empty", async () => {
  const io = testIo({ stdin: Readable.from([Buffer.from("once")]) });
  expect(await readInput("-", "--outputs", io)).toBe("once");
  await expect(readInput("-", "--verify", io)).rejects.toMatchObject({
    code: "stdin-twice",
    message: "--verify: '-' reads standard input, which another option reads already; pass one of the inputs as a file",
  });
});
