import type { KeyFamily } from "../../tls/key-families";
import type { ServingFailure } from "./codes";
import type { ServedCertificate } from "./served-certificate";

/** Attempts for one hostname at one address. */
export interface Checked {
  readonly hostname: string;
  readonly address: string;
  /** The key type that the client accepts; absent if the client accepts all. */
  readonly client?: KeyFamily;
  /** Number of handshakes. */
  readonly handshakes: number;
  /** Number of failed handshakes. */
  readonly bad: number;
}

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

export interface VerifyFailure extends Checked {
  readonly ok: false;
  readonly code: ServingFailure;
  /** The error or answer received; untrusted. */
  readonly detail: string;
  readonly remedy: string;
  /**
   * The failure is not retried: the served certificate is the certificate that the plan uploads, so waiting cannot
   * help.
   */
  readonly final?: true;
  /** The served certificate, if there is one. */
  readonly certificate?: ServedCertificate;
}

export type VerifyResult = VerifySuccess | VerifyFailure;

/** Why one handshake failed. */
export type Failure = Pick<VerifyFailure, "code" | "detail" | "certificate">;
/** Result of one handshake after the comparison with the plan. */
export type Outcome = Omit<VerifySuccess, keyof Checked> | (Failure & { readonly ok: false });
