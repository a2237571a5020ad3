import { InputError } from "../../errors";
import type { InventoryFindingCode } from "../../inventory";
import { fieldsOf, listOf, parseJson, textsOf } from "../../json/fields";
import { quote } from "../../text/quote";

/** A previous certificate, with the properties that its clients may depend on. */
export interface OldCertificate {
  /** The file or host that the certificate was read from. */
  readonly source: string;
  readonly domains: readonly string[];
  /**
   * Domains that belong to other owners according to the inventory; providers put the names of many customers into the
   * same certificate.
   *
   * @default none
   */
  readonly domainsOfOthers?: readonly string[];
  readonly mustStaple: boolean;
  readonly ipAddresses: readonly string[];
  /** `OV`, `EV`, … */
  readonly validation?: string;
}

/**
 * Reads the output of `cert-migration inventory --json`.
 *
 * @param source name of the input in error messages, usually a path
 * @throws InputError `inventory-malformed`
 */
export function readInventory(text: string, source: string): readonly OldCertificate[] {
  const { certificates, findings } = fieldsOf(parseJson(text));
  if (!Array.isArray(certificates)) throw malformed(source);
  const foreign = namesOfOthers(findings);
  return certificates.map((item, index) => {
    const certificate = fieldsOf(item);
    const { mustStaple, validation } = certificate;
    const domains = textsOf(certificate.domains);
    const domainsOfOthers = domains.filter((name) => foreign.has(name));
    return {
      source: typeof certificate.source === "string" ? certificate.source : `certificate ${index + 1}`,
      domains,
      ...(domainsOfOthers.length === 0 ? {} : { domainsOfOthers }),
      mustStaple: mustStaple === true,
      ipAddresses: textsOf(certificate.ipAddresses),
      ...(typeof validation === "string" ? { validation } : {}),
    };
  });
}

function namesOfOthers(findings: unknown): ReadonlySet<string> {
  const wanted: InventoryFindingCode = "name-of-others";
  const found = listOf(findings).map(fieldsOf);
  return new Set(found.flatMap(({ code, about }) => (code === wanted && typeof about === "string" ? about : [])));
}

function malformed(source: string): InputError {
  const message = `${quote(source)} is not an inventory; pass the output of 'cert-migration inventory --json'`;
  return new InputError("inventory-malformed", message);
}
