import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import type { AuditParameterValue } from "../reading";

/** Longest first, so that `<=` is not read as `<`. */
const operators = ["==", "<>", "<=", ">=", "<", ">"] as const;

/** Comparison operator of a filter. */
export type FilterOperator = (typeof operators)[number];

/** A condition on a parameter of an event. All conditions of a query apply to the same event. */
export interface ActivityFilter {
  /** Name of the parameter, for example `USER_EMAIL`. */
  readonly parameter: string;
  readonly operator: FilterOperator;
  /**
   * Value to compare with. Not empty, without a comma, without `==`, `<` and `>`, and without `=` at the start, because
   * the service cannot quote these characters.
   */
  readonly value: string;
}

const name = /^[A-Za-z0-9_.]+$/;
// An equals sign at the start would join the operator before it: `<` and `=5` would be read as `<=` and `5`. Half of a
// surrogate pair would be sent as another character.
const inexpressible = /^=|,|==|<|>|\p{Cs}/u;

/** Maximum length of a list of filters, in characters. */
const longest = 8_192;

/**
 * Reads filters as the service writes them: `NAME op VALUE`, separated by commas, for example
 * `USER_EMAIL==a@example.com,NEW_VALUE<>on`.
 *
 * @throws InputError with a problem for each invalid condition
 */
export function parseFilters(text: string): readonly ActivityFilter[] {
  if (text.length > longest) {
    throw new InputError("filters-too-long", `the filters have ${text.length} characters; ${longest} are allowed`);
  }
  const problems: Problem[] = [];
  const filters = text.split(",").flatMap((condition) => {
    const at = condition.search(/==|<|>/);
    const operator = operators.find((candidate) => condition.startsWith(candidate, at));
    if (operator === undefined) {
      const message = `the filter ${quote(condition)} compares nothing; use NAME op VALUE with one of ${operators.join(" ")}`;
      problems.push({ code: "filter-malformed", message });
      return [];
    }
    const filter = { parameter: condition.slice(0, at), operator, value: condition.slice(at + operator.length) };
    problems.push(...checkFilter(filter));
    return [filter];
  });
  if (problems.length > 0) throw new InputError(problems);
  return filters;
}

/**
 * Writes filters as the service reads them.
 *
 * @throws InputError with a problem for each condition that cannot be expressed
 */
export function formatFilters(filters: readonly ActivityFilter[]): string {
  const problems = filters.flatMap(checkFilter);
  if (problems.length > 0) throw new InputError(problems);
  return filters.map(({ parameter, operator, value }) => `${parameter}${operator}${value}`).join(",");
}

/** Returns the problems of a condition. */
export function checkFilter({ parameter, operator, value }: ActivityFilter): readonly Problem[] {
  const problems: Problem[] = [];
  if (!name.test(parameter)) {
    const message = `${quote(parameter)} is not the name of a parameter; use letters, digits, '_' and '.'`;
    problems.push({ code: "filter-parameter-malformed", message });
  }
  if (!(operators as readonly string[]).includes(operator)) {
    const message = `${quote(operator)} does not compare; use one of ${operators.join(" ")}`;
    problems.push({ code: "filter-operator-unknown", message });
  }
  if (value === "") {
    const message = `the filter on ${quote(parameter)} has no value to compare with`;
    problems.push({ code: "filter-value-missing", message });
  } else if (inexpressible.test(value)) {
    const message = `the value ${quote(value)} can't be part of a filter: the service has no way of quoting ',', '==', '<', '>' and '=' at the start; leave the condition out and filter what is listed`;
    problems.push({ code: "filter-value-inexpressible", message });
  }
  return problems;
}

/**
 * Returns whether a parameter's value meets a condition. Whole numbers are compared as numbers, all other values as
 * text. A list meets the condition if one of its items does.
 */
export function meetsFilter(value: AuditParameterValue | undefined, filter: ActivityFilter): boolean {
  const { operator, value: wanted } = filter;
  if (value === undefined) return false;
  if (Array.isArray(value)) return value.some((item: AuditParameterValue) => meetsFilter(item, filter));
  if (typeof value === "object") return false;
  return comparisons[operator](compare(String(value), wanted));
}

/** Comparisons by operator; the order is below 0, 0 or above 0, as in a sort. */
const comparisons: Readonly<Record<FilterOperator, (order: number) => boolean>> = {
  "==": (order) => order === 0,
  "<>": (order) => order !== 0,
  "<=": (order) => order <= 0,
  ">=": (order) => order >= 0,
  "<": (order) => order < 0,
  ">": (order) => order > 0,
};

const wholeNumber = /^-?\d{1,40}$/;

function compare(left: string, right: string): number {
  if (wholeNumber.test(left) && wholeNumber.test(right)) {
    const difference = BigInt(left) - BigInt(right);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}
