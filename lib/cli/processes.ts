import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process of this machine. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Name of the program, without folder; Linux cuts it after 15 characters. */
  readonly name: string;
  /** Distinguishes the process from a later one with the same id. @default - the system does not tell */
  readonly startedAt?: string;
}

/** Returns a process that has not ended; undefined also if the system has no way to ask. */
export type ProcessReader = (pid: number) => ProcessEntry | undefined;

/** Reads the processes of this machine. */
export const readProcess: ProcessReader = (pid) => {
  if (process.platform === "linux") return readLinuxProcess(pid);
  return process.platform === "win32" ? undefined : readUnixProcess(pid);
};

function readLinuxProcess(pid: number): ProcessEntry | undefined {
  try {
    // The name is in parentheses and may contain any characters.
    const [, name = "", rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const [state, parent, ...others] = rest.split(" ");
    // A zombie has ended, and its parent has not asked for its exit code.
    return state === "Z" ? undefined : { pid, parent: Number(parent), name, startedAt: String(others[17]) };
  } catch {
    return undefined;
  }
}

function readUnixProcess(pid: number): ProcessEntry | undefined {
  try {
    const words = ["-o", "ppid=,stat=,lstart=,comm=", "-p", String(pid)];
    const text = execFileSync("ps", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const [, parent, state = "", startedAt = "", path = ""] =
      /^\s*(\d+)\s+(\S+)\s+(\S+ +\S+ +\d+ +[\d:]+ +\d+)\s+(.*)$/m.exec(text) ?? [];
    if (parent === undefined || state.startsWith("Z")) return undefined;
    return { pid, parent: Number(parent), name: path.trim().replace(/^.*\//, ""), startedAt };
  } catch {
    return undefined;
  }
}

/** Returns the nearest process above another one whose name fits. */
export function ancestorOf(pid: number, fits: RegExp, read: ProcessReader = readProcess): ProcessEntry | undefined {
  let at = read(pid);
  // A chain without end would be an error of the system.
  for (let depth = 0; at !== undefined && at.parent > 1 && depth < 64; depth += 1) {
    at = read(at.parent);
    if (at !== undefined && fits.test(at.name)) return at;
  }
  return undefined;
}

/** Returns whether a process has ended, also if another process has its id now. */
export function hasEnded({ pid, startedAt }: ProcessEntry, read: ProcessReader = readProcess): boolean {
  const now = read(pid);
  return now === undefined || now.startedAt !== startedAt;
}

/**
 * Returns the place in which ids of processes are unique: another machine or container has other processes under the
 * same ids, and may use the same folder for temporary files.
 */
export function processSpace(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
