import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface SmallBindings extends Disposable {
  /** Folder in whose `node_modules` the packages are. */
  readonly folder: string;
  /** Folder of a package. */
  root(packageName: string): string;
}

export interface SmallPackage {
  readonly packageName: string;
  /** @default - the package does not state the version */
  readonly providerVersion?: string;
  /** Source before its compilation by path below `lib`, without extension. @default none */
  readonly sources?: Readonly<Record<string, string>>;
  /** Whether the compiled files have lost their source maps. @default false */
  readonly isStripped?: boolean;
}

/** Installs packages in the format of generated bindings in a temporary folder. */
export function installSmallBindings(packages: readonly SmallPackage[]): SmallBindings {
  const folder = mkdtempSync(join(tmpdir(), "bindings-"));
  const root = (packageName: string) => join(folder, "node_modules", packageName);
  for (const { packageName, providerVersion, sources = {}, isStripped = false } of packages) {
    const provider = { name: "registry.terraform.io/hashicorp/google", version: providerVersion };
    const manifest = { name: packageName, ...(providerVersion === undefined ? {} : { cdktf: { provider } }) };
    write(join(root(packageName), "package.json"), JSON.stringify(manifest));
    for (const [path, source] of Object.entries(sources)) {
      const map = Buffer.from(JSON.stringify({ version: 3, sourcesContent: [source] })).toString("base64");
      const comment = isStripped ? "" : `//# sourceMappingURL=data:application/json;base64,${map}`;
      write(join(root(packageName), "lib", `${path}.js`), `"use strict";\n${comment}`);
    }
  }
  return { folder, root, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
