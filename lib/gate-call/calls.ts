/**
 * The call of `cert-migration` by a gate. The text of the command is constant, and the values are in its environment: a
 * shell therefore never reads a value that Terraform has evaluated, and the command needs no quotation marks, whose
 * rules differ between the shells of Linux and Windows.
 */

/** Variables that `wait --from-environment` reads. */
export const waitVariables = {
  /** `certificates` or `entries`. */
  kind: "CERT_MIGRATION_WAIT_FOR",
  /** Names of the resources, separated by {@link listSeparator}. */
  names: "CERT_MIGRATION_WAIT_NAMES",
  /** Duration, for example `60m`. */
  timeout: "CERT_MIGRATION_WAIT_TIMEOUT",
} as const;

/** Variables that `verify --from-environment` reads. */
export const verifyVariables = {
  /** Folder of the stack or module. */
  stack: "CERT_MIGRATION_VERIFY_STACK",
  /** Path of the migration in the stack; empty for all migrations. */
  migration: "CERT_MIGRATION_VERIFY_MIGRATION",
  /** IP addresses, separated by {@link listSeparator}; empty for the addresses of the stack. */
  addresses: "CERT_MIGRATION_VERIFY_ADDRESSES",
} as const;

/** Separates the values of a list. An empty value leaves two adjacent separators, which the commands refuse. */
export const listSeparator = ",";

/** Variable of a rehearsal with the id of its process. Its gates end with this process. */
export const rehearsalProcess = "CERT_MIGRATION_REHEARSAL_PROCESS";

/** Option with which the commands of gates read their values. */
export const fromEnvironment = "--from-environment";

/** Call of a gate: the subcommand and its variables. */
export interface GateCall {
  readonly verb: "wait" | "verify";
  readonly environment: Readonly<Record<string, string>>;
}

/** Arguments of a `local-exec` provisioner. */
export interface ProgramRun {
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Waiting {
  readonly kind: "certificates" | "entries";
  readonly names: readonly string[];
  /** Duration, for example `60m`. */
  readonly timeout: string;
}

/** Returns the call that waits for resources. */
export function waitEnvironment({ kind, names, timeout }: Waiting): GateCall {
  return {
    verb: "wait",
    environment: {
      [waitVariables.kind]: kind,
      [waitVariables.names]: names.join(listSeparator),
      [waitVariables.timeout]: timeout,
    },
  };
}

interface Verifying {
  readonly stack: string;
  /** @default - all migrations of the stack */
  readonly migration?: string | undefined;
  readonly addresses: readonly string[];
}

/** Returns the call that verifies load balancers. */
export function verifyEnvironment({ stack, migration = "", addresses }: Verifying): GateCall {
  return {
    verb: "verify",
    environment: {
      [verifyVariables.stack]: stack,
      [verifyVariables.migration]: migration,
      [verifyVariables.addresses]: addresses.join(listSeparator),
    },
  };
}

/** @param program command line that calls `cert-migration` */
export function gateRun(program: string, { verb, environment }: GateCall): Required<ProgramRun> {
  return { command: `${program} ${verb} ${fromEnvironment}`, environment };
}
