import { Annotations } from "cdktf";
import type { Construct } from "constructs";
import { InputError } from "../errors";
import { quote } from "../text/quote";
import { migrationPath } from "./migration-path";

/** Key in the context of an app: the time of a synthesis, for tests of the app. */
const nowKey = "cert-migration:now";

/**
 * Returns the time with which a construct compares the dates of uploaded certificates: the machine's clock, or the time
 * in the context of the app. A context, unlike a field of the props, applies to an app whose code a test can't change.
 *
 * @throws InputError `clock-invalid`
 */
export function timeOf(scope: Construct): Date {
  const given: unknown = scope.node.tryGetContext(nowKey);
  if (given === undefined) return new Date();
  const isTime =
    typeof given === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(given);
  const time = new Date(isTime ? given : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    const value = typeof given === "string" ? given : JSON.stringify(given);
    const advice = "use a time as in 2026-11-21T00:00:00Z, or remove it from the context of the app";
    throw new InputError(
      "clock-invalid",
      `${migrationPath(scope)}: '${nowKey}' is ${quote(value)}, not a time; ${advice}`,
    );
  }
  const message = `'${nowKey}' sets the time of this synthesis to ${time.toISOString()}; never deploy it`;
  Annotations.of(scope).addWarning(`${message} [clock-set]`);
  return time;
}
