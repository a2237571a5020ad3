import type { ApiDescription } from "../../../discovery";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import type { Command, CommandArgument, Invocation, Io } from "../../command";
import { readTextFile } from "../../files";
import { jsonOption } from "../../options";
import { readInput, readStandardInput } from "../../standard-input";
import { parseJson, safe } from "../../text";

export const sourceOptions: NonNullable<Command["options"]> = [
  { flags: "--root-url <url>", description: "description service; default: https://www.googleapis.com/" },
  {
    flags: "--cache <folder>",
    description: "cache descriptions in this folder, and use them while they are fresh or the service can't be reached",
  },
  { flags: "--offline", description: "send no request: use the descriptions of this program, files and the cache" },
  jsonOption,
];

export const apiArgument: CommandArgument = {
  name: "api",
  description: "NAME:VERSION as in dns:v1, a file with a description, its URL, or - for standard input",
};

/** Creates the client that fetches descriptions; it prints retries and warnings about stale copies to stderr. */
export function descriptionClient({ options }: Invocation, io: Io) {
  const { DescriptionClient } = require("../../../discovery") as typeof import("../../../discovery");
  const { rootUrl, cache } = options as { readonly rootUrl?: string; readonly cache?: string };
  return new DescriptionClient({
    signal: io.signal,
    offline: options.offline === true,
    onWarning: ({ message }) => void io.stderr.write(`${safe(message)}\n`),
    onRetry: retryReporter(io),
    ...defined({ rootUrl, cacheFolder: cache }),
  });
}

function retryReporter(io: Io) {
  return ({ why, delayMs }: { readonly why: string; readonly delayMs: number }): void =>
    void io.stderr.write(`${safe(why)}; asking again in ${Math.ceil(delayMs / 1_000)} s\n`);
}

/**
 * Reads the description that an argument names: a file, standard input, a URL, a description in this package, or one of
 * the description service.
 */
export async function readApi(text: string, invocation: Invocation, io: Io): Promise<ApiDescription> {
  const discovery = require("../../../discovery") as typeof import("../../../discovery");
  if (text === "-") return discovery.ApiDescription.parse(await readStandardInput(io, "<api>"));
  if (/^https?:\/\//i.test(text)) return fetchDescription(text, invocation, io);
  if (/\.json$|[/\\]/.test(text)) return discovery.ApiDescription.parse(await readTextFile(text, "<api>", io));
  if (discovery.isOwnDescriptionId(text) && invocation.options.rootUrl === undefined)
    return discovery.ownDescription(text);
  if (!/^[a-zA-Z][\w.-]*:[\w.-]+$/.test(text)) {
    if (await isFile(text)) return discovery.ApiDescription.parse(await readTextFile(text, "<api>", io));
    const own = discovery.ownDescriptionIds.join(", ");
    const message = `${quote(text)} is not NAME:VERSION, a file or a URL; included in this program are ${own}`;
    throw new InputError("api-malformed", message);
  }
  return descriptionClient(invocation, io).get(text);
}

async function isFile(path: string): Promise<boolean> {
  const { stat } = require("node:fs/promises") as typeof import("node:fs/promises");
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

/** Fetches a description by URL. It is not cached, because it has no id in a list of APIs. */
async function fetchDescription(url: string, { options }: Invocation, io: Io): Promise<ApiDescription> {
  if (options.offline === true) {
    const message = `${quote(url)} is not asked with --offline, and nothing is kept of URLs; give a file, or leave --offline out`;
    throw new InputError("offline-miss", message);
  }
  const { ApiDescription } = require("../../../discovery") as typeof import("../../../discovery");
  const { createHttpClient } = require("../../../http") as typeof import("../../../http");
  const { text } = await createHttpClient().send({
    method: "GET",
    url,
    purpose: "fetching a description",
    signal: io.signal,
    onRetry: retryReporter(io),
  });
  return ApiDescription.parse(text);
}

/** Reads a JSON argument: literal JSON, `@file`, or `-` for standard input. */
export async function readJsonArgument(text: string, option: string, io: Io): Promise<unknown> {
  const isInput = text === "-" || text.startsWith("@");
  const json = isInput ? await readInput(text.replace(/^@/, ""), option, io) : text;
  return parseJson(json, option);
}
