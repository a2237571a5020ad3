import type { Document, LineCounter, ParsedNode, YAMLError } from "yaml";
import { quote } from "../../hostnames";
import type { DocumentProblem, Position } from "./problem";
import { yaml } from "./yaml";

/** Largest document in characters: 20,000 certificates take about 1.5 million. Parsing takes about a second for each million. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Deepest nesting of lists and mappings; a migration has 7 levels. */
const DEEPEST = 64;

/** A document that could be taken apart, with whatever else its syntax gave cause for. */
export interface Tree {
  readonly root: ParsedNode | null;
  readonly lines: LineCounter;
  /** Offences that leave the values readable. */
  readonly problems: readonly DocumentProblem[];
}

/** Errors that don't keep the rest of a document from being read: they concern one value. */
const HARMLESS: ReadonlySet<string> = new Set(["BAD_ALIAS", "NON_STRING_KEY", "TAG_RESOLVE_FAILED"]);

/** What the library's codes mean to someone who wrote a file; codes that are missing here are told in the library's own words. */
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_COLLECTION_TYPE: "the tag does not fit a list or mapping: remove the tag",
  BAD_DQ_ESCAPE: "an escape in double quotes is not one of YAML's: write a backslash twice, or use single quotes",
  BAD_INDENT:
    "the indentation does not fit the lines before: indent the items of one list or mapping alike, with spaces",
  BAD_SCALAR_START: "a value begins with a character that YAML reserves: put the value in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a second ': ' stands in one line: begin a new line, or put the value in quotes",
  BLOCK_IN_FLOW: "an indented list or mapping stands within brackets: write one of them in the other's way",
  MISSING_CHAR:
    "a quote, bracket, comma or colon is missing: close what was opened, and write a space after ':' and '-'",
  MULTILINE_IMPLICIT_KEY: "a key goes over several lines: a ':' is missing, or a line is indented too little",
  NON_STRING_KEY: "a key is not plain text: write text before ':'",
  TAB_AS_INDENT: "a tab indents the line: use spaces",
  TAG_RESOLVE_FAILED: "the tag is not known here: remove it, or put the value in quotes if it begins with '!'",
};

/**
 * Takes a YAML text apart. Text that is too long, nested too deeply or broken beyond reading gives problems only; no text takes more
 * than time in proportion to its length.
 */
export function readTree(text: string, source: string): Tree | { readonly problems: readonly DocumentProblem[] } {
  const refuse = (code: string, message: string, position: Position = { line: 1, column: 1 }) => ({
    problems: [{ source, ...position, pointer: "", code, message }],
  });
  if (text.length > MOST_CHARACTERS) {
    return refuse(
      "document-too-large",
      `the document has ${text.length} characters, and at most ${MOST_CHARACTERS} are read: divide it into several migrations`,
    );
  }

  const { Composer, Lexer, LineCounter, Parser } = yaml();
  const lines = new LineCounter();
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens = [];
  let read = 0;
  // Piece by piece, because the composer recurses: nesting must be refused before it goes to work.
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > DEEPEST) {
      const { line, col } = lines.linePos(Math.min(read, text.length));
      return refuse(
        "document-too-deep",
        `lists and mappings are nested more than ${DEEPEST} levels deep: a migration has 7`,
        { line, column: col },
      );
    }
    read = parser.offset;
  }
  for (const token of parser.end()) tokens.push(token);

  const composer = new Composer({ uniqueKeys: false, stringKeys: true, prettyErrors: false, schema: "core" });
  const documents: Document.Parsed[] = [...composer.compose(tokens, true, text.length)];
  const document = documents[0]!;
  const errors: readonly YAMLError[] = [...document.errors, ...document.warnings];
  const problems = errors.map((error) => syntaxProblem(error, text, source, lines));
  if (documents.length > 1) {
    const { line, col } = lines.linePos(documents[1]!.range[0]);
    problems.push({
      ...refuse("document-several", "a second document begins after '---': write one migration per file").problems[0]!,
      line,
      column: col,
    });
  }
  if (errors.some((error) => error.name === "YAMLParseError" && !HARMLESS.has(error.code))) return { problems };
  return { root: document.contents, lines, problems };
}

function syntaxProblem(error: YAMLError, text: string, source: string, lines: LineCounter): DocumentProblem {
  const { line, col } = lines.linePos(error.pos[0]);
  const place = { source, line, column: col, pointer: "" };
  const wildcard = /^\*\.[^\s:,[\]{}]*/.exec(text.slice(error.pos[0], error.pos[0] + 256))?.[0];
  if (wildcard !== undefined) return { ...place, ...unquotedWildcard(wildcard) };
  const meaning = SYNTAX[error.code] ?? ownWords(error.message);
  return { ...place, code: "document-syntax", message: `not valid YAML: ${meaning}` };
}

/** A name that begins with `*`, which YAML takes for an alias. */
export function unquotedWildcard(name: string): { readonly code: string; readonly message: string } {
  return {
    code: "document-unquoted-wildcard",
    message: `${quote(name)} stands without quotes, and '*' begins an alias in YAML: write "${name.replace(/[^\w.*-]/gu, "?")}", quotes included`,
  };
}

function ownWords(message: string): string {
  const line = message.split("\n", 1)[0]!.slice(0, 200);
  return line.charAt(0).toLowerCase() + line.slice(1);
}
