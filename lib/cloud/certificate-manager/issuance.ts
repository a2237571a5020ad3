import type { Clock, Collection } from "../state";
import { type CheckOptions, checkDomain } from "./authorization-check";
import type { AuthorizationAttempt, Certificate, KeyMaterial, ManagedCertificate } from "./certificates";
import type { DnsAuthorization } from "./dns-authorizations";
import { baseOf } from "./names";

/** Signs a certificate. */
export type Issue = (domains: readonly string[]) => Promise<IssuedCertificate>;

export interface IssuedCertificate extends KeyMaterial {
  readonly notAfter: Date;
}

/** How long things take, in the cloud's time. */
export interface IssuancePace {
  /** From the creation to the first look at DNS. @default 5_000 */
  readonly firstAttemptMs?: number;
  /** From a look at DNS to the next; it grows by half each time. @default 30_000 */
  readonly retryMs?: number;
  /** No pause is longer. @default 600_000 */
  readonly longestRetryMs?: number;
  /** After this long in vain a certificate ends as FAILED. @default 3_600_000 */
  readonly giveUpMs?: number;
  /** How long before its end a certificate is renewed. @default 30 days */
  readonly renewBeforeMs?: number;
  /** Between attempts to renew. @default 6 hours */
  readonly renewalRetryMs?: number;
}

export interface IssuanceOptions extends CheckOptions {
  readonly clock: Clock;
  readonly certificates: Collection<Certificate>;
  readonly keys: Collection<KeyMaterial>;
  readonly authorizations: Collection<DnsAuthorization>;
  readonly issue: Issue;
  readonly pace?: IssuancePace;
  /** Told when what a certificate serves has changed. */
  readonly onChange: (name: string) => void;
}

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
 * What moves managed certificates: they become ACTIVE because DNS, asked over the network, has what their authorizations want; FAILED because it
 * had not for an hour; and are renewed in the same way before they end, while the old one goes on being served.
 */
export class Issuance {
  readonly #options: IssuanceOptions;
  readonly #pace: Required<IssuancePace>;

  constructor(options: IssuanceOptions) {
    this.#options = options;
    this.#pace = { ...usualPace, ...options.pace };
  }

  /** Begins with a certificate that was just created. */
  begin(name: string): void {
    this.#options.clock.after(this.#pace.firstAttemptMs, () => this.#attempt(name, this.#pace.retryMs));
  }

  /** Goes on with all certificates, after a restart. */
  resume(): void {
    for (const { name, managed, expireTime } of this.#options.certificates.values()) {
      if (managed === undefined || managed.state === "FAILED") continue;
      if (expireTime === undefined) this.begin(name);
      else this.#planRenewal(name, expireTime);
    }
  }

  async #attempt(name: string, retryMs: number): Promise<void> {
    const before = this.#options.certificates.get(name);
    if (before?.managed === undefined || before.managed.state === "FAILED") return;
    const attempts = await this.#checkAll(before.managed);
    // Looking takes time, in which the certificate may have gone.
    const current = this.#options.certificates.get(name);
    if (current?.managed === undefined || current.createTime !== before.createTime) return;
    if (attempts.every(({ state }) => state === "AUTHORIZED")) await this.#issue(current, current.managed, attempts);
    else this.#postpone(current, current.managed, attempts, retryMs);
  }

  async #checkAll({ domains, dnsAuthorizations }: ManagedCertificate): Promise<readonly AuthorizationAttempt[]> {
    const { authorizations, clock } = this.#options;
    const byDomain = new Map<string, DnsAuthorization>();
    for (const name of dnsAuthorizations) {
      const authorization = authorizations.get(name);
      if (authorization !== undefined) byDomain.set(authorization.domain, authorization);
    }
    const now = clock.now().toISOString();
    return Promise.all(domains.map((domain) => checkDomain(domain, byDomain.get(baseOf(domain)), this.#options, now)));
  }

  async #issue(
    certificate: Certificate,
    managed: ManagedCertificate,
    attempts: readonly AuthorizationAttempt[],
  ): Promise<void> {
    const { certificates, keys, clock, issue, onChange } = this.#options;
    const { chainPem, privateKeyPem, notAfter } = await issue(managed.domains);
    if (certificates.get(certificate.name) !== certificate) return;
    const { provisioningIssue: _, ...rest } = managed;
    const expireTime = notAfter.toISOString();
    keys.set(certificate.name, { chainPem, privateKeyPem });
    certificates.set(certificate.name, {
      ...certificate,
      managed: { ...rest, state: "ACTIVE", authorizationAttemptInfo: attempts },
      pemCertificate: chainPem,
      sanDnsnames: managed.domains,
      expireTime,
      updateTime: clock.now().toISOString(),
    });
    this.#planRenewal(certificate.name, expireTime);
    onChange(certificate.name);
  }

  #postpone(
    certificate: Certificate,
    managed: ManagedCertificate,
    attempts: readonly AuthorizationAttempt[],
    retryMs: number,
  ): void {
    const { clock, certificates, onChange } = this.#options;
    const now = clock.now().getTime();
    const deadline =
      certificate.expireTime === undefined
        ? Date.parse(certificate.createTime) + this.#pace.giveUpMs
        : Date.parse(certificate.expireTime);
    const state = now >= deadline ? "FAILED" : managed.state;
    certificates.set(certificate.name, {
      ...certificate,
      managed: { ...managed, state, authorizationAttemptInfo: attempts, provisioningIssue: issueOf(attempts) },
      updateTime: clock.now().toISOString(),
    });
    if (state === "FAILED") return onChange(certificate.name);
    const pause =
      certificate.expireTime === undefined ? Math.min(retryMs, this.#pace.longestRetryMs) : this.#pace.renewalRetryMs;
    // The last attempt falls on the deadline, so that the end comes with a reason that is fresh.
    const wait = Math.min(pause, Math.max(1, deadline - now));
    clock.after(wait, () => this.#attempt(certificate.name, pause * 1.5));
  }

  #planRenewal(name: string, expireTime: string): void {
    const { clock, certificates } = this.#options;
    const inMs = Date.parse(expireTime) - this.#pace.renewBeforeMs - clock.now().getTime();
    clock.after(inMs, () => {
      // Another renewal may have come before, or another certificate of the same name.
      if (certificates.get(name)?.expireTime === expireTime) return this.#attempt(name, this.#pace.renewalRetryMs);
      return undefined;
    });
  }
}

function issueOf(attempts: readonly AuthorizationAttempt[]): object {
  const failed = attempts.filter(({ state }) => state !== "AUTHORIZED");
  const limited = failed.some(({ failureReason }) => failureReason === "RATE_LIMITED");
  const details = failed
    .map(({ domain, failureReason, details: why }) => `${domain}: ${failureReason}: ${why}`)
    .join("; ");
  return { reason: limited ? "RATE_LIMITED" : "AUTHORIZATION_ISSUE", details: details.slice(0, 2_000) };
}
