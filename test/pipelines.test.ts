import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { loadCommands } from "../lib/cli/table";

const folder = join(__dirname, "..", "examples", "pipelines");

interface Line {
  readonly where: string;
  /** Words of one call of the program, its name left out. */
  readonly words: readonly string[];
}

/** Calls of the program in a shell text; what a pipe leads to is another call. */
function callsIn(shell: string, where: string): readonly Line[] {
  return shell
    .split(/\n|\||&&|;/)
    .map((part) => part.trim().split(/\s+/))
    .flatMap((words) => {
      const at = words.indexOf("cert-migration");
      if (at === -1) return [];
      const end = words.findIndex((word, index) => index > at && /^[<>]/.test(word));
      return [{ where, words: words.slice(at + 1, end === -1 ? undefined : end) }];
    });
}

interface Actions {
  readonly jobs: Readonly<
    Record<
      string,
      { readonly steps: readonly { readonly run?: string; readonly uses?: string }[]; readonly "runs-on": string }
    >
  >;
}

interface CloudBuild {
  readonly steps: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: readonly string[];
    readonly entrypoint?: string;
  }[];
}

const actions = parse(readFileSync(join(folder, "github-actions.yml"), "utf8"), { strict: true }) as Actions;
const build = parse(readFileSync(join(folder, "cloudbuild.yaml"), "utf8"), { strict: true }) as CloudBuild;

const lines: readonly Line[] = [
  ...Object.entries(actions.jobs).flatMap(([job, { steps }]) =>
    steps.flatMap(({ run = "" }) => callsIn(run, `GitHub Actions, ${job}`)),
  ),
  ...build.steps.flatMap(({ id, args, entrypoint }) =>
    callsIn(entrypoint === undefined ? args.join(" ") : (args.at(-1) ?? ""), `Cloud Build, ${id}`),
  ),
];

test.each(lines.map((line) => [line.where, line.words.join(" "), line]))(
  "%s: 'cert-migration %s' is a command with options that it has",
  (_, __, { words }) => {
    const command = loadCommands().find(({ name }) => words.join(" ").startsWith(name));
    const flags = (command?.options ?? []).map(({ flags: text }) => /--[a-z-]+/.exec(text)?.[0]);
    expect(command).toBeDefined();
    expect(words.filter((word) => word.startsWith("--") && !flags.includes(word))).toEqual([]);
    for (const [index, word] of words.entries()) {
      const option = (command?.options ?? []).find(({ flags: text }) => text.split(/[ ,]+/).includes(word));
      const value = words[index + 1] ?? "";
      if (option === undefined || !option.flags.includes("<")) continue;
      expect(value).not.toBe("");
      if (option.choices !== undefined) expect(option.choices).toContain(value);
    }
  },
);

test("both pipelines look before they deploy, and verify after it", () => {
  const order = (calls: readonly Line[]) => calls.map(({ words }) => words[0]);
  const inBuild = order(lines.filter(({ where }) => where.startsWith("Cloud Build")));
  expect(inBuild).toEqual(["rehearse", "doctor", "check-plan", "wait", "verify"]);
  const inActions = order(lines.filter(({ where }) => where.startsWith("GitHub Actions")));
  expect(inActions).toEqual(["rehearse", "doctor", "check-plan", "wait", "verify", "watch", "status", "report"]);
});

test("a GitHub job runs on a machine of a fixed version, and every action has a version", () => {
  for (const { steps, "runs-on": machine } of Object.values(actions.jobs)) {
    expect(machine).toMatch(/^ubuntu-\d\d\.04$/);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
  }
});
