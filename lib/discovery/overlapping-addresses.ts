import { quote } from "../text/quote";
import type { DescriptionDocument } from "./document";
import type { Method } from "./method";
import { addressesOf, type Oddity } from "./oddities";
import { encodeLiteral, isBindable, parsePathTemplate, pathBelowRoot, type Router } from "./paths";
import { patternExamples } from "./patterns";

/**
 * Finds methods whose own URLs lead to another method, because the description does not distinguish the two methods.
 * For these URLs, `match` returns the other method.
 *
 * Methods with exactly the same address are not included; `same-address` reports them.
 */
export function overlappingAddresses(
  document: DescriptionDocument,
  methods: Iterable<Method>,
  router: Router,
): readonly Oddity[] {
  const found: Oddity[] = [];
  for (const method of methods) {
    const others = sampleAddresses(document, method).map((path) => router.find(method.httpMethod, path)?.method);
    const [other] = others;
    if (other === undefined || others.some((one) => one === undefined || one === method)) continue;
    if (addressesOf(other) === addressesOf(method)) continue;
    const message = `the URLs of ${quote(method.path)} are URLs of ${quote(other.path)} too: nothing distinguishes the method from ${quote(other.id)}, which is taken`;
    found.push({ code: "address-ambiguous", pointer: method.id, message });
  }
  return found;
}

/**
 * Returns sample paths of the method's requests: one of letters and one of digits. A fixed text in another path matches
 * at most one of them.
 */
function sampleAddresses(document: DescriptionDocument, { path, parameters }: Method): readonly string[] {
  const template = parsePathTemplate(path);
  if (template === undefined || !isBindable(template.segments)) return [];
  const samples = [0, 1].map((which) => {
    const texts = template.parts.map((part) => {
      if (typeof part === "string") return encodeLiteral(part);
      const pattern = Object.hasOwn(parameters, part.name) ? parameters[part.name]?.pattern : undefined;
      return pattern === undefined ? ["zz", "00"][which] : sampleOf(pattern, which);
    });
    return texts.includes(undefined) ? undefined : pathBelowRoot(document, texts.join(""));
  });
  return samples.flatMap((sample) => sample ?? []);
}

/** Returns a sample value of a pattern. Values in a path are never empty, so `.*` becomes a text. */
function sampleOf(pattern: string, which: number): string | undefined {
  const examples = patternExamples(pattern.replaceAll(".*", ".+"));
  return examples[which] ?? examples[0];
}
