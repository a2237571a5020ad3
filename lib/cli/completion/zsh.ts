import {
  type Completed,
  type CompletedCommand,
  type CompletedOption,
  type CompletionModel,
  commandsOf,
  plainCommands,
  quoted,
} from "./model";

export function zshCompletion(model: CompletionModel): string {
  return `#compdef cert-migration
# Completions of cert-migration for zsh: put it as _cert-migration into a folder of fpath, or source it after compinit.

${namesFunction(model)}
${mainFunction(model)}
if [[ \${funcstack[1]} == _cert_migration || \${funcstack[1]} == _cert-migration ]]; then
  _cert_migration "$@"
else
  compdef _cert_migration cert-migration
fi
`;
}

/** Returns the function that completes the names of commands. */
function namesFunction(model: CompletionModel): string {
  const groups = Object.entries(model.groups);
  const top = [
    ...plainCommands(model).map(({ name, summary }) => [name, summary] as const),
    ...groups,
    ["help", "show the help of a command"] as const,
  ];
  const arms = groups.map(([group]) => {
    const names = commandsOf(group, model).map(({ name, summary }) => [name.slice(group.length + 1), summary] as const);
    return `    ${group})\n${namesOf(names)}      ;;\n`;
  });
  return `_cert_migration_names() {
  local -a names
  case $1 in
    '')
${namesOf(top)}      ;;
${arms.join("")}  esac
  _describe -t commands 'command' names
}
`;
}

/** Returns the function that finds the command in the line, and completes its options and arguments. */
function mainFunction(model: CompletionModel): string {
  const groups = Object.entries(model.groups);
  return `_cert_migration() {
  local curcontext=$curcontext state line command word
  local -i named=1
  # The command is the first word, or the first two words, without options.
  local -i position=2
  while (( position < CURRENT )); do
    word=\${words[position]}
    if [[ $word != -* ]]; then
      if [[ -z $command ]]; then
        command=$word
        named=position
        case $word in
          ${[...groups.map(([group]) => group), "help"].join("|")}) ;;
          *) break ;;
        esac
      else
        command="$command $word"
        named=position
        [[ $command == help\\ (${groups.map(([group]) => group).join("|")}) ]] || break
      fi
    fi
    (( position++ ))
  done
  case $command in
    '')
      if [[ \${words[CURRENT]} == -* ]]; then
        _arguments -S ${[...model.globalOptions.flatMap(specsOf), "'--version[print the version]'"].join(" ")}
      else
        _cert_migration_names ''
      fi
      return ;;
    help) _cert_migration_names ''; return ;;
    ${groups.map(([group]) => group).join("|")}) _cert_migration_names $command; return ;;
    ${groups.map(([group]) => `'help ${group}'`).join("|")}) _cert_migration_names \${command#help }; return ;;
    help\\ *) return ;;
  esac
  # What is left is the command's own.
  words=("$command" "\${(@)words[named + 1, -1]}")
  (( CURRENT -= named - 1 ))
  case $command in
${model.commands.map(armOf).join("")}  esac
}
`;
}

function namesOf(named: readonly (readonly [string, string])[]): string {
  const rows = named.map(([name, summary]) => `        ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}\n`);
  return `      names=(\n${rows.join("")}      )\n`;
}

function armOf({ name, options, arguments: places, manyArguments }: CompletedCommand): string {
  const positional = places.map((place, index) => {
    const many = manyArguments && index === places.length - 1;
    return quoted(`${many ? "*" : index + 1}:${wordFor(place)}:${actionFor(place)}`);
  });
  return `    ${quoted(name)})\n      _arguments -S \\\n        ${[...options.flatMap(specsOf), ...positional].join(" \\\n        ")}\n      ;;\n`;
}

function specsOf({ flags, description, value, repeatable }: CompletedOption): readonly string[] {
  const explained = description.replace(/[\\[\]:]/g, "\\$&");
  const others = repeatable ? "*" : flags.length > 1 ? `(${flags.join(" ")})` : "";
  const taken = value === undefined ? "" : `:${wordFor(value)}:${actionFor(value)}`;
  return flags.map((flag) => quoted(`${others}${flag}[${explained}]${taken}`));
}

function wordFor({ kind }: Completed): string {
  return kind === "choice" || kind === "text" ? "value" : kind;
}

function actionFor(value: Completed): string {
  if (value.kind === "choice") return `(${value.choices.join(" ")})`;
  return { file: "_files", folder: "_files -/", text: "" }[value.kind];
}
