import { pointerTo } from "../json/pointer";
import type {
  CertificateSpec,
  CreatedCertificateOptions,
  ExistingCertificateSpec,
  FormerCertificateSpec,
  IssuedBySpec,
  ManagedCertificateSpec,
  PrivateCaCertificateSpec,
  SelfManagedCertificateSpec,
  SelfManagedSpec,
} from "./spec";

/** Who issues a certificate. */
type CertificateKind = "managed" | "selfManaged" | "privateCa" | "existing";

/** A certificate of a spec, in the same form for an item with `kind` and for an item of earlier releases. */
export interface CertificateForm extends CreatedCertificateOptions {
  /** The only kind of an item with `kind`; an item of earlier releases may have several, which is an error. */
  readonly kinds: readonly CertificateKind[];
  readonly domains?: readonly string[];
  readonly selfManaged?: SelfManagedSpec;
  readonly issuedBy?: IssuedBySpec;
  readonly existingId?: string;
}

/** Members of an item of earlier releases, by the kind that they mean. */
const formerMembers = {
  selfManaged: "selfManaged",
  privateCa: "issuedBy",
  existing: "existingCertificateId",
} as const satisfies Readonly<Record<Exclude<CertificateKind, "managed">, keyof FormerCertificateSpec>>;

/** Returns what a certificate of a spec says, in whatever form. */
export function formOf(certificate: CertificateSpec): CertificateForm {
  if (!hasKind(certificate)) {
    const { existingCertificateId: existingId, ...rest } = certificate as FormerCertificateSpec;
    return { ...rest, kinds: formerKinds(certificate), ...(existingId === undefined ? {} : { existingId }) };
  }
  const { kind } = certificate;
  switch (kind) {
    case "selfManaged":
      return { ...certificate, kinds: [kind], selfManaged: certificate };
    case "privateCa":
      return { ...certificate, kinds: [kind], issuedBy: certificate };
    case "existing":
      return { ...certificate, kinds: [kind], existingId: certificate.id };
    default:
      return { ...certificate, kinds: ["managed"] };
  }
}

/** Returns the JSON pointer to the fields of a certificate that only its kind has. */
export function kindPointer(certificate: CertificateSpec, kind: "selfManaged" | "privateCa", at: string): string {
  return hasKind(certificate) ? at : pointerTo(at, formerMembers[kind]);
}

/** Returns the JSON pointer to the id of an existing certificate. */
export function existingIdPointer(certificate: CertificateSpec, at: string): string {
  return pointerTo(at, hasKind(certificate) ? "id" : formerMembers.existing);
}

/** Returns whether a private CA issues a certificate. Specs with thousands of certificates are searched often. */
export function isOfPrivateCa(certificate: CertificateSpec): boolean {
  if (hasKind(certificate)) return certificate.kind === "privateCa";
  return (certificate as FormerCertificateSpec).issuedBy !== undefined;
}

/** Returns whether Google or a private CA issues a certificate of the migration. */
export function isIssuedByMigration(certificate: CertificateSpec): boolean {
  const { kinds } = formOf(certificate);
  return !kinds.includes("selfManaged") && !kinds.includes("existing");
}

/** A certificate with `kind`. */
type KindSpec = (
  | ManagedCertificateSpec
  | SelfManagedCertificateSpec
  | PrivateCaCertificateSpec
  | ExistingCertificateSpec
) & { readonly kind: CertificateKind };

function hasKind(certificate: CertificateSpec): certificate is KindSpec {
  return "kind" in certificate && certificate.kind !== undefined;
}

function formerKinds(certificate: FormerCertificateSpec): readonly CertificateKind[] {
  const kinds = (["selfManaged", "existing", "privateCa"] as const).filter(
    (kind) => certificate[formerMembers[kind]] !== undefined,
  );
  return kinds.length === 0 ? ["managed"] : kinds;
}
