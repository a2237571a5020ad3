import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { ApiDescription } from "../api-description";

/** The descriptions of a folder. */
export interface DescriptionFolder {
  /** Descriptions, in the order of the file names. */
  readonly descriptions: readonly ApiDescription[];
  /**
   * Files that end with `.json` and are not a description, or have the same name and version as another file. Messages
   * contain the file name.
   */
  readonly refused: readonly (Problem & { readonly file: string })[];
}

/** Maximum length of a file, in bytes. The largest published description has 6 MB. */
const longestFile = 64 * 1024 * 1024;

/**
 * Reads every `*.json` file in a folder, without subfolders, for a service to serve. Files that are not a description
 * are reported and skipped.
 *
 * @throws {@link InputError} `folder-unreadable`
 */
export async function descriptionsFromFolder(path: string): Promise<DescriptionFolder> {
  const refused: (Problem & { readonly file: string })[] = [];
  const byId = new Map<string, { readonly description: ApiDescription; readonly file: string }>();
  for (const file of await jsonFiles(path)) {
    const description = await readDescription(path, file, refused);
    if (description === undefined) continue;
    const id = `${description.name}:${description.version}`;
    const firstWithId = byId.get(id);
    if (firstWithId === undefined) byId.set(id, { description, file });
    else {
      const message = `${quote(file)} is left out: ${quote(firstWithId.file)} is a description of ${quote(id)} already`;
      refused.push({ file, code: "description-duplicate", message });
    }
  }
  return { descriptions: [...byId.values()].map(({ description }) => description), refused };
}

async function jsonFiles(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).filter((file) => file.endsWith(".json")).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = `the folder ${quote(path)} can't be read (${code})`;
    throw new InputError("folder-unreadable", `${what}; name a folder with descriptions, one *.json each`);
  }
}

async function readDescription(
  folder: string,
  file: string,
  refused: (Problem & { readonly file: string })[],
): Promise<ApiDescription | undefined> {
  try {
    return ApiDescription.parse(await readText(join(folder, file)));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    refused.push(
      ...error.problems.map(({ code, message }) => ({ file, code, message: `${quote(file)} is left out: ${message}` })),
    );
    return undefined;
  }
}

async function readText(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new InputError("file-unreadable", "it is not a file");
    if (found.size > longestFile) {
      throw new InputError("file-unreadable", `it has ${found.size} bytes; at most ${longestFile} are read`);
    }
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError("file-unreadable", `it can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
