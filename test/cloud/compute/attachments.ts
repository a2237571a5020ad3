import { makeCertificate } from "../../support/make-certificate";
import { manager } from "./start-compute";

const { certificatePem: certificate, privateKeyPem: privateKey } = makeCertificate(["shop.example.com"]);
/** The link to a certificate map. */
export const map = (id: string) => `${manager}/global/certificateMaps/${id}`;
/** The request body of a Compute Engine certificate. */
export const sslCertificate = (name: string) =>
  ["p1/global/sslCertificates", { name, certificate, privateKey }] as const;
