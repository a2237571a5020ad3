/** Terms of docs/glossary.md, and their first uses on the pages. */
import { pageText } from "./pages";

export interface GlossaryTerm {
  /** The first spelling, for example `ACTIVE` of "ACTIVE, FAILED, PROVISIONING". */
  readonly term: string;
  readonly anchor: string;
  readonly pattern: RegExp;
}

export interface FirstUse {
  readonly term: string;
  /** Position in the page. */
  readonly at: number;
  readonly text: string;
  /** Whether the use is in the text of a link, or emphasized because the sentence explains the term. */
  readonly isExplained: boolean;
}

/** Returns the terms in the order of the glossary. A term in capitals is one of a product or protocol: case counts. */
export function glossaryTerms(glossary = pageText("glossary.md")): readonly GlossaryTerm[] {
  return [...glossary.matchAll(/^\| <a id="([\w-]+)"><\/a>([^|]+?) \|/gm)].map(([, anchor = "", cell = ""]) => {
    const spellings = cell.split(", ");
    const [term = ""] = spellings;
    const words = spellings.map((spelling) => spelling.replace(/y$/, "(?:y|ies)").replaceAll(" ", "\\s+"));
    const isName = /^[A-Z]{2,}/.test(term) && !/[a-z]/.test(term);
    return {
      term,
      anchor,
      pattern: new RegExp(`(?<![\\w-])(?:${words.join("|")})(?:e?s|xies)?(?![\\w-])`, isName ? "g" : "gi"),
    };
  });
}

/** Returns a page with spaces in place of code, headings, tables, targets of links, comments and generated parts. */
function proseOf(page: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, " ");
  return page
    .replace(/^ *```[\s\S]*?^ *```$/gm, blank)
    .replace(/<!-- (\w+): .*?-->[\s\S]*?<!-- \/\1 -->/g, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/^(?:#| {4,}\S|\|).*$/gm, blank)
    .replace(/`[^`]*`/g, blank)
    .replace(/\]\([^)]*\)/g, (target) => `]${blank(target.slice(1))}`);
}

/** Returns the first use of each term in the prose of a page. */
export function firstUses(page: string, terms: readonly GlossaryTerm[]): readonly FirstUse[] {
  const prose = proseOf(page);
  const explained = [...prose.matchAll(/\[[^\]]*\]|(?<!\*)\*[^*\n]+\*(?!\*)/g)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  return terms.flatMap(({ term, pattern }) => {
    const [use] = prose.matchAll(new RegExp(pattern));
    if (use === undefined) return [];
    const isExplained = explained.some(([from, until]) => from <= use.index && use.index < until);
    return [{ term, at: use.index, text: use[0], isExplained }];
  });
}
