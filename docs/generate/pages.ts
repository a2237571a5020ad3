import { architecturePicture } from "./architecture";
import { cliPage } from "./cli";
import { eightStepsPicture } from "./eight-steps";
import { fleetsPage } from "./fleets";
import { generatedNote } from "./markdown";
import { printedBy, readmeWithOutput } from "./readme";
import { scenariosPage } from "./scenarios";

/** Pages that need no compiler, by their path below docs: tests hold them against what is in the repository. */
export async function quickPages(): Promise<readonly (readonly [path: string, text: string])[]> {
  return [
    ["architecture.svg", architecturePicture()],
    ["eight-steps.svg", eightStepsPicture()],
    ["../README.md", await readmeWithOutput()],
    ["cli.md", cliPage()],
    ["fleets.md", fleetsPage()],
    ["scenarios.md", scenariosPage()],
    ["checks.md", await pageOf(["explain", "--markdown"])],
    ["audit-events.md", await pageOf(["audit", "events", "--markdown"])],
  ];
}

/** What a command prints, with a note where to change it. */
async function pageOf(words: readonly string[]): Promise<string> {
  const { text, exitCode } = await printedBy(words);
  if (exitCode !== 0) throw new Error(`cert-migration ${words.join(" ")} ended with ${exitCode}`);
  const [heading, ...rest] = text.split("\n\n");
  return [heading, generatedNote(`\`cert-migration ${words.join(" ")}\``).trim(), ...rest].join("\n\n");
}
