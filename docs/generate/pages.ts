import { Readable } from "node:stream";
import { runCommandLine } from "../../lib/cli/program";
import { architecturePicture } from "./architecture";
import { cliPage } from "./cli";
import { eightStepsPicture } from "./eight-steps";
import { generatedNote } from "./markdown";

/** Pages that need no compiler, by their path below docs: tests hold them against what is in the repository. */
export async function quickPages(): Promise<readonly (readonly [path: string, text: string])[]> {
  return [
    ["architecture.svg", architecturePicture()],
    ["eight-steps.svg", eightStepsPicture()],
    ["cli.md", cliPage()],
    ["checks.md", await printedBy(["explain", "--markdown"])],
    ["audit-events.md", await printedBy(["audit", "events", "--markdown"])],
  ];
}

/** What a command prints, with a note where to change it. */
async function printedBy(words: readonly string[]): Promise<string> {
  let text = "";
  const io = {
    stdout: {
      write: (part: string) => {
        text += part;
      },
    },
    stderr: { write: () => undefined },
    stdin: Readable.from([]),
    env: {},
    now: () => new Date(0),
    signal: new AbortController().signal,
  };
  const exitCode = await runCommandLine(words, io, "0.0.0");
  if (exitCode !== 0) throw new Error(`cert-migration ${words.join(" ")} ended with ${exitCode}`);
  const [heading, ...rest] = text.split("\n\n");
  return [heading, generatedNote(`\`cert-migration ${words.join(" ")}\``).trim(), ...rest].join("\n\n");
}
