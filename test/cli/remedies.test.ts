import { loadCommands } from "../../lib/cli/table";
import { allCodes, type ExplainedCode } from "../../lib/explain/codes";

const commands = new Map(loadCommands().map((command) => [command.name, command]));

/** Returns the flags of a command without their values, including the global flags. */
function flagsOf(name: string): ReadonlySet<string> {
  const { options = [] } = commands.get(name) ?? {};
  const own = options.flatMap(({ flags }) => flags.match(/--[a-z][a-z-]*/g) ?? []);
  return new Set([...own, "--quiet", "--no-color", "--help"]);
}

/** Commands of this project that a text names, as in `cert-migration audit guard`. */
function named(text: string): readonly string[] {
  return [...text.matchAll(/cert-migration ([a-z-]+)(?: ([a-z]+))?/g)].map(([, first = "", second]) => {
    return commands.has(`${first} ${second}`) ? `${first} ${second}` : first;
  });
}

const cases = allCodes().map((trouble) => [`${trouble.code} (${trouble.commands.join(", ")})`, trouble] as const);

test.each(cases)(
  "names only existing commands and options in the remedy of %s",
  (_, { meaning, remedy, commands: finders }: ExplainedCode) => {
    const text = `${meaning} ${remedy}`;
    const mentioned = named(text);
    expect(mentioned.filter((name) => !commands.has(name))).toEqual([]);
    const able = new Set([...mentioned, ...finders].flatMap((name) => [...flagsOf(name)]));
    const flags = text.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
    expect(flags.filter((flag) => !able.has(flag))).toEqual([]);
  },
);
