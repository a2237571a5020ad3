import { createHash } from "node:crypto";
import { isReference } from "./shape/reference";

/** The longest name, in characters, that every resource kind of the plan accepts (RFC 1035 label, Compute's rule). */
const maxNameLength = 63;
/**
 * 12 hexadecimal digits are 48 bits. Among 100,000 names of one kind, the probability of a collision is about 1 in
 * 56,000; the plan then refuses.
 */
const digestLength = 12;

/** The longest prefix, in characters. The value of a variable in a prefix is known only to Terraform. */
const maxPrefixLength = 20;

/** The parts from which the name of a resource is derived. */
export interface NameParts {
  /** Comes first, followed by a hyphen. */
  readonly prefix?: string | undefined;
  /** The readable part; characters that a name cannot contain are replaced. */
  readonly readable: string;
  /**
   * Everything that makes a resource a different one: its identity. If it is replaced while its predecessor still
   * exists, also each of its immutable fields. JSON values without `undefined`.
   */
  readonly identity: readonly unknown[];
}

/**
 * Derives a resource name that is valid for every kind in the plan: at most 63 characters of a-z, 0-9 and `-`,
 * beginning with a letter and not ending with a hyphen. Different identities get different names, whatever their
 * readable parts are.
 *
 * The result is part of the public API: a change of this function replaces the resources of every user.
 */
export function deriveResourceName({ prefix, readable, identity }: NameParts): string {
  const digest = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, digestLength);
  const readableSlug = slugOf(readable);
  const start = prefix !== undefined ? `${prefix}-` : /^[a-z]/.test(readableSlug) ? "" : "n-";
  const startLength = prefix !== undefined && isReference(prefix) ? maxPrefixLength + 1 : start.length;
  const room = maxNameLength - startLength - digestLength - 1;
  const slug = readableSlug.slice(0, room).replace(/-+$/, "");
  return slug === "" ? `${start}${digest}` : `${start}${slug}-${digest}`;
}

/**
 * Returns whether a text is a name that every resource kind of the plan accepts. The value of a reference is known only
 * to Terraform and counts as one letter.
 */
export function isResourceName(text: string): boolean {
  return /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text.replace(/\$\{[^}]*\}/g, "a"));
}

/** Returns the digest at the end of a derived name. */
export function nameEnding(derived: string): string {
  return derived.slice(-digestLength);
}

function slugOf(readable: string): string {
  return readable
    .toLowerCase()
    .replace(/^\*\./, "wildcard-")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "");
}

/** Returns the hexadecimal SHA-256 of a text, for identities that are too long or too secret to store. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
