import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../../errors";
import type { Pause, Pauses } from "../../../rehearsal";
import { commandLine } from "../../../text/command-line";
import type { Io } from "../../command";
import { type Fold, folderFor } from "../../style";
import { safe } from "../../text";
import type { RehearsalBoard } from "./board";
import type { RehearseOptions } from "./options";
import { previousVariable } from "./route";

/** Standard input of a terminal that passes on each key at once. */
type Keys = NodeJS.ReadableStream & { readonly isTTY?: boolean; readonly setRawMode?: (raw: boolean) => unknown };

/** Ctrl-C as a terminal in raw mode passes it on. */
const interruptKey = "\u0003";

type PauseOptions = Pick<RehearseOptions, "pauseAfter" | "pauseBeforeDestroy">;

type Moments = Pick<Pauses, "afterSteps" | "beforeDestroy">;

/**
 * Reads the options `--pause-after` and `--pause-before-destroy`.
 *
 * @returns undefined without these options
 */
export function readPauses(
  { pauseAfter: afterSteps, pauseBeforeDestroy: beforeDestroy }: PauseOptions,
  { stdin, stderr }: Io,
): Moments | undefined {
  if (afterSteps.length === 0 && !beforeDestroy) return undefined;
  const keys: Keys = stdin;
  if (keys.isTTY === true && stderr.isTTY === true) return { afterSteps, beforeDestroy };
  const option = afterSteps.length > 0 ? "--pause-after" : "--pause-before-destroy";
  const message = `${option} needs a terminal: the key 'c' ends a pause; run the rehearsal in a terminal, or leave the option out`;
  throw new InputError("pause-without-terminal", message);
}

/** What a pause does beside its output. */
interface HoldEffects {
  /** Stops this process as Ctrl-C does. */
  readonly interrupt: () => void;
  /** Writes the file of variables. */
  readonly write: (file: string, text: string) => void;
}

/**
 * Returns pauses that print their commands and wait for a key.
 *
 * @param program words that start this program from any folder
 */
export function withHold(
  moments: Moments,
  { freeze }: Pick<RehearsalBoard, "freeze">,
  program: readonly string[],
  io: Io,
  {
    interrupt = () => void process.kill(process.pid, "SIGINT"),
    write = (file, text) => writeFileSync(file, text, { mode: 0o600 }),
  }: Partial<HoldEffects> = {},
): Pauses {
  const { stdin, signal } = io;
  return {
    ...moments,
    hold: async (pause) => {
      write(join(pause.stackFolder, variablesName), variablesScript(pause, program));
      const thaw = freeze(pauseText(pause, folderFor(io, "stderr")));
      await untilContinued(stdin, signal, interrupt);
      thaw();
    },
  };
}

/**
 * Returns the words that start this program again from any folder. `npx cert-migration` would look for the package in
 * the folder of the stack, and offer to install a package of this name.
 */
export function programOf({
  argv,
  execPath,
  execArgv,
}: Pick<NodeJS.Process, "argv" | "execPath" | "execArgv">): readonly string[] {
  return [execPath, ...execArgv, argv[1] ?? ""];
}

/** Name of the file with the variables of the commands, in the folder of the stack. */
const variablesName = "env.sh";

/**
 * Returns what a pause prints.
 *
 * @param fold folds the lines that are not commands. @default - they stay on one line
 */
export function pauseText(pause: Pause, fold: Fold = (line) => line): string {
  const { steps, ok, nextPlan, stackFolder } = pause;
  const after = `after step${steps.length > 1 ? "s" : ""} ${steps.join(", ").replace(/, ([^,]*)$/, " and $1")}${ok ? "" : ", which FAILED"}`;
  const moment = steps.length > 0 ? after : `before the destroy${ok ? "" : ", after a failure"}`;
  const explain = (text: string) => fold(safe(text), 2);
  const lines = [
    explain(`paused ${moment}: clock, faults and handshakes go on; in another terminal:`),
    "",
    safe(`  cd ${commandLine(stackFolder)}`),
    `  . ./${variablesName}`,
    ...commandsOf(pause).map((command) => `  cert-migration ${command}`),
    "",
    ...(nextPlan === undefined ? [] : [explain(`$PLAN is the plan of the next deployment: it ${nextPlan.what}`)]),
    ...(pause.addresses.length > 0
      ? []
      : [explain("'verify' and 'watch' need the load balancer's address: pause after step 6")]),
    "c continues; Ctrl-C destroys everything and ends",
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns a script for POSIX shells that sets the variables of the printed commands, and an alias for the program. */
export function variablesScript(pause: Pause, program: readonly string[]): string {
  const { control, previous, endpoint, rootsFile, stackFolder, nameServer, addresses, nextPlan } = pause;
  // Connections to public addresses lead to this machine, and clients trust its CAs.
  const exported = {
    CERT_MIGRATION_REHEARSAL: control,
    CERT_MIGRATION_REHEARSAL_PREVIOUS: previousVariable(previous.listener, previous.addresses),
    CERT_MIGRATION_REHEARSAL_TRUSTED: rootsFile,
    CERT_MIGRATION_ENDPOINT: endpoint,
  };
  const used = {
    STACK: stackFolder,
    DNS: nameServer,
    ...Object.fromEntries(addresses.map((address, index) => [addressVariable(index), address])),
    ...(nextPlan === undefined ? {} : { PLAN: nextPlan.file }),
  };
  const set = ([name, value]: readonly [string, string]) => `${name}=${commandLine(value)}`;
  const lines = [
    "# Variables and the command of a running rehearsal, for a second terminal.",
    ...Object.entries(exported).map((variable) => `export ${set(variable)}`),
    ...Object.entries(used).map(set),
    `alias ${commandLine(`cert-migration=${commandLine(...program)}`)}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the variable of an address: IP, IP_2 and so on. */
function addressVariable(index: number): string {
  return index === 0 ? "IP" : `IP_${index + 1}`;
}

/** Returns the commands without the program. Only paths are quoted, because addresses have no spaces. */
function commandsOf({ addresses, nextPlan }: Pause): readonly string[] {
  const stack = '--stack "$STACK"';
  const dns = "--dns-server $DNS";
  const clients = addresses.map((_, index) => ` --address $${addressVariable(index)}`).join("");
  const isServed = addresses.length > 0;
  return [
    `status ${stack} ${dns}${isServed ? " --verify-now" : ""}`,
    `wait ${stack}`,
    ...(isServed ? [`verify ${stack}${clients}`, `watch ${stack}${clients} --every 1s --for 20s`] : []),
    `doctor ${stack} ${dns}`,
    `records ${stack} ${dns} --check`,
    ...(nextPlan === undefined ? [] : ['check-plan "$PLAN"']),
  ];
}

function untilContinued(keys: Keys, signal: AbortSignal, interrupt: () => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      keys.off("data", read);
      signal.removeEventListener("abort", end);
      keys.setRawMode?.(false);
      keys.pause();
      resolve();
    };
    const read = (data: Buffer | string) => {
      const text = data.toString();
      if (text.includes(interruptKey)) interrupt();
      // Other keys contain the letter too: the right arrow is ESC [ C.
      else if (/^c$/i.test(text)) end();
    };
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", end, { once: true });
    keys.setRawMode?.(true);
    keys.on("data", read);
    keys.resume();
  });
}
