/** Reads what a text in Terraform's native syntax contains, without its comments and heredocs. */

/** Terraform's identifiers may contain hyphens and letters of any language. */
const heredocBegin = /<<-?\s*([\p{L}_][\p{L}\p{N}_-]*)[^\n]*\n/uy;

/** Labels of a block. Terraform needs no blank beside a label in quotation marks. */
const labels = String.raw`(?:[ \t]*(?:"(?:[^"\\\n]|\\.)*"|(?<=["\t ])[A-Za-z_][\w-]*))*`;

/**
 * Returns the text with blanks in place of comments and of the content of heredocs, so that nothing in them is taken
 * for configuration. Strings stay; a quotation mark inside `${…}` begins a string of its own, as in Terraform.
 */
export function withoutComments(text: string): string {
  return bareTextOf(text).bare;
}

/** A text without comments and heredocs, with the lines of the original text. */
export interface BareText {
  readonly bare: string;
  /** Returns the line number in the original text, from 1, of an index in `bare`. */
  readonly lineAt: (index: number) => number;
  /** Returns the index in the original text of an index in `bare`. */
  readonly originalAt: (index: number) => number;
  /**
   * Line of the first part that this reader may understand in another way than Terraform: an expression over several
   * lines in a heredoc, or a comment in an expression of a string. @default - there is none
   */
  readonly unclearLine?: number;
}

/** Returns what {@link withoutComments} returns, with the original lines. */
export function bareTextOf(text: string): BareText {
  let kept = "";
  let at = 0;
  /** Indices in the result and in the original text at which the same characters begin, in ascending order. */
  const places: (readonly [bare: number, original: number])[] = [];
  let unclear: number | undefined;
  while (at < text.length) {
    heredocBegin.lastIndex = at;
    const heredoc = heredocBegin.exec(text);
    if (heredoc !== null) {
      unclear ??= openTemplateIn(text, at + heredoc[0].length, heredoc[1] ?? "");
      const end = new RegExp(`^[^\\S\\n]*${heredoc[1]}[^\\S\\n]*$`, "m").exec(text.slice(at + heredoc[0].length));
      kept += '""';
      at = end === null ? text.length : at + heredoc[0].length + end.index + end[0].length;
      places.push([kept.length, at]);
    } else if (text[at] === '"') {
      const end = endOfString(text, at);
      if (hasComment(text.slice(at, end))) unclear ??= at;
      kept += text.slice(at, end);
      at = end;
    } else if (text[at] === "#" || text.startsWith("//", at)) {
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end;
      places.push([kept.length, at]);
    } else if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      kept += " ";
      at = end === -1 ? text.length : end + 2;
      places.push([kept.length, at]);
    } else {
      kept += text[at];
      at += 1;
    }
  }
  return {
    bare: kept,
    lineAt: (index) => text.slice(0, originalOf(places, index)).split("\n").length,
    originalAt: (index) => originalOf(places, index),
    ...(unclear === undefined ? {} : { unclearLine: text.slice(0, unclear).split("\n").length }),
  };
}

/**
 * Returns the index of the first line of a heredoc with an expression that does not end on the line, or with a comment
 * in it: Terraform finds the end of the heredoc after the expression, whatever the lines in it are.
 */
function openTemplateIn(text: string, begin: number, marker: string): number | undefined {
  const end = new RegExp(`^[^\\S\\n]*${marker}[^\\S\\n]*$`);
  for (let at = begin; at < text.length; ) {
    const next = text.indexOf("\n", at);
    const line = text.slice(at, next === -1 ? text.length : next);
    if (end.test(line)) return undefined;
    for (let index = 0; index < line.length; index += 1) {
      if (!isTemplate(line, index)) continue;
      // A brace at the end closes the expression if the same line without it does not.
      const ending = endOfTemplate(line, index + 2);
      const isClosed =
        ending < line.length || (line.endsWith("}") && endOfTemplate(line.slice(0, -1), index + 2) === ending - 1);
      if (!isClosed || hasComment(line.slice(index, ending))) return at;
      index = ending - 1;
    }
    if (next === -1) return undefined;
    at = next + 1;
  }
  return undefined;
}

/** Returns whether an expression of a string or a heredoc contains what may begin a comment, outside of plain text. */
function hasComment(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (!isTemplate(text, at)) continue;
    const end = endOfTemplate(text, at + 2);
    if (/#|\/\/|\/\*/.test(text.slice(at, end))) return true;
    at = end - 1;
  }
  return false;
}

function originalOf(places: readonly (readonly [bare: number, original: number])[], index: number): number {
  const [bare, original] = places.filter(([begin]) => begin <= index).at(-1) ?? [0, 0];
  return original + index - bare;
}

/** @param begin index of the quotation mark @returns the index after the closing one */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
    else if (isTemplate(text, at)) at = endOfTemplate(text, at + 2) - 1;
  }
  return text.length;
}

