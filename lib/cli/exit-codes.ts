import type { Command } from "./command";

/** What every exit code means that commands share; the last one as a shell has it for what Ctrl-C ended. */
export const sharedExitCodes = {
  0: "done",
  1: "a mistake of this program: please report it",
  2: "the command line or an input can't be used",
  3: "a service refused or did not answer",
  130: "stopped, as by Ctrl-C, before there was an answer",
} as const;

/** One way in which a command ends. */
export interface ExitCodeRow {
  readonly code: number;
  readonly meaning: string;
}

/** Options by which a command asks a service: one that has none of them never ends with 3. */
const serviceOptions = /^--(?:endpoint|root-url) /;

/** How a command can end, by code, as it declares it itself. What may happen to every command (1, 130) is not among them. */
export function exitCodesOf({ options = [], exitCodes = {} }: Command): readonly ExitCodeRow[] {
  const asksServices = options.some(({ flags }) => serviceOptions.test(flags));
  const shared = { 0: sharedExitCodes[0], 2: sharedExitCodes[2], ...(asksServices ? { 3: sharedExitCodes[3] } : {}) };
  const all: Readonly<Record<string, string>> = { ...shared, ...exitCodes };
  // Keys that are whole numbers are in their order.
  return Object.entries(all).map(([code, meaning]) => ({ code: Number(code), meaning }));
}
