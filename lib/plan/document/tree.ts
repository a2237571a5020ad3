import type { CST, Document, LineCounter, ParsedNode, YAMLError } from "yaml";
import type { Problem } from "../../errors";
import type { Code } from "../../findings/codes";
import { escapeUnsafe, quote } from "../../text/quote";
import type { DocumentProblem, Position } from "./problem";

/**
 * Largest document, in characters. 20,000 certificates need about 1.5 million; parsing takes about a second per
 * million.
 */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Deepest nesting of lists and mappings; a migration has 7 levels. */
const DEEPEST = 64;

/** Marker with which the lexer announces a plain scalar to the parser. */
const PLAIN_SCALAR = "\u001f";

/** Loads the YAML library when the first document is read or written. Migrations in TypeScript do not need it. */
export function yaml(): typeof import("yaml") {
  return require("yaml") as typeof import("yaml");
}

/** A parsed document, with the problems of its syntax. */
export interface Tree {
  readonly root: ParsedNode | null;
  readonly lines: LineCounter;
  /** Problems after which the values can still be read. */
  readonly problems: readonly DocumentProblem[];
}

/** Errors that affect only one value, so that the rest of the document can still be read. */
const HARMLESS: ReadonlySet<string> = new Set(["BAD_ALIAS", "NON_STRING_KEY", "TAG_RESOLVE_FAILED"]);

/** Messages for the YAML library's codes. Codes that are missing here keep the library's own message. */
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_COLLECTION_TYPE: "the tag does not fit a list or mapping: remove the tag",
  BAD_DQ_ESCAPE: "an escape in double quotes is not one of YAML's: write a backslash twice, or use single quotes",
  BAD_INDENT:
    "the indentation does not fit the lines before: indent the items of one list or mapping alike, with spaces",
  BAD_SCALAR_START: "a value begins with a character that YAML reserves: put the value in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a line contains a second ': ': begin a new line, or put the value in quotes",
  BLOCK_IN_FLOW: "an indented list or mapping stands within brackets: write one of them in the other's way",
  MISSING_CHAR:
    "a quote, bracket, comma or colon is missing: close what was opened, and write a space after ':' and '-'",
  MULTILINE_IMPLICIT_KEY: "a key goes over several lines: a ':' is missing, or a line is indented too little",
  NON_STRING_KEY: "a key is not plain text: write text before ':'",
  TAB_AS_INDENT: "a tab indents the line: use spaces",
  TAG_RESOLVE_FAILED: "the tag is not known here: remove it, or put the value in quotes if it begins with '!'",
};

/**
 * Parses a YAML text. Text that is too long, nested too deeply or unreadable returns only problems. The time is at most
 * proportional to the length of the text.
 */
export function readTree(text: string, source: string): Tree | { readonly problems: readonly DocumentProblem[] } {
  const refuse = (code: Code, message: string, position: Position = { line: 1, column: 1 }) => ({
    problems: [{ source, ...position, pointer: "", code, message }],
  });
  if (text.length > MOST_CHARACTERS) {
    return refuse(
      "document-too-large",
      `the document has ${text.length} characters, and at most ${MOST_CHARACTERS} are read: divide it into several migrations`,
    );
  }

  if (isBinary(text)) return refuse("document-not-text", "the document is not text: give a YAML or JSON file in UTF-8");

  const { Composer, LineCounter } = yaml();
  const lines = new LineCounter();
  // Line ends are counted in the text, because the parser does not report every line end in invalid syntax.
  lines.addNewLine(0);
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) lines.addNewLine(end + 1);
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line, column: col };
  };
  const { tokens, wildcards, tooDeepAt } = readTokens(text);
  if (tooDeepAt !== undefined) {
    return refuse(
      "document-too-deep",
      `lists and mappings are nested more than ${DEEPEST} levels deep: a migration has 7`,
      positionOf(tooDeepAt),
    );
  }

  const composer = new Composer({ uniqueKeys: false, stringKeys: true, prettyErrors: false, schema: "core" });
  const documents: Document.Parsed[] = [...composer.compose(tokens, true, text.length)];
  const document = documents[0]!;
  const errors: readonly YAMLError[] = [...document.errors, ...document.warnings];
  const fatal = errors.find((error) => error.name === "YAMLParseError" && !HARMLESS.has(error.code));
  const fatalIndex = fatal === undefined ? errors.length : errors.indexOf(fatal);
  const unclosed = fatal && unclosedAt(tokens, fatal);
  const problems = [
    ...wildcards.map(({ name, offset }) => ({ source, ...positionOf(offset), pointer: "", ...unquotedWildcard(name) })),
    // After the first syntax error, the parser reports many errors that are not real.
    ...errors
      .filter((error, index) => index <= fatalIndex || (error.code !== "UNEXPECTED_TOKEN" && !unclosed))
      .map((error) => {
        const isUnclosedHere = unclosed !== undefined && error === fatal;
        const { offset, ...said } = isUnclosedHere ? unclosed : { offset: error.pos[0], ...syntaxProblem(error) };
        return { source, ...positionOf(offset), pointer: "", ...said };
      }),
  ];
  const second = documents[1];
  if (second !== undefined) {
    const message = "a second document begins after '---': write one migration per file";
    problems.push(...refuse("document-several", message, positionOf(second.range[0])).problems);
  }
  return fatal === undefined ? { root: document.contents, lines, problems } : { problems };
}

