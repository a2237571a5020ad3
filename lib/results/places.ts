import type { Finding } from "../findings/finding";
import { defined } from "../json/defined";
import { fieldsOf, parseJson } from "../json/fields";
import type { FilePlace, PlacedFinding } from "./model";

/** A text in which findings are placed. */
export interface PlacedFile {
  /** Path relative to the root of the repository, with `/`. */
  readonly path: string;
  /** Path as the user or a finding names it. */
  readonly name: string;
  readonly text: string;
}

/**
 * Returns a function that places findings in files: at the block of the resource that a finding is about, else at the
 * first line that contains its subject or its hostname, else at the first file.
 *
 * @param fallback place of a finding if there is no file
 */
export function createPlacer(files: readonly PlacedFile[], fallback: string): (finding: Finding) => PlacedFinding {
  const resources = terraformPlaces(files);
  const named = new Map(files.flatMap(({ path, name }) => [path, name].map((known) => [known, { path }] as const)));
  const lines = files.map(({ path, text }) => ({ path, lines: text.split("\n") }));
  const found = new Map<string, FilePlace | undefined>();
  const lineWith = (word: string): FilePlace | undefined => {
    if (!found.has(word)) found.set(word, placeOfWord(word, lines));
    return found.get(word);
  };
  return (finding) => {
    const words = [finding.subject, ...(finding.hostnames ?? [])].filter((word) => word !== "");
    const candidates = [
      () => positionIn(finding.message, files),
      () => named.get(finding.subject),
      () => resources.get(blockOf(finding.subject) ?? ""),
      ...words.map((word) => () => lineWith(word)),
    ];
    for (const candidate of candidates) {
      const place = candidate();
      if (place !== undefined) return { ...finding, place };
    }
    return { ...finding, place: { path: files[0]?.path ?? fallback } };
  };
}

/** Reads the position with which the message about a document begins, as in `migration.yaml:3:5: …`. */
function positionIn(message: string, files: readonly PlacedFile[]): FilePlace | undefined {
  const [, name, line, column] = /^(\S[^:]*):(\d+)(?::(\d+))?: /.exec(message) ?? [];
  if (name === undefined) return undefined;
  const file = files.find((candidate) => candidate.name === name || candidate.path === name);
  if (file === undefined) return undefined;
  return {
    path: file.path,
    line: Number(line),
    ...defined({ column: column === undefined ? undefined : Number(column) }),
  };
}

/** Returns the block `TYPE.NAME` of an address in Terraform; undefined for other subjects. */
function blockOf(address: string): string | undefined {
  const bare = address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, "");
  return /^(?:module\.[\w-]+\.)*([a-z][\w-]*_[\w-]+\.[\w-]+)$/.exec(bare)?.[1];
}

/** Returns the place of each resource block `TYPE.NAME` in files of Terraform; of the first file for equal blocks. */
export function terraformPlaces(files: readonly PlacedFile[]): ReadonlyMap<string, FilePlace> {
  const places = new Map<string, FilePlace>();
  const add = (block: string, place: FilePlace) => {
    if (!places.has(block)) places.set(block, place);
  };
  for (const { path, text } of files) {
    if (path.endsWith(".json")) for (const [block, line] of jsonBlocks(text)) add(block, { path, line });
    else if (/\.(?:tf|tofu)$/.test(path)) {
      text.split("\n").forEach((content, index) => {
        const [, type, name] = /^\s*resource\s+"?([\w-]+)"?\s+"?([\w-]+)"?/.exec(content) ?? [];
        if (type !== undefined) add(`${type}.${name}`, { path, line: index + 1 });
      });
    }
  }
  return places;
}

/** Returns the lines of the resource blocks in JSON syntax; they are in the order of the text. */
function jsonBlocks(text: string): readonly (readonly [block: string, line: number])[] {
  const { resource } = fieldsOf(parseJson(text));
  const start = text.indexOf('"resource"');
  if (resource === undefined || start === -1) return [];
  const lines = lineCounter(text);
  let at = start;
  return Object.entries(fieldsOf(resource)).flatMap(([type, blocks]) => {
    at = Math.max(at, text.indexOf(`${JSON.stringify(type)}:`, at));
    return Object.keys(fieldsOf(blocks)).map((name) => {
      at = Math.max(at, text.indexOf(`${JSON.stringify(name)}:`, at));
      return [`${type}.${name}`, lines(at)] as const;
    });
  });
}

/** Returns a function that counts lines up to an offset; offsets must not decrease. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    for (; counted < offset; counted += 1) if (text[counted] === "\n") line += 1;
    return line;
  };
}

function placeOfWord(
  word: string,
  files: readonly { readonly path: string; readonly lines: readonly string[] }[],
): FilePlace | undefined {
  const bare = word.replace(/\.$/, "").toLowerCase();
  for (const { path, lines } of files) {
    const index = lines.findIndex((line) => hasWord(line.toLowerCase(), bare));
    if (index !== -1) return { path, line: index + 1 };
  }
  return undefined;
}

/** Returns whether a line contains a name that is not a part of a longer name. */
function hasWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    const isPart = (character: string | undefined) => character !== undefined && /[\w.*-]/.test(character);
    const after = line[at + word.length];
    const isEnd = !isPart(after) || (after === "." && !isPart(line[at + word.length + 1]));
    if (!isPart(line[at - 1]) && isEnd) return true;
  }
  return false;
}
