import type { Media, ParameterValue } from "../../../discovery";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { groupBy } from "../../../json/group-by";
import type { Io } from "../../command";
import { argument, defineCommand, type OptionValues, value, values } from "../../declare";
import { readFileBytes } from "../../files";
import { safe, writeNote } from "../../text";
import { checked, oneOf } from "../../value-types";
import { apiArgument, descriptionOptions, readApi, readJsonArgument } from "./source";

const nameAndValue = checked(
  "param-malformed",
  (given) => {
    const at = given.indexOf("=");
    return at < 1 ? undefined : ([given.slice(0, at), given.slice(at + 1)] as const);
  },
  "is not name=value",
);

const requestOptions = {
  "-p, --param <name=value>": values("a parameter; give it again for more, or for more values", nameAndValue),
  "--body <json>": "the body: JSON, @FILE, or - for standard input",
  "--media <file>": "media to upload with it",
  "--media-type <type>": "their type, as in image/png; application/octet-stream unless given",
  "--upload <kind>": value(oneOf("simple", "multipart", "resumable"), "how media are sent"),
  "--endpoint <url>": "another base address",
  "--location <location>": "the endpoint of a location",
  ...descriptionOptions,
} as const;

export const command = defineCommand({
  description:
    "Checks parameters and body by the description, every mistake at once, and prints the request as it would be sent. It sends nothing.",
  arguments: { api: apiArgument, method: argument({ description: "id of the method" }) },
  options: requestOptions,
  json: "method, url, headers, body?, bodyBase64?, findings",
  examples: {
    "cert-migration api request dns:v1 dns.resourceRecordSets.list -p project=p -p managedZone=z -p type=CNAME":
      "a request of Cloud DNS",
  },
  run: async ({ arguments: { api: source, method }, options, json }, io) => {
    const api = await readApi(source, options, io);
    const body = options.body === undefined ? undefined : await readJsonArgument(options.body, "--body", io);
    const media = await readMedia(options, io);
    const { location } = options;
    const endpoint = location === undefined ? options.endpoint : { location };
    const parameters = readParameters(options.param);
    const request = api.request(method, { parameters, ...defined({ body, media, endpoint }) });
    for (const { code, message } of request.findings) writeNote(code, `note: ${message}`, io);
    if (options.json) {
      const bytes = request.body instanceof Uint8Array ? request.body : undefined;
      const encoded = bytes === undefined ? {} : { body: undefined, bodyBase64: Buffer.from(bytes).toString("base64") };
      io.stdout.write(json({ ...request, ...encoded }));
      return 0;
    }
    const text =
      typeof request.body === "string" ? request.body : request.body && Buffer.from(request.body).toString("latin1");
    const headers = Object.entries(request.headers).map(([name, header]) => `${safe(`${name}: ${header}`)}\n`);
    io.stdout.write(
      `${safe(`${request.method} ${request.url}`)}\n${headers.join("")}${text === undefined ? "" : `\n${linesOf(text)}\n`}`,
    );
    return 0;
  },
});

function linesOf(text: string): string {
  return text.split(/\r?\n/).map(safe).join("\n");
}

function readParameters(given: readonly (readonly [string, string])[]): Readonly<Record<string, ParameterValue>> {
  const groups = [...groupBy(given, ([name]) => name)];
  return Object.fromEntries(
    groups.map(([name, pairs]) => {
      const [first, ...others] = pairs.map(([, text]) => text);
      return [name, first !== undefined && others.length === 0 ? first : pairs.map(([, text]) => text)];
    }),
  );
}

/** Maximum size of media in bytes. The request is printed, never sent. */
const mostMediaBytes = 64 * 1024 * 1024;

async function readMedia(
  { media, mediaType, upload: kind }: OptionValues<typeof requestOptions>,
  io: Io,
): Promise<Media | undefined> {
  if (media === undefined) {
    const idle = Object.entries({ "--upload": kind, "--media-type": mediaType }).flatMap(([flag, given]) =>
      given === undefined ? [] : [flag],
    );
    if (idle.length === 0) return undefined;
    const message = `${idle.join(" and ")}: there is nothing to upload; give the file with --media`;
    throw new InputError("media-missing", message);
  }
  return {
    content: await readFileBytes(media, "--media", { most: mostMediaBytes, signal: io.signal }),
    contentType: mediaType ?? "application/octet-stream",
    ...defined({ kind }),
  };
}
