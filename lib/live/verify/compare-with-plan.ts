import { familyOf, type KeyFamily } from "../../tls/key-families";
import type { Handshake } from "./handshake";
import type { PlannedCertificate, PlannedCertificates } from "./planned";
import type { Outcome } from "./results";
import type { ServedCertificate } from "./served-certificate";
import type { VerifyTarget } from "./targets";

/** The hostname, address and client of a connection. */
export interface Subject {
  readonly target: VerifyTarget;
  readonly address: string;
  readonly client: KeyFamily | undefined;
}

/** Compares a handshake with the plan. */
export function compareWithPlan(
  handshake: Handshake,
  { target, client }: Subject,
  planned: PlannedCertificates | undefined,
): Outcome {
  if (!handshake.ok) {
    if (client === undefined || handshake.code !== "handshake-refused") return handshake;
    return {
      ...handshake,
      code: "key-type-missing",
      detail: `a client that takes ${client} alone: ${handshake.detail}`,
    };
  }
  const { certificate, protocol, httpStatus, stapleFault, unconfirmed } = handshake;
  if (stapleFault !== undefined) return { ok: false, code: "staple-missing", detail: stapleFault, certificate };
  const answer = httpStatus === undefined ? {} : { httpStatus };
  const good = { ok: true, certificate, protocol, confirmed: unconfirmed !== true, ...answer } as const;
  if (client !== undefined && familyOf(certificate.keyType) !== client) {
    return { ok: false, code: "key-type-missing", detail: `a client that takes ${client} alone`, certificate };
  }
  if (planned === undefined || target.planned === undefined) return good;
  const wanted = planned.of(target.planned);
  const found = wanted.find(({ facts }) => facts?.fingerprintSha256 === certificate.fingerprintSha256);
  if (found !== undefined) return { ...good, planned: found.name };
  // A caller may have permission to see that a certificate is active but not to read the certificate. The comparison is
  // then impossible.
  if (wanted.some(({ state, facts }) => state === "ACTIVE" && facts === undefined)) return good;
  if (wanted.every(({ facts }) => facts === undefined)) {
    const states = wanted.map(({ name, state }) => `${name} is ${state}`).join(", ");
    return { ok: false, code: "certificate-not-issued", detail: states, certificate };
  }
  return { ok: false, code: "other-certificate", detail: differenceOf(certificate, wanted), certificate };
}

function differenceOf(served: ServedCertificate, wanted: readonly PlannedCertificate[]): string {
  const planned = wanted.flatMap(({ name, facts }) =>
    facts === undefined ? [] : [`${name} with ${facts.serialNumber}`],
  );
  const until = served.notAfter.slice(0, 10);
  return `served: serial ${served.serialNumber} of ${served.issuer}, until ${until}; planned: ${planned.join(", or ")}`;
}
