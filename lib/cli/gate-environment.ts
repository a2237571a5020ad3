import { InputError, type Problem } from "../errors";
import { fromEnvironment, listSeparator, verifyVariables, waitVariables } from "../gate-call";
import { quote } from "../text/quote";
import type { ExitCode, Io } from "./command";
import { whileStarterRuns } from "./starter";
import { duration, ipAddress } from "./value-types";

/** Returns the option with which a gate passes its values in environment variables. */
export function fromEnvironmentOption(variables: Readonly<Record<string, string>>) {
  const names = Object.values(variables).join(", ");
  return {
    [fromEnvironment]: `for gates: read what to check from the variables ${names}, in place of the options`,
  } as const;
}

interface GateCall<Options> {
  readonly options: Options;
  /** Names of the options that the command line has. */
  readonly given: ReadonlySet<string>;
}

/**
 * Runs a command. With `--from-environment`, the command is a gate: it gets its values from the environment, and ends
 * when the Terraform that started it no longer exists.
 *
 * @param replaced options that the variables replace
 * @param read reads the values of the variables
 * @throws InputError `gate-variable-missing`, `gate-variable-malformed`, `gate-options-mixed`
 */
export async function runGate<Options extends { readonly fromEnvironment: boolean }>(
  { options, given }: GateCall<Options>,
  replaced: readonly (keyof Options & string)[],
  read: (variables: GateVariables) => Partial<Options>,
  io: Io,
  run: (options: Options, io: Io) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!options.fromEnvironment) return run(options, io);
  refuseOptions(replaced.filter((name) => given.has(name)));
  const variables = createReader(io.env);
  const values = read(variables);
  variables.refuseProblems();
  return whileStarterRuns(io, (gateIo) => run({ ...options, ...values }, gateIo));
}

/** Reads the values of a gate that waits. */
export function readWaitVariables(read: GateVariables) {
  const kind = read.required(waitVariables.kind);
  if (kind !== undefined && kind !== "certificates" && kind !== "entries") {
    read.reject(waitVariables.kind, kind, "use certificates or entries");
  }
  const names = read.list(waitVariables.names, read.required(waitVariables.names));
  const timeout = read.required(waitVariables.timeout) ?? "0s";
  const isDuration = /^\d{1,15}(?:ms|s|m|h)$/.test(timeout);
  if (!isDuration) read.reject(waitVariables.timeout, timeout, "use a number with ms, s, m or h, as in 60m");
  const timeoutMs = isDuration ? duration().read(timeout, waitVariables.timeout) : 0;
  const waited = { timeout: timeoutMs, certificate: [], entry: [] };
  return kind === "entries"
    ? ({ ...waited, for: "entries", entry: names } as const)
    : ({ ...waited, for: "certificates", certificate: names } as const);
}

/** Reads the values of a gate that verifies. */
export function readVerifyVariables(read: GateVariables) {
  const stack = read.required(verifyVariables.stack);
  const migration = read.optional(verifyVariables.migration);
  const addresses = read.list(verifyVariables.addresses, read.optional(verifyVariables.addresses));
  read.refuseProblems();
  return { stack, migration, address: addresses.map((text) => ipAddress.read(text, verifyVariables.addresses)) };
}

type GateVariables = ReturnType<typeof createReader>;

/** Reads variables and collects every mistake. */
function createReader(env: Io["env"]) {
  const problems: Problem[] = [];
  const reject = (name: string, value: string, allowed: string) =>
    void problems.push({
      code: "gate-variable-malformed",
      message: `the variable ${name} is ${quote(value)}; ${allowed}`,
    });
  return {
    reject,
    optional: (name: string): string | undefined => env[name] || undefined,
    required: (name: string): string | undefined => {
      const value = env[name] || undefined;
      if (value === undefined) {
        const message = `the variable ${name} is not set or empty, and ${fromEnvironment} reads it; set it in 'environment' of the gate, or synthesize the gate again`;
        problems.push({ code: "gate-variable-missing", message });
      }
      return value;
    },
    list: (name: string, value: string | undefined): readonly string[] => {
      const items = value?.split(listSeparator) ?? [];
      // A reference without a value must not make the list shorter.
      if (items.includes("")) reject(name, value ?? "", "separate the values by single commas");
      return items;
    },
    refuseProblems: () => {
      if (problems.length > 0) throw new InputError(problems);
    },
  };
}

function refuseOptions(names: readonly string[]): void {
  if (names.length === 0) return;
  const given = names.map((name) => `--${name}`).join(", ");
  const message = `${fromEnvironment} reads the values of ${given} from the environment; give either ${fromEnvironment} or the options`;
  throw new InputError("gate-options-mixed", message);
}
