import type { X509Certificate } from "node:crypto";
import { latin1 } from "./der";
import { structureOf } from "./structure";

const nameConstraintsOid = "2.5.29.30";
const dnsNameTag = 0x82;
const permittedTag = 0xa0;
const excludedTag = 0xa1;

/**
 * Returns the names that the name constraints of a CA certificate do not allow (RFC 5280, 4.2.1.10). A wildcard is
 * allowed if names below its parent domain are.
 *
 * @param names DNS names in lower case
 */
export function excludedByConstraints(authority: X509Certificate, names: readonly string[]): readonly string[] {
  const structure = structureOf(authority);
  const parts = structure?.extensions.get(nameConstraintsOid)?.[0]?.children ?? [];
  const basesOf = (tag: number) =>
    parts
      .filter((part) => part.tag === tag)
      .flatMap(({ children }) => children.flatMap(({ children: [base] }) => (base === undefined ? [] : [base])))
      .filter((base) => base.tag === dnsNameTag)
      .map((base) => (structure === undefined ? "" : latin1(structure.raw, base).toLowerCase()));
  const permitted = basesOf(permittedTag);
  const excluded = basesOf(excludedTag);
  return names.filter((name) => {
    const isIn = (base: string) => isBelow(name, base);
    return excluded.some(isIn) || (permitted.length > 0 && !permitted.some(isIn));
  });
}

function isBelow(name: string, base: string): boolean {
  if (base === "") return true;
  return base.startsWith(".") ? name.endsWith(base) : name === base || name.endsWith(`.${base}`);
}
