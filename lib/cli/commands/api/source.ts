import { stat } from "node:fs/promises";
import type { ApiDescription } from "../../../discovery";
import { InputError } from "../../../errors";
import type { RetryNotice } from "../../../http";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import type { Io } from "../../command";
import { argument, type OptionValues } from "../../declare";
import { readTextFile } from "../../files";
import * as load from "../../load";
import { jsonOption } from "../../options";
import { readInput, readStandardInput } from "../../standard-input";
import { parseJsonInput, writeNote } from "../../text";

export const descriptionOptions = {
  "--root-url <url>": "description service; default: https://www.googleapis.com/",
  "--cache <folder>":
    "cache descriptions in this folder, and use them while they are fresh or the service can't be reached",
  "--offline": "send no request: use the descriptions of this program, files and the cache",
  ...jsonOption,
} as const;

type SourceOptions = OptionValues<typeof descriptionOptions>;

export const apiArgument = argument({
  description: "NAME:VERSION as in dns:v1, a file with a description, its URL, or - for standard input",
});

/** Creates the client that fetches descriptions; it prints retries and warnings about stale copies to stderr. */
export function descriptionClient({ rootUrl, cache, offline }: SourceOptions, io: Io) {
  const { DescriptionClient } = load.discovery();
  return new DescriptionClient({
    signal: io.signal,
    copies: { offline, ...defined({ folder: cache }) },
    onWarning: ({ code, message }) => writeNote(code, message, io),
    onRetry: retryReporter(io),
    ...defined({ rootUrl }),
  });
}

function retryReporter(io: Io) {
  return ({ why, code, delayMs }: RetryNotice): void =>
    writeNote(code, `${why}; asking again in ${Math.ceil(delayMs / 1_000)} s`, io);
}

/**
 * Reads the description that an argument names: a file, standard input, a URL, a description in this package, or one of
 * the description service.
 */
export async function readApi(text: string, options: SourceOptions, io: Io): Promise<ApiDescription> {
  const discovery = load.discovery();
  if (text === "-") return parseFile(await readStandardInput(io, "<api>"), "standard input");
  if (/^https?:\/\//i.test(text)) return fetchDescription(text, options, io);
  if (/\.json$|[/\\]/.test(text)) return parseFile(await readTextFile(text, "<api>", io), quote(text));
  if (discovery.isOwnDescriptionId(text) && options.rootUrl === undefined) return discovery.ownDescription(text);
  if (!/^[a-zA-Z][\w.-]*:[\w.-]+$/.test(text)) {
    if (await isFile(text)) return parseFile(await readTextFile(text, "<api>", io), quote(text));
    const included = discovery.ownDescriptionIds.join(", ");
    const message = `${quote(text)} is not NAME:VERSION, a file or a URL; included in this program are ${included}`;
    throw new InputError("api-malformed", message);
  }
  return descriptionClient(options, io).get(text);
}

/**
 * Reads the description in a file.
 *
 * @param name the file in messages
 */
function parseFile(text: string, name: string): ApiDescription {
  const { ApiDescription, ownDescriptionIds } = load.discovery();
  try {
    return ApiDescription.parse(text);
  } catch (error) {
    if (!(error instanceof InputError) || !isOtherFile.has(error.code)) throw error;
    const advice = `pass the JSON of a Discovery document, or NAME:VERSION, for example ${ownDescriptionIds[0]}`;
    throw new InputError(error.code, `<api>: ${name}: ${error.message}; ${advice}`);
  }
}

/** Codes of files that are something else. */
const isOtherFile: ReadonlySet<string> = new Set(["description-not-json", "description-kind"]);

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

/** Fetches a description by URL. It is not cached, because it has no id in a list of APIs. */
async function fetchDescription(url: string, { offline }: SourceOptions, io: Io): Promise<ApiDescription> {
  if (offline) {
    const message = `${quote(url)} is not asked with --offline, and nothing is kept of URLs; give a file, or leave --offline out`;
    throw new InputError("offline-miss", message);
  }
  const { ApiDescription } = load.discovery();
  const { createHttpClient } = load.http();
  const { text } = await createHttpClient().send({
    method: "GET",
    url,
    purpose: "fetching a description",
    signal: io.signal,
    retries: { onRetry: retryReporter(io) },
  });
  return ApiDescription.parse(text);
}

/** Reads a JSON argument: literal JSON, `@file`, or `-` for standard input. */
export async function readJsonArgument(text: string, option: string, io: Io): Promise<unknown> {
  const isInput = text === "-" || text.startsWith("@");
  const json = isInput ? await readInput(text.replace(/^@/, ""), option, io) : text;
  const name = text === "-" ? `${option}: standard input` : `${option}: ${quote(text.slice(1))}`;
  return parseJsonInput(json, isInput ? name : option);
}
