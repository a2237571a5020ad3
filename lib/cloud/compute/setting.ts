import type { Json } from "../front";
import type { Resource } from "./resources";

/**
 * Returns the action of a method that sets one member, for example `setUrlMap`.
 *
 * @param fallback value of the member after the call clears it.
 * @default - absent
 */
export function setting(member: string, fallback?: string): (before: Resource, body: Json) => Json {
  return (before, body) => ({ ...before, [member]: body[member] ?? fallback });
}
