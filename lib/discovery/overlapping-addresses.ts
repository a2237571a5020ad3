import { quote } from "../text/quote";
import type { DescriptionDocument } from "./document";
import type { Method } from "./method";
import { addressesOf, type Oddity } from "./oddities";
import { encodeLiteral, isBindable, parsePathTemplate, pathBelowRoot, type Router } from "./paths";
import { patternSamples } from "./patterns";

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
 * Returns sample paths of the method's requests, of different forms: a fixed text or a narrower pattern in another path
 * matches some of them at most.
 */
function sampleAddresses(document: DescriptionDocument, { path, parameters }: Method): readonly string[] {
  const template = parsePathTemplate(path);
  if (template === undefined || !isBindable(template.segments)) return [];
  const parts = template.parts.map((part): readonly string[] => {
    if (typeof part === "string") return [encodeLiteral(part)];
    const pattern = Object.hasOwn(parameters, part.name) ? parameters[part.name]?.pattern : undefined;
    if (pattern !== undefined) return patternSamples(pattern).filter((text) => text !== "");
    return part.multiSegment ? [...anySegment, "zz/zz", "00/00/00", "zz/00/zz/00"] : anySegment;
  });
  if (parts.some((texts) => texts.length === 0)) return [];
  const count = Math.max(1, ...parts.map((texts) => texts.length));
  const paths = Array.from({ length: count }, (_, at) => parts.map((texts) => texts[at % texts.length]).join(""));
  return [...new Set(paths)].map((text) => pathBelowRoot(document, text));
}

/** Values of a variable without a pattern. */
const anySegment = ["zz", "00"] as const;
