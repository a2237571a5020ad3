/** Reads what a text in Terraform's native syntax contains, without its comments and heredocs. */

/**
 * Returns the text with blanks in place of comments and of the content of heredocs, so that nothing in them is taken
 * for configuration. Strings stay; a quotation mark inside `${…}` begins a string of its own, as in Terraform.
 */
export function withoutComments(text: string): string {
  let kept = "";
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 200);
    const heredoc = /^<<-?\s*([A-Za-z_]\w*)[^\n]*\n/.exec(rest);
    if (heredoc !== null) {
      const end = new RegExp(`^[ \\t]*${heredoc[1]}[ \\t]*\\r?$`, "m").exec(text.slice(at + heredoc[0].length));
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
  const block = /(?<![\w.-])([A-Za-z_][\w-]*)((?:[ \t]+(?:"[^"\n]*"|[A-Za-z_][\w-]*))*)[ \t]*\{/g;
  return [...bare.matchAll(block)].map(([, type = "", labels = ""]) => ({
    type,
    labels: [...labels.matchAll(/"([^"\n]*)"|([A-Za-z_][\w-]*)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
  }));
}

/** Returns the sources of the module calls in a text without comments, as far as they are plain strings. */
export function moduleSourcesIn(bare: string): readonly string[] {
  return bodiesOf(bare, /(?<![\w.-])module[ \t]+"?[\w-]+"?[ \t]*\{/g).flatMap((body) =>
    stringsOf(body, "source").slice(0, 1),
  );
}

/** Returns the sources in `required_providers` of a text without comments. */
export function providerSourcesIn(bare: string): readonly string[] {
  return bodiesOf(bare, /(?<![\w.-])required_providers[ \t]*\{/g).flatMap((body) => stringsOf(body, "source"));
}

function bodiesOf(bare: string, begin: RegExp): readonly string[] {
  return [...bare.matchAll(begin)].map((match) => {
    const from = match.index + match[0].length;
    return bare.slice(from, endOfTemplate(bare, from));
  });
}

/** Returns the values of attributes with this name that are a plain string, in the order of the text. */
function stringsOf(bare: string, attribute: string): readonly string[] {
  const pattern = new RegExp(`(?<![\\w.-])${attribute}[ \\t]*[=:][ \\t]*"([^"$%\\\\\\n]*)"`, "g");
  return [...bare.matchAll(pattern)].map(([, value = ""]) => value);
}
