import type { Finding } from "../../findings/finding";
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
export interface VerifyFailure extends Checked, Finding<ServingFailure> {
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

/** Why one handshake failed. */
export interface Failure extends Pick<VerifyFailure, "code" | "certificate"> {
  /** The error or answer received; untrusted. */
  readonly detail: string;
}

/** Result of one handshake after the comparison with the plan. */
export type Outcome = Omit<VerifySuccess, keyof Checked> | (Failure & { readonly ok: false });
