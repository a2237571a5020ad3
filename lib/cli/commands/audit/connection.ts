import { readFileSync, statSync } from "node:fs";
import type { ActivitySource, CompanyWords, ListOptions } from "../../../audit";
import { InputError, ServiceError } from "../../../errors";
import type { ReportsCredentials } from "../../../google";
import { defined } from "../../../json/defined";
import { fieldsOf } from "../../../json/fields";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import { type OptionValues, text, value } from "../../declare";
import { sleep } from "../../duration";
import { readTextFile, unreadable } from "../../files";
import * as load from "../../load";
import { endpointOf, endpointOption } from "../../options";
import { writeNote } from "../../text";
import { checked } from "../../value-types";

const emailAddress = checked(
  "email-malformed",
  (given) => (/^[^\s@/]+@[^\s@/]+$/.test(given) ? given : undefined),
  "is not an e-mail address; use one as in a@example.com",
);

export const auditConnectionOptions = {
  ...endpointOption,
  "--token-file <file>":
    "a file with an access token, read again for each page; default: CERT_MIGRATION_ACCESS_TOKEN, then application default credentials",
  "--impersonate <email>": value(
    emailAddress,
    "administrator whom the service account impersonates, by domain-wide delegation",
  ),
  "--service-account <email>": value(
    emailAddress,
    "service account for the requests; IAM Credentials signs for it, so no key is needed",
  ),
} as const;

export const wordOptions = {
  "--vendor <name>": value(text, "replaces VENDOR in names and messages", "Google"),
  "--partner <name>": value(text, "replaces PARTNER in names and messages", "Apple"),
} as const;

/** Options of the log; `verify` has only some of them. */
export type AuditConnectionOptions = Partial<OptionValues<typeof auditConnectionOptions & typeof wordOptions>>;

export function wordsOf({ vendor, partner }: AuditConnectionOptions): CompanyWords {
  return defined({ vendor, partner });
}

interface AuditService extends ActivitySource {
  /** Returns the time of the service: the time of this machine, or of a rehearsal cloud. */
  readonly time: () => Promise<Date>;
}

const publicEndpoint = "https://admin.googleapis.com/";

interface ConnectOptions {
  /**
   * Whether a refused token of `--token-file` is a temporary failure: no request is sent until the file has another
   * token.
   *
   * @default false
   */
  readonly awaitsToken?: boolean;
}

/**
 * Returns the source that the options name. The source reports progress, retries and, if access is denied, the required
 * permissions.
 */
export async function connect(
  options: AuditConnectionOptions,
  io: Io,
  { awaitsToken = false }: ConnectOptions = {},
): Promise<AuditService> {
  const { ActivitiesClient } = load.audit();
  const baseUrl = endpointOf(options, io) ?? publicEndpoint;
  const file = options.tokenFile;
  const source = await tokenSource(file, io);
  const renewed = awaitsToken && source !== undefined && isRegularFile(file) ? renewedToken(source, file) : undefined;
  const given = renewed?.token ?? source;
  const isNeeded = given === undefined && baseUrl === publicEndpoint;
  // A service on this machine accepts every token, but requires one.
  const ownToken = isLocalService(baseUrl) ? () => "local" : undefined;
  const { token, quotaProject = undefined } =
    isNeeded || namesCredentials(options) ? await credentialsFor(options, io) : { token: given ?? ownToken };
  // The client refuses a URL that is not valid.
  const time = URL.canParse(baseUrl) ? serviceClock(baseUrl, io) : async () => io.now();
  const client = new ActivitiesClient({
    baseUrl,
    ...wordsOf(options),
    ...(token && { authorization: { token, ...defined({ quotaProject }) } }),
    time: { now: io.now, serviceTime: time, sleep },
  });
  return {
    name: client.name,
    time,
    pages: async function* (query) {
      try {
        yield* client.pages(query, listOptions(io));
      } catch (error) {
        const reason = explained(error);
        throw renewed === undefined ? reason : renewed.failure(reason);
      }
    },
  };
}

