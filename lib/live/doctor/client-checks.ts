import { type DoctorFinding, finding } from "./model";
import type { OldCertificate } from "./old-certificates";
import { notServed } from "./proxy-checks";
import type { DoctorSubject } from "./subject";
import { registered } from "./zone-checks";

/**
 * What clients are used to and would miss.
 *
 * @param served hostnames of all migrations that are looked at together: one of them serves what another does not
 */
export function judgeClients(
  subject: DoctorSubject,
  old: readonly OldCertificate[],
  served: ReadonlySet<string>,
): readonly DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (subject.usesMap && subject.entries.length > 0 && !subject.hasPrimary) {
    findings.push(finding("clients-without-sni", subject.map ?? subject.path, "the map has no PRIMARY entry"));
  }
  const isOwn = createIsOwn(served);
  for (const certificate of old) {
    const domains = certificate.domains.filter((name) => isOwn(name, certificate));
    // All of it is somebody else's.
    if (domains.length === 0 && certificate.domains.length > 0) continue;
    findings.push(...judgeOld({ ...certificate, domains }, served));
  }
  return findings;
}

/** Whether a name is for the migrations to serve, as what lies in a domain of theirs is, whatever the inventory takes it for. */
function createIsOwn(served: ReadonlySet<string>): (name: string, old: OldCertificate) => boolean {
  let own: ReadonlySet<string> | undefined;
  return (name, { domainsOfOthers = [] }) => {
    if (!domainsOfOthers.includes(name)) return true;
    own ??= new Set([...served].map(registered));
    return own.has(registered(name));
  };
}

function judgeOld(
  { source, domains, mustStaple, ipAddresses, validation }: OldCertificate,
  served: ReadonlySet<string>,
): readonly DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (mustStaple) findings.push(finding("must-staple", source, `the certificate of ${source} is must-staple`));
  for (const name of notServed(domains, served)) {
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
  return findings;
}
