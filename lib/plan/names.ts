import { createHash } from "node:crypto";

/** Highest number of characters of a name that every resource kind of the plan accepts (RFC 1035 label, Compute's rule). */
const maxNameLength = 63;
/** 48 bits: among 100,000 names of one kind, the odds of two alike are about 1 in 56,000, and then the plan refuses. */
const digestLength = 12;

/** What a resource is called and why it is called so. */
export interface NameParts {
  /** Stands first, with a hyphen after it. */
  readonly prefix?: string | undefined;
  /** What a person should recognise; whatever a name can't hold is replaced. */
  readonly readable: string;
  /**
   * Everything that makes the resource another one: its identity and, where it is replaced with its predecessor still there, each of
   * its immutable fields. JSON values without `undefined`.
   */
  readonly identity: readonly unknown[];
}

/**
 * Derives a resource name that is valid for every kind in the plan: at most 63 characters of a-z, 0-9 and `-`, a letter first, no
 * hyphen last. Two different identities get different names, whatever their readable parts look like.
 *
 * The result is contract: a change of this function replaces the resources of every user.
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

/** Hexadecimal SHA-256 of a text, for identities that would be too long or too secret to carry. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
