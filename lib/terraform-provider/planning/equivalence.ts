import { isEmpty, isList, sameValue, type Value } from "../value";
import type { Equivalence } from "./overlay";

/** Whether two known values mean the same to the service. What it leaves out of its answers is the same as absent. */
export function equivalent(left: Value | undefined, right: Value | undefined, rule: Equivalence | undefined): boolean {
  if (typeof left === "symbol" || typeof right === "symbol") return false;
  if (sameValue(left, right) || (isEmpty(left) && isEmpty(right))) return true;
  if (rule === undefined) return false;
  if (isList(left) && isList(right)) return sameItems(left, right, rule);
  return typeof left === "string" && typeof right === "string" && sameText(left, right, rule);
}

function sameItems(left: readonly Value[], right: readonly Value[], rule: Equivalence): boolean {
  if (left.length !== right.length) return false;
  if (rule === "link") return left.every((item, index) => sameItem(item, right[index], rule));
  const rest = [...right];
  return left.every((item) => {
    const index = rest.findIndex((other) => sameItem(item, other, rule));
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
}

function sameItem(left: Value, right: Value | undefined, rule: Equivalence): boolean {
  if (typeof left === "string" && typeof right === "string") return sameText(left, right, rule);
  return sameValue(left, right);
}

function sameText(left: string, right: string, rule: Equivalence): boolean {
  switch (rule) {
    case "link":
      return sameLink(left, right);
    case "address":
      // Which address a reservation holds is not told by its link.
      return sameLink(left, right) || left.includes("/addresses/") !== right.includes("/addresses/");
    case "portRange":
      return portRange(left) === portRange(right);
    case "caseless":
      return left.toLowerCase() === right.toLowerCase();
    case "domainNames":
      return domainName(left) === domainName(right);
    default:
      return left === right;
  }
}

function portRange(text: string): string {
  return text.includes("-") ? text : `${text}-${text}`;
}

function domainName(text: string): string {
  return text.toLowerCase().replace(/\.$/, "");
}

/** A link may leave out its host, its version, its project, and all but its last part. */
function sameLink(left: string, right: string): boolean {
  const [shorter, longer] = [pathOf(left), pathOf(right)].sort((a, b) => a.length - b.length);
  return shorter === longer || (shorter !== "" && longer?.endsWith(`/${shorter}`) === true);
}

function pathOf(link: string): string {
  return link.replace(/^(?:https?:)?\/\/[^/]+\//, "").replace(/^(?:compute\/)?(?:v1|beta)\//, "");
}
