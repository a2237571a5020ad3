import { FetchError } from "./run";

/** Runs a check, prints its name when it passes, and counts it. */
export type Check = (what: string, act: () => Promise<unknown>) => Promise<void>;

/**
 * Runs checks until one fails, prints `N passed, N failed`, and sets the exit code. Without the packages that the
 * checks need, prints `did not run` and the reason: this counts as neither passed nor failed.
 */
export async function countChecks(checkAll: (check: Check) => Promise<void>): Promise<void> {
  let passed = 0;
  const check: Check = async (what, act) => {
    await act();
    passed += 1;
    process.stdout.write(`ok: ${what}\n`);
  };
  try {
    await checkAll(check);
    process.stdout.write(`${passed} passed, 0 failed\n`);
  } catch (error) {
    if (error instanceof FetchError) {
      process.stdout.write(`did not run: ${error.message}\n${passed} passed, 0 failed\n`);
      return;
    }
    process.stdout.write(`${(error as Error).message}\n${passed} passed, 1 failed\n`);
    process.exitCode = 1;
  }
}
