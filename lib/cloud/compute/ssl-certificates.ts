import { keyMatches, readCertificateChain } from "../../x509";
import { CloudError } from "../cloud-error";
import type { Json } from "../front";
import type { Concept } from "./concept";
import { newManaged } from "./managed-ssl-certificates";
import { requiredField } from "./refusals";
import { type Resource, textOf } from "./resources";

/**
 * Certificates that are attached to proxies directly: uploaded ones, which never change, and managed ones. The private
 * key is stored and never returned.
 */
export const sslCertificates: Concept = {
  collection: "sslCertificates",
  schema: "SslCertificate",
  noun: "ssl_certificate",
  global: "sslCertificates",
  regional: "regionSslCertificates",
  complete(body) {
    if (body.type === "MANAGED" || body.managed !== undefined) return newManaged(body);
    const { certificate, privateKey } = materialOf(body);
    const { leaf } = readCertificateChain(certificate);
    if (leaf === undefined)
      throw refusal("sslCertificateCouldNotParseCert", "The SSL certificate could not be parsed.");
    const match = keyMatches(leaf.pem, privateKey);
    if (match === "unreadable" || match === "encrypted")
      throw refusal("sslCertificateCouldNotParseKey", "The SSL private key could not be parsed.");
    if (match === "differs")
      throw refusal("sslCertificateKeyMismatch", "The SSL certificate and the private key do not match.");
    return {
      description: body.description,
      type: "SELF_MANAGED",
      certificate,
      privateKey,
      selfManaged: { certificate },
      subjectAlternativeNames: leaf.dnsNames,
      expireTime: leaf.notAfter.toISOString(),
    };
  },
  present({ privateKey: _, ...rest }) {
    return rest;
  },
};

/** Reads a certificate and its key from the top level or from `selfManaged`. */
function materialOf(body: Json): { readonly certificate: string; readonly privateKey: string } {
  const selfManaged = (body.selfManaged ?? {}) as Json;
  const certificate = textOf(body, "certificate") || textOf(selfManaged, "certificate");
  const privateKey = textOf(body, "privateKey") || textOf(selfManaged, "privateKey");
  if (certificate === "") throw requiredField("certificate");
  if (privateKey === "") throw requiredField("privateKey");
  return { certificate, privateKey };
}

function refusal(reason: string, message: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", message, { reason });
}

/** Returns the chain and key that a server needs to present the certificate. */
export function keyMaterialOf(resource: Resource): { readonly pem: string; readonly key: string } {
  return { pem: textOf(resource, "certificate"), key: textOf(resource, "privateKey") };
}
