import type { protos } from "@google-cloud/certificate-manager";
import { InputError } from "../errors";
import { type Client, codeOf, connectCertificateManager, notFound, serviceError } from "./client";
import type { Pace } from "./pace";
import { eachInTime, inTime, requestTimeoutMs } from "./time-limit";

/** A certificate as far as waiting for it goes; enumerations by name. */
export interface LiveCertificate {
  /** `projects/P/locations/L/certificates/C`. */
  readonly name: string;
  readonly kind: "managed" | "selfManaged";
  /** `PROVISIONING`, `FAILED` or `ACTIVE`; a self-managed certificate is active as soon as it is there. */
  readonly state: string;
  /** `EDGE_CACHE`, `ALL_REGIONS` or `CLIENT_AUTH`, where it is not for load balancers of its own location. @default `DEFAULT` */
  readonly scope?: string;
  readonly domains: readonly string[];
  readonly attempts: readonly AuthorizationAttempt[];
  readonly issue?: { readonly reason: string; readonly details: string };
  /** Until when it is valid, ISO 8601 in UTC; once it is issued. */
  readonly expireTime?: string;
  /** The certificate and its chain, in PEM; once it is issued. */
  readonly certificatePem?: string;
}

export interface AuthorizationAttempt {
  readonly domain: string;
  /** `AUTHORIZING`, `AUTHORIZED` or `FAILED`. */
  readonly state: string;
  /** `CONFIG`, `CAA` or `RATE_LIMITED`, where it failed. */
  readonly failureReason?: string;
  readonly details?: string;
}

export interface CertificateReader {
  /** The certificates of these names that exist; one request for each project and location. */
  read(names: readonly string[], signal: AbortSignal): Promise<readonly LiveCertificate[]>;
}

const namePattern = /^projects\/[^/]+\/locations\/[^/]+\/certificates\/[^/]+$/;

/**
 * Reads certificates through the Certificate Manager API, with application default credentials.
 *
 * @param endpoint base URL of another service with the same interface; plain HTTP is asked without credentials
 * @param timeoutMs how long one request may take. @default 30,000
 * @param pace keeps the requests within the quota. @default - a pace of its own
 */
export function certificateReader(endpoint?: string, timeoutMs = requestTimeoutMs, pace?: Pace): CertificateReader {
  const connect = connectCertificateManager(endpoint, pace);
  return {
    read: async (names, signal) => {
      const found: LiveCertificate[] = [];
      for (const [parent, wanted] of groupByParent(names)) {
        signal.throwIfAborted();
        for (const one of await readLocation(connect, parent, wanted, signal, timeoutMs)) found.push(one);
      }
      return found;
    },
  };
}

async function readLocation(
  connect: () => Promise<Client>,
  parent: string,
  wanted: readonly string[],
  signal: AbortSignal,
  timeoutMs: number,
): Promise<readonly LiveCertificate[]> {
  const [only] = wanted;
  try {
    const client = await inTime(connect(), timeoutMs, signal);
    if (wanted.length === 1 && only !== undefined) {
      const [certificate] = await inTime(client.getCertificate({ name: only }), timeoutMs, signal);
      return [describeCertificate(certificate)];
    }
    const names = new Set(wanted);
    const found: LiveCertificate[] = [];
    const pages = client.listCertificatesAsync({ parent, pageSize: 1000 }, { autoPaginate: false });
    for await (const certificate of eachInTime(pages, timeoutMs, signal)) {
      if (names.has(certificate.name ?? "")) found.push(describeCertificate(certificate));
    }
    return found;
  } catch (error) {
    signal.throwIfAborted();
    if (codeOf(error) === notFound && wanted.length === 1) return [];
    throw serviceError(`reading certificates of ${parent}`, error);
  }
}

type ApiCertificate = protos.google.cloud.certificatemanager.v1.ICertificate;

/** A certificate as the service describes it. */
export function describeCertificate(certificate: ApiCertificate): LiveCertificate {
  const { managed } = certificate;
  const name = certificate.name ?? "";
  const domains = certificate.sanDnsnames ?? [];
  const named = word(certificate.scope, scopes);
  const scope = named === "" || named === "DEFAULT" ? {} : { scope: named };
  if (managed === null || managed === undefined) {
    return { name, kind: "selfManaged", state: "ACTIVE", ...scope, domains, attempts: [], ...issued(certificate) };
  }
  const issue = managed.provisioningIssue;
  return {
    name,
    kind: "managed",
    state: word(managed.state, states),
    ...scope,
    domains: managed.domains ?? domains,
    attempts: (managed.authorizationAttemptInfo ?? []).map((attempt) => {
      const reason = word(attempt.failureReason, reasons);
      return {
        domain: attempt.domain ?? "",
        state: word(attempt.state, attemptStates),
        ...(reason === "" || reason === "FAILURE_REASON_UNSPECIFIED" ? {} : { failureReason: reason }),
        ...(attempt.details ? { details: attempt.details } : {}),
      };
    }),
    ...(issue ? { issue: { reason: word(issue.reason, issueReasons), details: issue.details ?? "" } } : {}),
    ...issued(certificate),
  };
}

function issued({
  expireTime,
  pemCertificate,
}: ApiCertificate): Pick<LiveCertificate, "expireTime" | "certificatePem"> {
  return {
    ...(expireTime ? { expireTime: timeOf(expireTime) } : {}),
    ...(pemCertificate ? { certificatePem: pemCertificate } : {}),
  };
}

/** ISO 8601 in UTC. */
export function timeOf({ seconds }: protos.google.protobuf.ITimestamp): string {
  return new Date(Number(seconds ?? 0) * 1_000).toISOString();
}

// Numbers of the enumerations, which the client hands on as the service wrote them.
const states: Readonly<Record<number, string>> = { 1: "PROVISIONING", 2: "FAILED", 3: "ACTIVE" };
const scopes: Readonly<Record<number, string>> = { 0: "DEFAULT", 1: "EDGE_CACHE", 2: "ALL_REGIONS", 3: "CLIENT_AUTH" };
const attemptStates: Readonly<Record<number, string>> = { 1: "AUTHORIZING", 6: "AUTHORIZED", 7: "FAILED" };
const reasons: Readonly<Record<number, string>> = { 1: "CONFIG", 2: "CAA", 3: "RATE_LIMITED" };
const issueReasons: Readonly<Record<number, string>> = { 1: "AUTHORIZATION_ISSUE", 2: "RATE_LIMITED" };

/** An enumeration by name. */
export function word(value: string | number | null | undefined, numbers: Readonly<Record<number, string>>): string {
  if (typeof value === "number") return numbers[value] ?? "";
  return value ?? "";
}

function groupByParent(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    if (!namePattern.test(name)) {
      throw new InputError(
        "certificate-name-malformed",
        `'${name}' is not the name of a certificate; use projects/PROJECT/locations/LOCATION/certificates/NAME`,
      );
    }
    const parent = name.slice(0, name.lastIndexOf("/certificates/"));
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [name]);
    else group.push(name);
  }
  return groups;
}
