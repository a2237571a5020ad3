import { type Completed, type CompletedOption, type CompletionModel, commandsOf, plainCommands, quoted } from "./model";

/** Returns the completion script for bash 3.2 or later; it needs no other package. */
export function bashCompletion(model: CompletionModel): string {
  const groups = Object.keys(model.groups);
  const names = [...plainCommands(model).map(({ name }) => name), ...groups, "help"];
  const arms = [
    arm("", model.globalOptions, names, ["--version"]),
    ...groups.map((group) => arm(group, model.globalOptions, secondWords(group, model))),
    ...model.commands.map(({ name, options, arguments: places }) => arm(name, options, places[0])),
  ];
  return `# Completions of cert-migration for bash: source this file, or put it where bash-completion looks.
_cert_migration() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local command='' options='' choices='' files='' value='' help='' word
  # The text after '=' is a separate word.
  if [ "$cur" = '=' ]; then
    cur=''
  elif [ "$previous" = '=' ] && [ "$COMP_CWORD" -gt 2 ]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$command:$word" in
      *:-*) ;;
      :help) help=yes ;;
      :*) command=$word ;;
      ${groups.map((group) => `${group}:*`).join(" | ")}) command="$command $word"; break ;;
      *) break ;;
    esac
  done
  case $command in
${arms.join("")}    *) return ;;
  esac
  COMPREPLY=()
  if [ -n "$help" ]; then
    case $command in
      '' ${groups.map((group) => `| ${group}`).join(" ")}) options='' files='' ;;
      *) return ;;
    esac
  fi
  if [ -z "$value" ] && [ "\${cur:0:1}" = '-' ]; then
    choices=$options files=''
  fi
  local IFS=$'\\n'
  if [ -n "$choices" ]; then
    COMPREPLY=($(IFS=' '; compgen -W "$choices" -- "$cur"))
  elif [ -n "$files" ]; then
    compopt -o filenames -o default 2>/dev/null
    COMPREPLY=($(compgen "$files" -- "$cur"))
  fi
}
complete -F _cert_migration cert-migration
`;
}

function secondWords(group: string, model: CompletionModel): readonly string[] {
  return commandsOf(group, model).map(({ name }) => name.slice(group.length + 1));
}

function arm(
  name: string,
  options: readonly CompletedOption[],
  place: Completed | readonly string[] | undefined,
  further: readonly string[] = [],
): string {
  const completed = Array.isArray(place)
    ? { kind: "choice" as const, choices: place }
    : (place as Completed | undefined);
  const flags = [...options.flatMap((option) => option.flags), ...further].join(" ");
  const values = options.flatMap(({ flags: names, value }) =>
    value === undefined ? [] : [`        ${names.join(" | ")}) value=yes choices='' files=''${settingOf(value)} ;;\n`],
  );
  const ofValues = values.length === 0 ? "" : `      case $previous in\n${values.join("")}      esac\n`;
  const setting = completed === undefined ? "" : settingOf(completed);
  return `    ${quoted(name)})\n      options=${quoted(flags)}${setting}\n${ofValues}      ;;\n`;
}

function settingOf(value: Completed): string {
  if (value.kind === "choice") return ` choices=${quoted(value.choices.join(" "))}`;
  return { file: " files=-f", folder: " files=-d", text: "" }[value.kind];
}
