import { basename } from "node:path";
import { InputError } from "../../../errors";
import type { Pause, Pauses } from "../../../rehearsal";
import { commandLine } from "../../../text/command-line";
import type { Io } from "../../command";
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

/**
 * Returns pauses that print their commands and wait for a key.
 *
 * @param program how commands start this program in another terminal
 * @param interrupt stops this process as Ctrl-C does
 */
export function withHold(
  moments: Moments,
  { freeze }: Pick<RehearsalBoard, "freeze">,
  program: Program,
  { stdin, signal }: Io,
  interrupt: () => void = () => void process.kill(process.pid, "SIGINT"),
): Pauses {
  return {
    ...moments,
    hold: async (pause) => {
      const thaw = freeze(pauseText(pause, program));
      await untilContinued(stdin, signal, interrupt);
      thaw();
    },
  };
}

/** How commands in another terminal of the same folder start this program. */
export interface Program {
  readonly words: readonly string[];
  /** Line that makes the words known to the shell. @default - the shell knows them */
  readonly definition?: string;
}

/** Returns how to start this program again: as an installed package, or from its files by an alias. */
export function programOf({
  argv,
  execPath,
  execArgv,
}: Pick<NodeJS.Process, "argv" | "execPath" | "execArgv">): Program {
  const script = argv[1] ?? "";
  if (basename(script) === "cert-migration") return { words: ["npx", "cert-migration"] };
  const line = commandLine(execPath, ...execArgv, script);
  return { words: ["cert-migration"], definition: `alias ${commandLine(`cert-migration=${line}`)}` };
}

export function pauseText(pause: Pause, program: Program): string {
  const { steps, ok, nextPlan } = pause;
  const after = `after step${steps.length > 1 ? "s" : ""} ${steps.join(", ").replace(/, ([^,]*)$/, " and $1")}${ok ? "" : ", which FAILED"}`;
  const moment = steps.length > 0 ? after : `before the destroy${ok ? "" : ", after a failure"}`;
  const lines = [
    `paused ${moment}: clock, faults and handshakes go on; in another terminal, in this folder:`,
    "",
    ...[program.definition ?? [], routeLine(pause)].flat().map((line) => `  ${line}`),
    ...commandsOf(pause).map((words) => `  ${commandLine(...program.words, ...words)}`),
    "",
    ...(nextPlan === undefined ? [] : [`${nextPlan.file} is the plan of the next deployment: it ${nextPlan.what}`]),
    ...(pause.addresses.length > 0
      ? []
      : ["'verify' and 'watch' need the load balancer's address: pause after step 6"]),
    "c continues; Ctrl-C destroys everything and ends",
  ];
  return lines.map((line) => `${safe(line)}\n`).join("");
}

/** Returns the line that leads connections to public addresses to this machine. */
function routeLine({ control, previous }: Pause): string {
  const variables = {
    CERT_MIGRATION_REHEARSAL: control,
    CERT_MIGRATION_REHEARSAL_PREVIOUS: previousVariable(previous.listener, previous.addresses),
  };
  return `export ${commandLine(...Object.entries(variables).map(([name, value]) => `${name}=${value}`))}`;
}

function commandsOf({ endpoint, nameServer, rootsFile, stackFolder, addresses, nextPlan }: Pause) {
  const stack = ["--stack", stackFolder];
  const service = ["--endpoint", endpoint];
  const dns = ["--dns-server", nameServer];
  const clients = ["--ca", rootsFile, ...addresses.flatMap((address) => ["--address", address])];
  const isServed = addresses.length > 0;
  const handshakes = isServed ? ["--verify-now", "--ca", rootsFile] : [];
  return [
    ["status", ...stack, ...service, ...dns, ...handshakes],
    ["wait", ...stack, ...service],
    ...(isServed ? [["verify", ...stack, ...service, ...clients]] : []),
    ...(isServed ? [["watch", ...stack, ...dns, ...clients, "--every", "1s", "--for", "20s"]] : []),
    ["doctor", ...stack, ...service, ...dns],
    ["records", "--check", ...stack, ...service, ...dns],
    ...(nextPlan === undefined ? [] : [["check-plan", nextPlan.file]]),
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
