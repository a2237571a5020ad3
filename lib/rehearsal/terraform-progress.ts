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
export function readTerraformProgress(tell: (progress: TerraformProgress) => void) {
  let verb = "";
  let done = 0;
  let total: number | undefined;
  let rest = "";
  return {
    begin: (word: string): void => {
      // A plan's total is valid only for the apply right after it.
      if (word !== "apply" || verb !== "plan") total = undefined;
      verb = word;
      done = 0;
      rest = "";
      tell({ verb, done, total });
    },
    read: (piece: string): void => {
      const lines = `${rest}${piece}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const plan = planned.exec(line);
        if (plan !== null) total = plan.slice(1).reduce((sum, count) => sum + Number(count), 0);
        else if (completed.test(line)) done += 1;
      }
      tell({ verb, done, total });
    },
  };
}
