import { type Completed, type CompletedOption, type CompletionModel, commandsOf, plainCommands } from "./model";

export function fishCompletion(model: CompletionModel): string {
  const groups = Object.entries(model.groups);
  const top = [...plainCommands(model).map(({ name, summary }) => [name, summary] as const), ...groups];
  const named = (at: string, name: string, summary: string) =>
    `complete -c cert-migration -n ${quoted(`__cert_migration_at ${at}`)} -a ${quoted(name)} -d ${quoted(summary)}\n`;
  return `# Completions of cert-migration for fish: put it as cert-migration.fish into ~/.config/fish/completions.

# Whether these words, and no further ones, name the command so far; a name that is whole may be followed by anything.
function __cert_migration_at
    set -l said
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or set -a said $word
    end
    set -l wanted (count $argv)
    if contains -- "$argv" ${["''", ...groups.map(([group]) => group), "help", ...groups.map(([group]) => `'help ${group}'`)].join(" ")}
        test (count $said) -eq $wanted; or return 1
    end
    test $wanted -eq 0; or test "$said[1..$wanted]" = "$argv"
end

complete -c cert-migration -f
${top.map(([name, summary]) => named("", name, summary) + named("help", name, summary)).join("")}${named("", "help", "show the help of a command")}${groups
  .flatMap(([group]) =>
    commandsOf(group, model).map(({ name, summary }) => {
      const word = name.slice(group.length + 1);
      return named(group, word, summary) + named(`help ${group}`, word, summary);
    }),
  )
  .join(
    "",
  )}${model.globalOptions.map((option) => optionOf(undefined, option)).join("")}complete -c cert-migration -n '__cert_migration_at' -l version -s V -d 'print the version'
${model.commands
  .map(({ name, options, arguments: places }) => {
    const ofCommand = options.filter((option) => !model.globalOptions.includes(option));
    return (
      ofCommand.map((option) => optionOf(name, option)).join("") +
      places
        .slice(0, 1)
        .map((place) => placeOf(name, place))
        .join("")
    );
  })
  .join("")}`;
}

function optionOf(command: string | undefined, { flags, description, value }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(" ");
  const where = command === undefined ? "" : ` -n ${quoted(`__cert_migration_at ${command}`)}`;
  const taken = value === undefined ? "" : ` -r ${actionFor(value)}`;
  return `complete -c cert-migration${where} ${names}${taken} -d ${quoted(description)}\n`;
}

function placeOf(command: string, place: Completed): string {
  if (place.kind === "text") return "";
  return `complete -c cert-migration -n ${quoted(`__cert_migration_at ${command}`)} ${actionFor(place)}\n`;
}

function actionFor(value: Completed): string {
  if (value.kind === "choice") return `-f -a ${quoted(value.choices.join(" "))}`;
  return { file: "-F", folder: "-f -a '(__fish_complete_directories)'", text: "-f" }[value.kind];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
