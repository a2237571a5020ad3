import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

jest.setTimeout(60_000);

const root = join(__dirname, "..", "..");
const spec = "examples/from-spec/migration.yaml";
let folder: string;
const children = new Set<ChildProcessWithoutNullStreams>();
let isOver = false;
beforeEach(() => {
  isOver = false;
  folder = mkdtempSync(join(tmpdir(), "rehearse-ends-"));
  mkdirSync(join(folder, "tmp"));
});
afterEach(() => {
  isOver = true;
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a rehearsal with a program that stands where Terraform would, and waits until that is at its first apply. */
async function startAtApply(script: string, ...words: readonly string[]): Promise<ChildProcessWithoutNullStreams> {
  const program = join(folder, "program");
  const reached = join(folder, "reached");
  const version = `[ "$1" = version ] && echo '{"terraform_version": "1.11.4"}'`;
  writeFileSync(program, `#!/bin/sh\n${version}\n[ "$1" = apply ] || exit 0\necho $$ > "${reached}"\n${script}\n`, {
    mode: 0o755,
  });
  const given = ["--require", "tsx/cjs", "lib/cli/main.ts", "rehearse", "--spec", spec, "--terraform", program];
  const child = spawn(process.execPath, [...given, ...words], {
    cwd: root,
    env: { ...process.env, NODE_NO_WARNINGS: "1", TMPDIR: join(folder, "tmp") },
  });
  children.add(child);
  await until(() => existsSync(reached) && readFileSync(reached, "utf8").endsWith("\n"));
  return child;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo() && !isOver) await new Promise((resolve) => setTimeout(resolve, 10));
}

function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("Z") ?? true;
  } catch {
    return true;
  }
}

async function endOf(child: ChildProcessWithoutNullStreams) {
  const told = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    told.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    told.stderr += chunk.toString();
  });
  const [exitCode, signal] = await new Promise<readonly unknown[]>((resolve) =>
    child.once("close", (...how) => resolve(how)),
  );
  return { exitCode, signal, ...told };
}

test("the second Ctrl-C ends Terraform, which ignores the first, and takes its folder away", async () => {
  const child = await startAtApply(`trap 'touch "${"$0"}.told"' INT; while :; do sleep 0.05; done`, "--json");
  const end = endOf(child);
  child.kill("SIGINT");
  await until(() => existsSync(join(folder, "program.told")));
  child.kill("SIGINT");
  expect(await end).toEqual({
    exitCode: null,
    signal: "SIGINT",
    stdout: "",
    stderr: expect.stringContaining("ended at once; Terraform was killed if it ran; nothing is left\n"),
  });
  await until(() => isGone(Number(readFileSync(join(folder, "reached"), "utf8"))));
  expect(readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("cert-migration"))).toEqual([]);
});

test("the first Ctrl-C ends in good order, and says where --keep has left Terraform's files", async () => {
  const child = await startAtApply(`trap 'exit 1' INT; while :; do sleep 0.05; done`, "--json", "--keep");
  const end = endOf(child);
  child.kill("SIGINT");
  const { exitCode, stdout, stderr } = await end;
  expect(exitCode).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    stopped: true,
    steps: [{ stopped: true }, { stopped: true }],
    rotation: null,
    rollback: null,
  });
  expect(stderr).not.toContain("a second plan");
  expect(stderr).toMatch(/^stopped 1 certificates with DNS authorizations, 2 CNAME records published: .*, 0 failed, /m);
  expect(stderr).not.toContain("FAILED");
  const kept = /^Terraform's files are kept in (.*)$/m.exec(stderr)?.[1] ?? "";
  expect(readdirSync(kept)).toEqual([
    "old-certificates.pem",
    "old-trust-bundle.pem",
    "terraform",
    "trust-bundle.pem",
    "uploaded.pem",
  ]);
  expect(readFileSync(join(kept, "terraform", "terraform.log"), "utf8")).toContain("program apply -auto-approve");
});
