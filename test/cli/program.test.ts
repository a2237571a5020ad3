import { runCommandLine } from "../../lib/cli/program";
import { entries, groups, loadCommands } from "../../lib/cli/table";
import { runCli, testIo } from "../support/io";

const commands = loadCommands();

test.each([
  ["wiat", "'wiat' is not a command; did you mean 'wait'? [command-unknown]"],
  ["check plan", "'check' is not a command; did you mean 'check-plan'? [command-unknown]"],
  ["lst", "'lst' is not a command; did you mean 'api list' or 'audit list'? [command-unknown]"],
  ["api lst", "'api lst' is not a command; did you mean 'api list'? [command-unknown]"],
  ["audit inventory", "'audit inventory' is not a command; did you mean 'inventory'? [command-unknown]"],
  [
    "api destroy",
    "'api destroy' is not a command; 'cert-migration api --help' lists the commands and options [command-unknown]",
  ],
  ["zzzz", "'zzzz' is not a command; 'cert-migration --help' lists the commands and options [command-unknown]"],
  ["help recrods", "'recrods' is not a command; did you mean 'records'? [command-unknown]"],
  ["--quiet wiat", "'wiat' is not a command; did you mean 'wait'? [command-unknown]"],
  ["plan --spce x", "unknown option '--spce'; did you mean --spec? [option-unknown]"],
  ["plan --no-colour", "unknown option '--no-colour'; did you mean --no-color? [option-unknown]"],
  ["api list --nmae x", "unknown option '--nmae'; did you mean --name? [option-unknown]"],
  [
    "plan --spec a.yaml extra",
    "unexpected argument 'extra': 'plan' takes only options; remove it, or write its option before it [argument-unexpected]",
  ],
  [
    "plan a b c d e",
    "unexpected arguments 'a', 'b', 'c' and 2 more: 'plan' takes only options; remove them [argument-unexpected]",
  ],
  [
    "check-plan --json a b",
    "unexpected argument 'b': 'check-plan' takes <plan> and options; remove it, or write its option before it [argument-unexpected]",
  ],
  [
    "check-plan",
    "'check-plan' lacks <plan> (file with the output of 'terraform show -json PLAN'; - for standard input); add it, for example 'terraform plan -out=tfplan && terraform show -json tfplan | cert-migration check-plan -' [argument-missing]",
  ],
  [
    "api validate dns:v1",
    "'api validate' lacks <what> (id of a schema, or of a method) and <json> (the value: JSON, @FILE, or - for standard input); add them, for example 'cert-migration api validate certificatemanager:v1 DnsAuthorization @authorization.json' [argument-missing]",
  ],
  [
    "completion",
    "'completion' lacks <shell> (the shell that reads the script: bash, zsh, fish); add it, for example 'source <(cert-migration completion bash)' [argument-missing]",
  ],
  [
    "wait --timeout",
    "--timeout has no value; pass <time>: maximum time to wait, for example 90s, 60m or 2h [value-missing]",
  ],
  ["wait --for", "--for has no value; pass <what>, one of certificates, entries: what to wait for [value-missing]"],
  ["wait --for ever", "--for 'ever' is not allowed; use certificates or entries [value-not-allowed]"],
  [
    "plan --spec a --spec=b",
    "--spec is given twice, as 'a' and as 'b'; it takes one value: remove one of them [option-twice]",
  ],
])("refuses a mistyped command line with exit code 2 and a suggestion: %s", async (line, expected) => {
  expect(await runCli(line.split(" "))).toEqual({ exitCode: 2, stdout: "", stderr: `error: ${expected}\n` });
});

test("escapes the command line in messages for the terminal", async () => {
  for (const words of [["pl\u001b[2J"], ["plan", "--x\u001b[2J"], ["plan", "--spec", "/nowhere/\u001b[2J"]]) {
    const { exitCode, stderr } = await runCli(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("\\u{1b}[2J");
    expect(stderr).not.toContain("\u001b");
  }
});

test.each(
  loadCommands().flatMap((command) =>
    (command.arguments ?? []).some(({ takes = "one" }) => takes.startsWith("one")) ? [command.name] : [],
  ),
)("names what '%s' lacks, with an example", async (name) => {
  const { exitCode, stderr } = await runCli(name.split(" "));
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(
      /^error: '.+' lacks <\w+> \(.{4,}\).*; add (?:it|them), for example '.+' \[argument-missing\]\n$/,
    ),
  ]);
});

test.each([
  [[], []],
  [["--help"], []],
  [["api", "--help"], []],
  [["wiat"], []],
  [["wait", "--help"], ["wait"]],
  [["help", "api", "list"], ["api list"]],
  [["api", "help", "list"], ["api list"]],
  [["plan"], ["plan"]],
])("loads for %j no other commands than %j, to start quickly", async (words, expected) => {
  const spies = entries.map((entry) => ({ name: entry.name, load: jest.spyOn(entry, "load") }));
  await runCli(words);
  const loaded = spies.filter(({ load }) => load.mock.calls.length > 0).map(({ name }) => name);
  jest.restoreAllMocks();
  expect(loaded).toEqual(expected);
});

