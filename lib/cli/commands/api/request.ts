import type { Media, ParameterValue } from "../../../discovery";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { readFileBytes } from "../../files";
import { jsonDocument, safe } from "../../text";
import { apiArgument, readApi, readJsonArgument, sourceOptions } from "./source";

export const requestCommand: CommandDetails = {
  description:
    "Checks parameters and body by the description, every mistake at once, and prints the request as it would be sent. It sends nothing.",
  arguments: [apiArgument, { name: "method", description: "id of the method" }],
  options: [
    {
      flags: "-p, --param <name=value>",
      description: "a parameter; give it again for more, or for more values",
      repeatable: true,
    },
    { flags: "--body <json>", description: "the body: JSON, @FILE, or - for standard input" },
    { flags: "--media <file>", description: "media to upload with it" },
    { flags: "--media-type <type>", description: "their type, as in image/png; application/octet-stream unless given" },
    { flags: "--upload <kind>", description: "how media are sent", choices: ["simple", "multipart", "resumable"] },
    { flags: "--endpoint <url>", description: "another base address" },
    { flags: "--location <location>", description: "the endpoint of a location" },
    ...sourceOptions,
  ],
  examples: [
    {
      command:
        "cert-migration api request dns:v1 dns.resourceRecordSets.list -p project=p -p managedZone=z -p type=CNAME",
      what: "a request of Cloud DNS",
    },
  ],
  run: runRequest,
};

async function runRequest(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { options } = invocation;
  const { api: source, method } = invocation.arguments as { readonly api: string; readonly method: string };
  const api = await readApi(source, invocation, io);
  const body = options.body === undefined ? undefined : await readJsonArgument(options.body as string, "--body", io);
  const media = await readMedia(invocation, io);
  const endpoint = options.location === undefined ? options.endpoint : { location: options.location as string };
  const request = api.request(method, {
    parameters: readParameters(options.param as readonly string[]),
    ...defined({ body, media }),
    ...(endpoint === undefined ? {} : { endpoint: endpoint as string | { readonly location: string } }),
  });
  for (const { message } of request.findings) io.stderr.write(`note: ${safe(message)}\n`);
  const text =
    typeof request.body === "string" ? request.body : request.body && Buffer.from(request.body).toString("latin1");
  if (options.json === true) {
    const encoded =
      request.body instanceof Uint8Array
        ? { bodyBase64: Buffer.from(request.body).toString("base64") }
        : { body: request.body };
    io.stdout.write(jsonDocument({ ...request, ...encoded }));
    return 0;
  }
  const headers = Object.entries(request.headers).map(([name, value]) => `${safe(`${name}: ${value}`)}\n`);
  io.stdout.write(
    `${safe(`${request.method} ${request.url}`)}\n${headers.join("")}${text === undefined ? "" : `\n${linesOf(text)}\n`}`,
  );
  return 0;
}

function linesOf(text: string): string {
  return text.split(/\r?\n/).map(safe).join("\n");
}

function readParameters(given: readonly string[]): Readonly<Record<string, ParameterValue>> {
  const values = new Map<string, string[]>();
  for (const text of given) {
    const at = text.indexOf("=");
    if (at < 1) throw new InputError("param-malformed", `--param ${quote(text)} is not name=value`);
    const name = text.slice(0, at);
    values.set(name, [...(values.get(name) ?? []), text.slice(at + 1)]);
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}

/** Maximum size of media in bytes. The request is printed, never sent. */
const mostMediaBytes = 64 * 1024 * 1024;

async function readMedia({ options }: Invocation, io: Io): Promise<Media | undefined> {
  if (options.media === undefined) {
    const idle = (["upload", "mediaType"] as const).filter((name) => options[name] !== undefined);
    if (idle.length === 0) return undefined;
    const flags = idle.map((name) => (name === "upload" ? "--upload" : "--media-type")).join(" and ");
    throw new InputError("media-missing", `${flags}: there is nothing to upload; give the file with --media`);
  }
  const kind = options.upload as Media["kind"];
  return {
    content: await readFileBytes(options.media as string, "--media", { most: mostMediaBytes, signal: io.signal }),
    contentType: (options.mediaType as string | undefined) ?? "application/octet-stream",
    ...defined({ kind }),
  };
}
