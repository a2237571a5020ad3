import { X509Certificate } from "node:crypto";
import type { LiveCertificate } from "../../../lib/google";
import { keepLittle } from "../../../lib/live/monitor";
import { leafOf } from "../../../lib/live/renewal";
import { makeCertificate } from "../../support/make-certificate";

const { certificatePem } = makeCertificate(["shop.example.com"]);
const listed: LiveCertificate = {
  name: "projects/p/locations/global/certificates/shop",
  kind: "managed",
  state: "ACTIVE",
  domains: ["shop.example.com"],
  attempts: [{ domain: "shop.example.com", state: "AUTHORIZED" }],
  certificatePem: `${certificatePem}${makeCertificate(["issuer.example.com"]).certificatePem}`,
};

test("keeps the leaf of a chain in place of its text, and no authorized attempt", () => {
  const { certificatePem: _, ...rest } = listed;
  const leaf = leafOf(listed);
  const { validTo, fingerprint256 } = new X509Certificate(certificatePem);
  expect(leaf).toMatchObject({
    notAfter: new Date(validTo),
    fingerprintSha256: fingerprint256.replaceAll(":", "").toLowerCase(),
  });
  expect(keepLittle().certificate(listed)).toEqual({ ...rest, attempts: [], leaf });
});

test("keeps attempts that failed or are in progress, and a certificate that is not issued as it is", () => {
  const attempts = [
    { domain: "shop.example.com", state: "AUTHORIZING" },
    { domain: "shop.example.com", state: "FAILED", failureReason: "CAA" },
  ];
  const { certificatePem: _, ...unissued } = listed;
  expect(keepLittle().certificate({ ...unissued, attempts })).toEqual({ ...unissued, attempts });
});

test("keeps of an entry what does not depend on the time of its change", () => {
  const entry = { name: "e", hostname: "shop.example.com", state: "ACTIVE", certificates: [listed.name] };
  expect(keepLittle().entry({ ...entry, updateTime: "2026-01-01T00:00:00Z" })).toEqual(entry);
});