function listOptions(io: Io): ListOptions {
  return {
    signal: io.signal,
    onRetry: ({ why, code, delayMs }) => writeNote(code, `${why}; again in ${Math.ceil(delayMs / 1_000)} s`, io),
    onProgress: ({ pages, activities, reached }) => {
      if (pages % 10 !== 0) return;
      const back = reached === undefined ? "" : `, back to ${reached.toISOString()}`;
      io.stderr.write(`${countOf(pages, "page")}, ${countOf(activities, "activity", "activities")}${back}\n`);
    },
  };
}

function explained(error: unknown): unknown {
  if (!(error instanceof ServiceError) || (error.status !== 401 && error.status !== 403) || error.retryable)
    return error;
  const advice =
    error.status === 401
      ? "the service does not accept the access token; give one that is valid now with --token-file or CERT_MIGRATION_ACCESS_TOKEN"
      : "the token needs the scope admin.reports.audit.readonly, of an administrator who may see reports";
  const { status, reason } = error;
  const code = status === 401 ? "credentials-refused" : error.code;
  return new ServiceError(`${error.message}; ${advice}`, {
    code,
    status,
    retryable: false,
    cause: error,
    ...defined({ reason }),
  });
}

/**
 * Returns a function that returns the token, called once for each page. Files are read again each time, because tokens
 * expire after an hour; a pipe or a terminal is read once.
 */
async function tokenSource(path: string | undefined, io: Io): Promise<(() => string) | undefined> {
  const fromEnvironment = io.env.CERT_MIGRATION_ACCESS_TOKEN ?? "";
  if (path === undefined) return fromEnvironment === "" ? undefined : () => fromEnvironment;
  const first = tokenIn(await readTextFile(path, "--token-file", { most: mostTokenBytes, signal: io.signal }), path);
  return () => (statSync(path, { throwIfNoEntry: false })?.isFile() === false ? first : readToken(path));
}

