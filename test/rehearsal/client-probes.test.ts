import { createClientCounts, judgeClientProbe } from "../../lib/rehearsal/probe";

const required = { refusesOthers: true, validates: true };
const optional = { refusesOthers: false, validates: true };
const added = { refusesOthers: false, validates: false };
const refused = { error: "ECONNRESET", isRefusal: true } as const;
const broken = { error: "ECONNREFUSED" };
const accepted = { isValidated: false };
const validated = { isValidated: true };
const notRefused = "the server accepted a client without a certificate, which it has to refuse";
const notValidated = "the server did not validate the certificate of the client";

test.each([
  ["a required certificate that is validated", required, true, validated, {}],
  ["a required certificate that is refused", required, true, refused, { error: "ECONNRESET" }],
  ["a required certificate that is not validated", required, true, accepted, { error: notValidated }],
  ["no certificate, refused where one is required", required, false, refused, { refused: true }],
  ["no certificate, accepted where one is required", required, false, accepted, { error: notRefused }],
  ["no certificate, and a server that does not answer", required, false, broken, { error: "ECONNREFUSED" }],
  ["an optional certificate that is validated", optional, true, validated, {}],
  ["an optional certificate that is not validated", optional, true, accepted, { error: notValidated }],
  ["no certificate where it is optional", optional, false, accepted, {}],
  ["no certificate, refused where it is optional", optional, false, refused, { error: "ECONNRESET" }],
  ["a certificate that the previous proxy does not validate", added, true, accepted, {}],
])("judges %s", (_, rule, clientCertificate, shaken, expected) => {
  expect(judgeClientProbe(shaken, { ...rule, hasCertificate: clientCertificate })).toEqual({
    clientCertificate,
    ...expected,
  });
});

test("counts the probes of both kinds of clients", () => {
  const { add, counts } = createClientCounts({ refusesOthers: true });
  add({ ok: true, clientCertificate: true });
  add({ ok: false, clientCertificate: true });
  add({ ok: true, clientCertificate: false, refused: true });
  add({ ok: true, clientCertificate: false, refused: true });
  add({ ok: false, clientCertificate: false });
  expect(counts()).toEqual({
    refusesOthers: true,
    withCertificate: { probes: 2, failed: 1 },
    withoutCertificate: { probes: 3, failed: 1, refused: 2 },
  });
});
