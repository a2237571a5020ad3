import type { PrivateCaReader } from "../../google";
import { groupBy } from "../../json/group-by";
import { projectIn, resourceNameIn } from "../../resource-names";
import type { StackContents } from "../../source";
import { grantIn, grantMissing, judgeCaPool, lifetimeMsOf, type PoolRequest, serviceAgentOf } from "./ca-pool-checks";
import { type CheckTask, orUnknown } from "./check-task";
import type { CheckResult } from "./model";
import type { DoctorOptions } from "./options";
import type { DoctorSubject, PrivateCertificate } from "./subject";

/** Returns the checks of the CA pools that issue certificates of a migration. */
export function caPoolCheckTasks(subject: DoctorSubject, options: DoctorOptions): readonly CheckTask[] {
  const known = subject.privateCertificates.filter(({ issuer }) => idOf(issuer) !== undefined);
  return [...groupBy(known, ({ issuer }) => idOf(issuer) ?? "")].flatMap(([id, certificates]): readonly CheckTask[] => [
    { check: "caPools", subject: id, work: () => checkPool(id, certificates, options) },
    { check: "caPools", subject: `${id} (service agent)`, work: () => checkGrant(id, certificates, options) },
  ]);
}

/** Returns the id of what the migration names: its CA pool, or an existing issuance config. */
function idOf({ caPool, existingIssuanceConfig }: PrivateCertificate["issuer"]): string | undefined {
  return existingIssuanceConfig ?? caPool;
}

async function checkPool(
  id: string,
  certificates: readonly PrivateCertificate[],
  { google, now, signal }: DoctorOptions,
): Promise<CheckResult> {
  const { privateCas } = google;
  const found = await requestsOf(id, certificates, privateCas, signal);
  const pool = found === undefined ? undefined : await privateCas.pool(found.pool, signal);
  // The check of references reports a missing pool or config.
  if (found === undefined || pool === undefined) return { findings: [], notes: [`${id} does not exist yet`] };
  const authorities = await privateCas.authorities(pool.name, signal);
  return judgeCaPool(pool, authorities, found.requests, now);
}

/** Returns the pool with the certificates that are requested from it; undefined if the issuance config is missing. */
async function requestsOf(
  id: string,
  certificates: readonly PrivateCertificate[],
  privateCas: PrivateCaReader,
  signal: AbortSignal,
): Promise<{ readonly pool: string; readonly requests: readonly PoolRequest[] } | undefined> {
  if (!isConfig(id)) {
    const requests = certificates.map(({ domains, issuer }) => ({
      dnsNames: domains,
      keyAlgorithm: issuer.keyAlgorithm ?? "RSA_2048",
      lifetimeMs: (issuer.lifetimeSeconds ?? 0) * 1_000,
    }));
    return { pool: id, requests };
  }
  const config = await privateCas.issuanceConfig(id, signal);
  if (config === undefined) return undefined;
  const keyAlgorithm = config.keyAlgorithm === "ECDSA_P256" ? "ECDSA_P256" : "RSA_2048";
  const lifetimeMs = lifetimeMsOf(config.lifetime);
  const requests = certificates.map(({ domains }) => ({ dnsNames: domains, keyAlgorithm, lifetimeMs }) as const);
  return { pool: config.caPool, requests };
}

function isConfig(id: string): boolean {
  return id.includes("/certificateIssuanceConfigs/");
}

/**
 * Checks whether Certificate Manager may request certificates: by the IAM policy of the pool, or of its project. Roles
 * on a folder or an organization are not read.
 */
async function checkGrant(
  id: string,
  certificates: readonly PrivateCertificate[],
  { google: { privateCas }, signal, stack }: DoctorOptions,
): Promise<CheckResult> {
  const found = await requestsOf(id, certificates, privateCas, signal);
  if (found === undefined || (await privateCas.pool(found.pool, signal)) === undefined) return { findings: [] };
  const { pool } = found;
  const owner = certificates.flatMap(({ project }) => project ?? [])[0] ?? projectIn(id) ?? "";
  const agent = serviceAgentOf(await privateCas.projectNumber(owner, signal));
  const bindings = await privateCas.bindings(pool, signal);
  const ofProject = await orUnknown(
    privateCas.projectBindings(projectIn(pool) ?? "", signal),
    "roles on the project of the CA pool",
  );
  const grants = [bindings, ofProject.known ?? []].map((own) => grantIn(own, agent));
  if (grants.includes("granted")) return { findings: [] };
  if (grants.includes("unknown"))
    return { findings: [], unknown: [`whether ${agent} may request certificates: its role is custom or conditional`] };
  if (grantsInStack(pool, stack)) return { findings: [], notes: [`Terraform grants roles on ${pool}`] };
  return { findings: [grantMissing(pool, agent)], unknown: ofProject.unknown };
}

/** Returns whether the stack itself changes the IAM policy of a pool. */
function grantsInStack(pool: string, stack: StackContents | undefined): boolean {
  return (stack?.resources ?? []).some(({ type, isLookedUp, values: { ca_pool: named } }) => {
    if (isLookedUp || !type.startsWith("google_privateca_ca_pool_iam_") || typeof named !== "string") return false;
    return resourceNameIn(stack?.resolve(named) ?? "") === pool;
  });
}
