import { InputError, ServiceError } from "../../errors";
import type { PrivateCaReader } from "../../google";
import { coverageOf } from "../../hostnames";
import type { SourceMigration } from "../../source";
import { certificatesIn, describeCertificate } from "../../x509";

interface PoolRoot {
  readonly fingerprintSha256: string;
  /** Distinguished name on one line; untrusted. */
  readonly subject: string;
  readonly notAfter: string;
}

/** A CA pool whose roots are trusted for the names of the certificates that the pool issues. */
export interface TrustedPool {
  /** `projects/P/locations/L/caPools/POOL`. */
  readonly caPool: string;
  /** Roots of the pool's CAs, each once. */
  readonly roots: readonly PoolRoot[];
  /** Names of the certificates, including wildcards; sorted. */
  readonly names: readonly string[];
}

/** CA pools to trust, with their roots in PEM. */
export interface PoolTrust {
  readonly pools: readonly TrustedPool[];
  /** Returns the roots to trust for a hostname in addition to others, in PEM; empty if no pool issues the name. */
  readonly rootsFor: (hostname: string) => readonly string[];
}

/**
 * Reads the roots of the CA pools that issue certificates of migrations. The roots of a pool are trusted only for the
 * names that the pool issues.
 *
 * @throws InputError `trust-pool-missing`, `trust-pool-unknown`, `trust-pool-empty`; ServiceError `trust-pool-denied`,
 * or as the service fails
 */
export async function readPoolTrust(
  migrations: readonly SourceMigration[],
  privateCas: Pick<PrivateCaReader, "chains" | "issuanceConfig">,
  signal: AbortSignal,
): Promise<PoolTrust> {
  // A wildcard of a pool does not cover a name for which the migration has a certificate of another issuer.
  const elsewhere = new Set(
    migrations.flatMap(({ certificates }) =>
      certificates.flatMap(({ domains, isPrivatelyIssued }) => (isPrivatelyIssued === true ? [] : domains)),
    ),
  );
  const issues = ({ names }: TrustedPool, hostname: string) => {
    const coverage = coverageOf(new Set(names), hostname);
    return coverage === "exact" || (coverage === "wildcard" && !elsewhere.has(hostname));
  };
  const read: { readonly pool: TrustedPool; readonly pem: readonly string[] }[] = [];
  for (const [caPool, names] of await namesByPool(migrations, privateCas, signal)) {
    const chains = await orDenied(privateCas.chains(caPool, signal), `the CA certificates of ${caPool}`, getPool);
    // The certificate of a CA is first in its chain, and the root last.
    const roots = chains.flatMap((chain) => chain.flatMap(certificatesIn).at(-1) ?? []);
    if (roots.length === 0)
      throw new InputError(
        "trust-pool-empty",
        `--trust-pool: ${caPool} has no CA; create and enable a CA in the pool, or remove the option`,
      );
    const byFingerprint = new Map(roots.map((root) => [root.fingerprint256, root]));
    const described = [...byFingerprint.values()].map(describeCertificate);
    read.push({
      pool: {
        caPool,
        roots: described.map(({ fingerprintSha256, subject, notAfter }) => ({
          fingerprintSha256,
          subject,
          notAfter: notAfter.toISOString(),
        })),
        names: [...names].sort(),
      },
      pem: [...byFingerprint.values()].map(String),
    });
  }
  return {
    pools: read.map(({ pool }) => pool),
    rootsFor: (hostname) => read.flatMap(({ pool, pem }) => (issues(pool, hostname) ? pem : [])),
  };
}

const getPool = "privateca.caPools.get";

async function namesByPool(
  migrations: readonly SourceMigration[],
  { issuanceConfig }: Pick<PrivateCaReader, "issuanceConfig">,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const pools = new Map<string, Set<string>>();
  const certificates = migrations.flatMap((migration) => migration.certificates);
  for (const { name, domains, isPrivatelyIssued, issuedBy } of certificates) {
    if (isPrivatelyIssued !== true) continue;
    const { caPool, existingIssuanceConfig } = issuedBy ?? {};
    if (caPool === undefined && existingIssuanceConfig === undefined) throw unknownPool(name);
    const pool = caPool ?? (await poolOf(existingIssuanceConfig ?? "", issuanceConfig, signal));
    const names = pools.get(pool) ?? new Set<string>();
    for (const domain of domains) names.add(domain);
    pools.set(pool, names);
  }
  if (pools.size > 0) return pools;
  throw new InputError(
    "trust-pool-missing",
    migrations.length === 0
      ? "--trust-pool needs a migration, whose certificates name their CA pool; add --spec, --stack or --outputs"
      : "--trust-pool: no certificate of the migration comes from a CA pool; remove the option, or trust a root with --ca",
  );
}

function unknownPool(certificate: string): InputError {
  return new InputError(
    "trust-pool-unknown",
    `--trust-pool: only Terraform knows the CA pool of certificate '${certificate}'; give --outputs of an apply, or trust its root with --ca`,
  );
}

async function poolOf(
  id: string,
  issuanceConfig: PrivateCaReader["issuanceConfig"],
  signal: AbortSignal,
): Promise<string> {
  const config = await orDenied(issuanceConfig(id, signal), id, "certificatemanager.certissuanceconfigs.get");
  if (config !== undefined) return config.caPool;
  throw new InputError(
    "trust-pool-unknown",
    `--trust-pool: the issuance config '${id}' does not exist; correct 'existingIssuanceConfig', or create the config`,
  );
}

/** Names the missing permission if the service refuses. */
async function orDenied<Answer>(asking: Promise<Answer>, what: string, permission: string): Promise<Answer> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 403) throw error;
    throw new ServiceError(`--trust-pool: the caller may not read ${what}; grant ${permission} (${error.message})`, {
      code: "trust-pool-denied",
      retryable: false,
      status: 403,
      cause: error,
    });
  }
}
