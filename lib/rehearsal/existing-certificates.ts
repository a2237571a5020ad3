/** Certificates of Certificate Manager that migrations refer to by id. They exist before a migration. */
import { makeThirdPartyCertificates } from "../cloud";
import { parseLocatedName, writeLocation } from "../resource-names";
import { createPost, type RequestPlace } from "./post-resource";
import { type Block, isLiteral, migrationBlocks, type StackJson } from "./stack";

interface ExistingCertificate {
  readonly id: string;
  readonly domains: readonly string[];
}

/** Returns the existing certificates with a known id, as the output `cert_migration` of a stack describes them. */
export function existingCertificatesOf(stack: StackJson): readonly ExistingCertificate[] {
  const listed = Object.values(migrationBlocks(stack)).flatMap(
    ({ certificates = [] }) => certificates as readonly Block[],
  );
  return listed.flatMap(({ kind, id, domains = [] }) =>
    kind === "existing" && isLiteral(id) ? [{ id, domains: domains as readonly string[] }] : [],
  );
}

/**
 * Creates the certificates, uploaded and issued by a CA of their own. An existing certificate stays unchanged.
 *
 * @returns the root of the CA in PEM; an empty list if there are no certificates
 */
export async function makeExistingCertificates(
  stack: StackJson,
  { cloudUrl, http }: RequestPlace,
): Promise<readonly string[]> {
  const found = existingCertificatesOf(stack).filter(({ domains }) => domains.length > 0);
  if (found.length === 0) return [];
  const { authority } = await makeThirdPartyCertificates([], { now: () => new Date() });
  const post = createPost({ cloudUrl, http }, "preparing existing certificates", [409]);
  for (const { id, domains } of found) {
    const name = parseLocatedName(id);
    if (name === undefined) continue;
    const issued = await authority.issue({ names: domains, publicKeyAlgorithm: "ecdsa-p256", validDays: 397 });
    const path = `v1/${writeLocation(name)}/certificates`;
    await post(`${path}?certificateId=${encodeURIComponent(name.name)}`, {
      selfManaged: { pemCertificate: issued.chainPem, pemPrivateKey: issued.privateKeyPem },
    });
  }
  return [authority.trustBundlePem];
}
