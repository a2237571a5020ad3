import { defined } from "../json/defined";
import type { CodeTable, Severity } from "./codes";

/** The fields of a finding without its code. */
export interface FindingContent {
  /** `error`, `warning` or `info`. Only errors change the exit code of a command. */
  readonly severity: Severity;
  /**
   * What the finding is about, untrusted: a hostname, record, zone, project or resource, or a JSON pointer into the
   * input. Empty if the finding is about the whole input.
   */
  readonly subject: string;
  /** What was found, on one line; untrusted. */
  readonly message: string;
  /** What to do, on one line; untrusted. */
  readonly remedy: string;
  /** Why the finding matters. @default - the message says it */
  readonly meaning?: string;
  /** Affected hostnames; `PRIMARY` for clients that no other entry matches. @default - not known */
  readonly hostnames?: readonly string[];
  /** A command line for a POSIX shell that applies the remedy or shows details; untrusted. @default - none */
  readonly command?: string;
}

/** What a command found or refused. Every command reports its findings in this form, also as JSON. */
export interface Finding extends FindingContent {
  /** Stable code in kebab-case; `cert-migration explain` has its meaning. */
  readonly code: string;
}

/** A finding whose code is in a table of codes. */
export interface CodedFinding<Code extends string> extends Finding {
  readonly code: Code;
}

/** Fields of a finding that its code does not determine. */
interface FindingDetails {
  /** @default - the remedy of the code */
  readonly remedy?: string | undefined;
  readonly hostnames?: readonly string[] | undefined;
  readonly command?: string | undefined;
}

/** Creates a finding of a code. */
export type CreateFinding<Code extends string> = (
  code: Code,
  subject: string,
  message: string,
  details?: FindingDetails,
) => CodedFinding<Code>;

/** Returns the function that creates findings with the severity, meaning and remedy of a table. */
export function findingsOf<Code extends string>(codes: CodeTable<Code>): CreateFinding<Code> {
  return (code, subject, message, { remedy, hostnames, command } = {}) => {
    const known = codes[code];
    return {
      code,
      severity: known.severity,
      subject,
      message,
      remedy: remedy ?? known.remedy,
      meaning: known.meaning,
      ...defined({ hostnames, command }),
    };
  };
}

/** Returns the message with the remedy, in one line. A finding whose message has the remedy has an empty `remedy`. */
export function withRemedy({ message, remedy }: Pick<Finding, "message" | "remedy">): string {
  return remedy === "" ? message : `${message}; ${remedy}`;
}
