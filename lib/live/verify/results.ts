import type { KeyFamily } from "../../tls/key-families";
import type { ServingFailure } from "./codes";
import type { ServedCertificate } from "./served-certificate";

/** What was tried of one hostname at one address. */
export interface Checked {
  readonly hostname: string;
  readonly address: string;
  /** What keys the client took; absent where it was one that takes all. */
  readonly client?: KeyFamily;
  /** Handshakes that were tried. */
  readonly handshakes: number;
  /** How many of them were bad. */
  readonly bad: number;
}

export interface VerifySuccess extends Checked {
  readonly ok: true;
  /** As in `TLSv1.3`. */
  readonly protocol: string;
  readonly certificate: ServedCertificate;
  /** Name of the certificate of the plan that this is; absent where that was not checked. */
  readonly planned?: string;
  /** Whether the server has accepted the latest handshake; false where it stayed silent after it. */
  readonly confirmed: boolean;
  /** Status of the answer, where one was asked for. */
  readonly httpStatus?: number;
}

export interface VerifyFailure extends Checked {
  readonly ok: false;
  readonly code: ServingFailure;
  /** What came back; untrusted. */
  readonly detail: string;
  readonly remedy: string;
  /** That it was not tried again: what is served is the very certificate that the plan uploads, and no waiting makes it fit. */
  readonly final?: true;
  /** What was served, where it came to that. */
  readonly certificate?: ServedCertificate;
}

export type VerifyResult = VerifySuccess | VerifyFailure;

/** Why one handshake is bad. */
export type Failure = Pick<VerifyFailure, "code" | "detail" | "certificate">;
/** One handshake, as it was held against the plan. */
export type Outcome = Omit<VerifySuccess, keyof Checked> | (Failure & { readonly ok: false });