test("names and summarizes each command as the command itself does", () => {
  expect(entries.map(({ name, summary }) => ({ name, summary }))).toEqual(
    commands.map(({ name, summary }) => ({ name, summary })),
  );
});

describe("help", () => {
  test.each(commands.map((command) => [command.name, command] as const))(
    "of %s has its examples and all of its exit codes",
    async (name, { examples, exitCodes, options = [] }) => {
      const { exitCode, stdout } = await runCli([...name.split(" "), "--help"]);
      expect(exitCode).toBe(0);
      expect(examples.length).toBeGreaterThan(0);
      for (const { command } of examples) expect(stdout).toContain(`$ ${command}\n`);
      for (const { flags } of options) expect(stdout).toContain(flags);
      for (const code of [0, 1, 2, 130, ...Object.keys(exitCodes ?? {})]) {
        expect(stdout).toMatch(new RegExp(`^  ${code}  \\S`, "m"));
      }
      const asksServices = options.some(({ flags }) => /^--(?:endpoint|root-url) /.test(flags));
      expect(/^ {2}3 {2}\S/m.test(stdout)).toBe(asksServices || exitCodes?.[3] !== undefined);
      expect(await runCli(["help", ...name.split(" ")])).toEqual({ exitCode, stdout, stderr: "" });
    },
  );

  test.each(Object.keys(groups))("of the group %s has its commands", async (group) => {
    const { exitCode, stdout } = await runCli([group, "--help"]);
    expect(exitCode).toBe(0);
    for (const { name, summary } of commands.filter((one) => one.name.startsWith(`${group} `))) {
      expect(stdout).toContain(name.split(" ")[1]);
      expect(stdout.replace(/\s+/g, " ")).toContain(summary);
    }
    expect(await runCli(["help", group])).toEqual({ exitCode, stdout, stderr: "" });
  });

  test("of the program lists every command and the common options, and a call without a command is an error", async () => {
    const { stdout } = await runCli(["--help"]);
    for (const name of [...commands.map((command) => command.name), ...Object.keys(groups)]) {
      expect(stdout).toMatch(new RegExp(`^  ${name.split(" ")[0]} `, "m"));
    }
    expect(stdout).toContain("--no-color");
    expect(await runCli(["help"])).toEqual({ exitCode: 0, stdout, stderr: "" });
    expect(await runCli([])).toEqual({ exitCode: 2, stdout: "", stderr: stdout });
  });
});

test("accepts an option twice with the same value, as from a script that appends options", async () => {
  const spec = `${__dirname}/../fixtures/cli/migration.yaml`;
  expect((await runCli(["plan", "--spec", spec, `--spec=${spec}`])).exitCode).toBe(0);
});

/** Reports the environment that a command receives. */
test.each([
  ["plan --help --quiet", 0],
  ["--quiet plan --help", 0],
  ["--no-color plan --help", 0],
])("accepts common options before or after a command: %s", async (line, expected) => {
  expect((await runCli(line.split(" "))).exitCode).toBe(expected);
});

test("exits with 130, as shells do after Ctrl-C, when it is stopped before it has an answer", async () => {
  const signal = AbortSignal.abort(new Error("stopped by SIGINT"));
  const io = testIo({ signal, env: { CERT_MIGRATION_ENDPOINT: "http://127.0.0.1:1" } });
  const words = ["records", "--spec", `${__dirname}/../fixtures/cli/migration.yaml`, "--project", "shop-1"];
  expect(await runCommandLine(words, io, "0.0.0")).toBe(130);
  expect(io.err()).toBe("stopped before the end; nothing was changed [stopped]\n");
});

test("exits with 1 and a stack trace for a bug, without control characters and tokens", async () => {
  const now = () => {
    throw new TypeError("no time\u001b[2J for Bearer ya29.secret");
  };
  const { exitCode, stdout, stderr } = await runCli(["plan", "--spec", "/dev/null"], { now });

  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^this is a mistake of cert-migration itself; .*\nTypeError: no time\\u\{1b\}\[2J for .*\*\*\*\n {4}at /,
  );
  for (const raw of ["\u001b", "secret"]) expect(stderr).not.toContain(raw);
});

/** Matches what no terminal of 60 columns has room for: command lines, and names of resources. */
const unbreakable = /^(?:Usage:| {2}\$) |\S{30,}/;

test.each([60, 80, 120])("wraps the help of every command between words in %i columns", async (columns) => {
  for (const { name } of entries) {
    const shown: string[] = [];
    const stdout = { write: (text: string) => shown.push(text), isTTY: true, columns };
    await runCli([...name.split(" "), "--help"], { stdout });
    const lines = shown.join("").split("\n");
    const wide = lines.filter((line) => line.length > columns && !unbreakable.test(line));
    expect({ name, wide }).toEqual({ name, wide: [] });
  }
});
