import { InputError } from "../../errors";
import { durationMs, type LeafRequest } from "../../issuance-policy";
import type { Clock, Collection } from "../state";
import type { AuthorizationAttemptInfo, CertificateResource, KeyMaterial, ManagedCertificate } from "./certificates";
import type { DnsAuthorizationResource } from "./dns-authorizations";
import { type CheckOptions, checkDomain, checkVisibility, type VisibilityOptions } from "./domain-validation";
import { type IssuanceConfig, poolOf } from "./issuance-configs";
import { baseOf } from "./names";

export type Issue = (domains: readonly string[]) => Promise<IssuedCertificate>;

/** Signs a certificate with a private CA, or returns why the CA refuses. */
export type IssuePrivately = (
  pool: string,
  request: LeafRequest & { readonly lifetimeMs: number },
) => Promise<IssuedCertificate | { readonly refusal: string }>;

export interface IssuedCertificate extends KeyMaterial {
  readonly notAfter: Date;
}

/** Delays of issuance, in milliseconds of the cloud's time. */
export interface IssuancePace {
  /** Delay from the creation to the first check of DNS. @default 5_000 */
  readonly firstAttemptMs?: number;
  /** Delay between checks of DNS; grows by half after each check. @default 30_000 */
  readonly retryMs?: number;
  /** Maximum delay between checks. @default 600_000 */
  readonly longestRetryMs?: number;
  /** Time after which a certificate without a successful validation becomes FAILED. @default 3_600_000 */
  readonly giveUpMs?: number;
  /** Time before its expiry at which a certificate is renewed. @default 30 days */
  readonly renewBeforeMs?: number;
  /** Delay between attempts to renew. @default 6 hours */
  readonly renewalRetryMs?: number;
}

interface IssuanceOptions extends CheckOptions {
  readonly clock: Clock;
  readonly stored: StoredCertificates;
  readonly issue: Issue;
  readonly issuePrivately: IssuePrivately;
  readonly visibility: VisibilityOptions;
  readonly pace?: IssuancePace;
  /** See {@link RenewingState}. @default "ACTIVE" */
  readonly renewingState?: RenewingState;
  readonly onChange: (name: string) => void;
}

/** What the store has of certificates. */
interface StoredCertificates {
  readonly certificates: Collection<CertificateResource>;
  readonly keys: Collection<KeyMaterial>;
  readonly authorizations: Collection<DnsAuthorizationResource>;
  readonly issuanceConfigs: Collection<IssuanceConfig>;
  /**
   * Start of the work on a certificate, RFC 3339, by its name. Moved by the time for which the cloud was off, because
   * DNS was not checked then.
   */
  readonly begun: Collection<string>;
}

/**
 * State of a certificate while attempts to renew it fail and the previous chain is still served. The API's comment on
 * PROVISIONING, "attempts to provision or renew the certificate", allows both values.
 */
export type RenewingState = "ACTIVE" | "PROVISIONING";

const day = 24 * 3_600_000;
const usualPace: Required<IssuancePace> = {
  firstAttemptMs: 5_000,
  retryMs: 30_000,
  longestRetryMs: 600_000,
  giveUpMs: 3_600_000,
  renewBeforeMs: 30 * day,
  renewalRetryMs: day / 4,
};

/**
 * Changes the states of managed certificates. A certificate becomes ACTIVE when DNS, queried over the network, has the
 * records of its authorizations. It becomes FAILED if DNS lacks them for an hour. Renewal works in the same way before
 * the expiry; meanwhile the previous chain is served.
 *
 * A certificate with an issuance config needs only its CA, and becomes FAILED if the CA refuses for an hour. Without
 * both, the names have to lead to a load balancer that has the certificate; there is no time limit for that.
 */
export class Issuance {
  readonly #options: IssuanceOptions;
  readonly #stored: StoredCertificates;
  readonly #pace: Required<IssuancePace>;
  /** Functions that cancel the next step of a certificate, by its name. */
  readonly #next = new Map<string, () => void>();

