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
  /** `terraform` or `tofu`. */
  readonly program: string;
  /** Subcommand, for example `apply`. */
  readonly verb: string;
  /** Number of planned resources that are already created, changed or destroyed. */
  readonly done: number;
  /** Total number of planned changes; undefined before the plan is printed. */
  readonly total: number | undefined;
}

const planned = /^Plan: (?:\d+ to import, )?(\d+) to add, (\d+) to change, (\d+) to destroy/;
const completed = /: (?:Creation|Modifications|Destruction) complete after /;

/**
 * Reads Terraform's output, which arrives in pieces. The apply of a saved plan does not print the plan again.
 *
 * @param program name in the reports
 */
export function readTerraformProgress(report: (progress: TerraformProgress) => void, program = "terraform") {
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
      report({ program, verb, done, total });
    },
    read: (piece: string): void => {
      for (const line of lines.read(piece)) {
        const plan = planned.exec(line);
        if (plan !== null) total = plan.slice(1).reduce((sum, count) => sum + Number(count), 0);
        else if (completed.test(line)) done += 1;
      }
      report({ program, verb, done, total });
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

/** Maximum numbers of characters and errors that {@link lastLines} returns of an output. */
const maxShown = 4_000;
const mostErrors = 5;

/**
 * Returns the errors in the output of a program and of its provisioners, each with its explanation, on one line.
 * Without errors, returns the end of the output.
 */
export function lastLines(output: string): string {
  const lines = output.split("\n").map((line) => {
    const inProvisioner = /^\S+ \(local-exec\): (.*)$/.exec(line)?.[1];
    return { text: (inProvisioner ?? line).replace(/^[│╷╵├─\s]+/, "").trim(), isEnd: /^\s*╵/.test(line) };
  });
  const texts = lines.map(({ text }) => text);
  const blocks = lines.flatMap(({ text }, index) =>
    /^Error:? /.test(text) ? [errorAt(texts.slice(index, endOfError(lines, index)))] : [],
  );
  // An error that a gate has printed itself is repeated in the error of the provisioner.
  const printed = texts.filter((text) => text.startsWith("error: ") && !blocks.some((block) => block.includes(text)));
  const all = [...new Set([...printed, ...blocks])];
  const causes = all.filter((text) => !introduction.test(text));
  const errors = causes.length > 0 ? causes : all;
  const more = errors.length > mostErrors ? `; and ${errors.length - mostErrors} more` : "";
  const shown = errors.length > 0 ? errors.slice(0, mostErrors) : texts.filter((text) => text !== "").slice(-5);
  const text = shown.join("; ");
  return `${text.length > maxShown ? `${text.slice(0, maxShown)} …` : text}${more}`;
}

/** An error of `init` that only announces the errors after it. */
const introduction = /^Error: (?:Terraform|OpenTofu) encountered problems during initiali[sz]ation/;

/** Returns the index after an error: the end of its box, the next error or warning, or the end of the output. */
function endOfError(lines: readonly { readonly text: string; readonly isEnd: boolean }[], begin: number): number {
  const end = lines.findIndex(
    ({ text, isEnd }, index) => index > begin && (isEnd || /^(?:Error|Warning): /.test(text)),
  );
  return end === -1 ? lines.length : end;
}

/** Returns an error on one line: summary, place and explanation, without the excerpt of the configuration. */
function errorAt([summary = "", ...lines]: readonly string[]): string {
  const place = lines.map(placeIn).find((found) => found !== undefined) ?? addressIn(lines);
  const kept = lines.filter((line) => placeIn(line) === undefined && !isExcerpt(line));
  const paragraphs = kept
    .join(" ")
    .split(/ {2,}/)
    .map((text) => text.trim());
  const explanation = paragraphs
    .filter((text) => text !== "")
    .join(". ")
    .replace(/([.:!?])\. /g, "$1 ");
  const begin = place === undefined ? summary : `${summary} ${place}`;
  return explanation === "" ? begin : `${begin}: ${explanation}`;
}

function placeIn(line: string): string | undefined {
  const [, file, block] = /^on (\S+ line \d+)(?:, in (.+))?:$/.exec(line) ?? [];
  if (file === undefined) return undefined;
  return /^(?:resource|data|module|provider)\.\S+$/.test(block ?? "") ? `in ${block}` : `(${file})`;
}

/** Returns the address that Terraform prints of a resource, for an error without a place in a file. */
function addressIn(lines: readonly string[]): string | undefined {
  const address = lines.flatMap((line) => /^with (\S+),$/.exec(line)?.[1] ?? [])[0];
  return address === undefined ? undefined : `in ${address}`;
}

/** A line of the configuration, or the address that the place repeats. */
function isExcerpt(line: string): boolean {
  return /^\d+: /.test(line) || /^with \S+,$/.test(line);
}
