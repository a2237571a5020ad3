import type { LoggedRequest } from "../lib/cloud";
import type { Group } from "./behavior";
import { cleanUp } from "./cleanup";
import type { Identity } from "./normalize";
import { rehearsalIdentity, startRehearsalSide } from "./rehearsal-side";
import { kindCreatedBy } from "./resource-kinds";
import { runSuite } from "./run";
import type { Answer, SideRequest, Transport } from "./side";

/** A request of a run, with placeholders for values of earlier answers. */
export interface RecordedRequest {
  readonly id: string;
  readonly httpMethod: string;
  /** Host, path and query. */
  readonly url: string;
  readonly body?: string;
  /** Method that creates the resource; undefined for other requests. */
  readonly createdKind?: string;
}

/** Shortest value of an answer that is replaced. */
const shortestLength = 8;

/** Runs the behaviors on the rehearsal cloud, deletes what they created, and returns every request. */
export async function recordRun(
  groups: readonly Group[],
): Promise<{ readonly requests: readonly RecordedRequest[]; readonly movedMs: number }> {
  const requests: RecordedRequest[] = [];
  const known = new Map<string, string>();
  /** Everything that the suite has written itself. */
  let written = "";
  const around =
    (transport: Transport): Transport =>
    async (request) => {
      requests.push(describe(request, known));
      written += `${request.url}\n${String(request.body ?? "")}\n`;
      const answer = await transport(request);
      learn(answer, request.id, known, written);
      return answer;
    };
  // A few groups do only in the rehearsal cloud what would change the user's project.
  await using rehearsal = await startRehearsalSide({ around, kind: "google" });
  await runSuite(groups, { side: rehearsal.side });
  await cleanUp(rehearsal.side, rehearsal.side.journal.resources());
  return { requests, movedMs: rehearsal.movedMs() };
}

/** Prints every request of a run, first the check of the zone. */
export async function printRequests(
  groups: readonly Group[],
  out: (text: string) => void,
  { project = "PROJECT", domain = "DOMAIN", zone = "ZONE" }: Partial<Identity>,
): Promise<void> {
  const { requests } = await recordRun(groups);
  const checkOfZone = {
    httpMethod: "GET",
    url: "https://dns.googleapis.com/dns/v1/projects/PROJECT/managedZones/ZONE",
  };
  const all = [checkOfZone, ...requests];
  printOnce(all, out, { project, domain, zone });
  out("beside them: look-ups at a name server of the zone, and handshakes with the addresses that the run creates\n");
  out(`${all.length} requests; no request was sent to Google Cloud\n`);
}

/** Prints what a rehearsed trial requested, with placeholders. */
export function printTrial(
  requests: readonly Pick<LoggedRequest, "httpMethod" | "target">[],
  out: (text: string) => void,
  { project = "PROJECT", domain = "DOMAIN", zone = "ZONE" }: Partial<Identity>,
): void {
  const urls = requests.map(({ httpMethod, target }) => ({
    httpMethod,
    url: withPlaceholders(decodeURIComponent(target), new Map()),
  }));
  printOnce(urls, out, { project, domain, zone });
  out("beside them: look-ups of DNS, and handshakes with the load balancer and the previous server\n");
  out(
    `${urls.length} requests of a rehearsed trial; no request was sent to Google Cloud. The google provider may send\n`,
  );
  out("others to read, and names the same resources.\n");
}

/** Prints requests with given values; repeated requests, as of polls, are printed once. */
function printOnce(
  requests: readonly Pick<RecordedRequest, "httpMethod" | "url" | "body">[],
  out: (text: string) => void,
  { project, domain, zone }: Pick<Identity, "project" | "domain" | "zone">,
): void {
  const given: Readonly<Record<string, string>> = { PROJECT: project, DOMAIN: domain, ZONE: zone };
  let previous = "";
  for (const { httpMethod, url, body } of requests) {
    const line = `${httpMethod} ${url}\n${body === undefined ? "" : `  ${body}\n`}`;
    if (line !== previous) out(line.replace(/\b(?:PROJECT|DOMAIN|ZONE)\b/g, (word) => given[word] ?? word));
    previous = line;
  }
}

function describe({ id, method, url, body }: SideRequest, known: ReadonlyMap<string, string>): RecordedRequest {
  const api = id.slice(0, id.indexOf("."));
  const address = decodeURIComponent(url.replace(/^https?:\/\/[^/]+\//, `https://${api}.googleapis.com/`));
  const kind = kindCreatedBy(id);
  return {
    id,
    httpMethod: method,
    url: withPlaceholders(address, known),
    ...(body === undefined ? {} : { body: withPlaceholders(String(body), known) }),
    ...(kind === undefined ? {} : { createdKind: id }),
  };
}

function withPlaceholders(text: string, known: ReadonlyMap<string, string>): string {
  const masked = text
    .replaceAll(rehearsalIdentity.prefix, "PREFIX")
    .replace(/-----BEGIN ([A-Z ]+)-----.*?-----END \1-----(?:\\n)?/gs, "{$1 in PEM}");
  const named = masked.replace(/(?<=\/)[^/?&{}]+(?=[/?]|$)/g, (segment) => known.get(`/${segment}`) ?? segment);
  return [...known]
    .sort(([one], [other]) => other.length - one.length)
    .reduce((now, [value, placeholder]) => now.replaceAll(value, placeholder), named)
    .replaceAll(rehearsalIdentity.project, "PROJECT")
    .replaceAll(rehearsalIdentity.domain, "DOMAIN")
    .replaceAll(rehearsalIdentity.domain.replaceAll(".", "-"), "DOMAIN")
    .replaceAll(rehearsalIdentity.zone, "ZONE");
}

/** Remembers the texts of an answer that the suite has not written itself. */
function learn({ body }: Answer, id: string, known: Map<string, string>, written: string): void {
  const [, ...path] = id.split(".");
  const place = path.slice(-2).join(".");
  const visit = (value: unknown, field: string): void => {
    if (typeof value === "object" && value !== null) {
      for (const [name, item] of Object.entries(value)) visit(item, Array.isArray(value) ? field : `${field}.${name}`);
      return;
    }
    // Ids of changes are short numbers: they are replaced as a part of a path only.
    if (field === ".id" && typeof value === "string") known.set(`/${value}`, `{${place}${field}}`);
    if (typeof value !== "string" || value.length < shortestLength || value.includes("-----BEGIN")) return;
    // Lists of APIs contain the hosts of the requests.
    if (value.endsWith(".googleapis.com")) return;
    // Names that the suite has chosen are readable as they are; the names of operations are not.
    if (value.includes(rehearsalIdentity.prefix) && !value.includes("/operations/")) return;
    if (!written.includes(value) && !known.has(value)) known.set(value, `{${place}${field}}`);
  };
  visit(body, "");
}
