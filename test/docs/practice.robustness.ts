/** Follows docs/tutorial.md in a terminal: types its commands, and compares what they print with its blocks. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { discardPracticeReport, keepPracticeReport, practiceSection } from "../support/practice-report";
import { tutorialEdits, tutorialMigration } from "../support/tutorial";

jest.setTimeout(600_000);

const root = join(__dirname, "..", "..");
const blocks = [...practiceSection().matchAll(/^```(?:sh|text) (.*)\n([\s\S]*?)^```$/gm)].map(
  ([, name = "", text = ""]) => ({
    name,
    text,
  }),
);
const textsOf = (name: string) => blocks.filter((block) => block.name === name).map(({ text }) => text.trimEnd());

/** The command from the sources, in place of the installed command. */
const own = `${process.execPath} --require ${join(root, "node_modules/tsx/dist/preflight.cjs")} --import ${join(root, "node_modules/tsx/dist/loader.mjs")} ${join(root, "lib/cli/main.ts")}`;
const withOwn = (line: string) => line.replace(/^npx cert-migration|^cert-migration/, own);

let folder: string;
beforeAll(discardPracticeReport);
const children = new Set<ChildProcess>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "practice-"));
  mkdirSync(join(folder, "tmp"));
  writeFileSync(join(folder, "migration.yaml"), tutorialMigration(tutorialEdits.slice(0, 1)));
});
afterEach(() => {
  // The socket belongs to the tmux server of this test.
  spawnSync("tmux", ["-S", join(folder, "socket"), "kill-server"]);
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  rmSync(folder, { recursive: true, force: true });
});

const tmux = (...words: readonly string[]) => execFileSync("tmux", ["-S", join(folder, "socket"), ...words]).toString();
const shown = () => tmux("capture-pane", "-p", "-J", "-S", "-").replace(/ +$/gm, "");
const ended = () => existsSync(join(folder, "ended"));
const env = { ...process.env, NODE_NO_WARNINGS: "1", NO_COLOR: "1" };

