import { readFileSync, statSync } from "node:fs";
import type { ActivitySource, CompanyWords, ListOptions } from "../../../audit";
import { InputError, ServiceError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { Command, Invocation, Io } from "../../command";
import { endpointOf, endpointOption } from "../../endpoint";
import { readTextFile, unreadable } from "../../files";
import { sleep } from "../../sleep";
import { safe } from "../../text";
import { credentialOptions, credentialsFor } from "./credentials";
import { serviceClock } from "./service-clock";

type Options = NonNullable<Command["options"]>;

/** Lists the options for the service that lists activities and for its credentials. */
export const connectionOptions: Options = [
  endpointOption,
  {
    flags: "--token-file <file>",
    description:
      "a file with an access token, read again for each page; default: CERT_MIGRATION_ACCESS_TOKEN, then application default credentials",
  },
  ...credentialOptions,
];

/** Lists the options for the company names in event names and messages. */
export const wordOptions: Options = [
  { flags: "--vendor <name>", description: "replaces VENDOR in names and messages", default: "Google" },
  { flags: "--partner <name>", description: "replaces PARTNER in names and messages", default: "Apple" },
];

export function wordsOf(options: Invocation["options"]): CompanyWords {
  const { vendor, partner } = options as Readonly<Record<string, string | undefined>>;
  return { ...defined({ vendor, partner }) };
}

/** Describes a service that lists activities, with its clock. */
export interface AuditService extends ActivitySource {
  /** Returns the time of the service: the time of this machine, or of a rehearsal cloud. */
  readonly time: () => Promise<Date>;
}

const publicEndpoint = "https://admin.googleapis.com/";

/**
 * Returns the source that the options name. The source reports progress, retries and, if access is denied, the required
 * permissions.
 *
 * @throws InputError `token-missing` for the public service without a token; `file-unreadable` and `token-malformed`
 * for the token's file; the errors of {@link credentialsFor}
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
 *
 * @throws InputError before any other work, if the file cannot be read or contains no token
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
