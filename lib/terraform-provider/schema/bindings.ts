import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";

/** Parts of one generated source file by kind and name, for example `class ComputeUrlMap`. */
export type Sections = ReadonlyMap<string, string>;

/** The installed bindings of the provider. */
export interface Bindings {
  /** Version of the provider for which the bindings were generated, for example `6.50.0`. */
  readonly providerVersion: string;
  /**
   * Returns the generated source of a folder, for example `compute-url-map`; undefined if the bindings have no such
   * folder.
   */
  read(folder: string): Sections | undefined;
}

const packageName = "@cdktf/provider-google";

/**
 * Finds the bindings that are installed beside this package, or in the project in which it runs.
 *
 * @throws InputError `bindings-missing`, `bindings-unreadable`
 */
export function openBindings(searchIn: readonly string[] = [__dirname, process.cwd()]): Bindings {
  const root = findRoot(searchIn);
  const providerSource = readSource(join(root, "lib", "provider", "index.js")) ?? "";
  return {
    providerVersion: /providerVersion: '([^']+)'/.exec(providerSource)?.[1] ?? "0.0.0",
    read: (folder) => {
      const source = readSource(join(root, "lib", folder, "index.js"));
      return source === undefined ? undefined : splitSections(source);
    },
  };
}

function findRoot(searchIn: readonly string[]): string {
  try {
    return dirname(require.resolve(`${packageName}/package.json`, { paths: [...searchIn] }));
  } catch {
    const message = `${packageName} is not installed: the stand-in reads the provider's schema from it; run npm install ${packageName}`;
    throw new InputError("bindings-missing", message);
  }
}

/**
 * Reads the original source from the source map. The generated JavaScript lacks the comments that mark computed
 * attributes.
 */
function readSource(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const encoded = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(text)?.[1];
  if (encoded === undefined) {
    const message = `${quote(path)} has no source map in it, which holds the provider's schema: install ${packageName} anew, without a step that takes maps out`;
    throw new InputError("bindings-unreadable", message);
  }
  const map = JSON.parse(Buffer.from(encoded, "base64").toString("utf8")) as { readonly sourcesContent: string[] };
  return map.sourcesContent[0];
}

function splitSections(source: string): Sections {
  const parts = source.split(/^export ((?:class|interface|function) \w+)/m);
  const sections = new Map<string, string>();
  for (let index = 1; index < parts.length; index += 2) sections.set(parts[index] ?? "", parts[index + 1] ?? "");
  return sections;
}
