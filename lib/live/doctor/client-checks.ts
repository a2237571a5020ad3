import { registered } from "../../hostnames";
import { type DoctorFinding, doctorFinding } from "./model";
import { notServed } from "./not-served";
import type { PreviousCertificate } from "./options";
import type { DoctorSubject } from "./subject";

/**
 * Reports the properties of the previous certificates that clients may depend on and that the new certificates lack.
 *
 * @param served hostnames of all migrations in this run: a name that one migration does not serve may be served by
 * another
 */
export function judgeClients(
  subject: DoctorSubject,
  previous: readonly PreviousCertificate[],
  served: ReadonlySet<string>,
): readonly DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (subject.map.usesMap && subject.map.entries.length > 0 && !subject.map.hasPrimary) {
    findings.push(doctorFinding("clients-without-sni", subject.map.id ?? subject.path, "the map has no PRIMARY entry"));
  }
  const isOwn = createIsOwn(served);
  for (const certificate of previous) {
    const domains = certificate.domains.filter((name) => isOwn(name, certificate));
    // All names of the certificate belong to other owners.
    if (domains.length === 0 && certificate.domains.length > 0) continue;
    findings.push(...judgePrevious({ ...certificate, domains }, served));
  }
  return findings;
}

/** A name in a registered domain of the migrations counts as own, even if the inventory assigns it to others. */
function createIsOwn(served: ReadonlySet<string>): (name: string, previous: PreviousCertificate) => boolean {
  let trustedByProxy: ReadonlySet<string> | undefined;
  return (name, { domainsOfOthers = [] }) => {
    if (!domainsOfOthers.includes(name)) return true;
    trustedByProxy ??= new Set([...served].map(registered));
    return trustedByProxy.has(registered(name));
  };
}

function judgePrevious(
  { source, domains, mustStaple, ipAddresses, validation }: PreviousCertificate,
  served: ReadonlySet<string>,
): readonly DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (mustStaple) findings.push(doctorFinding("must-staple", source, `the certificate of ${source} is must-staple`));
  for (const name of notServed(domains, served)) {
    findings.push(
      doctorFinding("name-not-served", name, `the certificate of ${source} has ${name}, and no hostname serves it`),
    );
  }
  for (const address of ipAddresses) {
    findings.push(doctorFinding("address-clients", address, `the certificate of ${source} is for ${address}`));
  }
  if (validation !== undefined && validation !== "DV") {
    findings.push(
      doctorFinding("validation-lost", source, `the certificate of ${source} shows ${validation} validation`),
    );
  }
  return findings;
}
