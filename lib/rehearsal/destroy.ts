import type { Kills } from "./kills";
import type { Operator } from "./operator";
import { attemptsOf } from "./pipeline";
import { isProtectedInState, outlivingOf, type StackJson, withoutProtection } from "./stack";
import type { StageOptions } from "./stage-options";
import type { Terraform } from "./terraform";
import { lastLines } from "./terraform-output";
import type { Today } from "./today";

interface DestroyParts {
  readonly today: Pick<Today, "before" | "cloud" | "reader" | "retire">;
  readonly operator: Pick<Operator, "withdraw">;
  readonly terraform: Terraform;
  readonly kills: Pick<Kills, "left">;
  /** Stack that was deployed last; undefined if none was. */
  readonly deployed: StackJson | undefined;
}

/**
 * Destroys the deployed stack.
 *
 * @returns whether Terraform reported success, and names of resources that exist now and did not exist before the
 * migration
 */
export async function destroyStack(
  { today, operator, terraform, kills, deployed }: DestroyParts,
  options: StageOptions,
): Promise<{ readonly ended: boolean; readonly left: readonly string[] }> {
  const { say } = options.output;
  await operator.withdraw();
  await today.retire().catch((error: Error) => say(`not taken away: ${error.message}`));
  if (deployed !== undefined) await liftProtection(deployed, terraform, options);
  const ended = await destroyRepeatedly(terraform, attemptsOf(options) + kills.left.length, say);
  // Faults must not disturb the list of remaining resources.
  today.cloud.faults.set({});
  const left = (await today.reader.everything()).filter((name) => !today.before.includes(name));
  return { ended, left };
}

/** Removes what keeps resources from being destroyed, and resources that outlive the stack from the state. */
async function liftProtection(deployed: StackJson, terraform: Terraform, { migration }: StageOptions): Promise<void> {
  await terraform.write(withoutProtection(deployed), { isProtected: false });
  if (isProtectedInState(deployed)) await terraform.apply();
  for (const address of outlivingOf(deployed)) {
    await terraform.run("state", "rm", migration.configuration?.addresses.get(address) ?? address);
  }
}

async function destroyRepeatedly(terraform: Terraform, most: number, say: (line: string) => void): Promise<boolean> {
  for (let attempt = 1; attempt <= most; attempt++) {
    const { exitCode, output, killed } = await terraform.destroy();
    if (exitCode === 0) return true;
    say(`${terraform.name.command} destroy ${killed ? "was killed" : "failed"}: ${lastLines(output)}`);
  }
  return false;
}
