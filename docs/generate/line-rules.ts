/** Longest line of prose, in characters; also the width that Biome formats code to. */
const maxWidth = 120;
/** Most words of a sentence. */
const maxWords = 30;

/** Returns the numbers, from 1, of the lines that are comments and wider than 120 characters. A link has no break. */
export function wideComments(source: string): readonly number[] {
  let inBlock = false;
  return source.split("\n").flatMap((line, index) => {
    const starts = /^\s*\/\*/.test(line);
    const isComment = inBlock || starts || /^\s*\/\//.test(line);
    if (inBlock || starts) inBlock = !line.includes("*/");
    // A directive of a tool has to stay on one line.
    const isProse = isComment && !/https?:|biome-ignore/.test(line);
    return isProse && line.length > maxWidth ? [index + 1] : [];
  });
}

/**
 * Returns the lines of prose in a page that are wider than 120 characters, without code, tables and generated parts.
 */
export function wideLines(page: string): readonly string[] {
  return page
    .replace(/```[\s\S]*?```/g, "")
    .replace(/<!-- (\w+): .*?-->[\s\S]*?<!-- \/\1 -->/g, "")
    .split("\n")
    .filter((line) => line.length > maxWidth && !/^\s*[|<]|^ {4}\S|https?:/.test(line));
}

/** Returns the sentences with more than 30 words in the prose of a page; tables are left out. */
export function longSentences(prose: string): readonly string[] {
  const paragraphs = prose
    .split("\n")
    .filter((line) => !/^\s*\|/.test(line))
    .join("\n")
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/);
  return paragraphs
    .flatMap((paragraph) => paragraph.replace(/\s+/g, " ").split(/(?<=[.:;!?]) /))
    .filter((sentence) => sentence.split(" ").filter((word) => /[a-z]/i.test(word)).length > maxWords);
}
