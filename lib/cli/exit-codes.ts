import type { Command } from "./command";

/** Meanings of the exit codes that commands share; 130 is the shell's convention for a process that Ctrl-C ended. */
export const sharedExitCodes = {
  0: "done",
  1: "a bug in this program; please report it",
  2: "the command line or an input can't be used",
  3: "a service refused or did not answer",
  130: "interrupted (for example by Ctrl-C) before a result",
} as const;

/** Describes one exit code of a command. */
export interface ExitCodeRow {
  readonly code: number;
  readonly meaning: string;
}

/** Matches the options of commands that call a service; a command without them never ends with 3. */
const serviceOptions = /^--(?:endpoint|root-url) /;

/** Returns the exit codes of a command in ascending order. Codes that every command may return (1, 130) are omitted. */
export function exitCodesOf({ options = [], exitCodes = {} }: Command): readonly ExitCodeRow[] {
  const asksServices = options.some(({ flags }) => serviceOptions.test(flags));
  const shared = { 0: sharedExitCodes[0], 2: sharedExitCodes[2], ...(asksServices ? { 3: sharedExitCodes[3] } : {}) };
  const all: Readonly<Record<string, string>> = { ...shared, ...exitCodes };
  // JavaScript orders integer keys in ascending order.
  return Object.entries(all).map(([code, meaning]) => ({ code: Number(code), meaning }));
}
