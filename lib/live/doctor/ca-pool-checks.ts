import type { LiveAuthority, LiveCaPool, PrivateCaReader, RoleBinding } from "../../google";
import {
  durationMs,
  type IssuancePolicy,
  isAllowedBy,
  type LeafRequest,
  limitedLifetimeMs,
  readIssuancePolicy,
  refusalOfPolicy,
} from "../../issuance-policy";
import { groupBy } from "../../json/group-by";
import { lastPart, projectIn, resourceNameIn } from "../../resource-names";
import type { StackContents } from "../../source";
import { gcloud } from "../../text/command-line";
import { certificatesIn, describeCertificate } from "../../x509";
import { orUnknown } from "./check-task";
import { locationFlags } from "./compute-names";
import { type CheckResult, type DoctorFinding, doctorFinding } from "./model";
import type { DoctorOptions } from "./options";
import type { DoctorSubject, PrivateCertificate } from "./subject";

interface PoolRequest extends LeafRequest {
  readonly lifetimeMs: number;
}

const dayMs = 24 * 3_600_000;

/**
 * Checks whether a pool can issue the certificates of a migration: its CAs and their expiry, its issuance policy, and
 * its tier. CA Service shortens a certificate that would outlive its CA or the policy's maximum lifetime
 * (`CertificateAuthority` and `IssuancePolicy.maximumLifetime` in the reference of CA Service v1). A pool of the tier
 * DevOps neither lists nor revokes certificates
 * (https://cloud.google.com/certificate-authority-service/docs/tiers).
 */
export function judgeCaPool(
  { name, tier, issuancePolicy }: LiveCaPool,
  authorities: readonly LiveAuthority[],
  requests: readonly PoolRequest[],
  now: Date,
): CheckResult {
  const policy = readIssuancePolicy(issuancePolicy);
  const enabled = authorities.filter(({ state }) => state === "ENABLED");
  const findings = [
    ...(enabled.length === 0 ? [noEnabledCa(name, authorities)] : []),
    ...enabled.flatMap((authority) => judgeExpiry(authority, requests, now)),
    ...requests.flatMap((request) => refusalsOf(name, policy, request)),
    ...judgeLifetime(name, policy, requests),
    ...(tier === "DEVOPS" ? [doctorFinding("ca-pool-devops", name, `${name} has the tier DEVOPS`)] : []),
  ];
  return { findings, unknown: undecided(policy, requests) };
}

function noEnabledCa(pool: string, authorities: readonly LiveAuthority[]): DoctorFinding {
  const [first] = authorities;
  const place = locationFlags(pool);
  if (first === undefined) {
    const command = gcloud("privateca roots create", "CA", `--pool=${lastPart(pool)}`, ...place);
    const remedy = "create a CA in the pool and enable it: put its id in place of CA";
    return doctorFinding("ca-pool-without-ca", pool, `${pool} has no CA`, { remedy, command });
  }
  const states = authorities.map((authority) => `${lastPart(authority.name)} is ${authority.state}`).join(", ");
  const verb = first.state === "AWAITING_USER_ACTIVATION" ? "subordinates describe" : "roots enable";
  const command = gcloud(`privateca ${verb}`, lastPart(first.name), `--pool=${lastPart(pool)}`, ...place);
  return doctorFinding("ca-pool-without-ca", pool, `${pool} has no enabled CA: ${states}`, { command });
}

function judgeExpiry(
  { name, chainPem }: LiveAuthority,
  requests: readonly PoolRequest[],
  now: Date,
): readonly DoctorFinding[] {
  const ends = chainPem
    .flatMap(certificatesIn)
    .map((certificate) => describeCertificate(certificate).notAfter.getTime());
  const endMs = Math.min(...ends);
  const lifetimeMs = Math.max(...requests.map((request) => request.lifetimeMs));
  if (!Number.isFinite(endMs) || endMs >= now.getTime() + lifetimeMs) return [];
  const what = `${name} expires on ${new Date(endMs).toISOString()}, and certificates are to be valid for ${daysOf(lifetimeMs)} days`;
  const pool = name.slice(0, name.indexOf("/certificateAuthorities/"));
  const command = gcloud("privateca roots list", `--pool=${lastPart(pool)}`, ...locationFlags(pool));
  return [doctorFinding("ca-expires-early", name, what, { command })];
}

/** Returns a finding for each reason why the policy refuses a certificate: its key, or its names. */
function refusalsOf(pool: string, policy: IssuancePolicy, request: PoolRequest): readonly DoctorFinding[] {
  const { allowedKeyTypes = [], identityConstraints } = policy;
  const reasons = [
    refusalOfPolicy({ allowedKeyTypes }, request),
    refusalOfPolicy(identityConstraints === undefined ? {} : { identityConstraints }, request),
  ];
  const refusal = `${pool} would refuse ${request.dnsNames.join(", ")}`;
  return reasons.flatMap((reason) =>
    reason === undefined
      ? []
      : doctorFinding("ca-pool-refuses", pool, `${refusal}: ${reason}`, { command: describePool(pool) }),
  );
}

function describePool(pool: string): string {
  return gcloud("privateca pools describe", lastPart(pool), ...locationFlags(pool));
}

function judgeLifetime(
  pool: string,
  policy: IssuancePolicy,
  requests: readonly PoolRequest[],
): readonly DoctorFinding[] {
  const lifetimeMs = Math.max(...requests.map((request) => request.lifetimeMs));
  const grantedMs = limitedLifetimeMs(policy, lifetimeMs);
  if (grantedMs >= lifetimeMs) return [];
  const what = `${pool} issues for at most ${daysOf(grantedMs)} days, and certificates are to be valid for ${daysOf(lifetimeMs)} days`;
  return [doctorFinding("ca-pool-lifetime-short", pool, what, { command: describePool(pool) })];
}

