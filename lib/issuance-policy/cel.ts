/** Names of a requested certificate, as an expression of an issuance policy sees them. */
export interface IdentityRequest {
  readonly dnsNames: readonly string[];
  /** @default "" */
  readonly commonName?: string;
}

type Value = string | number | boolean | readonly Value[] | { readonly [member: string]: Value };
type Names = Readonly<Record<string, Value>>;
type Node = (names: Names) => Value;

/** Kinds of alternative names; expressions write them without quotes. */
const kinds = ["DNS", "EMAIL", "URI", "IP_ADDRESS", "CUSTOM"] as const;

const token = /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\d+)|([A-Za-z_]\w*)|(&&|\|\||==|!=|[!().,[\]]))/y;

/**
 * Evaluates an expression of an issuance policy (`celExpression`) for the names of a certificate. Supports the part of
 * the Common Expression Language that policies for names need: comparisons, `&&`, `||`, `!`, `in`, lists, `all`,
 * `exists`, `startsWith`, `endsWith`, `contains` and `matches`.
 *
 * @returns undefined for an expression with anything else, whose result is unknown
 */
export function isAllowedBy(expression: string, { dnsNames, commonName = "" }: IdentityRequest): boolean | undefined {
  try {
    const result = parse(expression)({
      ...Object.fromEntries(kinds.map((kind) => [kind, kind])),
      subject: { common_name: commonName, organization: "", organizational_unit: "" },
      subject_alt_names: dnsNames.map((value) => ({ type: "DNS", value })),
    });
    return typeof result === "boolean" ? result : undefined;
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Thrown for an expression, or a part, that this module does not evaluate. */
class Unsupported extends Error {}

function tokensOf(expression: string): readonly string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  const text = expression.trimEnd();
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (found === null) throw new Unsupported();
    tokens.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? "");
  }
  return tokens;
}

function parse(expression: string): Node {
  const tokens = [...tokensOf(expression)];
  const take = (wanted: string): boolean => {
    if (tokens[0] !== wanted) return false;
    tokens.shift();
    return true;
  };
  const expect = (wanted: string): void => {
    if (!take(wanted)) throw new Unsupported();
  };
  const list = (end: string): readonly Node[] => {
    const items: Node[] = [];
    while (!take(end)) {
      if (items.length > 0) expect(",");
      items.push(either());
    }
    return items;
  };
  const either = (): Node => {
    let left = both();
    while (take("||")) left = orNode(left, both());
    return left;
  };
  const both = (): Node => {
    let left = compared();
    while (take("&&")) left = andNode(left, compared());
    return left;
  };
  const compared = (): Node => {
    const left = negated();
    if (take("==")) return equalNode(left, negated());
    if (take("!=")) return notNode(equalNode(left, negated()));
    if (take("in")) return inNode(left, negated());
    return left;
  };
  const negated = (): Node => (take("!") ? notNode(negated()) : member());
  const member = (): Node => {
    let node = primary();
    while (take(".")) {
      const name = identifier();
      node = take("(") ? called(node, name) : memberNode(node, name);
    }
    return node;
  };
  const called = (target: Node, name: string): Node => {
    if (name !== "all" && name !== "exists") return callNode(target, name, list(")"));
    const variable = identifier();
    expect(",");
    const body = either();
    expect(")");
    return everyNode(target, variable, body, name);
  };
  const identifier = (): string => {
    const name = tokens.shift() ?? "";
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new Unsupported();
    return name;
  };
  const primary = (): Node => {
    if (take("(")) {
      const inner = either();
      expect(")");
      return inner;
    }
    if (take("[")) {
      const items = list("]");
      return (names) => items.map((item) => item(names));
    }
    if (take("true")) return () => true;
    if (take("false")) return () => false;
    const [first = ""] = tokens;
    if (/^["']/.test(first)) return textNode(tokens.shift() ?? "");
    if (/^\d/.test(first)) return numberNode(tokens.shift() ?? "");
    const name = identifier();
    return (names) => own(names, name);
  };
  const whole = either();
  if (tokens.length > 0) throw new Unsupported();
  return whole;
}

function textNode(quoted: string): Node {
  const text = quoted.slice(1, -1).replace(/\\(.)/g, "$1");
  return () => text;
}

const numberNode =
  (digits: string): Node =>
  () =>
    Number(digits);
const orNode =
  (left: Node, right: Node): Node =>
  (names) =>
    isTrue(left(names)) || isTrue(right(names));
const andNode =
  (left: Node, right: Node): Node =>
  (names) =>
    isTrue(left(names)) && isTrue(right(names));
const notNode =
  (node: Node): Node =>
  (names) =>
    !isTrue(node(names));
const equalNode =
  (left: Node, right: Node): Node =>
  (names) =>
    left(names) === right(names);
const inNode =
  (item: Node, items: Node): Node =>
  (names) =>
    listIn(items(names)).includes(item(names));

function memberNode(target: Node, name: string): Node {
  return (names) => {
    const value = target(names);
    if (typeof value !== "object" || Array.isArray(value)) throw new Unsupported();
    return own(value as Names, name);
  };
}

function everyNode(target: Node, variable: string, body: Node, name: "all" | "exists"): Node {
  return (names) => {
    const holds = (item: Value) => isTrue(body({ ...names, [variable]: item }));
    const items = listIn(target(names));
    return name === "all" ? items.every(holds) : items.some(holds);
  };
}

function callNode(target: Node, name: string, parameters: readonly Node[]): Node {
  return (names) => {
    const value = target(names);
    const [parameter] = parameters.map((each) => each(names));
    if (typeof value !== "string" || typeof parameter !== "string" || parameters.length !== 1) throw new Unsupported();
    if (name === "startsWith") return value.startsWith(parameter);
    if (name === "endsWith") return value.endsWith(parameter);
    if (name === "contains") return value.includes(parameter);
    if (name === "matches") return matches(value, parameter);
    throw new Unsupported();
  };
}

/** Returns whether a text contains a match of a pattern. Patterns are RE2, which is almost a part of JavaScript's. */
function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    throw new Unsupported();
  }
}

function isTrue(value: Value): boolean {
  if (typeof value !== "boolean") throw new Unsupported();
  return value;
}

function listIn(value: Value): readonly Value[] {
  if (!Array.isArray(value)) throw new Unsupported();
  return value;
}

function own(names: Names, name: string): Value {
  const value = Object.hasOwn(names, name) ? names[name] : undefined;
  if (value === undefined) throw new Unsupported();
  return value;
}
