import { argument, defineCommand, manyArguments, optionalArgument, text, value, values } from "../../lib/cli/declare";
import { loadCommands } from "../../lib/cli/table";
import { count, duration, oneOf } from "../../lib/cli/value-types";
import { runCli, testIo } from "../support/io";

type Run = Parameters<typeof defineCommand>[0]["run"];

/** A command with every kind of option and argument. */
const declared = (run: Run) =>
  defineCommand({
    arguments: {
      first: argument({ description: "a text" }),
      second: optionalArgument({ description: "a text" }),
      rest: manyArguments({ description: "texts" }),
    },
    options: {
      "--json": "a flag",
      "--exact": "a flag that can be negated",
      "--no-exact": "its negation",
      "--out-file <file>": "any text",
      "--keep [folder]": "a flag, or any text",
      "-n, --name <name>": value(text, "a text with a default", "migration"),
      "--within <time>": value(duration(), "a duration", "90s"),
      "--kind <kind>": value(oneOf("rsa", "ecdsa"), "a word"),
      "--repeat <count>": values("numbers", count(10)),
    },
    examples: {},
    run,
  });

const invoke = async (options: Parameters<ReturnType<typeof declared>["run"]>[0]["options"]) => {
  const received: unknown[] = [];
  const command = declared(async ({ options: read, arguments: given }) => {
    received.push(read, given);
    return 0;
  });
  const line = { options, given: new Set<string>(), arguments: { first: "a", second: undefined, rest: ["b"] } };
  await command.run(line, testIo());
  return received;
};

test("gives a handler defaults and typed values", async () => {
  const [options, given] = await invoke({ name: "migration", within: "90s" });
  expect(options).toEqual({
    json: false,
    exact: undefined,
    outFile: undefined,
    keep: undefined,
    name: "migration",
    within: 90_000,
    kind: undefined,
    repeat: [],
  });
  expect(given).toEqual({ first: "a", second: undefined, rest: ["b"] });
});

test("reads what the command line has", async () => {
  const line = { json: true, exact: false, keep: true, within: "2h", kind: "rsa", repeat: ["1", "10"] };
  const [options] = await invoke(line);
  expect(options).toMatchObject({ ...line, within: 7_200_000, repeat: [1, 10] });
});

test("reports the mistakes of all values at once, in the order of the declaration", async () => {
  await expect(invoke({ within: "soon", kind: "dsa", repeat: ["0", "1", "11"] })).rejects.toMatchObject({
    problems: [
      { code: "duration-malformed" },
      { code: "value-not-allowed", message: "--kind 'dsa' is not allowed; use rsa or ecdsa" },
      { code: "number-malformed", message: "--repeat '0' is not a number from 1 to 10" },
      { code: "number-malformed", message: "--repeat '11' is not a number from 1 to 10" },
    ],
  });
});

/** Commands with options that refuse some texts, as the declarations state. */
const checked = loadCommands().flatMap(({ name, options = [], arguments: taken = [] }) => {
  const cases = options.flatMap(({ flags, refuses }) => {
    const [flag = ""] = /--[\w-]+/.exec(flags) ?? [];
    return refuses === undefined ? [] : [{ flag, text: refuses[0], code: refuses[1] }];
  });
  const required = taken.filter(({ takes = "one" }) => takes === "one").map(({ choices: [word = "x"] = [] }) => word);
  return cases.length === 0 ? [] : [{ name, required, cases }];
});

test.each(checked)("$name reports every option with a value that it refuses", async ({ name, required, cases }) => {
  const words = cases.flatMap(({ flag, text: refused }) => [flag, refused]);
  const { exitCode, stdout, stderr } = await runCli([...name.split(" "), ...required, ...words]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  const lines = stderr.trimEnd().split("\n");
  expect(lines.map((line) => /^error: (--[\w-]+):? .*\[([\w-]+)\]$/.exec(line)?.slice(1))).toEqual(
    cases.map(({ flag, code }) => [flag, code]),
  );
});
