import { InputError } from "../errors";
import type {
  CertificateSpec,
  CreatedCertificateOptions,
  IssuedCertificateOptions,
  ServedCertificateOptions,
} from "../plan";
import type { CertificateIssuer, PrivateKey } from "./certificate-sources";
import { isOfOwnEntry, nameClass } from "./kit";
import { optionsOf } from "./plain";

/** Options of {@link Certificate.selfManaged}. */
export interface SelfManagedCertificateOptions extends CreatedCertificateOptions {
  /** Certificate and chain in PEM, leaf first; or a token, which requires `domains`. */
  readonly certificatePem: string;

  /** The key of the certificate. */
  readonly privateKey: PrivateKey;

  /** DNS names of the certificate. @default - the names in the certificate; required for a token */
  readonly domains?: readonly string[];
}

/** Options of {@link Certificate.privateCa}. */
export interface PrivateCaCertificateOptions extends IssuedCertificateOptions {
  /** The private CA: a pool with the settings of its certificates, or an existing issuance config. */
  readonly issuer: CertificateIssuer;
}

/** Options of {@link Certificate.existing}. */
export interface ExistingCertificateOptions extends ServedCertificateOptions {
  /** DNS names of the certificate. @default - required, except for a certificate with a name that a proxy refers to */
  readonly domains?: readonly string[];
}

/** A certificate of a migration, by who issues it. */
export class Certificate {
  /** @internal */
  readonly _spec: CertificateSpec;

  private constructor(spec: CertificateSpec) {
    this._spec = spec;
  }

  /**
   * Creates a certificate that a public CA of Google issues and renews.
   *
   * @example
   * ```ts
   * Certificate.managed({ domains: ["example.com", "*.example.com"] });
   * ```
   */
  static managed(options: IssuedCertificateOptions): Certificate {
    return new Certificate({ kind: "managed", ...fieldsOf("managed", options) });
  }

  /**
   * Creates a certificate from another CA, which you renew by uploading the next one.
   *
   * @throws InputError `value-wrong-type` for a `privateKey` that is not a PrivateKey
   *
   * @example
   * ```ts
   * Certificate.selfManaged({
   *   domains: ["pay.example.net"],
   *   certificatePem: "${var.pay_certificate}",
   *   privateKey: PrivateKey.variable("pay_key"),
   * });
   * ```
   */
  static selfManaged(options: SelfManagedCertificateOptions): Certificate {
    const { privateKey, ...rest } = fieldsOf("selfManaged", options);
    requireFactory(privateKey, "PrivateKey", "Certificate.selfManaged: 'privateKey'");
    return new Certificate({ kind: "selfManaged", ...rest, ...privateKey._fields });
  }

  /**
   * Creates a certificate that a private CA issues and renews. The certificate needs no DNS authorization, and its
   * names may be in domains such as `.internal`. Clients have to trust the CA.
   *
   * @throws InputError `value-wrong-type` for an `issuer` that is not a CertificateIssuer
   *
   * @example
   * ```ts
   * Certificate.privateCa({
   *   domains: ["orders.corp.internal"],
   *   issuer: CertificateIssuer.caPool("projects/my-project/locations/europe-west1/caPools/internal"),
   * });
   * ```
   */
  static privateCa(options: PrivateCaCertificateOptions): Certificate {
    const { issuer, ...rest } = fieldsOf("privateCa", options);
    requireFactory(issuer, "CertificateIssuer", "Certificate.privateCa: 'issuer'");
    return new Certificate({ kind: "privateCa", ...rest, ...issuer._fields });
  }

  /**
   * Serves a certificate of Certificate Manager that exists already.
   *
   * @param id `projects/P/locations/L/certificates/C`, or a token. A managed certificate without DNS authorizations and
   * without issuance config is refused if the same app creates it, because it becomes ACTIVE only after traffic has
   * moved; `doctor` reports others that are not issued.
   *
   * @example
   * ```ts
   * Certificate.existing("projects/my-project/locations/global/certificates/legacy", { domains: ["old.example.com"] });
   * ```
   */
  static existing(id: string, options: ExistingCertificateOptions = {}): Certificate {
    return new Certificate({ kind: "existing", ...fieldsOf("existing", options), id });
  }

  /**
   * Creates the certificate from data, for example from an item of `certificates` in `migration.yaml`.
   *
   * @param spec an object with the fields of its `kind`; see `ManagedCertificateSpec` and others
   *
   * @example
   * ```ts
   * Certificate.fromSpec({ kind: "managed", domains: ["shop.example.com"] });
   * ```
   */
  static fromSpec(spec: CertificateSpec): Certificate {
    return new Certificate(spec);
  }
}
nameClass(Certificate, "Certificate");

/**
 * Returns the options of a factory.
 *
 * @throws InputError `property-unknown` if the options have a kind
 */
function fieldsOf<Options extends object>(factory: string, options: Options): Options {
  const fields = optionsOf(`Certificate.${factory}`, options);
  if (!("kind" in fields)) return fields;
  const message = `Certificate.${factory}: unknown property 'kind'; the factory sets the kind`;
  throw new InputError("property-unknown", message);
}

const factories = {
  PrivateKey: "PrivateKey.variable or PrivateKey.pem",
  CertificateIssuer: "CertificateIssuer.caPool or CertificateIssuer.issuanceConfig",
} as const;

/** @throws InputError `property-missing` or `value-wrong-type` for a value that no factory of a class created */
function requireFactory(value: unknown, name: keyof typeof factories, what: string): void {
  if (isOfOwnEntry(value, name, what)) return;
  const isMissing = value === undefined;
  const problem = isMissing ? "is missing" : `is not a ${name}`;
  throw new InputError(
    isMissing ? "property-missing" : "value-wrong-type",
    `${what} ${problem}; use ${factories[name]}`,
  );
}