function isRegularFile(path: string | undefined): path is string {
  return path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

interface RenewedToken {
  /** Returns the token of the file. @throws ServiceError if the file still has the refused token, or has no token */
  readonly token: () => string;
  /** Returns a failure as temporary if another token can resolve it; any other failure unchanged. */
  readonly failure: (error: unknown) => unknown;
}

/** Reads a token that another process renews in its file. */
function renewedToken(read: () => string, path: string): RenewedToken {
  let sent: string | undefined;
  let refused: string | undefined;
  const waiting = (message: string, cause?: unknown) =>
    new ServiceError(`${message}; waiting for another token in ${quote(path)}`, {
      code: "credentials-refused",
      status: 401,
      retryable: true,
      cause,
    });
  return {
    token: () => {
      try {
        sent = read();
      } catch (error) {
        // The file is empty or missing while another process writes it.
        if (sent === undefined || !(error instanceof InputError)) throw error;
        throw waiting(error.message, error);
      }
      if (sent === refused) throw waiting("the service does not accept the access token");
      return sent;
    },
    failure: (error) => {
      if (!(error instanceof ServiceError) || error.status !== 401 || error.retryable) return error;
      refused = sent;
      return waiting(error.message, error);
    },
  };
}

/** Maximum size of a token file in bytes, larger than any token. */
const mostTokenBytes = 64 * 1024;

function readToken(path: string): string {
  try {
    return tokenIn(readFileSync(path, "utf8"), path);
  } catch (error) {
    throw error instanceof InputError ? error : unreadable(path, "--token-file", error);
  }
}

function tokenIn(content: string, path: string): string {
  const token = content.trim();
  if (/^[!-~]+$/.test(token)) return token;
  const what = token === "" ? "is empty" : "has characters that no token has";
  const message = `--token-file: ${quote(path)} ${what}; put an access token into it, alone, as 'gcloud auth print-access-token' prints one`;
  throw new InputError("token-malformed", message);
}

function namesCredentials({ impersonate, serviceAccount }: AuditConnectionOptions): boolean {
  return impersonate !== undefined || serviceAccount !== undefined;
}

/** Returns the credentials that the options name, or the credentials of this machine. */
async function credentialsFor(options: AuditConnectionOptions, io: Io): Promise<ReportsCredentials> {
  const { impersonate, serviceAccount, tokenFile } = options;
  const isAsked = namesCredentials(options);
  if (isAsked && tokenFile !== undefined) {
    const message = "--token-file and --impersonate or --service-account name two credentials; give one of them";
    throw new InputError("credentials-ambiguous", message);
  }
  const { reportsCredentials } = load.google();
  const { GOOGLE_APPLICATION_CREDENTIALS, CLOUDSDK_AUTH_TOKEN_HOST, CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS } =
    io.env;
  try {
    return await reportsCredentials({
      now: io.now,
      signal: io.signal,
      // An empty variable counts as unset.
      ...defined({
        subject: impersonate || undefined,
        serviceAccount: serviceAccount || undefined,
        keyFile: GOOGLE_APPLICATION_CREDENTIALS || undefined,
        tokenUrl: CLOUDSDK_AUTH_TOKEN_HOST || undefined,
        signingUrl: CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS || undefined,
      }),
    });
  } catch (error) {
    if (isAsked || !(error instanceof ServiceError) || error.code !== "credentials-missing") throw error;
    const message =
      "the reports service requires credentials; use --token-file, or set CERT_MIGRATION_ACCESS_TOKEN, with a token for the scope admin.reports.audit.readonly, or run 'gcloud auth application-default login --scopes=https://www.googleapis.com/auth/admin.reports.audit.readonly,https://www.googleapis.com/auth/cloud-platform'";
    throw new InputError("token-missing", message);
  }
}

/**
 * Timeout of a clock request, in milliseconds. A rehearsal cloud answers immediately. Another service receives one
 * request, which must not delay the command.
 */
const clockTimeoutMs = 2_000;

function isLocalService(baseUrl: string): boolean {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  return url?.protocol === "http:" && isLoopback(url.hostname);
}

/**
 * Returns a function that returns the time of the service at a base URL. A rehearsal cloud has its own clock (`cloud
 * --speed`), which sets the times of its events and the range of its lists; it is queried each time. For any other
 * service, the time is the machine's.
 */
function serviceClock(baseUrl: string, io: Pick<Io, "now" | "signal">): () => Promise<Date> {
  const url = new URL(baseUrl);
  // A rehearsal cloud listens only on this machine.
  if (!isLocalService(baseUrl)) return async () => io.now();
  const { createHttpClient } = load.http();
  const http = createHttpClient({ limits: { timeoutMs: clockTimeoutMs }, retry: { maxAttempts: 1 } });
  let isCloud: boolean | undefined;
  let last: { readonly time: Date; readonly askedAt: Date } | undefined;
  const ask = async (): Promise<Date | undefined> => {
    const request = { method: "GET", url: `${url.origin}/_cloud/clock`, purpose: "asking for the cloud's time" };
    try {
      const answer = await http.send({ ...request, signal: io.signal });
      const time = timeIn(answer.text);
      isCloud ??= time !== undefined;
      return time;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // A service that does not answer yet may turn out to be a rehearsal cloud.
      if (error.status !== undefined) isCloud ??= false;
      return undefined;
    }
  };
  return async () => {
    if (isCloud === false) return io.now();
    const time = await ask();
    if (time !== undefined) last = { time, askedAt: io.now() };
    if (last === undefined) return io.now();
    return new Date(last.time.getTime() + io.now().getTime() - last.askedAt.getTime());
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function timeIn(answer: string): Date | undefined {
  try {
    const { now } = fieldsOf(JSON.parse(answer));
    const time = new Date(typeof now === "string" ? now : Number.NaN);
    return Number.isNaN(time.getTime()) ? undefined : time;
  } catch {
    return undefined;
  }
}
