import { createHash } from "node:crypto";
import { rootCertificates } from "node:tls";
import { Annotations } from "cdktf";
import type { Construct } from "constructs";
import { InputError } from "../errors";
import { isMigrationSpec, type MigrationSpec } from "../plan";
import type { TokenReader } from "../plan/shape";
import { publicRootsContextKey, type RehearsalContext, rehearsalContextKey, rehearsedSpec } from "../rehearsed";
import { migrationPath } from "./migration-path";

/** Returns whether the app is synthesized for `cert-migration rehearse --app`. */
export function isRehearsal(scope: Construct): boolean {
  return scope.node.tryGetContext(rehearsalContextKey) !== undefined;
}

/** Returns a function that returns the roots of public CAs in PEM, with the further ones of a rehearsal. */
export function publicRootsFor(scope: Construct): () => readonly string[] {
  const further: readonly string[] = scope.node.tryGetContext(publicRootsContextKey) ?? [];
  return () => [...rootCertificates, ...further];
}

/**
 * Returns the spec with the phase, traffic and gate command of `cert-migration rehearse --app`, which are in the
 * context of the app. Without this context, returns the spec unchanged.
 *
 * This is in the constructs, because `rehearse --app` runs the user's own app: only the constructs can change its spec.
 *
 * @throws InputError `rehearsal-context-unknown` if the command is from another release
 */
export function specForRehearsal(scope: Construct, spec: MigrationSpec, readToken: TokenReader): MigrationSpec {
  const context = scope.node.tryGetContext(rehearsalContextKey) as RehearsalContext | undefined;
  if (context === undefined || !isMigrationSpec(spec, readToken)) return spec;
  const { version, variant, gateCommand, rotating } = context;
  if (version !== 2) {
    const advice = "rehearse with the cert-migration command of the release that the app uses";
    const message = `${migrationPath(scope)}: '${rehearsalContextKey}' is not understood; ${advice}`;
    throw new InputError("rehearsal-context-unknown", message);
  }
  Annotations.of(scope).addWarning("this synthesis is for a rehearsal; never deploy it [rehearsal]");
  const path = migrationPath(scope);
  return rehearsedSpec(
    spec,
    { ...variant, rotated: variant.rotated && rotating === path },
    gateCommand,
    addressOf(path),
  );
}

/** Returns an address of the range for benchmarks (RFC 2544), so that each migration of an app has its own. */
function addressOf(path: string): string {
  const number = createHash("sha256").update(path).digest().readUInt32BE() % 2 ** 17;
  return [198, 18 + (number >> 16), (number >> 8) & 255, number & 255].join(".");
}
