/** Returns a command line for a POSIX shell, with words quoted where necessary. */
export function commandLine(...words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** Returns a `gcloud` command line. @param command words of the command, for example `compute addresses describe` */
export function gcloud(command: string, ...options: readonly string[]): string {
  return commandLine("gcloud", ...command.split(" "), ...options);
}

/**
 * Returns a `dig` command line that looks up records by name and type. Names are untrusted: a name that looks like a
 * flag or a server of dig is passed with `-q`.
 *
 * @param flags flags of dig, and a server with its at sign
 */
export function dig(
  questions: readonly (readonly [name: string, type: string])[],
  ...flags: readonly string[]
): string {
  const words = questions.flatMap(([name, type]) => [...(/^[-+@]/.test(name) ? ["-q", name] : [name]), type]);
  return commandLine("dig", ...flags, ...words);
}

function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
