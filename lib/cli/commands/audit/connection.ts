import { readFileSync, statSync } from "node:fs";
import type { ActivitySource, CompanyWords, ListOptions } from "../../../audit";
import { InputError, ServiceError } from "../../../errors";
import type { ReportsCredentials } from "../../../google";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { CommandOption, Invocation, Io } from "../../command";
import { sleep } from "../../duration";
import { readTextFile, unreadable } from "../../files";
import { endpointOf, endpointOption } from "../../options";
import { safe } from "../../text";

export const connectionOptions: readonly CommandOption[] = [
  endpointOption,
  {
    flags: "--token-file <file>",
    description:
      "a file with an access token, read again for each page; default: CERT_MIGRATION_ACCESS_TOKEN, then application default credentials",
  },
  {
    flags: "--impersonate <email>",
    description: "administrator whom the service account impersonates, by domain-wide delegation",
  },
  {
    flags: "--service-account <email>",
    description: "service account for the requests; IAM Credentials signs for it, so no key is needed",
  },
];

export const wordOptions: readonly CommandOption[] = [
  { flags: "--vendor <name>", description: "replaces VENDOR in names and messages", default: "Google" },
  { flags: "--partner <name>", description: "replaces PARTNER in names and messages", default: "Apple" },
];

export function wordsOf(options: Invocation["options"]): CompanyWords {
  const { vendor, partner } = options as Readonly<Record<string, string | undefined>>;
  return { ...defined({ vendor, partner }) };
}

interface AuditService extends ActivitySource {
  /** Returns the time of the service: the time of this machine, or of a rehearsal cloud. */
  readonly time: () => Promise<Date>;
}

const publicEndpoint = "https://admin.googleapis.com/";

/**
 * Returns the source that the options name. The source reports progress, retries and, if access is denied, the required
 * permissions.
 */
export async function connect(options: Invocation["options"], io: Io): Promise<AuditService> {
  const { ActivitiesClient } = require("../../../audit") as typeof import("../../../audit");
  const baseUrl = endpointOf(options, io) ?? publicEndpoint;
  const given = await tokenSource(options.tokenFile as string | undefined, io);
  const isNeeded = given === undefined && baseUrl === publicEndpoint;
  const { token, quotaProject } = (await credentialsFor(options, io, isNeeded)) ?? { token: given };
  // The client refuses a URL that is not valid.
  const time = URL.canParse(baseUrl) ? serviceClock(baseUrl, io) : async () => io.now();
  const client = new ActivitiesClient({
    baseUrl,
    ...wordsOf(options),
    ...defined({ token, quotaProject }),
    now: io.now,
    serviceTime: time,
    sleep,
  });
  return {
    name: client.name,
    time,
    pages: async function* (query) {
      try {
        yield* client.pages(query, listOptions(io));
      } catch (error) {
        throw explained(error);
      }
    },
  };
}

function listOptions(io: Io): ListOptions {
  return {
    signal: io.signal,
    onRetry: ({ why, delayMs }) => io.stderr.write(`${safe(why)}; again in ${Math.ceil(delayMs / 1_000)} s\n`),
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

/** Maximum size of a token file in bytes, larger than any token. */
const mostTokenBytes = 64 * 1024;

function readToken(path: string): string {
  try {
    return tokenIn(readFileSync(path, "utf8"), path);
  } catch (error) {
    throw error instanceof InputError ? error : unreadable(path, "--token-file", error);
  }
}

function tokenIn(text: string, path: string): string {
  const token = text.trim();
  if (/^[!-~]+$/.test(token)) return token;
  const what = token === "" ? "is empty" : "has characters that no token has";
  const message = `--token-file: ${quote(path)} ${what}; put an access token into it, alone, as 'gcloud auth print-access-token' prints one`;
  throw new InputError("token-malformed", message);
}

/**
 * Returns the credentials that the options name; `undefined` if no option names credentials and none are needed.
 *
 * @param isNeeded whether the service requires a token and none was given
 */
async function credentialsFor(
  options: Invocation["options"],
  io: Io,
  isNeeded: boolean,
): Promise<ReportsCredentials | undefined> {
  const { impersonate, serviceAccount, tokenFile } = options as Readonly<Record<string, string | undefined>>;
  const isAsked = impersonate !== undefined || serviceAccount !== undefined;
  if (!isAsked && !isNeeded) return undefined;
  if (isAsked && tokenFile !== undefined) {
    const message = "--token-file and --impersonate or --service-account name two credentials; give one of them";
    throw new InputError("credentials-ambiguous", message);
  }
  checkEmail(impersonate, "--impersonate");
  checkEmail(serviceAccount, "--service-account");
  const { reportsCredentials } = require("../../../google") as typeof import("../../../google");
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

function checkEmail(text: string | undefined, option: string): void {
  if (text === undefined || /^[^\s@/]+@[^\s@/]+$/.test(text)) return;
  const message = `${option} ${quote(text)} is not an e-mail address; use one as in a@example.com`;
  throw new InputError("email-malformed", message);
}

/**
 * Timeout of a clock request, in milliseconds. A rehearsal cloud answers immediately. Another service receives one
 * request, which must not delay the command.
 */
const clockTimeoutMs = 2_000;

/**
 * Returns a function that returns the time of the service at a base URL. A rehearsal cloud has its own clock (`cloud
 * --speed`), which sets the times of its events and the range of its lists; it is queried each time. For any other
 * service, the time is the machine's.
 */
function serviceClock(baseUrl: string, io: Pick<Io, "now" | "signal">): () => Promise<Date> {
  const url = new URL(baseUrl);
  // A rehearsal cloud listens only on this machine.
  if (url.protocol !== "http:" || !isLoopback(url.hostname)) return async () => io.now();
  const { createHttpClient } = require("../../../http") as typeof import("../../../http");
  const http = createHttpClient({ timeoutMs: clockTimeoutMs, retry: { maxAttempts: 1 } });
  let isCloud: boolean | undefined;
  let last: { readonly time: Date; readonly askedAt: Date } | undefined;
  const ask = async (): Promise<Date | undefined> => {
    const request = { method: "GET", url: `${url.origin}/_cloud/clock`, purpose: "asking for the cloud's time" };
    try {
      const { text } = await http.send({ ...request, signal: io.signal });
      const time = timeIn(text);
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

function timeIn(text: string): Date | undefined {
  try {
    const { now } = JSON.parse(text) as { readonly now?: unknown };
    const time = new Date(typeof now === "string" ? now : Number.NaN);
    return Number.isNaN(time.getTime()) ? undefined : time;
  } catch {
    return undefined;
  }
}
