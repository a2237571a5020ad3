import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { quote } from "../../text/quote";

/**
 * Locks a state file, so that two clouds never use it at the same time; each would lose changes that the other
 * acknowledged. The lock of a process that no longer runs is ignored.
 *
 * @returns a function that releases the lock
 * @throws {@link InputError} `state-in-use`, `state-unwritable`
 */
export function lockState(path: string): () => void {
  const lock = `${path}.lock`;
  const own = String(process.pid);
  for (let attempt = 1; ; attempt++) {
    try {
      writeFileSync(lock, own, { flag: "wx", mode: 0o600 });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new InputError(
          "state-unwritable",
          `${quote(path)} can't be written: ${fileReason(error)}; name another file`,
        );
      }
    }
    const holder = holderOf(lock);
    if (attempt > 1 || isAtWork(holder)) {
      throw new InputError(
        "state-in-use",
        `${quote(path)} is the state of a running cloud (process ${quote(holder)}); stop it, use another file, or remove ${quote(lock)} if no cloud is running`,
      );
    }
    rmSync(lock, { force: true });
  }
}

function holderOf(lock: string): string {
  try {
    return readFileSync(lock, "utf8").slice(0, 20);
  } catch {
    return "";
  }
}

function isAtWork(holder: string): boolean {
  const number = Number(holder);
  if (!Number.isSafeInteger(number) || number < 1) return false;
  try {
    process.kill(number, 0);
    return true;
  } catch (error) {
    // EPERM means that the process runs and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
