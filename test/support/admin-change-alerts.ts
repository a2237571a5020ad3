import type { TerraformStack } from "cdktf";
import { AdminChangeAlerts, type AdminChangeAlertsProps, InputError } from "../../lib";
import { newStack, synthesize } from "./synth";

/** Id of a notification channel. */
export const channel = "projects/my-project/notificationChannels/1234";

/** Creates alerts of one class by default; `change` overrides the props. */
export function alert(
  stack: TerraformStack,
  change: Partial<AdminChangeAlertsProps> = {},
  id = "alerts",
): AdminChangeAlerts {
  return new AdminChangeAlerts(stack, id, {
    organizationId: "123456789012",
    project: "my-project",
    events: ["trust-anchors"],
    notificationChannels: [channel],
    ...change,
  });
}

/** Returns a stack with alerts. */
export function alerting(change: Partial<AdminChangeAlertsProps> = {}) {
  const stack = newStack();
  alert(stack, change);
  return synthesize(stack);
}

/** Returns the codes of the refusal of props, or an empty list if they are accepted. */
export function refusal(change: Partial<AdminChangeAlertsProps>, stack = newStack()): readonly string[] {
  try {
    alert(stack, change);
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return [];
}
