import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "../../lib/cli/command";
import { bashCompletion, completionModel, fishCompletion, zshCompletion } from "../../lib/cli/completion";
import { groups, loadCommands } from "../../lib/cli/table";
import { runCli } from "../support/io";

const commands = loadCommands();

const shells = ["bash", "zsh", "fish"] as const;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-completion-"));
  mkdirSync(join(folder, "stacks of today"));
  writeFileSync(join(folder, "migration.yaml"), "");
  writeFileSync(join(folder, "it's a plan.json"), "");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns bash's suggestions for the last word of each line; like bash, it treats `=` as a separate word. */
function completeInBash(script: string, lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const quoted = (words: readonly string[]) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const asking = lines.map(
    (words) =>
      `COMP_WORDS=(cert-migration ${quoted(words)}) COMP_CWORD=${words.length} COMPREPLY=()\n_cert_migration\nprintf '%s\\0' "\${COMPREPLY[@]}"; printf '\\n'\n`,
  );
  const { stdout, stderr, status } = spawnSync("bash", ["--norc", "-u", "-s"], {
    input: `${script}\n${asking.join("")}`,
    cwd: folder,
    encoding: "utf8",
    timeout: 10_000,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\0").filter((word) => word !== ""));
}

test("completes commands, options, their choices, files and folders in bash", async () => {
  const { stdout: script } = await runCli(["completion", "bash"]);
  const expected: readonly (readonly [readonly string[], readonly string[]])[] = [
    [["rec"], ["records"]],
    [["--qu"], ["--quiet"]],
    [["--quiet", "wai"], ["wait"]],
    [["ap"], ["api"]],
    [["api", "li"], ["list"]],
    [["audit", "ta"], ["tail"]],
    [["help", "che"], ["check-plan"]],
    [["help", "api", "dep"], ["deprecations"]],
    [["help", "plan", ""], []],
    [
      ["wait", "--for", ""],
      ["certificates", "entries"],
    ],
    [["wait", "--for", "=", "ce"], ["certificates"]],
    [
      ["wait", "--for", "="],
      ["certificates", "entries"],
    ],
    [["wait", "--timeo"], ["--timeout"]],
    [["wait", "--timeout", ""], []],
    [["plan", "--no-"], ["--no-color"]],
    [
      ["plan", "--spec", ""],
      ["it's a plan.json", "migration.yaml", "stacks of today"],
    ],
    [["plan", "--spec", "mig"], ["migration.yaml"]],
    [["plan", "--stack", ""], ["stacks of today"]],
    [["plan", "--spec", "migration.yaml", "--js"], ["--json"]],
    [["plan", ""], []],
    [["check-plan", "it"], ["it's a plan.json"]],
    [["check-plan", "--al"], ["--allow"]],
    [
      ["completion", ""],
      ["bash", "fish", "zsh"],
    ],
    [["explain", "record-wr"], ["record-wrong"]],
    [["check-plan", "--allow", "proxy-d"], ["proxy-deleted"]],
    [["rehearse", "--faults", "killed-at-entry"], ["killed-at-entry"]],
    [["no-such-command", ""], []],
  ];
  const answers = completeInBash(
    script,
    expected.map(([words]) => words),
  );
  expect(answers.map((offered, index) => [expected[index]?.[0], [...offered].sort()])).toEqual(expected);
});

test("completes every command, and every option of each, in bash", async () => {
  const { stdout: script } = await runCli(["completion", "bash"]);
  const [first, ...rest] = completeInBash(script, [
    [""],
    ...Object.keys(groups).map((group) => [group, ""]),
    ...commands.map(({ name }) => [...name.split(" "), "--"]),
  ]);
  const names = commands.map(({ name }) => name);
  expect([...(first ?? [])].sort()).toEqual([...new Set(names.map((name) => name.split(" ")[0])), "help"].sort());
  Object.keys(groups).forEach((group, index) => {
    expect((rest[index] ?? []).map((second) => `${group} ${second}`)).toEqual(
      names.filter((name) => name.startsWith(`${group} `)),
    );
  });
  commands.forEach(({ options = [] }, index) => {
    const own = options.map(({ flags }) => /--[\w-]+/.exec(flags)?.[0]);
    expect(rest[Object.keys(groups).length + index]).toEqual([...own, "--quiet", "--no-color", "--help"]);
  });
});

test.each(shells)("contains every command, option and choice for %s", async (shell) => {
  const { exitCode, stdout } = await runCli(["completion", shell]);
  expect(exitCode).toBe(0);
  for (const { name, options = [] } of commands) {
    expect(stdout).toContain(name);
    for (const { flags, choices = [] } of options) {
      const long = /--([\w-]+)/.exec(flags)?.[1] ?? "";
      expect(stdout).toContain(shell === "fish" ? `-l ${long}` : `--${long}`);
      if (choices.length > 0) expect(stdout).toContain(choices.join(" "));
    }
  }
});

/** A command whose texts contain special characters of shells. */
const odd: Command = {
  name: "odd",
  summary: "it's `odd`: $HOME [a]",
  options: [
    { flags: "-o, --out <file>", description: "a 'file' [of] $(date): C:\\", repeatable: true },
    { flags: "--as <what>", description: 'one of "two"', choices: ["a", "b"] },
  ],
  arguments: [{ name: "place", description: "a place", completes: "folder", takes: "any number" }],
  examples: [],
  run: async () => 0,
};

/** A command whose argument is offered, and whose options take what is not. */
const even: Command = {
  name: "even",
  summary: "even",
  options: [
    { flags: "--name <name>", description: "a name" },
    { flags: "--out <file>", description: "a file" },
  ],
  arguments: [{ name: "side", description: "a side", choices: ["left", "right"] }],
  examples: [],
  run: async () => 0,
};

const oddModel = completionModel({ commands: [odd, even, ...commands], groups, globalOptions: [] });
const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

test("generates valid shell scripts for any words, for each installed shell", () => {
  const here = shells.filter((shell) => spawnSync(shell, ["-c", "exit"]).status === 0);
  expect(here).toContain("bash");
  for (const shell of here) {
    const file = join(folder, `stacks of today/${shell}`);
    writeFileSync(file, scripts[shell](oddModel));
    const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect({ shell, status, stderr }).toEqual({ shell, status: 0, stderr: "" });
  }
});

test("does not complete arguments where an option expects its value", () => {
  const lines = [
    ["even", ""],
    ["even", "--name", ""],
    ["even", "--out", "mig"],
    ["even", "--out", "migration.yaml", ""],
    ["odd", "--as", ""],
  ];
  expect(completeInBash(bashCompletion(oddModel), lines)).toEqual([
    ["left", "right"],
    [],
    ["migration.yaml"],
    ["left", "right"],
    ["a", "b"],
  ]);
});

test("quotes words that have a meaning in a shell", () => {
  expect(completeInBash(bashCompletion(oddModel), [["od"], ["odd", "-o", "mig"], ["odd", ""]])).toEqual([
    ["odd"],
    ["migration.yaml"],
    ["stacks of today"],
  ]);
  expect(zshCompletion(oddModel)).toContain(`'odd:it'\\''s \`odd\`\\: $HOME [a]'`);
  expect(zshCompletion(oddModel)).toContain(`'*-o[a '\\''file'\\'' \\[of\\] $(date)\\: C\\:\\\\]:file:_files'`);
  expect(zshCompletion(oddModel)).toContain("'*:folder:_files -/'");
  expect(fishCompletion(oddModel)).toContain(`-s o -l out -r -F -d 'a \\'file\\' [of] $(date): C:\\\\'`);
});

test("refuses an unknown shell", async () => {
  const { exitCode, stderr } = await runCli(["completion", "tcsh"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("error: <shell> 'tcsh' is not allowed; use bash, zsh or fish [value-not-allowed]");
});