/** A doubled sign, as in `$${`, is literal text. */
function isTemplate(text: string, at: number): boolean {
  const sign = text[at];
  return (sign === "$" || sign === "%") && text[at + 1] === "{" && text[at - 1] !== sign;
}

/** @param begin index after `${` @returns the index after the closing brace */
function endOfTemplate(text: string, begin: number): number {
  let depth = 1;
  for (let at = begin; at < text.length; at += 1) {
    if (text[at] === '"') at = endOfString(text, at) - 1;
    else if (text[at] === "{") depth += 1;
    else if (text[at] === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/**
 * Returns the bracket at which a text without comments breaks Terraform's syntax: the last that has no end, or the
 * first that ends nothing; undefined if all brackets are closed.
 */
export function unclosedAt(bare: string): { readonly sign: string; readonly index: number } | undefined {
  const open: { readonly sign: string; readonly index: number }[] = [];
  for (let index = 0; index < bare.length; index += 1) {
    const sign = bare[index] ?? "";
    if (sign === '"') index = endOfString(bare, index) - 1;
    else if ("{[(".includes(sign)) open.push({ sign, index });
    else if ("}])".includes(sign)) {
      const begin = open.pop();
      if (begin === undefined || "{[(".indexOf(begin.sign) !== "}])".indexOf(sign)) return { sign, index };
    }
  }
  return open.at(-1);
}

/** @param begin index after the opening brace of a body @returns the index after its closing brace */
export function bodyEnd(bare: string, begin: number): number {
  return endOfTemplate(bare, begin);
}

/** A block that begins in a text, for example `provisioner "local-exec" {`. */
export interface BlockBegin {
  readonly type: string;
  readonly labels: readonly string[];
  /** Index of its first character in the text. @default - unknown */
  readonly index?: number;
}

/** A plain string at a place of a text, or undefined in place of another expression. */
export interface FoundText {
  readonly text: string | undefined;
  /** Index in the text without comments. */
  readonly index: number;
}

/** Returns all blocks of a text without comments, nested ones too. */
export function blocksIn(bare: string): readonly BlockBegin[] {
  const block = new RegExp(`(?<![\\w.-])([A-Za-z_][\\w-]*)(${labels})[ \\t]*\\{`, "g");
  return [...bare.matchAll(block)].map(({ 1: type = "", 2: names = "", index }) => ({
    type,
    index,
    labels: [...names.matchAll(/"((?:[^"\\]|\\.)*)"|([A-Za-z_][\w-]*)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? "",
    ),
  }));
}

/** Returns the sources of the module calls in a text without comments; undefined if not a plain string. */
export function moduleSourcesIn(bare: string): readonly FoundText[] {
  const calls = bodiesOf(bare, new RegExp(`(?<![\\w.-])module${labels}[ \\t]*\\{`, "g"));
  return calls.flatMap(({ body, index }) => sourcesOfModule(body).map((text) => ({ text, index })));
}

/** Returns the sources in `required_providers` of a text without comments; undefined if not a plain string. */
export function providerSourcesIn(bare: string): readonly FoundText[] {
  return bodiesOf(bare, /(?<![\w.-])required_providers[ \t]*\{/g).flatMap(({ body, index, from }) => {
    // An escape can also spell the name of the attribute.
    if (body.includes("\\")) return [{ text: undefined, index }];
    return [...body.matchAll(/(?<![\w.-])source"?\)?[ \t]*[=:][ \t]*/g)].map((found) => ({
      text: literalAt(body, found.index + found[0].length),
      index: from + found.index,
    }));
  });
}

/** Only the body's own attribute counts: an object among the arguments can have a `source` of its own. */
function sourcesOfModule(body: string): readonly (string | undefined)[] {
  const source = assignmentsIn(body).get("source");
  return source === undefined ? [] : [typeof source.value === "string" ? source.value : undefined];
}

/** A value that the text of an assignment contains. Without members: another expression. */
export interface Expression {
  /** A string without escapes and templates, a number or a boolean. */
  readonly value?: string | number | boolean;
  /** Name of the variable, for `var.name`. */
  readonly variable?: string;
}

/** Returns the arguments of a body without comments, without those of nested blocks and objects. */
export function assignmentsIn(body: string): ReadonlyMap<string, Expression> {
  const assignment = /(?<![\w.-])([A-Za-z_][\w-]*)[ \t]*=(?![=>])[ \t]*/y;
  const found = new Map<string, Expression>();
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at] ?? "";
    assignment.lastIndex = at;
    if (sign === '"') at = endOfString(body, at) - 1;
    else if ("{[(".includes(sign)) depth += 1;
    else if ("}])".includes(sign)) depth -= 1;
    else if (depth === 0) {
      const [whole = "", name] = assignment.exec(body) ?? [];
      if (name === undefined) continue;
      found.set(name, expressionAt(body, at + whole.length));
      at += whole.length - 1;
    }
  }
  return found;
}

