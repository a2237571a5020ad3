import type { Call, Json, WireRequest } from "../front";

/**
 * What tells occasions apart on which a fault may strike. It has to be the same in every run, and so is made of what callers choose, not of what
 * the cloud draws, such as the names of operations.
 */

/** A request: its method and the resource that it is about, which may stand in the query or in the body. */
export function occasionOfRequest(methodId: string, { target, body }: Pick<WireRequest, "target" | "body">): string {
  const [path = "", query = ""] = target.split("?", 2);
  const telling = [...new URLSearchParams(query)].filter(([name]) => tellsApart(name));
  const named = telling.map(([name, value]) => `${name}=${value}`);
  return [methodId, withoutDrawn(path), ...named, ...namesIn(parsed(body))].join(" ");
}

/** A mutation, as {@link occasionOfRequest} has it. */
export function occasionOfCall(methodId: string, { parameters, body }: Pick<Call, "parameters" | "body">): string {
  const named = Object.entries(parameters).filter(([name]) => name !== "requestId");
  return [methodId, ...named.map(([name, value]) => `${name}=${value}`).sort(), ...namesIn(body)].join(" ");
}

/** Whether a parameter says which resource is meant: that of a creation, or a record set by name and type. The cloud draws `upload_id`. */
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

/** The name in a body, and those of the record sets that a change of DNS adds and deletes. */
function namesIn({ name, additions, deletions }: Json): readonly string[] {
  const recordSets = [additions, deletions].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  return [name, ...recordSets.map((recordSet) => `${recordSet?.name} ${recordSet?.type}`)].map(String);
}