/** Returns a note for an expression of the policy whose result is not known before a certificate is requested. */
function undecided({ identityConstraints }: IssuancePolicy, requests: readonly PoolRequest[]): readonly string[] {
  const { expression = "" } = identityConstraints?.celExpression ?? {};
  const isKnown = requests.every((request) => isAllowedBy(expression, request) !== undefined);
  return expression === "" || isKnown ? [] : [`whether the issuance policy allows the names: ${expression}`];
}

function daysOf(ms: number): string {
  return String(Math.round((ms / dayMs) * 10) / 10);
}

/**
 * Predefined roles with the permission `privateca.certificates.create`
 * (https://cloud.google.com/iam/docs/roles-permissions/privateca), and the basic role of owners.
 */
const requestingRoles: ReadonlySet<string> = new Set([
  "roles/owner",
  "roles/privateca.admin",
  "roles/privateca.certificateManager",
  "roles/privateca.certificateRequester",
]);

/** Returns the service agent of Certificate Manager, which requests certificates from CA pools. */
export function serviceAgentOf(projectNumber: string): string {
  return `service-${projectNumber}@gcp-sa-certificatemanager.iam.gserviceaccount.com`;
}

/** Whether bindings let the service agent request certificates; `unknown` depends on a condition or a custom role. */
export function grantIn(bindings: readonly RoleBinding[], agent: string): "granted" | "missing" | "unknown" {
  const granted = bindings.filter(({ members }) =>
    members.some((member) => member === `serviceAccount:${agent}` || /^all(?:Authenticated)?Users$/.test(member)),
  );
  if (granted.some(({ role, isConditional }) => requestingRoles.has(role) && !isConditional)) return "granted";
  const isOpen = granted.some(
    ({ role, isConditional }) => (isConditional && requestingRoles.has(role)) || !role.startsWith("roles/"),
  );
  return isOpen ? "unknown" : "missing";
}

/**
 * Reports a pool that does not let Certificate Manager request certificates
 * (https://cloud.google.com/certificate-manager/docs/issuance-config, "Grant the ability to request certificates").
 */
function grantMissing(pool: string, agent: string): DoctorFinding {
  const command = gcloud(
    "privateca pools add-iam-policy-binding",
    lastPart(pool),
    ...locationFlags(pool),
    `--member=serviceAccount:${agent}`,
    "--role=roles/privateca.certificateRequester",
  );
  return doctorFinding("ca-pool-grant-missing", pool, `${agent} has no role that allows requests in ${pool}`, {
    command,
  });
}

/** Certificates that one CA pool or existing issuance config issues. */
export interface PoolOfPlan {
  readonly id: string;
  readonly certificates: readonly PrivateCertificate[];
}

export function poolsOf({ certificates: { private: issued } }: DoctorSubject): readonly PoolOfPlan[] {
  const byId = groupBy(issued, ({ issuer }) => issuer.existingIssuanceConfig ?? issuer.caPool ?? "");
  return [...byId].flatMap(([id, certificates]) => (id === "" ? [] : { id, certificates }));
}

export async function checkPool(
  { id, certificates }: PoolOfPlan,
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
  if (!id.includes("/certificateIssuanceConfigs/")) {
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
  // If the service writes no duration, the lifetime is the maximum of an issuance config.
  const lifetimeMs = durationMs(config.lifetime) ?? 30 * dayMs;
  const requests = certificates.map(({ domains }) => ({ dnsNames: domains, keyAlgorithm, lifetimeMs }) as const);
  return { pool: config.caPool, requests };
}

/** Reads the IAM policies of the pool and its project; roles on a folder or an organization are not read. */
export async function checkGrant(
  { id, certificates }: PoolOfPlan,
  { google: { privateCas }, signal, source: { stack } = {} }: DoctorOptions,
): Promise<CheckResult> {
  const found = await requestsOf(id, certificates, privateCas, signal);
  if (found === undefined || (await privateCas.pool(found.pool, signal)) === undefined) return { findings: [] };
  const { pool } = found;
  const owner = certificates.flatMap(({ project }) => project ?? [])[0] ?? projectIn(id) ?? "";
  const agent = serviceAgentOf(await privateCas.projects.number(owner, signal));
  const bindings = await privateCas.bindings(pool, signal);
  const ofProject = await orUnknown(
    privateCas.projects.bindings(projectIn(pool) ?? "", signal),
    "roles on the project of the CA pool",
  );
  const grants = [bindings, ofProject.known ?? []].map((roleBindings) => grantIn(roleBindings, agent));
  if (grants.includes("granted")) return { findings: [] };
  if (grants.includes("unknown"))
    return { findings: [], unknown: [`whether ${agent} may request certificates: its role is custom or conditional`] };
  if (grantsInStack(pool, stack)) return { findings: [], notes: [`Terraform grants roles on ${pool}`] };
  return { findings: [grantMissing(pool, agent)], unknown: ofProject.unknown };
}

function grantsInStack(pool: string, stack: StackContents | undefined): boolean {
  return (stack?.resources ?? []).some(({ type, isLookedUp, values: { ca_pool: named } }) => {
    if (isLookedUp || !type.startsWith("google_privateca_ca_pool_iam_") || typeof named !== "string") return false;
    return resourceNameIn(stack?.resolve(named) ?? "") === pool;
  });
}
