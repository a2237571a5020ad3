import { createHash } from "node:crypto";
import { isCertificateBlock, readCertificate, readPemBlocks } from "../../x509";
import { CloudError } from "../cloud-error";
import { invalidField, isJsonObject, type Json } from "../front";

export interface TrustConfig extends Json {
  readonly name: string;
  readonly etag: string;
}

interface TrustedCertificates {
  readonly trustAnchors: readonly string[];
  readonly intermediates: readonly string[];
  readonly allowlisted: readonly string[];
}

export const trustConfigFields = [
  "description",
  "labels",
  "trustStores",
  "allowlistedCertificates",
  "etag",
] as const satisfies readonly string[];

/** Maximum size of one certificate in PEM, in octets. Source: the reference of the provider. */
const mostOctets = 5_000;

/**
 * Checks the certificates of a trust config and adds its etag. @throws CloudError for a config that the service rejects
 */
export function sealTrustConfig<Given extends Json & { readonly name: string }>(given: Given): Given & TrustConfig {
  if (given.spiffeTrustStores !== undefined)
    throw new CloudError("UNIMPLEMENTED", "the rehearsal cloud does not emulate trust stores for SPIFFE");
  const stores = objectsOf(given.trustStores);
  if (stores.length > 1)
    throw invalidField("trust_config.trust_stores", `has ${stores.length} trust stores; at most 1 is allowed`);
  for (const [index, store] of stores.entries()) {
    const place = `trust_config.trust_stores[${index}]`;
    checkCertificates(store.trustAnchors, `${place}.trust_anchors`);
    checkCertificates(store.intermediateCas, `${place}.intermediate_cas`);
  }
  checkCertificates(given.allowlistedCertificates, "trust_config.allowlisted_certificates");
  const { etag: _, updateTime: __, ...content } = given;
  const etag = createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22);
  return { ...given, etag };
}

export function trustedCertificatesOf({ trustStores, allowlistedCertificates }: TrustConfig): TrustedCertificates {
  const stores = objectsOf(trustStores);
  return {
    trustAnchors: stores.flatMap(({ trustAnchors }) => pemsOf(trustAnchors)),
    intermediates: stores.flatMap(({ intermediateCas }) => pemsOf(intermediateCas)),
    allowlisted: pemsOf(allowlistedCertificates),
  };
}

function checkCertificates(list: unknown, field: string): void {
  for (const [index, { pemCertificate }] of objectsOf(list).entries()) {
    const place = `${field}[${index}].pem_certificate`;
    const pem = typeof pemCertificate === "string" ? pemCertificate : "";
    if (pem === "") throw invalidField(place, "is required");
    if (Buffer.byteLength(pem) > mostOctets)
      throw invalidField(place, `has ${Buffer.byteLength(pem)} octets; at most ${mostOctets} are allowed`);
    const { blocks, problems } = readPemBlocks(pem);
    const [block, ...others] = blocks.filter(isCertificateBlock);
    if (problems.length > 0 || block === undefined || others.length > 0 || readCertificate(block.der) === undefined)
      throw invalidField(place, "is not one X.509 certificate in PEM");
  }
}

function pemsOf(list: unknown): readonly string[] {
  return objectsOf(list).map(({ pemCertificate }) => String(pemCertificate));
}

function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
