import type { CodedFinding } from "../../findings/finding";
import { defined } from "../../json/defined";
import { familyOf, type KeyFamily } from "../../tls/key-families";
import type { ServingFailure } from "./codes";
import type { Handshake } from "./handshake";
import type { ServedCertificate } from "./handshake-model";
import type { ExpectedCertificate, PlannedCertificates } from "./planned";
import type { VerifyTarget } from "./targets";

/** Attempts for one hostname at one address. */
export interface Checked {
  readonly hostname: string;
  readonly address: string;
  /** The key type that the client accepts; absent if the client accepts all, and no key type has its own result. */
  readonly client?: KeyFamily;
  /** Number of handshakes. */
  readonly handshakes: number;
  /** Number of failed handshakes. */
  readonly bad: number;
}

/** An address that serves a hostname correctly. */
export interface VerifySuccess extends Checked {
  readonly ok: true;
  /** For example `TLSv1.3`. */
  readonly protocol: string;
  readonly certificate: ServedCertificate;
  /** Name of the matching certificate of the plan; absent if this was not checked. */
  readonly planned?: string;
  /** Whether the server accepted the latest handshake; false if the server sent nothing after it. */
  readonly confirmed: boolean;
  /** Status of the HTTP response, if one was requested. */
  readonly httpStatus?: number;
}

/** The finding that a hostname is not served correctly at an address. Its subject is the hostname. */
export interface VerifyFailure extends Checked, CodedFinding<ServingFailure> {
  readonly ok: false;
  /**
   * The failure is not retried: the served certificate is the certificate that the plan uploads, so waiting cannot
   * help.
   */
  readonly final?: true;
  /** The served certificate, if there is one. */
  readonly certificate?: ServedCertificate;
}

/** The result for one hostname at one address. */
export type VerifyResult = VerifySuccess | VerifyFailure;

export interface Failure extends Pick<VerifyFailure, "code" | "certificate" | "client"> {
  /** The error or answer received; untrusted. */
  readonly detail: string;
}

/** Result of one handshake after the comparison with the plan. */
export type Outcome = Omit<VerifySuccess, keyof Checked> | (Failure & { readonly ok: false });

export interface Subject {
  readonly target: VerifyTarget;
  readonly address: string;
  readonly client: KeyFamily | undefined;
  /** Key types that the server may refuse, but for which it must not serve a wrong certificate. */
  readonly optional: readonly KeyFamily[];
}

export function compareWithPlan(
  handshake: Handshake,
  { target, client }: Pick<Subject, "target" | "client">,
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
  const good = {
    ok: true,
    certificate,
    protocol,
    confirmed: unconfirmed !== true,
    ...defined({ httpStatus }),
  } as const;
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

function differenceOf(served: ServedCertificate, wanted: readonly ExpectedCertificate[]): string {
  const planned = wanted.flatMap(({ name, facts }) =>
    facts === undefined ? [] : [`${name} with ${facts.serialNumber}`],
  );
  const until = served.notAfter.slice(0, 10);
  return `served: serial ${served.serialNumber} of ${served.issuer}, until ${until}; planned: ${planned.join(", or ")}`;
}
