/** Reads what Terraform prints and logs. */

/** Returns a function that splits a text, which arrives in pieces, into lines. */
function createLineReader() {
  let rest = "";
  return {
    /** Returns the lines that a piece completes. */
    read: (piece: string): readonly string[] => {
      const lines = `${rest}${piece}`.split("\n");
      rest = lines.pop() ?? "";
      return lines;
    },
    /** Discards an incomplete line. */
    reset: (): void => {
      rest = "";
    },
  };
}

/** Progress of a run of Terraform, read from its output. */
export interface TerraformProgress {
  /** Subcommand, for example `apply`. */
  readonly verb: string;
  /** Number of planned resources that are already created, changed or destroyed. */
  readonly done: number;
  /** Total number of planned changes; undefined before the plan is printed. */
  readonly total: number | undefined;
}

const planned = /^Plan: (?:\d+ to import, )?(\d+) to add, (\d+) to change, (\d+) to destroy/;
const completed = /: (?:Creation|Modifications|Destruction) complete after /;

/** Reads Terraform's output, which arrives in pieces. The apply of a saved plan does not print the plan again. */
export function readTerraformProgress(report: (progress: TerraformProgress) => void) {
  let verb = "";
  let done = 0;
  let total: number | undefined;
  const lines = createLineReader();
  return {
    begin: (word: string): void => {
      // A plan's total is valid only for the apply right after it.
      if (word !== "apply" || verb !== "plan") total = undefined;
      verb = word;
      done = 0;
      lines.reset();
      report({ verb, done, total });
    },
    read: (piece: string): void => {
      for (const line of lines.read(piece)) {
        const plan = planned.exec(line);
        if (plan !== null) total = plan.slice(1).reduce((sum, count) => sum + Number(count), 0);
        else if (completed.test(line)) done += 1;
      }
      report({ verb, done, total });
    },
  };
}

/** A gate in Terraform's output: a `terraform_data` resource that runs a command. */
interface GateProgress {
  readonly address: string;
  readonly state: "begun" | "passed";
}

const gateBegun = /^(\S*terraform_data\.\S+?)(?: \(local-exec\))?: Provisioning with 'local-exec'/;
const gatePassed = /^(\S*terraform_data\.\S+?): (?:Creation|Modifications) complete after /;

/** Reads the gates from Terraform's output, which arrives in pieces. */
export function readGates(report: (gate: GateProgress) => void) {
  const lines = createLineReader();
  return {
    read: (piece: string): void => {
      for (const line of lines.read(piece)) {
        const [, beginning] = gateBegun.exec(line) ?? [];
        if (beginning !== undefined) report({ address: beginning, state: "begun" });
        const [, ending] = gatePassed.exec(line) ?? [];
        if (ending !== undefined) report({ address: ending, state: "passed" });
      }
    },
    /** Discards an incomplete line at the end of a run. */
    end: lines.reset,
  };
}

/** Warnings and errors of Terraform about an invalid plan or state of a provider. */
const badPlan = /tolerating it|invalid plan|inconsistent result|unexpected new value/;

/**
 * Attributes that only the service sets and changes, by itself or with an update. The provider plans no change of them,
 * so that Terraform logs their new values. The service also replaces the project's id with its number in the trust
 * config of a policy.
 */
const serviceAttributes =
  /^(?:id|fingerprint|label_fingerprint|update_time|state|users|enabled_features|gclb_targets|mtls_policy\.client_validation_trust_config|managed\.(?:state|provisioning_issue|authorization_attempt_info))(?:\.|$)/;

/**
 * Returns the entries of Terraform's log about plans and states that a provider should not have returned, without
 * those about {@link serviceAttributes} alone.
 *
 * @param log of `TF_LOG=WARN`: an entry is a line with its time and level, and the lines below it
 */
export function badPlansIn(log: string): readonly string[] {
  return log.split(/\n(?=\S+ \[)/).filter((entry) => {
    if (!/\[(?:WARN|ERROR)\]/.test(entry) || !badPlan.test(entry)) return false;
    const named = [...entry.matchAll(/^ +- \.([\w.[\]]+)/gm)].map(([, name = ""]) => name.replace(/\[\d+\]/g, ""));
    return named.length === 0 || !named.every((name) => serviceAttributes.test(name));
  });
}

/** Maximum number of characters that {@link lastLines} returns of an output. */
const maxShown = 1_000;

/**
 * Returns the errors in the output of a program and of its provisioners, on one line. Without errors, returns the end
 * of the output.
 */
export function lastLines(output: string): string {
  const bare = (line: string) => line.replace(/^[│╷╵\s]+/, "").replace(/^\S+ \(local-exec\): /, "");
  const lines = output.split("\n").map((line) => bare(line).trim());
  // Terraform prints the block of an error on the following lines.
  const placeAfter = (index: number) =>
    lines
      .slice(index + 1, index + 4)
      .flatMap((line) => / in ((?:resource|data|module|provider)\.\S+):$/.exec(line)?.[1] ?? []);
  const messages = lines.map((line, index) => [line, ...placeAfter(index).slice(0, 1)].join(" in "));
  const errors = [...new Set(messages.filter((line) => /^(?:Error|error: )/.test(line)))];
  const shown = (errors.length > 0 ? errors : lines.filter((line) => line !== "").slice(-5)).slice(0, 5).join("; ");
  return shown.length > maxShown ? `${shown.slice(0, maxShown)} …` : shown;
}
