import { InputError } from "../../errors";
import { quote } from "../../quote";
import { fieldsOf, textsOf } from "../fields";

/** An old certificate, as far as its clients may miss something of it. */
export interface OldCertificate {
  /** What it is called: the file or host that it was read from. */
  readonly source: string;
  readonly domains: readonly string[];
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(source);
  }
  const certificates = fieldsOf(value).certificates;
  if (!Array.isArray(certificates)) throw malformed(source);
  return certificates.map((item, index) => {
    const certificate = fieldsOf(item);
    const { mustStaple, validation } = certificate;
    return {
      source: typeof certificate.source === "string" ? certificate.source : `certificate ${index + 1}`,
      domains: textsOf(certificate.domains),
      mustStaple: mustStaple === true,
      ipAddresses: textsOf(certificate.ipAddresses),
      ...(typeof validation === "string" ? { validation } : {}),
    };
  });
}

function malformed(source: string): InputError {
  const message = `${quote(source)} is no inventory; give what 'cert-migration inventory --json' prints`;
  return new InputError("inventory-malformed", message);
}
