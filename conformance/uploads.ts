import { makeThirdPartyCertificates } from "../lib/cloud";
import type { Side } from "./side";

/** A certificate with its key, for self-managed certificates. Never written to a file. */
export interface Upload {
  readonly pemCertificate: string;
  readonly pemPrivateKey: string;
}

/** Issues a certificate from a CA that exists only for the run. */
export async function makeUpload(
  side: Side,
  names: readonly string[],
  publicKeyAlgorithm: "ecdsa-p256" | "rsa-2048" = "ecdsa-p256",
  validDays = 30,
): Promise<Upload> {
  const notBefore = new Date(side.now().getTime() - 3_600_000);
  const requests = [{ names, publicKeyAlgorithm, notBefore, validDays }];
  const { certificates } = await makeThirdPartyCertificates(requests, { now: side.now });
  const [made] = certificates;
  if (made === undefined) throw new Error("no certificate was issued");
  return { pemCertificate: made.chainPem, pemPrivateKey: made.privateKeyPem };
}
