/** Reads the files in which findings are placed, with paths relative to the root of the repository. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { PlacedFile } from "../results";
import type { Io } from "./command";
import { stackFolder } from "./files";

/** Maximum size of a file in which findings are placed, in bytes. */
const mostBytes = 16 * 1024 * 1024;
/** Maximum number of Terraform files. */
const mostFiles = 2_000;
const terraformFile = /\.(?:tf|tofu)(?:\.json)?$/;

/** Returns the files of a migration, of those that its options name. */
export function filesOfSource(
  {
    spec,
    stack,
    outputs,
  }: { readonly spec?: string | undefined; readonly stack?: string | undefined; readonly outputs?: string | undefined },
  { env }: Pick<Io, "env">,
): readonly PlacedFile[] {
  const named = [spec, outputs].filter((path) => path !== undefined && path !== "-") as readonly string[];
  const root = repositoryRoot(env);
  return [...named, ...(stack === undefined ? [] : terraformFilesIn(stackFolder(stack)))].flatMap((path) =>
    readPlaced(path, root),
  );
}

/** Returns the Terraform files in and below the working folder, those of the root module first. */
export function filesOfConfiguration({ env }: Pick<Io, "env">): readonly PlacedFile[] {
  const root = repositoryRoot(env);
  return terraformFilesIn(".").flatMap((path) => readPlaced(path, root));
}

/** Returns files by their paths. */
export function filesAt(paths: readonly string[], { env }: Pick<Io, "env">): readonly PlacedFile[] {
  const root = repositoryRoot(env);
  return paths.flatMap((path) => readPlaced(path, root));
}

/** Returns the workspace of GitHub Actions, the nearest folder with `.git`, or the working folder. */
function repositoryRoot(env: Io["env"]): string {
  const workspace = env.GITHUB_WORKSPACE ?? "";
  const here = process.cwd();
  if (workspace !== "" && isInside(here, workspace)) return workspace;
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return here;
  }
}

function isInside(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between === "" || !(between.startsWith("..") || isAbsolute(between));
}

/** Returns a file with its text; an empty list for a file outside of the repository, or one that cannot be read. */
function readPlaced(path: string, root: string): readonly PlacedFile[] {
  const place = resolve(path);
  if (!isInside(place, root)) return [];
  try {
    const { size } = statSync(place);
    const text = size > mostBytes ? "" : readFileSync(place, "utf8");
    return [{ path: relative(root, place).split(sep).join("/"), name: path, text }];
  } catch {
    return [];
  }
}

function terraformFilesIn(folder: string): readonly string[] {
  const found: string[] = [];
  const pending = [folder];
  for (const next of pending) {
    if (found.length >= mostFiles) break;
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules") pending.push(path);
      else if (entry.isFile() && terraformFile.test(entry.name)) found.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
