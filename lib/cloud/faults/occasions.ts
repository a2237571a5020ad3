import type { Call, Json, WireRequest } from "../front";

/**
 * Keys of the occasions on which a fault may take effect. A key has to be the same in every run. It therefore contains
 * values that callers choose, and no values that the cloud generates, such as the names of operations.
 */

/** Returns the key of a request: its method and its resource, which may be in the path, the query or the body. */
export function occasionOfRequest(methodId: string, { target, body }: Pick<WireRequest, "target" | "body">): string {
  const [path = "", query = ""] = target.split("?", 2);
  const telling = [...new URLSearchParams(query)].filter(([name]) => tellsApart(name));
  const named = telling.map(([name, value]) => `${name}=${value}`);
  return [methodId, withoutDrawn(path), ...named, ...namesIn(parsed(body))].join(" ");
}

/** Returns the key of a mutation, as {@link occasionOfRequest} does. */
export function occasionOfCall(methodId: string, { parameters, body }: Pick<Call, "parameters" | "body">): string {
  const named = Object.entries(parameters).filter(([name]) => name !== "requestId");
  return [methodId, ...named.map(([name, value]) => `${name}=${value}`).sort(), ...namesIn(body)].join(" ");
}

/**
 * Returns whether a parameter identifies the resource: the id of a creation, or the name and type of a record set.
 * Excludes `upload_id`, which the cloud generates.
 */
function tellsApart(name: string): boolean {
  return /^(?:name|type)$|(?:Id|_id)$/.test(name) && !/^(?:request(?:Id|_id)|upload_id)$/.test(name);
}

function withoutDrawn(path: string): string {
  return path.replace(/(\/operations\/)[^/]+/, "$1-");
}

function parsed(body: string): Json {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** Returns the name in a body, and the names of the record sets that a DNS change adds and deletes. */
function namesIn({ name, additions, deletions }: Json): readonly string[] {
  const recordSets = [additions, deletions].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  return [name, ...recordSets.map((recordSet) => `${recordSet?.name} ${recordSet?.type}`)].map(String);
}
