import { Annotations } from "cdktf";
import type { Construct } from "constructs";
import { InputError } from "../errors";
import type { MigrationSpec } from "../plan";
import { type RehearsalContext, rehearsalContextKey, rehearsedSpec } from "../rehearsed";

/**
 * Returns the spec that `cert-migration rehearse --app` asks for: the phase, the traffic and the gate command come from the rehearsal, and whatever
 * the code leaves open is filled in. Without the context key of a rehearsal, the spec is returned unchanged.
 *
 * This stays in the production path of the constructs: `--app` runs the user's own program, and only the context of the app reaches the constructs in it.
 *
 * @throws InputError `rehearsal-context-unknown` if the command is from another release
 */
export function asRehearsed(scope: Construct, spec: MigrationSpec): MigrationSpec {
  const context = scope.node.tryGetContext(rehearsalContextKey) as RehearsalContext | undefined;
  if (context === undefined) return spec;
  const { version, variant, gateCommand, rotating } = context;
  if (version !== 1) {
    const advice = "rehearse with the cert-migration command of the release that the app uses";
    throw new InputError(
      "rehearsal-context-unknown",
      `${scope.node.path}: '${rehearsalContextKey}' is not understood; ${advice}`,
    );
  }
  Annotations.of(scope).addWarning("this synthesis is for a rehearsal; never deploy it [rehearsal]");
  const rotated = variant.rotated && rotating === scope.node.path;
  return rehearsedSpec(spec, { ...variant, rotated }, gateCommand);
}
