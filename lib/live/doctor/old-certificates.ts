import { InputError } from "../../errors";
import type { InventoryFindingCode } from "../../inventory";
import { fieldsOf, listOf, parseJson, textsOf } from "../../json/fields";
import { quote } from "../../text/quote";

/** An old certificate, as far as its clients may miss something of it. */
export interface OldCertificate {
  /** What it is called: the file or host that it was read from. */
  readonly source: string;
  readonly domains: readonly string[];
  /** Those of the domains that the inventory takes for somebody else's: providers put the names of many customers into one. @default none */
  readonly domainsOfOthers?: readonly string[];
  readonly mustStaple: boolean;
  readonly ipAddresses: readonly string[];
  /** `OV`, `EV`, … */
  readonly validation?: string;
}

/**
 * Reads what `cert-migration inventory --json` prints.
 *
 * @param source what problems call it, usually a path
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
  const message = `${quote(source)} is no inventory; give what 'cert-migration inventory --json' prints`;
  return new InputError("inventory-malformed", message);
}
