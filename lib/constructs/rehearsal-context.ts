import { Annotations } from "cdktf";
import type { Construct } from "constructs";
import { InputError } from "../errors";
import { type MigrationSpec, type RehearsalContext, rehearsalContextKey, rehearsedSpec } from "../plan";

/**
 * A migration as `cert-migration rehearse --app` wants it, while that runs the app: its phase, traffic and gate command take the place of those in the code,
 * and what the code leaves open is filled in. It asks by the context of the app, as cdktf hands it over; in every other synthesis the spec is the code's.
 *
 * @throws InputError `rehearsal-context-unknown` where another release asks
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