  constructor(options: IssuanceOptions) {
    this.#options = options;
    this.#stored = options.stored;
    this.#pace = { ...usualPace, ...options.pace };
    this.#stored.certificates.watch((name, _before, after) => {
      if (after !== undefined) return;
      this.#next.get(name)?.();
      this.#next.delete(name);
      this.#stored.begun.delete(name);
    });
  }

  begin(name: string): void {
    const domains = this.#stored.certificates.get(name)?.managed?.domains;
    if (domains === undefined) return;
    this.#stored.begun.set(name, this.#options.clock.now().toISOString());
    this.#attemptIn(this.#pace.firstAttemptMs, name, domains, this.#pace.retryMs);
  }

  /** Continues the work after a restart. @param offMs how long the cloud was off, in milliseconds of its own time */
  resume(offMs: number): void {
    const { certificates, begun } = this.#stored;
    for (const { name, managed, createTime, expireTime } of certificates.values()) {
      if (managed === undefined || managed.state === "FAILED") continue;
      if (expireTime === undefined) {
        begun.set(name, new Date(Date.parse(begun.get(name) ?? createTime) + offMs).toISOString());
        this.#attemptIn(this.#pace.firstAttemptMs, name, managed.domains, this.#pace.retryMs);
      } else this.#renewIn(this.#resumedMs(managed, Date.parse(expireTime)), name, managed.domains);
    }
  }

  /** Returns the time from the issuance to the renewal, in milliseconds. */
  #renewalMs({ issuanceConfig = "" }: ManagedCertificate, lifetimeMs: number): number {
    const { rotationWindowPercentage } = this.#stored.issuanceConfigs.get(issuanceConfig) ?? {};
    if (rotationWindowPercentage !== undefined) return (lifetimeMs * rotationWindowPercentage) / 100;
    // Without the limit, a certificate with a shorter life would be renewed endlessly.
    return lifetimeMs - Math.min(this.#pace.renewBeforeMs, lifetimeMs / 3);
  }

  /** Returns the time until the renewal of a certificate that was issued before a restart, in milliseconds. */
  #resumedMs({ issuanceConfig = "" }: ManagedCertificate, expireMs: number): number {
    const config = this.#stored.issuanceConfigs.get(issuanceConfig);
    if (config === undefined) return expireMs - this.#pace.renewBeforeMs - this.#now();
    const remainingShare = 1 - config.rotationWindowPercentage / 100;
    return expireMs - (durationMs(config.lifetime) ?? 0) * remainingShare - this.#now();
  }

  /**
   * Returns the certificate for which the work began; undefined if it was deleted. Its list of domains is never changed
   * or copied. A different list object belongs to a certificate that was created later with the same name.
   */
  #find(name: string, domains: readonly string[]): Issuable | undefined {
    const certificate = this.#stored.certificates.get(name);
    return certificate?.managed?.domains === domains ? (certificate as Issuable) : undefined;
  }

  async #attempt(name: string, domains: readonly string[], retryMs: number): Promise<void> {
    const before = this.#find(name, domains);
    if (before === undefined) return;
    const attempts = await this.#checkAll(before);
    const isValidated = attempts.every(({ state }) => state === "AUTHORIZED");
    const issued = isValidated ? await this.#sign(before.managed) : undefined;
    // During the check and the signing, the certificate may have been changed or deleted.
    const current = this.#find(name, domains);
    if (current === undefined) return;
    if (issued === undefined) this.#postpone(current, attempts, retryMs);
    else if ("refusal" in issued) this.#postpone(current, attempts, retryMs, issued.refusal);
    else this.#activate(current, attempts, issued);
  }

  /** Signs a certificate. Returns an error of the CA as a refusal, because an exception would stop the clock. */
  async #sign(managed: ManagedCertificate): Promise<IssuedCertificate | { readonly refusal: string }> {
    const { issue, issuePrivately } = this.#options;
    try {
      if (managed.issuanceConfig === undefined) return await issue(managed.domains);
      const config = this.#stored.issuanceConfigs.get(managed.issuanceConfig);
      if (config === undefined) return { refusal: `${managed.issuanceConfig} does not exist` };
      const { keyAlgorithm, lifetime } = config;
      const lifetimeMs = durationMs(lifetime) ?? 0;
      return await issuePrivately(poolOf(config), { dnsNames: managed.domains, keyAlgorithm, lifetimeMs });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { refusal: error.message };
    }
  }

  async #checkAll({ name, managed }: Issuable): Promise<readonly AuthorizationAttemptInfo[]> {
    const { domains, dnsAuthorizations, issuanceConfig } = managed;
    const { clock, visibility } = this.#options;
    if (issuanceConfig !== undefined) return [];
    if (dnsAuthorizations.length === 0) {
      const at = clock.now().toISOString();
      return Promise.all(
        domains.map((domain) => checkVisibility(domain, name, { ...this.#options, ...visibility }, at)),
      );
    }
    const byDomain = new Map<string, DnsAuthorizationResource>();
    for (const name of dnsAuthorizations) {
      const authorization = this.#stored.authorizations.get(name);
      if (authorization !== undefined) byDomain.set(authorization.domain, authorization);
    }
    const now = clock.now().toISOString();
    return Promise.all(domains.map((domain) => checkDomain(domain, byDomain.get(baseOf(domain)), this.#options, now)));
  }

  #activate(
    certificate: Issuable,
    attempts: readonly AuthorizationAttemptInfo[],
    { chainPem, privateKeyPem, notAfter }: IssuedCertificate,
  ): void {
    const { certificates, keys, begun } = this.#stored;
    const { clock, onChange } = this.#options;
    const { provisioningIssue: _, ...managed } = certificate.managed;
    keys.set(certificate.name, { chainPem, privateKeyPem });
    begun.delete(certificate.name);
    certificates.set(certificate.name, {
      ...certificate,
      managed: { ...managed, state: "ACTIVE", ...attemptInfo(attempts) },
      pemCertificate: chainPem,
      sanDnsnames: managed.domains,
      expireTime: notAfter.toISOString(),
      updateTime: clock.now().toISOString(),
    });
    this.#renewIn(this.#renewalMs(managed, notAfter.getTime() - this.#now()), certificate.name, managed.domains);
    onChange(certificate.name);
  }

  #postpone(
    certificate: Issuable,
    attempts: readonly AuthorizationAttemptInfo[],
    retryMs: number,
    refusal?: string,
  ): void {
    const { certificates, keys } = this.#stored;
    const { clock, onChange } = this.#options;
    const { name, managed, expireTime } = certificate;
    const now = this.#now();
    const deadline =
      expireTime === undefined
        ? Date.parse(this.#stored.begun.get(name) ?? certificate.createTime) + this.#giveUpMs(managed)
        : Date.parse(expireTime);
    const waiting = expireTime === undefined ? managed.state : (this.#options.renewingState ?? "ACTIVE");
    const state = now >= deadline ? "FAILED" : waiting;
    certificates.set(name, {
      ...certificate,
      managed: { ...managed, state, ...attemptInfo(attempts), provisioningIssue: issueOf(attempts, refusal) },
      updateTime: clock.now().toISOString(),
    });
    // Load balancers present only ACTIVE certificates; a renewal that fails until the expiry ends that state.
    if (state === "FAILED") keys.delete(name);
    onChange(name);
    if (state === "FAILED") return;
    const pauseMs = expireTime === undefined ? Math.min(retryMs, this.#pace.longestRetryMs) : this.#pace.renewalRetryMs;
    // The last attempt is at the deadline, so that the reason of the failure is current.
    const waitMs = Math.min(pauseMs, Math.max(1, deadline - now));
    this.#attemptIn(waitMs, name, managed.domains, pauseMs * 1.5);
  }

  /** Returns the time after which a certificate becomes FAILED; unlimited while traffic has to move first. */
  #giveUpMs({ dnsAuthorizations, issuanceConfig }: ManagedCertificate): number {
    const waitsForTraffic = dnsAuthorizations.length === 0 && issuanceConfig === undefined;
    return waitsForTraffic ? Number.POSITIVE_INFINITY : this.#pace.giveUpMs;
  }

  #renewIn(ms: number, name: string, domains: readonly string[]): void {
    this.#attemptIn(ms, name, domains, this.#pace.renewalRetryMs);
  }

  /** Schedules an attempt. @param retryMs delay after this attempt if it fails */
  #attemptIn(ms: number, name: string, domains: readonly string[], retryMs: number): void {
    this.#next.get(name)?.();
    this.#next.set(
      name,
      this.#options.clock.after(ms, () => this.#attempt(name, domains, retryMs)),
    );
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}

/** Returns the attempts of a certificate; a private CA validates no domains. */
function attemptInfo(
  attempts: readonly AuthorizationAttemptInfo[],
): Pick<ManagedCertificate, "authorizationAttemptInfo"> {
  return attempts.length === 0 ? {} : { authorizationAttemptInfo: attempts };
}

type Issuable = CertificateResource & { readonly managed: ManagedCertificate };

function issueOf(attempts: readonly AuthorizationAttemptInfo[], refusal: string | undefined): object {
  const failed = attempts.filter(({ state }) => state !== "AUTHORIZED");
  const limited = failed.some(({ failureReason }) => failureReason === "RATE_LIMITED");
  const reasons = failed.map(
    ({ domain, failureReason, details: why }) => `${domain}: ${failureReason ?? "AUTHORIZING"}: ${why}`,
  );
  const details = (refusal === undefined ? reasons : [refusal]).join("; ");
  return { reason: limited ? "RATE_LIMITED" : "AUTHORIZATION_ISSUE", details: details.slice(0, 2_000) };
}
