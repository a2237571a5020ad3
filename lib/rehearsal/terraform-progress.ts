/** How far a run of Terraform is, by what it says. */
export interface TerraformProgress {
  /** As in `apply`. */
  readonly verb: string;
  /** Resources that are made, changed or gone, of what was planned. */
  readonly done: number;
  /** How many that will be; nothing before a plan has been told. */
  readonly total: number | undefined;
}

const planned = /^Plan: (?:\d+ to import, )?(\d+) to add, (\d+) to change, (\d+) to destroy/;
const completed = /: (?:Creation|Modifications|Destruction) complete after /;

/** Reads what Terraform writes, which comes in pieces; an apply of a saved plan does not tell again what it was. */
export function readTerraformProgress(tell: (progress: TerraformProgress) => void) {
  let verb = "";
  let done = 0;
  let total: number | undefined;
  let rest = "";
  return {
    begin: (word: string): void => {
      // What was planned is that of the apply right after it alone.
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