async function until(what: string, isSo: () => boolean, said = shown): Promise<void> {
  const endsAt = performance.now() + 120_000;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error(`never came: ${what}; the terminal has\n${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function startFirstTerminal(line: string): void {
  const script = `cd ${folder}; TMPDIR=${folder}/tmp NODE_NO_WARNINGS=1 ${withOwn(line)}; echo $? > ended; sleep 600`;
  tmux("-f", "/dev/null", "new-session", "-d", "-x", "400", "-y", "60", script);
  tmux("set-option", "-g", "history-limit", "10000");
}

/** Returns the text of a pause by its number in the run. */
async function pauseAt(number: number): Promise<string> {
  const pauses = () => [...shown().matchAll(/^paused [\s\S]*?^c continues.*$/gm)].map(([text]) => text);
  await until(`pause ${number}`, () => pauses().length >= number || ended());
  return pauses()[number - 1] ?? `ended instead:\n${shown()}`;
}

/** Replaces the names of a run with the names on the page. */
const asOnPage = (text: string) =>
  text.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT").replace(/\/\S*\/rehearsal\/terraform/g, "FOLDER/terraform");

/** Returns a shell script that runs a printed command with the printed file of variables. */
function scriptFor(pause: string, command: string, ...more: readonly string[]): string {
  const lines = pause.split("\n").map((line) => line.trim());
  const line = lines.find((one) => one.startsWith(`cert-migration ${command} `));
  if (line === undefined) throw new Error(`no '${command}' in\n${pause}`);
  const before = lines.filter((one) => /^(?:cd|\.) /.test(one));
  // The space at the end makes the shell replace the alias after `exec` too, so that signals reach the command.
  return [...before, "alias exec='exec '", ["exec", line, ...more].join(" ")].join("\n");
}

function run(pause: string, command: string) {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", scriptFor(pause, command)], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

function startWatch(pause: string, ...more: readonly string[]) {
  const child = spawn("sh", ["-c", scriptFor(pause, "watch", ...more)], { cwd: folder, env });
  children.add(child);
  const said: string[] = [];
  child.stderr.on("data", (data: Buffer) => said.push(data.toString()));
  const end = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, end, output: () => said.join("") };
}

const [firstCommand = ""] = textsOf("first terminal");
const commands = ["status", "wait", "doctor", "records", "check-plan"];

test("the page leads through a change window with a killed apply and a rollback", async () => {
  startFirstTerminal(firstCommand.replace(/\\\n\s*/g, ""));
  const first = await pauseAt(1);
  expect(asOnPage(first)).toBe(textsOf("pause")[0]);
  for (const command of commands) expect({ command, ...run(first, command) }).toMatchObject({ command, status: 0 });
  expect(run(first, "records").output).toContain(textsOf("records")[0]);
  expect(run(first, "check-plan").output).toContain(textsOf("check-plan")[0]);

  tmux("send-keys", "c");
  const second = await pauseAt(2);
  expect(second).toMatch(/^paused after steps 4 and 6: /);
  for (const line of textsOf("first terminal prints")[0]?.split("\n") ?? []) expect(shown()).toContain(line);
  expect(run(second, "verify")).toEqual({ status: 0, output: expect.stringContaining(textsOf("verify")[0] ?? "") });
  expect(run(second, "check-plan").output).toContain(textsOf("check-plan")[1]);
  expect(run(second, "status").output).toMatch(/^example\.com( +\+){7} +\. /m);
  const moving = startWatch(second);
  await until("the first poll of watch", () => moving.output().includes("answers lead"));

  tmux("send-keys", "c");
  const third = await pauseAt(3);
  expect(third).toContain("it adds a domain to a certificate");
  expect(run(third, "check-plan")).toMatchObject({
    status: 0,
    output: expect.stringContaining("the plan is accepted"),
  });
  expect(await moving.end).toBe(0);
  for (const line of textsOf("watch")[0]?.split("\n") ?? []) expect(moving.output()).toContain(line);

  const rolling = startWatch(third, "--until", "stopped");
  await until("the first poll of the second watch", () => rolling.output().includes("answers lead"));
  tmux("send-keys", "c");
  const fourth = await pauseAt(4);
  expect(fourth).toMatch(/^paused before the destroy: /);
  expect(fourth).toContain("it rolls traffic back");
  const [back = "", forth = ""] = textsOf("watch --until stopped")[0]?.split("\n") ?? [];
  const isRolledBack = (said: string) => said.includes(back) && said.lastIndexOf(forth) > said.indexOf(back);
  await until("the rollback", () => isRolledBack(rolling.output()), rolling.output);
  rolling.child.kill("SIGINT");
  await rolling.end;
  expect(rolling.output()).toMatch(/ attempts, 0 failed/);
  expect(run(fourth, "status").output).toContain("6 of 6 hostnames have completed every step");
  const rollback = run(fourth, "check-plan");
  expect(rollback.status).toBe(0);
  expect(rollback.output).toContain("[traffic-leaves]");
  expect(rollback.output).toContain(textsOf("check-plan")[2]);

  tmux("send-keys", "c");
  await until("the end", ended);
  const [, lastLines = ""] = textsOf("first terminal prints");
  expect(shown().replace(/PASSED: 0 of \d+ handshakes/, "PASSED: 0 of N handshakes")).toContain(lastLines);
  expect(readFileSync(join(folder, "ended"), "utf8")).toBe("0\n");
  const report = readFileSync(join(folder, "practice.html"), "utf8");
  expect(report).toMatch(/Terraform was killed 1 time; [1-9]\d* resources? had to be imported afterwards/);
  expect(report).toContain("Traffic was moved back and forth (rollback): no handshake failed");
  keepPracticeReport(report);
});

test("Ctrl-C in a pause after a failed step destroys everything and ends with 5", async () => {
  startFirstTerminal(
    "npx cert-migration rehearse --spec migration.yaml --faults certificate-failed-for-good --pause-after 3",
  );
  const pause = await pauseAt(1);
  expect(pause).toMatch(/^paused after step 3, which FAILED: /);
  expect(run(pause, "wait")).toEqual({ status: 4, output: expect.stringContaining("CAA") });
  tmux("send-keys", "C-c");
  await until("the end", ended);
  expect(readFileSync(join(folder, "ended"), "utf8")).toBe("5\n");
  expect(shown()).toContain("nothing left behind");
  expect(shown().match(/^stopping; press Ctrl-C again to end at once$/gm)).toHaveLength(1);
});
