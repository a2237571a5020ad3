import type { CodeMeaning } from "../../findings/codes";
import type { CheckName } from "./check-names";
import type { DoctorOptions } from "./options";
import type { Shared } from "./shared";
import type { DoctorSubject } from "./subject";

/** A migration to check, and what its checks ask with. */
export interface CheckContext {
  readonly subject: DoctorSubject;
  readonly shared: Shared;
  readonly options: DoctorOptions;
  /** Hostnames of all migrations of the run. */
  readonly served: ReadonlySet<string>;
}

/** A check: what it examines, what it asks, and how it judges the answer. */
export interface CheckDefinition<Item, Answer, Result> {
  readonly check: CheckName;
  /** Returns what is examined in a migration; empty if the check does not apply. */
  readonly of: (context: CheckContext) => readonly Item[];
  /** Returns the subject of the check in the output. Checks of the same name and subject are reported as one. */
  readonly subject: (item: Item, context: CheckContext) => string;
  /** Asks Google Cloud or DNS. Throws ServiceError. */
  readonly ask: (item: Item, context: CheckContext) => Promise<Answer>;
  readonly judge: (answer: Answer, item: Item, context: CheckContext) => Result;
}

/** A check of one item, ready to run. */
export interface PreparedCheck<Result> {
  readonly subject: string;
  readonly work: () => Promise<Result>;
}

/** A check in a table. */
export interface CheckRow<Result> {
  readonly check: CheckName;
  /** Returns a check for each item in a migration. */
  readonly prepare: (context: CheckContext) => readonly PreparedCheck<Result>[];
}

/** Makes a row of a table of checks. */
export function row<Item, Answer, Result>(check: CheckDefinition<Item, Answer, Result>): CheckRow<Result> {
  return {
    check: check.check,
    prepare: (context) =>
      check.of(context).map((item) => ({
        subject: check.subject(item, context),
        work: async () => check.judge(await check.ask(item, context), item, context),
      })),
  };
}

/** What a check with one code found. */
export interface Fault {
  readonly subject: string;
  readonly what: string;
  /** @default - the remedy of the code */
  readonly remedy?: string;
  readonly command?: string;
}

/** A check that reports one code: the code's severity, meaning and remedy are a part of its row. */
export type OneCodeCheck<Item, Answer> = CodeMeaning & CheckDefinition<Item, Answer, Fault | undefined>;

/** Makes a row of the table of checks with one code. */
export function oneCode<Item, Answer>(check: OneCodeCheck<Item, Answer>) {
  return { ...check, ...row(check) };
}
