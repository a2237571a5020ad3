import type { Json } from "../front";
import type { Resource } from "./resources";

/**
 * What a method that sets one member makes of a resource, as in `setUrlMap`.
 *
 * @param fallback what the member is where the call clears it. @default - absent
 */
export function setting(member: string, fallback?: string): (before: Resource, body: Json) => Json {
  return (before, body) => ({ ...before, [member]: body[member] ?? fallback });
}
