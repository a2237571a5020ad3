import type { TerraformStack } from "cdktf";
import { AdminChangeAlerts, type AdminChangeAlertsProps, InputError } from "../../lib";
import { newStack, synthesize } from "./synth";

/** Id of a notification channel. */
export const channel = "projects/my-project/notificationChannels/1234";

/** Alerts of one class, unless the props say otherwise. */
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

/** A stack that alerts. */
export function alerting(change: Partial<AdminChangeAlertsProps> = {}) {
  const stack = newStack();
  alert(stack, change);
  return synthesize(stack);
}

/** The codes with which props are refused; none where they are not. */
export function refusal(change: Partial<AdminChangeAlertsProps>, stack = newStack()): readonly string[] {
  try {
    alert(stack, change);
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return [];
}
