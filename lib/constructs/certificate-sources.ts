import { defined } from "../json/defined";
import type { IssuanceSettings, IssuedBySpec, PrivateKeySpec } from "../plan";
import { nameClass } from "./kit";
import { optionsOf } from "./plain";

/** The private CA that issues a certificate. */
export class CertificateIssuer {
  /** @internal */
  readonly _fields: IssuedBySpec;

  private constructor(fields: IssuedBySpec) {
    this._fields = fields;
  }

  /**
   * Issues certificates from a CA pool, by an issuance config that the migration creates. The service agent of
   * Certificate Manager needs the role `roles/privateca.certificateRequester` on the pool.
   *
   * @param caPool `projects/P/locations/L/caPools/POOL`, or a token; a regional certificate needs a pool in its region
   *
   * @example
   * ```ts
   * CertificateIssuer.caPool("projects/my-project/locations/europe-west1/caPools/internal", { lifetime: "21d" });
   * ```
   */
  static caPool(caPool: string, settings: IssuanceSettings = {}): CertificateIssuer {
    return new CertificateIssuer({ ...optionsOf("CertificateIssuer.caPool", settings), caPool });
  }

  /**
   * Issues certificates by an existing issuance config, which has the settings.
   *
   * @param id `projects/P/locations/L/certificateIssuanceConfigs/CONFIG` in the certificate's location, or a token
   *
   * @example
   * ```ts
   * CertificateIssuer.issuanceConfig("projects/my-project/locations/global/certificateIssuanceConfigs/internal");
   * ```
   */
  static issuanceConfig(id: string): CertificateIssuer {
    return new CertificateIssuer({ existingIssuanceConfig: id });
  }
}
nameClass(CertificateIssuer, "CertificateIssuer");

/** Options of {@link PrivateKey}. */
export interface PrivateKeyOptions {
  /**
   * Storage of the key. `state`: Terraform's state and saved plans contain the key. `writeOnly`: neither contains it;
   * needs google 7.45 (an error otherwise), and Terraform or OpenTofu 1.11.
   *
   * @default - `writeOnly` in a stack whose provider is 7.45 or later, otherwise `state`
   */
  readonly storage?: "state" | "writeOnly";
}

/** The private key of a certificate that you upload. */
export class PrivateKey {
  /** @internal */
  readonly _fields: PrivateKeySpec;

  private constructor(fields: PrivateKeySpec) {
    this._fields = fields;
  }

  /**
   * Takes the key from a sensitive Terraform variable, which the migration creates. Set its value for each run, for
   * example with `TF_VAR_name`.
   *
   * @param name name of the variable
   *
   * @example
   * ```ts
   * PrivateKey.variable("pay_key");
   * ```
   */
  static variable(name: string, options: PrivateKeyOptions = {}): PrivateKey {
    return new PrivateKey({ privateKeyVariable: name, ...storageOf("PrivateKey.variable", options) });
  }

  /**
   * Takes the key from a text or a token. A literal key ends up in the synthesized stack, which causes a warning.
   *
   * @param pem unencrypted key in PEM, or a token of a sensitive variable
   *
   * @example
   * ```ts
   * PrivateKey.pem("${var.pay_key}");
   * ```
   */
  static pem(pem: string, options: PrivateKeyOptions = {}): PrivateKey {
    return new PrivateKey({ privateKeyPem: pem, ...storageOf("PrivateKey.pem", options) });
  }
}
nameClass(PrivateKey, "PrivateKey");

function storageOf(what: string, options: PrivateKeyOptions): PrivateKeySpec {
  const { storage, ...others } = optionsOf(what, options);
  return { ...others, ...defined({ privateKeyStorage: storage }) };
}
