import type { protos } from "@google-cloud/certificate-manager";
import { InputError, ServiceError } from "../errors";

/** A certificate as far as waiting for it goes; enumerations by name. */
export interface LiveCertificate {
  /** `projects/P/locations/L/certificates/C`. */
  readonly name: string;
  readonly kind: "managed" | "selfManaged";
  /** `PROVISIONING`, `FAILED` or `ACTIVE`; a self-managed certificate is active as soon as it is there. */
  readonly state: string;
  readonly domains: readonly string[];
  readonly attempts: readonly AuthorizationAttempt[];
  readonly issue?: { readonly reason: string; readonly details: string };
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
const notFound = 5;
const hints: Readonly<Record<number, string>> = {
  7: "; the caller needs roles/certificatemanager.viewer or more, and the API has to be enabled",
  16: "; run 'gcloud auth application-default login', or give the runner a service account",
};
/** Codes of google.rpc that say nothing of the request itself: deadline, quota, internal, unavailable. */
const passing = new Set([4, 8, 13, 14]);

/**
 * Reads certificates through the Certificate Manager API, with application default credentials.
 *
 * @param endpoint base URL of another service with the same interface; plain HTTP is asked without credentials
 */
export function certificateReader(endpoint?: string): CertificateReader {
  // The client takes half a second and 40 MB to load: only who asks the service pays for it.
  const { CertificateManagerClient } =
    require("@google-cloud/certificate-manager") as typeof import("@google-cloud/certificate-manager");
  type Options = NonNullable<ConstructorParameters<typeof CertificateManagerClient>[0]>;
  const client = new CertificateManagerClient({ fallback: true, ...endpointOptions(endpoint) } as Options);
  return {
    read: async (names, signal) => {
      const found: LiveCertificate[] = [];
      for (const [parent, wanted] of groupByParent(names)) {
        signal.throwIfAborted();
        found.push(...(await readLocation(client, parent, wanted)));
      }
      return found;
    },
  };
}

type Client = InstanceType<typeof import("@google-cloud/certificate-manager").CertificateManagerClient>;

async function readLocation(
  client: Client,
  parent: string,
  wanted: readonly string[],
): Promise<readonly LiveCertificate[]> {
  const [only] = wanted;
  try {
    if (wanted.length === 1 && only !== undefined) {
      const [certificate] = await client.getCertificate({ name: only });
      return [describe(certificate)];
    }
    const names = new Set(wanted);
    const found: LiveCertificate[] = [];
    for await (const certificate of client.listCertificatesAsync({ parent, pageSize: 1000 })) {
      if (names.has(certificate.name ?? "")) found.push(describe(certificate));
    }
    return found;
  } catch (error) {
    const { code, message } = error as { readonly code?: number; readonly message?: string };
    if (code === notFound && wanted.length === 1) return [];
    throw new ServiceError(`reading certificates of ${parent}: ${message ?? String(error)}${hints[code ?? -1] ?? ""}`, {
      code: code === undefined ? "service-unreachable" : "service-refused",
      retryable: code === undefined || passing.has(code),
      cause: error,
    });
  }
}

type ApiCertificate = protos.google.cloud.certificatemanager.v1.ICertificate;

function describe(certificate: ApiCertificate): LiveCertificate {
  const { managed } = certificate;
  const name = certificate.name ?? "";
  const domains = certificate.sanDnsnames ?? [];
  if (managed === null || managed === undefined) {
    return { name, kind: "selfManaged", state: "ACTIVE", domains, attempts: [] };
  }
  const issue = managed.provisioningIssue;
  return {
    name,
    kind: "managed",
    state: word(managed.state, states),
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
  };
}

// Numbers of the enumerations, which the client hands on as the service wrote them.
const states: Readonly<Record<number, string>> = { 1: "PROVISIONING", 2: "FAILED", 3: "ACTIVE" };
const attemptStates: Readonly<Record<number, string>> = { 1: "AUTHORIZING", 6: "AUTHORIZED", 7: "FAILED" };
const reasons: Readonly<Record<number, string>> = { 1: "CONFIG", 2: "CAA", 3: "RATE_LIMITED" };
const issueReasons: Readonly<Record<number, string>> = { 1: "AUTHORIZATION_ISSUE", 2: "RATE_LIMITED" };

function word(value: string | number | null | undefined, numbers: Readonly<Record<number, string>>): string {
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
    groups.set(parent, [...(groups.get(parent) ?? []), name]);
  }
  return groups;
}

function endpointOptions(endpoint: string | undefined): object {
  if (endpoint === undefined) return {};
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InputError(
      "endpoint-malformed",
      `endpoint '${endpoint}' is not a URL; use http://HOST:PORT or https://HOST`,
    );
  }
  const secure = url.protocol === "https:";
  const address = {
    apiEndpoint: url.hostname,
    port: Number(url.port) || (secure ? 443 : 80),
    protocol: secure ? "https" : "http",
  };
  // A credential is never sent in clear.
  const withoutCredentials = {
    fetch: (input: string | URL, init?: RequestInit) => fetch(input, init),
    getProjectId: async () => "",
    getClient: async () => ({}),
  };
  return secure ? address : { ...address, auth: withoutCredentials };
}
