import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { loadCommands } from "../lib/cli/table";

const root = join(__dirname, "..");
const script = join(root, "examples", "pipelines", "action.sh");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-action-"));
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "summary.md"), "");
  writeFileSync(join(folder, "output"), "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a program that logs its arguments, one per line, before it goes on. */
function program(name: string, body: string): void {
  const path = join(folder, "bin", name);
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" >> "${folder}/${name}.log"\n${body}\n`);
  chmodSync(path, 0o755);
}

const logOf = (name: string) =>
  readFileSync(join(folder, `${name}.log`), "utf8")
    .trimEnd()
    .split("\n");

/** Runs the script of the action as a step of GitHub Actions does. */
function run(variables: Readonly<Record<string, string>>, stdin = ""): Promise<{ exitCode: number; stdout: string }> {
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    COMMAND: "check-plan",
    ARGUMENTS: "plan.json",
    COMMENT: "false",
    PULL_REQUEST: "",
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_REPOSITORY: "owner/name",
    ...variables,
  };
  return new Promise((resolve) => {
    const child = execFile("bash", [script], { env, cwd: folder }, (error, stdout) => {
      resolve({ exitCode: typeof error?.code === "number" ? error.code : 0, stdout });
    });
    child.stdin?.end(stdin);
  });
}

const command = (code: number) =>
  program("npx", `echo "::error::x"; cat > stdin; printf '## result\\n' >> "$GITHUB_STEP_SUMMARY"; exit ${code}`);

test.each([0, 2, 4])(
  "runs the command once, keeps its exit code %i, and writes the summary of the step",
  async (code) => {
    command(code);
    const { exitCode, stdout } = await run({ COMMAND: "records", ARGUMENTS: "--check\n--spec\na b.yaml\n" });
    expect([exitCode, stdout]).toEqual([code, "::error::x\n"]);
    expect(logOf("npx")).toEqual([
      ...["--no-install", "cert-migration", "records", "--check", "--spec", "a b.yaml", "--format", "github"],
    ]);
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toBe("## result\n");
    expect(readFileSync(join(folder, "output"), "utf8")).toBe(`exit-code=${code}\n`);
  },
);

test("passes standard input to the command", async () => {
  command(0);
  await run({ ARGUMENTS: "-" }, "the plan");
  expect(readFileSync(join(folder, "stdin"), "utf8")).toBe("the plan");
});

test("creates the comment on a pull request, and changes it in the next run", async () => {
  command(4);
  program("gh", 'cp "${6#body=@}" comment.md 2> /dev/null; [ "$2" = --paginate ] && cat known 2> /dev/null; exit 0');
  const pullRequest = { COMMENT: "true", PULL_REQUEST: "7", GH_TOKEN: "t" };
  await run(pullRequest);
  expect(logOf("gh")).toEqual(expect.arrayContaining(["POST", "repos/owner/name/issues/7/comments"]));
  writeFileSync(join(folder, "known"), "4711\n");
  const { exitCode } = await run(pullRequest);
  expect(logOf("gh")).toEqual(expect.arrayContaining(["PATCH", "repos/owner/name/issues/comments/4711"]));
  expect([exitCode, readFileSync(join(folder, "comment.md"), "utf8")]).toEqual([
    4,
    "<!-- cert-migration check-plan -->\n## result\n",
  ]);
});

test("cuts a comment below GitHub's limit, with a note", async () => {
  program(
    "npx",
    'i=0; while [ $i -lt 2000 ]; do echo "| aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa |"; i=$((i+1)); done >> "$GITHUB_STEP_SUMMARY"',
  );
  program("gh", 'cp "${6#body=@}" comment.md 2> /dev/null; exit 0');
  await run({ COMMENT: "true", PULL_REQUEST: "7" });
  const comment = readFileSync(join(folder, "comment.md"), "utf8");
  expect(comment.length).toBeLessThan(65_536);
  expect(comment).toMatch(/_\d+ more lines are in the summary of the step\._\n$/);
});

test("a comment that can't be written is a warning, and the exit code of the command stays", async () => {
  command(0);
  program("gh", "exit 1");
  const { exitCode, stdout } = await run({ COMMENT: "true", PULL_REQUEST: "7" });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("::warning title=cert-migration::")]);
});

test("action.yml passes every input to the script by a variable, and none as text of the script", () => {
  const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly runs: {
      readonly using: string;
      readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
    };
  };
  const [step] = action.runs.steps;
  expect([action.runs.using, step?.run]).toEqual([
    "composite",
    'bash "$GITHUB_ACTION_PATH/examples/pipelines/action.sh"',
  ]);
  const passed = [...JSON.stringify(action.runs).matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
  expect(passed.sort()).toEqual(Object.keys(action.inputs).sort());
});

test("the hooks of pre-commit run commands that exist", () => {
  const hooks = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8")) as readonly {
    readonly entry: string;
  }[];
  const names = hooks.map(({ entry }) => entry.split(" ")[3] ?? "");
  expect(names).toEqual(["synth", "plan"]);
  expect(names.filter((name) => loadCommands().every((known) => known.name !== name))).toEqual([]);
});
