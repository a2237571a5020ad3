import { InputError, type Problem } from "../errors";
import { fieldsOf } from "../json/fields";
import { escapeUnsafe, quote } from "../text/quote";
import type { DescriptionDocument, DirectoryList } from "./document";
import { ownOf } from "./own-of";
import { checkDirectoryShape, checkDocumentShape } from "./shape";

/** Maximum length of a description's text, in characters. The largest published description has 6 MB. */
const longestText = 64 * 1024 * 1024;

/**
 * @throws {@link InputError} with every problem: `description-not-json`, `description-kind`, `description-malformed`,
 * `description-too-large`
 */
export function parseDocument(input: unknown): DescriptionDocument {
  const value = typeof input === "string" ? parseJson(input, "description") : input;
  refuse(kindProblems(value, "discovery#restDescription", "an API description"));
  refuse(checkDocumentShape(value));
  const document = value as DescriptionDocument;
  refuse(
    (["name", "version"] as const)
      .filter((field) => !document[field])
      .map((field) => ({
        code: "description-malformed",
        message: `'/${field}' is missing: a description names its API and the version`,
      })),
  );
  return document;
}

/** Reads a response of `apis.list`. @throws {@link InputError} with every problem */
export function parseDirectory(input: unknown): DirectoryList {
  const value = typeof input === "string" ? parseJson(input, "list of APIs") : input;
  refuse(kindProblems(value, "discovery#directoryList", "a list of APIs"));
  refuse(checkDirectoryShape(value));
  const list = value as Partial<DirectoryList>;
  const items = list.items ?? [];
  refuse(
    items.flatMap((item, index) =>
      (["name", "version", "discoveryRestUrl"] as const)
        .filter((field) => !item[field])
        .map((field) => ({
          code: "description-malformed",
          message: `'/items/${index}/${field}' is missing: an entry names its API, the version, and where the description is`,
        })),
    ),
  );
  return {
    ...(list as DirectoryList),
    items: items.map((item) => ({ ...item, id: item.id ?? `${item.name}:${item.version}` })),
  };
}

function parseJson(text: string, what: string): unknown {
  if (text.length > longestText) {
    const message = `the ${what} has ${text.length} characters; at most ${longestText} are read`;
    throw new InputError("description-too-large", message);
  }
  try {
    // Some editors write a byte order mark, which JSON does not allow.
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    const why = escapeUnsafe((error as Error).message.slice(0, 200));
    throw new InputError("description-not-json", `the ${what} is not JSON: ${why}`);
  }
}

function kindProblems(value: unknown, kind: string, what: string): readonly Problem[] {
  const found = ownOf(fieldsOf(value), "kind");
  if (found === kind) return [];
  const got = found === undefined ? "it has none" : `it is ${typeof found === "string" ? quote(found) : typeof found}`;
  return [{ code: "description-kind", message: `this is not ${what}: 'kind' must be "${kind}", ${got}` }];
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new InputError(problems);
}
