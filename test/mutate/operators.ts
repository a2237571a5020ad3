import { parseSync } from "@swc/core";

/** A change of one expression or statement. Positions are bytes of the file, from `start` up to and without `end`. */
export interface Change {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly isStatement: boolean;
}

interface SyntaxNode {
  readonly type: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly [field: string]: unknown;
}

const swapped: Readonly<Record<string, readonly [operator: string, replacement: string]>> = {
  "<": ["boundary", "<="],
  "<=": ["boundary", "<"],
  ">": ["boundary", ">="],
  ">=": ["boundary", ">"],
  "===": ["equality", "!=="],
  "!==": ["equality", "==="],
  "&&": ["logical", "||"],
  "||": ["logical", "&&"],
};

const methods: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  startsWith: "endsWith",
  endsWith: "startsWith",
};

/** Methods without which the list stays as it is. */
const removedMethods: Readonly<Record<string, string>> = {
  sort: "order",
  toSorted: "order",
  reverse: "order",
  toReversed: "order",
  filter: "filter",
};

/** Returns the changes of a TypeScript file in the order of their places. */
export function findChanges(source: string): readonly Change[] {
  const bytes = Buffer.from(source);
  const changes: Change[] = [];
  // Tables outside of functions stay as they are.
  visit(parseSync(source, { syntax: "typescript", target: "es2022" }), false, (node) => {
    changes.push(...changesOf(node, (of) => text(bytes, of)));
  });
  return changes.sort((a, b) => a.start - b.start || a.end - b.end || a.replacement.localeCompare(b.replacement));
}

/** Positions of `@swc/core` start at 1. */
const text = (bytes: Buffer, { span }: SyntaxNode) => bytes.subarray(span.start - 1, span.end - 1).toString();

const functionTypes =
  /^(?:ArrowFunctionExpression|FunctionDeclaration|FunctionExpression|ClassMethod|PrivateMethod|MethodProperty|GetterProperty)$/;
const typeSyntax = /^(?:Ts(?!(?:As|NonNull|Satisfies|Const))|ImportDeclaration)/;

function visit(value: unknown, isInFunction: boolean, see: (node: SyntaxNode) => void, isInChain = false): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, isInFunction, see);
    return;
  }
  if (!isObject(value) || (isNode(value) && typeSyntax.test(value.type))) return;
  if (isNode(value) && isInFunction && !(isInChain && value.type === "OptionalChainingExpression")) see(value);
  const isInner = isInFunction || (isNode(value) && functionTypes.test(value.type));
  const continuesChain = isNode(value) && /^(?:OptionalChaining|Member|Call)Expression$/.test(value.type);
  for (const [field, child] of Object.entries(value)) {
    if (field === "key") continue;
    // A part of `a?.b.c` can't be replaced alone: parentheses around `a?.b` change where the chain ends.
    visit(child, isInner, see, continuesChain && /^(?:base|object|callee)$/.test(field));
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const isNode = (value: unknown): value is SyntaxNode =>
  isObject(value) && typeof value.type === "string" && isObject(value.span);

function changesOf(node: SyntaxNode, source: (node: SyntaxNode) => string): readonly Change[] {
  const { start, end } = node.span;
  const change = (operator: string, replacement: string, at: SyntaxNode = node, isStatement = false): Change => ({
    operator,
    start: at.span.start - 1,
    end: at.span.end - 1,
    replacement,
    isStatement,
  });
  switch (node.type) {
    case "BinaryExpression":
      return binary(node, source).map(([operator, replacement]) => change(operator, replacement));
    case "IfStatement":
    case "ConditionalExpression": {
      const { test, consequent, alternate } = node;
      if (!isNode(test)) return [];
      const negated = change("condition", `!(${source(test)})`, test);
      const isEarly = node.type === "IfStatement" && !alternate && isNode(consequent) && leaves(consequent);
      return isEarly ? [negated, change("early return", "false", test)] : [negated];
    }
    case "OptionalChainingExpression": {
      return [
        change(
          "optional chaining",
          source(node).replace(/\?\.([([]?)/, (_, bracket) => bracket || "."),
        ),
      ];
    }
    case "ExpressionStatement":
      return isNode(node.expression) &&
        /^(?:Call|Await|OptionalChaining)Expression$/.test(node.expression.type) &&
        !/^super\b/.test(source(node))
        ? [change("call", "{}", node, true)]
        : [];
    case "NumericLiteral":
      return typeof node.value === "number" && end - start === String(node.value).length
        ? [change("number", `${node.value + 1}`)]
        : [];
    case "CallExpression":
      return method(node, source).map(([operator, replacement]) => change(operator, replacement));
    default:
      return [];
  }
}

function leaves(statement: SyntaxNode): boolean {
  if (statement.type !== "BlockStatement") return /^(?:Return|Continue|Throw|Break)Statement$/.test(statement.type);
  const { stmts } = statement;
  return Array.isArray(stmts) && stmts.length === 1 && isNode(stmts[0]) && leaves(stmts[0]);
}

type Replacement = readonly [operator: string, replacement: string];

function binary({ operator, left, right }: SyntaxNode, source: (node: SyntaxNode) => string): readonly Replacement[] {
  if (typeof operator !== "string" || !isNode(left) || !isNode(right)) return [];
  if (operator === "??") {
    const isConstant =
      /^(?:[A-Za-z]*Literal|Array|Object|TemplateLiteral)/.test(right.type) || source(right) === "undefined";
    const preferred: Replacement = ["default", `(${source(right)}) ?? (${source(left)})`];
    return [["default", source(left)], ...(isConstant ? [] : [preferred])];
  }
  const swap = swapped[operator];
  // Mixed with another operator, the operands keep their grouping.
  return swap ? [[swap[0], `(${source(left)}) ${swap[1]} (${source(right)})`]] : [];
}

function method(node: SyntaxNode, source: (node: SyntaxNode) => string): readonly Replacement[] {
  const { callee } = node;
  if (!isNode(callee) || callee.type !== "MemberExpression") return [];
  const { object, property } = callee;
  if (!isNode(object) || !isNode(property) || typeof property.value !== "string") return [];
  const name = property.value;
  const rest = source(node).slice(source(callee).length);
  const other = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (other) return [["method", `${source(object)}.${other}${rest}`]];
  const operator = Object.hasOwn(removedMethods, name) ? removedMethods[name] : undefined;
  return operator ? [[operator, source(object)]] : [];
}
