import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

jest.setTimeout(300_000);

const root = join(__dirname, "..", "..", "..", "..");
const spec = "examples/from-spec/migration.yaml";
let folder: string;
const children = new Set<ChildProcess>();
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

/** Starts a rehearsal with a program in place of Terraform that runs a script at every apply. */
function start(script: string, words: readonly string[], stdout: "pipe" | number = "pipe"): ChildProcess {
  const program = join(folder, "program");
  const version = `[ "$1" = version ] && echo '{"terraform_version": "1.11.4"}'`;
  writeFileSync(program, `#!/bin/sh\n${version}\n[ "$1" = apply ] || exit 0\n${script}\n`, { mode: 0o755 });
  const given = ["--require", "tsx/cjs", "lib/cli/main.ts", "rehearse", "--spec", spec, "--terraform", program];
  const child = spawn(process.execPath, [...given, ...words], {
    cwd: root,
    env: { ...process.env, NODE_NO_WARNINGS: "1", TMPDIR: join(folder, "tmp") },
    stdio: ["pipe", stdout, "pipe"],
  });
  children.add(child);
  return child;
}

/** Starts a rehearsal and waits until the first apply has installed its signal handler. */
async function startAtApply(
  { onInterrupt = "exit 1", script = "while :; do sleep 0.05; done" },
  ...words: readonly string[]
): Promise<ChildProcess> {
  const reached = join(folder, "reached");
  const child = start(`trap '${onInterrupt}' INT\necho $$ > "${reached}"\n${script}`, words);
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

async function endOf(child: ChildProcess) {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const [exitCode, signal] = await new Promise<readonly unknown[]>((resolve) =>
    child.once("close", (...how) => resolve(how)),
  );
  return { exitCode, signal, ...output };
}

test("kills Terraform, which ignores the first Ctrl-C, at the second Ctrl-C and deletes its folder", async () => {
  const child = await startAtApply({ onInterrupt: 'touch "$0.interrupted"' }, "--json");
  const end = endOf(child);
  child.kill("SIGINT");
  await until(() => existsSync(join(folder, "program.interrupted")));
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

test("ends cleanly at the first Ctrl-C, and prints where --keep has left Terraform's files", async () => {
  const child = await startAtApply({}, "--json", "--keep");
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
  expect(stderr).toMatch(
    /^\/ stopped step 1 \(certificates with DNS authorizations\), step 2 \(CNAME records published\): .*, 0 failed, /m,
  );
  expect(stderr).not.toContain("FAILED");
  const kept = /^Terraform's files are kept in (.*)$/m.exec(stderr)?.[1] ?? "";
  expect(readdirSync(kept)).toEqual([
    "REHEARSAL.txt",
    "previous-certificates.pem",
    "previous-trust-bundle.pem",
    "terraform",
    "trust-bundle.pem",
    "uploaded.pem",
  ]);
  expect(readFileSync(join(kept, "terraform", "terraform.log"), "utf8")).toContain("program apply -auto-approve");
});

describe("ends cleanly with a full disk, never with ok, and prints what is safe and what to do", () => {
  test("for the evidence: it is stopped without a verdict", async () => {
    const kept = join(folder, "evidence");
    const full = `ln -sf /dev/full "${kept}/terraform/terraform.log"; exit 1`;
    const { exitCode, stdout, stderr } = await endOf(start(full, ["--evidence", kept, "--json"]));
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("[evidence-unwritable]\n") });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      stopped: true,
      failedHandshakes: 0,
      findings: [
        {
          code: "evidence-unwritable",
          message: `--evidence: '${join(kept, "terraform/terraform.log")}' can't be written: no space is left on its file system; the rehearsal was stopped, and what is in '${kept}' is what happened up to then, without a verdict; make room there or name another folder, and rehearse again`,
        },
      ],
    });
    const lines = readFileSync(join(kept, "probes.jsonl"), "utf8").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { readonly ok: boolean }).ok)).toContain(true);
    expect(readdirSync(kept)).not.toContain("result.json");
    expect(readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("cert-migration"))).toEqual([]);
  });

  test("for the report: the observations are printed", async () => {
    const { exitCode, stdout, stderr } = await endOf(start("exit 1", ["--report", "/dev/full", "--json"]));
    const message =
      "--report: '/dev/full' can't be written: no space is left on its file system; name another file; the result of the rehearsal is printed here";
    expect(exitCode).toBe(2);
    expect(stderr.endsWith(`error: ${message} [file-unwritable]\n`)).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      steps: [{ number: 1 }, { number: 2 }],
      failedHandshakes: 0,
      seed: 1,
      findings: [{ code: "file-unwritable", message }],
    });
  });

  test("for the result on stdout", async () => {
    const full = openSync("/dev/full", "w");
    const end = await endOf(start("exit 1", ["--json"], full));
    closeSync(full);
    expect(end).toMatchObject({
      exitCode: 2,
      signal: null,
      stderr: expect.stringContaining(
        "error: the result can't be written to stdout: no space is left on its file system; nothing of it is certain to have arrived: run the command again with stdout elsewhere [output-unwritable]\n",
      ),
    });
  });
});

test("reports the progress of a long apply without a terminal", async () => {
  const plan = "Plan: 665 to add, 0 to change, 0 to destroy.";
  // The program runs until the folder is deleted.
  const child = await startAtApply({
    script: `echo "${plan}"; echo "a: Creation complete after 1s"; while [ -e "$0" ]; do sleep 0.2; done`,
  });
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    output += piece;
  });
  const line = /^\.\.\. step 1 \(certificates.*, terraform apply: 1 of 665 changes; \d+ handshakes so far, 0 failed$/m;
  await until(() => line.test(output));
  expect(output).toMatch(line);
});

/** Returns the gates of real Terraform below a process. */
function gatesBelow(pid: number): readonly number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((one) => {
    const isGate = readText(`/proc/${one}/cmdline`).endsWith("\0wait\0--from-environment\0");
    return isGate && readText(`/proc/${one}/cmdline`).includes("main.ts") && isBelow(one, pid);
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isBelow(pid: number, above: number): boolean {
  for (let at = pid; at > 1; at = Number(readText(`/proc/${at}/stat`).split(") ")[1]?.split(" ")[1] ?? 0)) {
    if (at === above) return true;
  }
  return false;
}

test("leaves no gate and no Terraform behind when it is killed with SIGKILL, and the next rehearsal removes its folder", async () => {
  const words = ["--require", "tsx/cjs", "lib/cli/main.ts", "rehearse", "--spec", spec, "--speed", "1"];
  const env = { ...process.env, NODE_NO_WARNINGS: "1", TMPDIR: join(folder, "tmp") };
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: "ignore" });
  children.add(child);
  await until(() => gatesBelow(child.pid ?? 0).length > 0);
  const gates = gatesBelow(child.pid ?? 0);
  child.kill("SIGKILL");
  await until(() => gates.every(isGone));
  expect(isOver).toBe(false);
  const [left = ""] = readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("cert-migration"));
  expect(left).toMatch(/^cert-migration-rehearsal-/);
  const next = await startAtApply({});
  const end = endOf(next);
  next.kill("SIGINT");
  expect((await end).stderr).toContain(
    `removed 1 temporary folder of rehearsals that were killed: ${join(folder, "tmp", left)}\n`,
  );
  expect(readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("cert-migration"))).toEqual([]);
});
