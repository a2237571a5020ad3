import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";

/** Parts of the generated source of a folder by kind and name, for example `class ComputeUrlMap`. */
export type Sections = ReadonlyMap<string, string>;

/** Installed bindings of the google provider. */
export interface Bindings {
  /** Package of the bindings, for example `@cdktn/provider-google`. */
  readonly packageName: string;
  /** Version of the provider for which the bindings were generated, for example `6.50.0`. */
  readonly providerVersion: string;
  /**
   * Returns the generated source of a folder, for example `compute-url-map`; undefined if the bindings have no such
   * folder.
   *
   * @throws InputError `bindings-unreadable`
   */
  read(folder: string): Sections | undefined;
}

interface Manifest {
  readonly name: string;
  readonly cdktf?: { readonly provider: { readonly version: string } };
}

/**
 * Returns the bindings in a folder.
 *
 * @throws InputError `bindings-unreadable` if the folder has no `package.json` that states the provider's version
 */
export function bindingsAt(root: string): Bindings {
  const { name, cdktf } = readManifest(root);
  if (cdktf === undefined) {
    const message = `${quote(join(root, "package.json"))} does not state the version of the provider; install ${name} again`;
    throw new InputError("bindings-unreadable", message);
  }
  return {
    packageName: name,
    providerVersion: cdktf.provider.version,
    read: (folder) => {
      const path = join(root, "lib", folder);
      const source = readSource(join(path, "index.js"), name);
      // The generator moves the structs of large types into files of their own.
      const structs = structFilesOf(path).map((file) => readSource(file, name) ?? "");
      return source === undefined ? undefined : splitSections([source, ...structs]);
    },
  };
}

function readManifest(root: string): Manifest {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
}

function structFilesOf(folder: string): readonly string[] {
  const structs = join(folder, "index-structs");
  try {
    const files = readdirSync(structs).filter((name) => /^structs\d+\.js$/.test(name));
    return files.map((name) => join(structs, name));
  } catch {
    return [];
  }
}

/**
 * Reads the original source from the source map. The generated JavaScript lacks the comments that mark computed
 * attributes.
 */
function readSource(path: string, packageName: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const start = text.lastIndexOf(mapPrefix);
  if (start < 0) {
    const message = `${quote(path)} has no source map, which contains the provider's schema: reinstall ${packageName} without a step that removes source maps`;
    throw new InputError("bindings-unreadable", message);
  }
  const encoded = text.slice(start + mapPrefix.length);
  const map = JSON.parse(Buffer.from(encoded, "base64").toString("utf8")) as { readonly sourcesContent: string[] };
  return map.sourcesContent[0];
}

const mapPrefix = "//# sourceMappingURL=data:application/json;base64,";

function splitSections(sources: readonly string[]): Sections {
  const sections = new Map<string, string>();
  for (const source of sources) {
    const parts = source.split(/^export ((?:class|interface|function) \w+)/m);
    for (let index = 1; index < parts.length; index += 2) sections.set(parts[index] ?? "", parts[index + 1] ?? "");
  }
  return sections;
}
