import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

jest.setTimeout(300_000);

const root = join(__dirname, "..", "..", "..", "..");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearse-terminal-"));
  mkdirSync(join(folder, "tmp"));
});
afterEach(() => {
  // The socket belongs to the tmux server of this test.
  spawnSync("tmux", ["-S", join(folder, "socket"), "kill-server"]);
  rmSync(folder, { recursive: true, force: true });
});

const tmux = (...words: readonly string[]) => execFileSync("tmux", ["-S", join(folder, "socket"), ...words]).toString();
/** Returns the content of the screen and of the scrollback. */
const shown = () => tmux("capture-pane", "-p", "-J", "-S", "-").trimEnd();

async function until(what: string, isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + 60_000;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error(`never came: ${what}; the terminal has\n${shown()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Starts a rehearsal in a terminal of 100 columns, with a program in place of Terraform that stays in its first apply.
 */
function rehearse(): void {
  const program = join(folder, "program");
  const version = `[ "$1" = version ] && echo '{"terraform_version": "1.11.4"}'`;
  const stay = `echo $$ > "${folder}/reached"\ntrap 'exit 1' INT\nwhile :; do sleep 0.05; done`;
  writeFileSync(program, `#!/bin/sh\n${version}\n[ "$1" = apply ] || exit 0\n${stay}\n`, { mode: 0o755 });
  const words = ["--require", "tsx/cjs", "lib/cli/main.ts", "rehearse", "--terraform", program];
  const command = [process.execPath, ...words, "--spec", "examples/from-spec/migration.yaml"].join(" ");
  const script = `cd ${root}; TMPDIR=${folder}/tmp NODE_NO_WARNINGS=1 ${command}; echo "exit code $?"; sleep 60`;
  tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", script);
}

/** Returns the line with the counts of each board on the terminal. */
const boards = () => shown().match(/^\d+ handshakes?, .*$/gm) ?? [];
const lastBoard = () => {
  const lines = shown().split("\n");
  return lines.slice(lines.lastIndexOf(boards().at(-1) ?? ""));
};
const leftovers = () => readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("cert-migration"));

// These tests need tmux, which provides the terminal.
describe("on a terminal", () => {
  test("continues in the new width if the terminal is resized while the board is live, and ends cleanly", async () => {
    rehearse();
    await until("the board", () => boards().length > 0);
    const widths = [70, 45, 30, 79, 20, 100];
    for (const columns of widths) {
      tmux("resize-window", "-x", String(columns), "-y", "40");
      // The terminal wraps the lines again before it reports its new size. A part of a board that was drawn between
      // the two stays on the screen.
      const before = boards().at(-1);
      const isDrawn = () => boards().at(-1) !== before && lastBoard().every((line) => line.length < columns);
      await until(`another board in ${columns} columns`, isDrawn);
    }
    // Each board replaced the previous board.
    expect(boards().length).toBeLessThanOrEqual(1 + widths.length);
    tmux("send-keys", "C-c");
    await until("the end", () => shown().includes("exit code"));
    const lines = shown().split("\n");
    expect(lines[0]).toBe("4 hostnames, 2 certificates; the rehearsal takes a minute or so");
    expect(
      lines.filter((line) => line.startsWith("/ stopped step 1 (certificates with DNS authorizations), step 2 (CNAME")),
    ).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith("stopping; press Ctrl-C again"))).toHaveLength(1);
    expect(lines.at(-1)).toBe("exit code 5");
  });

  test("stops cleanly if the terminal is closed while the board is live, and leaves nothing behind", async () => {
    rehearse();
    await until("the board", () => boards().length > 0 && existsSync(join(folder, "reached")));
    expect(leftovers()).toHaveLength(1);
    const terraform = Number(readFileSync(join(folder, "reached"), "utf8"));
    tmux("kill-server");
    await until("the end of Terraform", () => !existsSync(`/proc/${terraform}`));
    await until("the end of its folder", () => leftovers().length === 0);
  });
});
