/** A command line for a POSIX shell, each word quoted where it has to be. */
export function commandLine(...words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/**
 * Asks DNS for records, by name and type. Names come from others: one that looks like a flag or a server of dig is given as a name all the same.
 *
 * @param flags of dig, with its at sign before a server
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
