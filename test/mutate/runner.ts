import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

export interface TestRun {
  readonly passed: boolean;
  /** Numbers of the mutants that the tests reached. */
  readonly reached: readonly number[];
  readonly message?: string;
}

/** Jest keeps some memory of each run. */
const maxRunsPerProcess = 40;

/** Runs test files of a folder in a child process, which ends when a run takes too long. */
export class Runner implements Disposable {
  #child: ChildProcess | undefined;
  #runs = 0;

  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns `undefined` if the tests take longer than the timeout */
  async run(active: number, files: readonly string[], timeoutMs: number): Promise<TestRun | undefined> {
    if (this.#runs++ % maxRunsPerProcess === 0) this[Symbol.dispose]();
    // A former mutant can end the process after its tests.
    if (this.#child?.connected === false) this[Symbol.dispose]();
    this.#child ??= startChild(this.#folder);
    const child = this.#child;
    const result = await answerOf(child, { active, files }, timeoutMs);
    child.removeAllListeners();
    if (!result || child.exitCode !== null) this[Symbol.dispose]();
    return result;
  }

  [Symbol.dispose](): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

const startChild = (folder: string) =>
  fork(join(folder, "test/mutate/test-runner.cjs"), { cwd: folder, stdio: ["ignore", "ignore", "ignore", "ipc"] });

function answerOf(child: ChildProcess, message: object, timeoutMs: number): Promise<TestRun | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    const settle = (result: TestRun) => {
      clearTimeout(timer);
      resolve(result);
    };
    child.once("message", settle);
    child.once("exit", () => settle({ passed: false, reached: [], message: "the process of the tests ended" }));
    child.send(message);
  });
}
