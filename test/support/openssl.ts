import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface OpensslResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the `openssl` binary, an implementation that is not ours. `{name}` in an argument becomes the path of a file
 * with the text of that name, for the length of the run.
 */
export async function openssl(
  args: readonly string[],
  { files = {}, stdin = "" }: { readonly files?: Readonly<Record<string, string>>; readonly stdin?: string } = {},
): Promise<OpensslResult> {
  const folder = await mkdtemp(join(tmpdir(), "openssl-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const named = args.map((arg) => arg.replace(/^\{(.+)\}$/, (_, name: string) => join(folder, name)));
    return await new Promise<OpensslResult>((resolve, reject) => {
      const child = execFile("openssl", named, { timeout: 10_000 }, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== "number") reject(error);
        else resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr });
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(stdin);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
