import { BugError } from "../lib/errors";
import type { Parameters } from "./resource-kinds";

/** Methods that are POST requests and change nothing. */
const readingVerbs = new Set(["testIamPermissions", "getIamPolicy", "fetchCaCerts", "wait", "validate", "getHealth"]);
const readingMethods = new Set(["logging.entries.list"]);

export function isChange(httpMethod: string, id: string): boolean {
  if (httpMethod === "GET" || readingMethods.has(id)) return false;
  return !readingVerbs.has(id.slice(id.lastIndexOf(".") + 1));
}

interface Change {
  readonly id: string;
  readonly parameters: Parameters;
  readonly body: unknown;
  readonly prefix: string;
  /** Domain of the run. */
  readonly domain: string;
}

type Sets = readonly { readonly name?: unknown }[];

/** Parameters that name where a resource is, but not which one. */
const places = new Set(["project", "managedZone", "region", "updateMask", "fields"]);

/** Refuses a change of a resource that is not of the run, before anything is sent. @throws BugError */
export function checkOwn({ id, parameters, body, prefix, domain }: Change): void {
  const targets = Object.entries(parameters).filter(([name]) => !places.has(name));
  // A created resource of Compute Engine and Cloud DNS is named in its body.
  const { name, displayName, additions, deletions } = (body ?? {}) as {
    readonly name?: unknown;
    readonly displayName?: unknown;
    readonly additions?: Sets;
    readonly deletions?: Sets;
  };
  const named = JSON.stringify([targets, name, displayName, additions, deletions]);
  if (!named.includes(prefix)) {
    throw new BugError(`${id} would change a resource without the prefix ${prefix}: ${named.slice(0, 300)}`);
  }
  const isRecord = id.startsWith("dns.resourceRecordSets.");
  const records = isRecord
    ? [parameters.name ?? name]
    : [...(additions ?? []), ...(deletions ?? [])].map((set) => set.name);
  for (const record of records) {
    if (record !== `${domain}.` && !String(record).endsWith(`.${domain}.`)) {
      throw new BugError(`${id} would change the records of ${record}, which is not below ${domain}`);
    }
  }
}
