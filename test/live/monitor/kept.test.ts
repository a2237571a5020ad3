import type { LiveCertificate } from "../../../lib/google";
import { keptOf } from "../../../lib/live/monitor";
import { validityOf } from "../../../lib/live/renewal";
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

test("keeps only the leaf of a chain, with the validity of the whole chain", () => {
  const kept = keptOf([]).certificate(listed);
  expect(kept).toEqual({ ...listed, certificatePem: certificatePem.trimEnd() });
  expect(validityOf(kept)).toEqual(validityOf(listed));
});

test("keeps a certificate that is not issued, and an entry, as they are", () => {
  const { certificatePem: _, ...unissued } = listed;
  const entry = {
    name: "e",
    hostname: "shop.example.com",
    state: "ACTIVE",
    certificates: [listed.name],
    updateTime: "t",
  };
  const { certificate, entry: kept } = keptOf([]);
  expect([certificate(unissued), kept(entry)]).toEqual([unissued, entry]);
});
