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
  let kept = "";
  let at = 0;
  while (at < text.length) {
    heredocBegin.lastIndex = at;
    const heredoc = heredocBegin.exec(text);
    if (heredoc !== null) {
      const end = new RegExp(`^[^\\S\\n]*${heredoc[1]}[^\\S\\n]*$`, "m").exec(text.slice(at + heredoc[0].length));
      kept += '""';
      at = end === null ? text.length : at + heredoc[0].length + end.index + end[0].length;
    } else if (text[at] === '"') {
      const end = endOfString(text, at);
      kept += text.slice(at, end);
      at = end;
    } else if (text[at] === "#" || text.startsWith("//", at)) {
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end;
    } else if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      kept += " ";
      at = end === -1 ? text.length : end + 2;
    } else {
      kept += text[at];
      at += 1;
    }
  }
  return kept;
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

/** A block that begins in a text, for example `provisioner "local-exec" {`. */
export interface BlockBegin {
  readonly type: string;
  readonly labels: readonly string[];
}

/** Returns all blocks of a text without comments, nested ones too. */
export function blocksIn(bare: string): readonly BlockBegin[] {
  const block = new RegExp(`(?<![\\w.-])([A-Za-z_][\\w-]*)(${labels})[ \\t]*\\{`, "g");
  return [...bare.matchAll(block)].map(([, type = "", names = ""]) => ({
    type,
    labels: [...names.matchAll(/"((?:[^"\\]|\\.)*)"|([A-Za-z_][\w-]*)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? "",
    ),
  }));
}

/** Returns the sources of the module calls in a text without comments; undefined if not a plain string. */
export function moduleSourcesIn(bare: string): readonly (string | undefined)[] {
  return bodiesOf(bare, new RegExp(`(?<![\\w.-])module${labels}[ \\t]*\\{`, "g")).flatMap(sourcesOfModule);
}

/** Returns the sources in `required_providers` of a text without comments; undefined if not a plain string. */
export function providerSourcesIn(bare: string): readonly (string | undefined)[] {
  return bodiesOf(bare, /(?<![\w.-])required_providers[ \t]*\{/g).flatMap((body) => {
    // An escape can also spell the name of the attribute.
    if (body.includes("\\")) return [undefined];
    return [...body.matchAll(/(?<![\w.-])source"?\)?[ \t]*[=:][ \t]*/g)].map(({ index, 0: { length } }) =>
      literalAt(body, index + length),
    );
  });
}

/** Only the body's own attribute counts: an object among the arguments can have a `source` of its own. */
function sourcesOfModule(body: string): readonly (string | undefined)[] {
  const assignment = /(?<![\w.-])source[ \t]*=(?!=)[ \t]*/y;
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at] ?? "";
    assignment.lastIndex = at;
    if (sign === '"') at = endOfString(body, at) - 1;
    else if ("{[(".includes(sign)) depth += 1;
    else if ("}])".includes(sign)) depth -= 1;
    else if (depth === 0 && assignment.test(body)) return [literalAt(body, assignment.lastIndex)];
  }
  return [];
}

/** Returns the string that begins at an index, if it is the whole expression and has no escapes and templates. */
function literalAt(text: string, begin: number): string | undefined {
  const literal = /"((?:[^"\\$%\n]|[$%](?!\{))+)"[ \t\r]*(?=[\n,}]|$)/y;
  literal.lastIndex = begin;
  return literal.exec(text)?.[1];
}

function bodiesOf(bare: string, begin: RegExp): readonly string[] {
  return [...bare.matchAll(begin)].map((match) => {
    const from = match.index + match[0].length;
    return bare.slice(from, endOfTemplate(bare, from));
  });
}
