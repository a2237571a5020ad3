/** A gate in Terraform's output: a `terraform_data` resource that runs a command. */
export interface GateProgress {
  readonly address: string;
  readonly state: "begun" | "passed";
}

const begun = /^(\S*terraform_data\.\S+?)(?: \(local-exec\))?: Provisioning with 'local-exec'/;
const passed = /^(\S*terraform_data\.\S+?): (?:Creation|Modifications) complete after /;

/** Reads the gates from Terraform's output, which arrives in pieces. */
export function readGates(tell: (gate: GateProgress) => void) {
  let rest = "";
  return {
    read: (piece: string): void => {
      const lines = `${rest}${piece}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, beginning] = begun.exec(line) ?? [];
        if (beginning !== undefined) tell({ address: beginning, state: "begun" });
        const [, ending] = passed.exec(line) ?? [];
        if (ending !== undefined) tell({ address: ending, state: "passed" });
      }
    },
    /** Discards an incomplete line at the end of a run. */
    end: (): void => {
      rest = "";
    },
  };
}
