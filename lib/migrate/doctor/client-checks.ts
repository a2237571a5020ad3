import { type DoctorFinding, finding } from "./model";
import type { OldCertificate } from "./old-certificates";
import { notServed } from "./proxy-checks";
import type { DoctorSubject } from "./subject";

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
