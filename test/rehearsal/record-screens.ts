/**
 * Rehearses the migration of the tutorial in a terminal and records two screens: the board while traffic moves, and the
 * result. `npm run screens` writes them for the pictures of docs/tutorial.md. Needs tmux, which provides the terminal.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RecordedScreens, recordedScreens } from "../../docs/generate/terminal-screens";
import { tutorialEdits, tutorialMigration } from "../support/tutorial";

const root = join(__dirname, "..", "..");
const columns = 80;
const line = "npx cert-migration rehearse --spec migration.yaml";

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "screens-"));
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-S", join(folder, "socket"), ...words], { encoding: "utf8" });
  /** Returns the lines of the screen. With `-e`, they have the escape sequences of their colors. */
  const shown = (...options: readonly string[]) => tmux("capture-pane", "-p", ...options).trimEnd();
  const ended = () => existsSync(join(folder, "ended"));
  try {
    mkdirSync(join(folder, "tmp"));
    writeFileSync(join(folder, "migration.yaml"), tutorialMigration(tutorialEdits.slice(0, 1)));
    const tsx = join(root, "node_modules", "tsx", "dist");
    const loader = `--require ${tsx}/preflight.cjs --import ${tsx}/loader.mjs`;
    const command = line.replace(
      "npx cert-migration",
      `${process.execPath} ${loader} ${join(root, "lib/cli/main.ts")}`,
    );
    const script = `cd ${folder}; TMPDIR=${folder}/tmp NODE_NO_WARNINGS=1 ${command}; echo $? > ended; sleep 60`;
    tmux("-f", "/dev/null", "new-session", "-d", "-x", `${columns}`, "-y", "50", script);
    let board = "";
    while (!ended()) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const screen = shown("-e");
      if (/^HOSTNAME [\s\S]*^~ step 8 /m.test(shown())) board = screen;
    }
    const screens: RecordedScreens = {
      line,
      columns,
      board: linesFrom(/HOSTNAME/, board),
      result: linesFrom(/┌─/, shown("-e")),
    };
    writeFileSync(recordedScreens, `${JSON.stringify(screens, undefined, 1)}\n`);
  } finally {
    spawnSync("tmux", ["-S", join(folder, "socket"), "kill-server"]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws if the screen has no line with the beginning of the part */
function linesFrom(begin: RegExp, screen: string): readonly string[] {
  const lines = screen.split("\n");
  const at = lines.findIndex((text) => begin.test(text));
  if (at < 0) throw new Error(`no ${begin} in\n${screen}`);
  return lines.slice(at);
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
});