/**
 * Splits a text into the parser's tokens, with unquoted wildcards as plain text. Stops where the nesting is too deep:
 * the composer is recursive, so deep nesting has to be refused before it runs.
 */
function readTokens(text: string): {
  readonly tokens: readonly CST.Token[];
  readonly wildcards: readonly { readonly name: string; readonly offset: number }[];
  readonly tooDeepAt?: number;
} {
  const { Lexer, Parser } = yaml();
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const wildcards: { readonly name: string; readonly offset: number }[] = [];
  let before = "";
  for (const lexeme of new Lexer().lex(text)) {
    const wildcard = before !== PLAIN_SCALAR && lexeme.startsWith("*.") ? withoutColon(lexeme) : undefined;
    before = lexeme;
    if (wildcard !== undefined) wildcards.push({ name: wildcard, offset: parser.offset });
    const pieces = wildcard === undefined ? [lexeme] : [PLAIN_SCALAR, wildcard, lexeme.slice(wildcard.length)];
    for (const piece of pieces) if (piece !== "") tokens.push(...parser.next(piece));
    if (parser.stack.length > DEEPEST) return { tokens, wildcards, tooDeepAt: parser.offset };
  }
  tokens.push(...parser.end());
  return { tokens, wildcards };
}

/** Number of characters at the beginning that decide whether a document is text. */
const SAMPLE = 8_192;

/** Returns whether a file is an image, an archive or the like: its beginning has characters that no text has. */
function isBinary(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what distinguishes a binary file
  const strange = sample.match(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffd]/g) ?? [];
  return sample.includes("\0") || strange.length * 20 > sample.length;
}

function syntaxProblem(error: YAMLError): Problem {
  return {
    code: "document-syntax",
    message: `not valid YAML: ${SYNTAX[error.code] ?? strayEnd(error) ?? ownWords(error.message)}`,
  };
}

/**
 * Returns the bracket or quote whose missing end causes an error. The parser reports the error where it notices that
 * the end is missing: often lines later, and as wrong indentation.
 */
function unclosedAt(
  tokens: readonly CST.Token[],
  { pos: [noticed] }: YAMLError,
): (Problem & { readonly offset: number }) | undefined {
  let opened: CST.Token | undefined;
  for (const document of tokens) {
    if (document.type !== "document") continue;
    yaml().CST.visit(document, ({ key, value }) => {
      // The innermost of several is visited last.
      for (const token of [key, value])
        if (token != null && isUnclosed(token) && token.offset < noticed) opened = token;
    });
  }
  if (opened === undefined) return undefined;
  const mark = opened.type === "flow-collection" ? opened.start.source : quoteOf(opened);
  const [name, end] = MARKS[mark] ?? [quote(mark), quote(mark)];
  const message = `not valid YAML: ${name} begins here and has no end: write ${end} at the end of the value`;
  return { code: "document-syntax", message, offset: opened.offset };
}

/** Names of the brackets and quotes, with what ends them. */
const MARKS: Readonly<Record<string, readonly [name: string, end: string]>> = {
  "[": ["a list in brackets", "']'"],
  "{": ["a mapping in braces", "'}'"],
  '"': ["text in double quotes", "a double quote"],
  "'": ["text in single quotes", "a single quote"],
};

function isUnclosed(token: CST.Token): boolean {
  if (token.type === "flow-collection")
    return !token.end.some(({ source }) => source === (token.start.source === "[" ? "]" : "}"));
  const mark = quoteOf(token);
  if (mark === "" || !("source" in token)) return false;
  // In double quotes, an odd number of backslashes before a quote escapes it.
  return !(mark === "'" ? /^'(?:[^']|'')*'$/ : /^"(?:[^"\\]|\\.)*"$/s).test(token.source);
}

function quoteOf({ type }: CST.Token): string {
  if (type === "double-quoted-scalar") return '"';
  return type === "single-quoted-scalar" ? "'" : "";
}

/** Returns the name of an alias. The lexer includes the colon after a key in the name. */
function withoutColon(lexeme: string): string {
  return lexeme.endsWith(":") ? lexeme.slice(0, -1) : lexeme;
}

/**
 * Reports a name that begins with `*`, which YAML parses as an alias. The name is read as text, so that the rest of the
 * document can be checked.
 */
function unquotedWildcard(name: string): Problem {
  const message = `${quote(name)} stands without quotes, and '*' begins an alias in YAML: put double quotes around it`;
  return { code: "document-unquoted-wildcard", message };
}

function strayEnd({ message }: YAMLError): string | undefined {
  const [, kind] = /^Unexpected flow-(seq|map)-end/.exec(message) ?? [];
  if (kind === undefined) return undefined;
  const [begin, end] = kind === "seq" ? ["[", "]"] : ["{", "}"];
  return `'${end}' ends nothing: remove it, or write '${begin}' where the value begins`;
}

function ownWords(message: string): string {
  const line = message.replace(/\n.*/s, "").slice(0, 200);
  return escapeUnsafe(line.charAt(0).toLowerCase() + line.slice(1));
}
