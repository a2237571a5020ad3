import { groupBy } from "../../json/group-by";
import type { CertificateSpec } from "../../plan";
import type { ProjectCertificate, ProjectProxy } from "../../project-inventory";

interface FirstCertificate {
  readonly proxy: ProjectProxy;
  readonly certificate: ProjectCertificate;
}

interface Primary {
  readonly certificates: readonly CertificateSpec[];
  readonly notices: readonly string[];
}

/**
 * Makes one certificate PRIMARY for clients without SNI. Today they get the first certificate of a proxy. A map has one
 * PRIMARY entry, so the certificate that is first on most proxies counts.
 *
 * @param today certificates that the proxies present
 */
export function withPrimary(
  certificates: readonly CertificateSpec[],
  proxies: readonly ProjectProxy[],
  today: readonly ProjectCertificate[],
): Primary {
  const kept = new Set(certificates.flatMap(namesOf));
  const byId = new Map(today.map((certificate) => [certificate.id, certificate]));
  const firsts = proxies.flatMap((proxy): readonly FirstCertificate[] => {
    const direct = proxy.certificateIds.flatMap((id) => byId.get(id) ?? []);
    const certificate = direct.find(({ domains }) => domains.some((domain) => kept.has(domain)));
    return certificate === undefined ? [] : [{ proxy, certificate }];
  });
  const groups = [...groupBy(firsts, ({ certificate }) => certificate.id).values()];
  const [most = []] = groups.sort((a, b) => b.length - a.length);
  const [first] = most;
  if (first === undefined) return { certificates, notices: [] };
  const { domains, name } = first.certificate;
  // Of certificates with equally many names, the successor of today's certificate counts.
  const rank = (certificate: CertificateSpec) =>
    2 * namesOf(certificate).filter((covered) => domains.includes(covered)).length +
    (certificate.name === name ? 1 : 0);
  const primary = certificates.reduce((best, certificate) => (rank(certificate) > rank(best) ? certificate : best));
  const others = firsts.filter(({ certificate }) => certificate.id !== first.certificate.id);
  return {
    certificates: certificates.map((certificate) =>
      certificate === primary ? { ...certificate, primary: true } : certificate,
    ),
    notices: others.map(
      ({ proxy, certificate }) =>
        `${proxy.id} serves ${certificate.id} to clients without SNI; with the map they get ${primary.name}, because a map has one PRIMARY entry`,
    ),
  };
}

function namesOf({ hostnames, domains = [] }: CertificateSpec): readonly string[] {
  return hostnames ?? domains;
}
