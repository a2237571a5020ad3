import { createHash } from "node:crypto";

/** The longest name, in characters, that every resource kind of the plan accepts (RFC 1035 label, Compute's rule). */
const maxNameLength = 63;
/**
 * 12 hexadecimal digits are 48 bits. Among 100,000 names of one kind, the probability of a collision is about 1 in
 * 56,000; the plan then refuses.
 */
const digestLength = 12;

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
export function resourceName({ prefix, readable, identity }: NameParts): string {
  const digest = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, digestLength);
  const readableSlug = slugOf(readable);
  const start = prefix !== undefined ? `${prefix}-` : /^[a-z]/.test(readableSlug) ? "" : "n-";
  const room = maxNameLength - start.length - digestLength - 1;
  const slug = readableSlug.slice(0, room).replace(/-+$/, "");
  return slug === "" ? `${start}${digest}` : `${start}${slug}-${digest}`;
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
