import { encryptKey, makeCertificate } from "../../support/make-certificate";
import { base, refusal, startCompute } from "./start-compute";

const collection = "p1/global/sslCertificates";
const notAfter = new Date("2027-02-03T04:05:06Z");
const { certificatePem: certificate, privateKeyPem: privateKey } = makeCertificate(
  ["shop.example.com", "example.com"],
  { notAfter },
);
const { privateKeyPem: otherKey } = makeCertificate(["shop.example.com"], { key: 1 });

it.each([
  ["at the top", { certificate, privateKey }],
  ["as self-managed", { type: "SELF_MANAGED", selfManaged: { certificate, privateKey } }],
])("an SSL certificate is read from PEM data %s, and never returns its key", async (_, body) => {
  await using cloud = await startCompute();
  await cloud.make([collection, { name: "s1", description: "previous provider", ...body }]);
  const expected = {
    kind: "compute#sslCertificate",
    id: expect.any(String),
    creationTimestamp: "2026-11-21T00:00:00.000Z",
    name: "s1",
    description: "previous provider",
    selfLink: `${base}/global/sslCertificates/s1`,
    type: "SELF_MANAGED",
    certificate,
    selfManaged: { certificate },
    subjectAlternativeNames: ["example.com", "shop.example.com"],
    expireTime: "2027-02-03T04:05:06.000Z",
  };
  expect(await cloud.get(`${collection}/s1`)).toEqual(expected);
  expect((await cloud.get(collection)).items).toEqual([expected]);
  expect((await cloud.get("p1/aggregated/sslCertificates")).items).toEqual({
    global: { sslCertificates: [expected] },
  });
});

it("an SSL certificate does not reveal its key through a filter", async () => {
  await using cloud = await startCompute();
  await cloud.make([collection, { name: "s1", certificate, privateKey }]);
  expect(await cloud.get(`${collection}?filter=${encodeURIComponent("privateKey:*")}`)).not.toHaveProperty("items");
});

it.each([
  ["no certificate", { privateKey }, "400 required: Required field 'resource.certificate' not specified"],
  ["no key", { certificate }, "400 required: Required field 'resource.privateKey' not specified"],
  [
    "a malformed certificate",
    { certificate: "certificate", privateKey },
    "400 sslCertificateCouldNotParseCert: The SSL certificate could not be parsed.",
  ],
  [
    "a malformed key",
    { certificate, privateKey: "key" },
    "400 sslCertificateCouldNotParseKey: The SSL private key could not be parsed.",
  ],
  [
    "an encrypted key",
    { certificate, privateKey: encryptKey(privateKey, "secret") },
    "400 sslCertificateCouldNotParseKey: The SSL private key could not be parsed.",
  ],
  [
    "the key of another certificate",
    { certificate, privateKey: otherKey },
    "400 sslCertificateKeyMismatch: The SSL certificate and the private key do not match.",
  ],
  [
    "a managed certificate for a wildcard",
    { type: "MANAGED", managed: { domains: ["*.example.com"] } },
    "400 invalid: Invalid value for field 'resource.managed.domains': '*.example.com'. A certificate of this type takes no wildcard.",
  ],
  [
    "a managed certificate without a domain",
    { type: "MANAGED", managed: { domains: [] } },
    "400 invalid: Invalid value for field 'resource.managed.domains': ''. At least one domain is needed.",
  ],
])("an SSL certificate fails with %s", async (_, body, expected) => {
  await using cloud = await startCompute();
  expect(refusal(await cloud.call("POST", collection, { name: "s1", ...body }))).toBe(expected);
});
