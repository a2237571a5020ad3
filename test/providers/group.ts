import type { SentRequest } from "./recorder";

/**
 * Groups requests by resource, in the order in which they were sent, because Terraform visits independent resources in
 * any order.
 *
 * @returns lines of requests by resource
 */
export function groupRequests(requests: readonly SentRequest[]): Readonly<Record<string, readonly string[]>> {
  const groups: Record<string, string[]> = {};
  for (const request of requests) {
    const key = resourceOf(request);
    groups[key] = [...(groups[key] ?? []), lineOf(request)];
  }
  return Object.fromEntries(Object.entries(groups).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function lineOf({ httpMethod, target, body }: SentRequest): string {
  return `${httpMethod} ${target}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`;
}

interface NamedSet {
  readonly name?: string;
  readonly type?: string;
}

/** Returns the path of the resource of a request. */
function resourceOf({ httpMethod, target, body }: SentRequest): string {
  const url = new URL(target, "http://127.0.0.1/");
  const path = url.pathname.replace(/\/set[A-Z]\w*$|:[a-zA-Z]+$/, "");
  if (path.endsWith("/changes")) {
    const { additions = [], deletions = [] } = body as Readonly<Record<string, readonly NamedSet[] | undefined>>;
    const [first] = [...(additions ?? []), ...(deletions ?? [])];
    return `${path.replace(/changes$/, "rrsets")}/${first?.name} ${first?.type}`;
  }
  if (path.endsWith("/rrsets")) {
    const [name, type] = [url.searchParams.get("name"), url.searchParams.get("type")];
    return name === null ? path : `${path}/${name} ${type}`;
  }
  if (httpMethod !== "POST" || /\/set[A-Z]\w*$|:(?:enable|disable|updateAsync)$/.test(url.pathname))
    return withoutProject(path);
  const named = [...url.searchParams].find(([name]) => name.endsWith("Id"))?.[1];
  return withoutProject(`${path}/${named ?? String((body as NamedSet | undefined)?.name)}`);
}

/** Some setters of global proxies leave `global` out of their paths. */
function withoutProject(path: string): string {
  return path.replace(
    /\/projects\/([^/]+)\/(targetHttpsProxies|targetHttpProxies|targetSslProxies)\//,
    "/projects/$1/global/$2/",
  );
}
