import type { Listed } from "./cloud-reader";
import type { PartRunner } from "./part-runner";
import type { StackVariant } from "./script";
import type { Stage } from "./stage";

interface IssuedOptions {
  readonly say: (line: string) => void;
  /** Whether certificates in state FAILED get another generation, once. @default false */
  readonly mend?: boolean;
}

/** Waits until all certificates are ACTIVE. Gives FAILED certificates another generation, if the options allow that. */
export async function issued(
  stage: Stage,
  options: IssuedOptions,
  runner: PartRunner,
  variant: (change: Partial<StackVariant>) => StackVariant,
): Promise<boolean> {
  for (;;) {
    await stage.wait(async () => {
      const certificates = await stage.certificates();
      return allActive(certificates) || certificates.some(hasFailed);
    });
    const certificates = await stage.certificates();
    if (!certificates.some(hasFailed)) return allActive(certificates);
    options.say(
      `FAILED: ${certificates
        .filter(hasFailed)
        .map(({ name }) => name)
        .join(", ")}`,
    );
    if (options.mend !== true || runner.replacements() > 0) return false;
    runner.countReplacement();
    if (!(await stage.deploy(variant({ phase: "issue" })))) return false;
  }
}

function stateOf({ state, managed }: Listed): string {
  // Uploaded certificates have no state; they either exist or not.
  return managed?.state ?? state ?? "ACTIVE";
}

/** Returns whether there is a resource, and all are ACTIVE. */
export function allActive(items: readonly Listed[]): boolean {
  return items.length > 0 && items.every((item) => stateOf(item) === "ACTIVE");
}

function hasFailed(item: Listed): boolean {
  return stateOf(item) === "FAILED";
}
