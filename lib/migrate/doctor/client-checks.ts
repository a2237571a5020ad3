import { InputError } from "../../errors";
import { quote } from "../../quote";
import { type DoctorFinding, finding } from "./model";
import { notServed } from "./proxy-checks";
import type { DoctorSubject } from "./subject";

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

/** What clients are used to and would miss. */
export function judgeClients(subject: DoctorSubject, old: readonly OldCertificate[]): readonly DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (subject.usesMap && subject.entries.length > 0 && !subject.hasPrimary) {
    findings.push(finding("clients-without-sni", subject.map ?? subject.path, "the map has no PRIMARY entry"));
  }
  for (const { source, domains, mustStaple, ipAddresses, validation } of old) {
    if (mustStaple) findings.push(finding("must-staple", source, `the certificate of ${source} is must-staple`));
    for (const name of notServed(domains, subject.hostnames)) {
      findings.push(
        finding("name-not-served", name, `the certificate of ${source} has ${name}, and no hostname serves it`),
      );
    }
    for (const address of ipAddresses) {
      findings.push(finding("address-clients", address, `the certificate of ${source} is for ${address}`));
    }
    if (validation !== undefined && validation !== "DV") {
      findings.push(finding("validation-lost", source, `the certificate of ${source} shows ${validation} validation`));
    }
  }
  return findings;
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

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
