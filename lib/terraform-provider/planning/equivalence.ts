import { isIPv4, isIPv6 } from "node:net";
import { isFields, parseJson } from "../../json/fields";
import { lastPart } from "../../resource-names";
import { isEmpty, isList, isValueObject, sameValue, type Value, type ValueObject } from "../value";
import type { Equivalence } from "./overlay";

/**
 * Returns whether two known values are equivalent for the service. A value that the service omits from its answers is
 * equivalent to an absent one.
 */
export function equivalent(left: Value | undefined, right: Value | undefined, rule: Equivalence | undefined): boolean {
  if (typeof left === "symbol" || typeof right === "symbol") return false;
  if (sameValue(left, right) || (isEmpty(left) && isEmpty(right))) return true;
  if (rule === undefined) return false;
  if (rule === "reducer") return [left, right].every((value) => isEmpty(value) || value === "REDUCE_NONE");
  if (rule === "projectLabel") return isValueObject(left) && isValueObject(right) && sameLabels(left, right);
  if (isList(left) && isList(right)) return sameItems(left, right, rule);
  return typeof left === "string" && typeof right === "string" && sameText(left, right, rule);
}

function sameItems(left: readonly Value[], right: readonly Value[], rule: Equivalence): boolean {
  if (left.length !== right.length) return false;
  if (rule === "link" || rule === "resourceName" || rule === "domainNames")
    return left.every((item, index) => sameItem(item, right[index], rule));
  const rest = [...right];
  return left.every((item) => {
    const index = rest.findIndex((candidate) => sameItem(item, candidate, rule));
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
    case "resourceName":
      return lastPart(left) === lastPart(right);
    case "address":
      return sameAddress(left, right);
    case "portRange":
      return portRange(left) === portRange(right);
    case "caseless":
      return left.toLowerCase() === right.toLowerCase();
    case "domainNames":
      return left.replace(/\.$/, "") === right.replace(/\.$/, "");
    case "jsonMembers":
      return hasSameMembers(left, right);
    case "recordData":
      return recordData(left) === recordData(right);
    default:
      return left === right;
  }
}

function portRange(text: string): string {
  return text.includes("-") ? text : `${text}-${text}`;
}

/**
 * Compares two addresses or links. A link does not contain the address that its reservation holds, so an address is
 * equivalent to any link, as in the provider.
 */
function sameAddress(left: string, right: string): boolean {
  const [leftAddress, rightAddress] = [addressIn(left), addressIn(right)];
  if (leftAddress !== undefined && rightAddress !== undefined) return leftAddress === rightAddress;
  return leftAddress !== rightAddress || sameLink(left, right);
}

/** Returns the shortest spelling of an address, without its prefix length; undefined for anything else. */
function addressIn(text: string): string | undefined {
  const [address = ""] = text.split("/");
  if (isIPv6(address)) return new URL(`http://[${address}]/`).hostname;
  return isIPv4(address) ? address : undefined;
}

/**
 * Normalizes DNS data. The type is another attribute, so it is detected from the data: MX and DS begin with a number,
 * TXT is quoted.
 */
function recordData(text: string): string {
  if (isIPv6(text)) return addressIn(text) ?? text;
  if (/^\d+ /.test(text)) return text.toLowerCase();
  return text.startsWith('"') ? text.replace(/^"|"$/g, "").toLowerCase() : text;
}

/** Returns whether two maps of labels differ at most by the project, which one of them lacks. */
function sameLabels(left: ValueObject, right: ValueObject): boolean {
  const withoutProject = ({ project_id: _, ...rest }: ValueObject) => rest;
  const isMissing = isEmpty(left.project_id) || isEmpty(right.project_id);
  return isMissing && sameValue(withoutProject(left), withoutProject(right));
}

/** Returns whether one of two JSON texts has all members of the other. */
function hasSameMembers(left: string, right: string): boolean {
  const [a, b] = [parseJson(left), parseJson(right)];
  return a !== undefined && b !== undefined && (contains(a, b) || contains(b, a));
}

function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && whole.length === part.length && part.every((item, at) => contains(whole[at], item));
  }
  if (!isFields(part)) return whole === part;
  return isFields(whole) && Object.entries(part).every(([name, value]) => contains(whole[name], value));
}

/** Compares two links. A link may omit its host, its version, its project, and everything but its last part. */
function sameLink(left: string, right: string): boolean {
  const [shorter, longer] = [pathOf(left), pathOf(right)].sort((a, b) => a.length - b.length);
  return shorter === longer || (shorter !== "" && longer?.endsWith(`/${shorter}`) === true);
}

function pathOf(link: string): string {
  return link.replace(/^(?:https?:)?\/\/[^/]+\//, "").replace(/^(?:compute\/)?(?:v1|beta)\//, "");
}