function expressionAt(text: string, begin: number): Expression {
  const value = literalAt(text, begin);
  if (value !== undefined) return { value };
  const plain = /(?:(true|false)|(-?\d+(?:\.\d+)?)|var\.([\w-]+))[ \t\r]*(?=[\n}]|$)/y;
  plain.lastIndex = begin;
  const [, word, number, variable] = plain.exec(text) ?? [];
  if (word !== undefined) return { value: word === "true" };
  if (number !== undefined) return { value: Number(number) };
  return variable === undefined ? {} : { variable };
}

/** Returns the arguments of each module block in a text without comments. */
export function moduleCallsIn(bare: string): readonly ReadonlyMap<string, Expression>[] {
  const calls = bodiesOf(bare, new RegExp(`(?<![\\w.-])module${labels}[ \\t]*\\{`, "g"));
  return calls.map(({ body }) => assignmentsIn(body));
}

/** Returns the defaults of the variables in a text without comments, by name. */
export function variableDefaultsIn(bare: string): ReadonlyMap<string, Expression> {
  const block = /(?<![\w.-])variable[ \t]*"?([\w-]+)"?[ \t]*\{/g;
  const found = bodiesOf(bare, block).flatMap(({ body, index }) => {
    block.lastIndex = index;
    const [, name = ""] = block.exec(bare) ?? [];
    const standard = assignmentsIn(body).get("default");
    return standard === undefined ? [] : [[name, standard] as const];
  });
  return new Map(found);
}

/** Returns the string that begins at an index, if it is the whole expression and has no escapes and templates. */
function literalAt(text: string, begin: number): string | undefined {
  const literal = /"((?:[^"\\$%\n]|[$%](?!\{))+)"[ \t\r]*(?=[\n,}]|$)/y;
  literal.lastIndex = begin;
  return literal.exec(text)?.[1];
}

interface Body {
  readonly body: string;
  /** Indices of the block and of its body. */
  readonly index: number;
  readonly from: number;
}

function bodiesOf(bare: string, begin: RegExp): readonly Body[] {
  return [...bare.matchAll(begin)].map(({ index, 0: { length } }) => {
    const from = index + length;
    return { body: bare.slice(from, endOfTemplate(bare, from)), index, from };
  });
}

/** Arguments of a provider block. */
export interface ProviderBody {
  readonly name: string;
  /** Undefined for the default configuration. */
  readonly alias: string | undefined;
  /** Names of the arguments, with the index of each in the text. */
  readonly argumentsAt: ReadonlyMap<string, number>;
}

/** Returns the provider blocks in a text without comments. */
export function providerBodiesIn(bare: string): readonly ProviderBody[] {
  const block = /(?<![\w.-])provider[ \t]*"?([\w-]+)"?[ \t]*\{/g;
  return bodiesOf(bare, block).map(({ body, index, from }) => {
    block.lastIndex = index;
    const [, name = ""] = block.exec(bare) ?? [];
    const found = [...body.matchAll(/(?<![\w.-])([a-z_]+)[ \t]*=(?!=)[ \t]*/g)];
    const aliasAt = found.find(([, argument]) => argument === "alias");
    return {
      name,
      alias: aliasAt && literalAt(body, aliasAt.index + aliasAt[0].length),
      argumentsAt: new Map(found.map((match) => [match[1] ?? "", from + match.index])),
    };
  });
}

/** Returns the providers that blocks choose with the argument `provider`, and those that need no `source`. */
export function chosenProvidersIn(bare: string): readonly FoundText[] {
  const chosen = [...bare.matchAll(/(?<![\w.-])provider[ \t]*=(?!=)[ \t]*"?([\w-]+)/g)];
  const required = bodiesOf(bare, /(?<![\w.-])required_providers[ \t]*\{/g).flatMap(({ body, from }) =>
    withoutSourceIn(body).map(({ name, index }) => ({ 1: name, index: from + index })),
  );
  return [...chosen, ...required].flatMap(({ index, 1: text }) => (text === undefined ? [] : [{ text, index }]));
}

/** Returns the entries in the body of `required_providers` that have no `source`. */
function withoutSourceIn(body: string): readonly { readonly name: string; readonly index: number }[] {
  const entry = /"?([\w-]+)"?[ \t]*[=:](?!=)\s*/y;
  const found: { readonly name: string; readonly index: number }[] = [];
  for (let at = 0; at < body.length; ) {
    entry.lastIndex = at;
    const [whole = "", name = ""] = /[\w-]/.test(body[at - 1] ?? "") ? [] : (entry.exec(body) ?? []);
    if (whole === "") {
      at += 1;
      continue;
    }
    const begin = at + whole.length;
    const isObject = body[begin] === "{";
    const end = isObject ? endOfTemplate(body, begin + 1) : body[begin] === '"' ? endOfString(body, begin) : begin;
    const hasSource = isObject && /(?<![\w.-])source"?\)?[ \t]*[=:]/.test(body.slice(begin, end));
    if (!hasSource) found.push({ name, index: at });
    at = Math.max(end, begin);
  }
  return found;
}
