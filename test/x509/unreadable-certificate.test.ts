import { readCertificateChain, unreadableCertificate } from "../../lib/x509";
import { der } from "../support/der";
import { makeOddCertificate } from "../support/odd-certificates";

const invalidUtf8 = makeOddCertificate({
  notBefore: der(0x17, Buffer.from("250101000000Z")),
  notAfter: der(0x17, Buffer.from("350101000000Z")),
  commonName: der(0x0c, Buffer.from([0x41, 0x80])),
});
const pemOf = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;

test("reports a certificate that OpenSSL refuses as malformed, with OpenSSL's reason", () => {
  expect(readCertificateChain(pemOf(invalidUtf8)).problems).toEqual([
    {
      code: "certificate-file-unreadable",
      message: expect.stringMatching(
        // Node 22 and later do not keep the errors that OpenSSL collected, and their last error names another cause.
        /^line 1: this X\.509 certificate is malformed \((?:.*utf8.*|it can't be read)\), though other programs/i,
      ),
    },
  ]);
});

test("reports octets of another form as not an X.509 certificate", () => {
  expect(readCertificateChain(pemOf(Buffer.from("not a certificate"))).problems).toEqual([
    {
      code: "certificate-file-unreadable",
      message: "line 1: this is not an X.509 certificate; fetch the file again",
    },
  ]);
  expect(unreadableCertificate(Buffer.from("x"), "").message).toBe(
    "this is not an X.509 certificate; fetch the file again",
  );
});
