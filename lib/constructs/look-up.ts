import type { Construct } from "constructs";
import { InputError } from "../errors";
import { nearestCandidate } from "../plan";
import { quote } from "../text/quote";
import { listFirst } from "../text/words";
import { migrationPath } from "./migration-path";

/** Number of known names in a message; further names are only counted. */
const mostNames = 20;

/**
 * Returns a resource of a construct by its name.
 *
 * @param kind what the resources are, in the singular: `certificate`
 * @throws InputError `lookup-name-unknown`, with the known names and the nearest of them
 */
export function lookUp<Resource>(
  owner: Construct,
  kind: string,
  resources: { readonly [name: string]: Resource },
  name: string,
): Resource {
  const found = Object.hasOwn(resources, name) ? resources[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(resources);
  const what = `${migrationPath(owner)}: unknown ${kind} ${quote(String(name))}`;
  if (known.length === 0) throw unknown(`${what}; the construct creates no resource of this kind`);
  // The same domain of another project, for example.
  const likely = known.find((each) => each.startsWith(`${name} `)) ?? nearestCandidate(String(name), known);
  const advice = likely === undefined ? "" : `did you mean ${quote(likely)}? `;
  throw unknown(`${what}; ${advice}known: ${listFirst(known.map(quote), mostNames)}`);
}

function unknown(message: string): InputError {
  return new InputError("lookup-name-unknown", message);
}
