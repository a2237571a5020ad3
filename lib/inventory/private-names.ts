import {
  type Hostname,
  type HostnameReading,
  isPrivateHostname,
  readHostname,
  readPrivateHostname,
} from "../hostnames";
import type { ManagedCertificateSpec, PrivateCaCertificateSpec } from "../plan";

/** Reads a name of a certificate. With a CA pool, names that no public CA certifies are accepted. */
export function readMigratableName(name: string, caPool: string | undefined): HostnameReading {
  return caPool === undefined ? readHostname(name) : readPrivateHostname(name);
}

export function leftOutName(name: string, { message }: { readonly message: string }): string {
  return isPrivateName(name)
    ? `${name} is left out: no public CA certifies it; to issue it from a private CA, add --ca-pool projects/PROJECT/locations/LOCATION/caPools/POOL`
    : `a name is left out: ${message}`;
}

/** Returns whether only a private CA certifies a name, as it is written in a certificate. */
export function isPrivateName(name: string): boolean {
  return "problem" in readHostname(name) && "hostname" in readPrivateHostname(name);
}

export function divideNames(names: readonly Hostname[]): {
  readonly public: readonly Hostname[];
  readonly private: readonly Hostname[];
} {
  return {
    public: names.filter((name) => !isPrivateHostname(name)),
    private: names.filter(isPrivateHostname),
  };
}

/** Default limit of a plan for the domains of a managed certificate. */
export const mostDomains = 100;

/** Divides the names of a certificate that has more of them than a managed certificate may have. */
export function inParts(names: readonly Hostname[]): readonly (readonly Hostname[])[] {
  const count = Math.ceil(names.length / mostDomains);
  return Array.from({ length: count }, (_, index) => names.slice(index * mostDomains, (index + 1) * mostDomains));
}

/** Returns a certificate with some names: from the CA pool if the names need it, otherwise from a public CA. */
export function issuedCertificate(name: string, domains: readonly Hostname[], caPool: string | undefined) {
  return caPool !== undefined && domains.some(isPrivateHostname)
    ? ({ kind: "privateCa", name, domains, caPool } as const satisfies PrivateCaCertificateSpec)
    : ({ kind: "managed", name, domains } as const satisfies ManagedCertificateSpec);
}

/** Returns the notice about a certificate of the migration that a CA pool issues. */
export function issuedByPool(certificate: string, names: readonly string[], caPool: string): string {
  return `${certificate}: ${names.join(", ")} is issued from ${caPool}: every client has to trust the root of the pool, and 'doctor' checks the pool`;
}
