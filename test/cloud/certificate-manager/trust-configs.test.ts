import { parent, refusalOf, startCertificateManager } from "../../support/certificate-manager";
import { makeClientPki } from "../../support/client-certificates";

const { root, intermediate, client } = makeClientPki();
const name = `${parent}/trustConfigs/clients`;
const store = {
  trustAnchors: [{ pemCertificate: root.pem }],
  intermediateCas: [{ pemCertificate: intermediate.pem }],
};
const allowlistedCertificates = [{ pemCertificate: client().pem }];

test("a trust config is created, read, listed, changed and deleted, with an etag of its content", async () => {
  await using cloud = await startCertificateManager();
  await cloud.create("trustConfigs", "clients", { trustStores: [store] });
  const made = await cloud.get(name);
  expect(made).toMatchObject({ name, trustStores: [store], etag: expect.stringMatching(/^[\w-]{22}$/) });
  expect(await cloud.get(`${parent}/trustConfigs`)).toEqual({ trustConfigs: [made] });

  // The provider sends no mask.
  const changed = await cloud.call("PATCH", `v1/${name}`, { allowlistedCertificates, description: "devices" });
  expect(changed.status).toBe(200);
  const after = await cloud.get(name);
  expect(after).toMatchObject({ trustStores: [store], allowlistedCertificates, description: "devices" });
  expect(after.etag).not.toBe(made.etag);

  expect(refusalOf(await cloud.call("PATCH", `v1/${name}`, { description: "x", etag: made.etag }))).toMatchObject({
    status: 409,
    word: "ABORTED",
  });
  expect(
    (await cloud.call("PATCH", `v1/${name}?updateMask=description`, { description: "y", etag: after.etag })).status,
  ).toBe(200);
  const latest = await cloud.get(name);
  expect(refusalOf(await cloud.call("DELETE", `v1/${name}?etag=${after.etag}`)).status).toBe(409);
  expect((await cloud.call("DELETE", `v1/${name}?etag=${latest.etag}`)).status).toBe(200);
  expect((await cloud.call("GET", `v1/${name}`)).status).toBe(404);
});

test("a trust config exists in regions as well, and without a trust store", async () => {
  await using cloud = await startCertificateManager();
  const region = "projects/p1/locations/europe-west1";
  await cloud.create("trustConfigs", "devices", { allowlistedCertificates }, region);
  expect(await cloud.get(`${region}/trustConfigs/devices`)).toMatchObject({ allowlistedCertificates });
});

test.each([
  ["two trust stores", { trustStores: [store, store] }, "trust_config.trust_stores"],
  [
    "an anchor that is not a certificate",
    { trustStores: [{ trustAnchors: [{ pemCertificate: "none" }] }] },
    "trust_config.trust_stores[0].trust_anchors[0].pem_certificate",
  ],
  [
    "two certificates in one field",
    { trustStores: [{ intermediateCas: [{ pemCertificate: root.pem + intermediate.pem }] }] },
    "trust_config.trust_stores[0].intermediate_cas[0].pem_certificate",
  ],
  [
    "an allowlisted certificate without content",
    { allowlistedCertificates: [{}] },
    "trust_config.allowlisted_certificates[0].pem_certificate",
  ],
  [
    "a certificate beyond 5,000 octets",
    { allowlistedCertificates: [{ pemCertificate: `${" ".repeat(5_000)}${root.pem}` }] },
    "trust_config.allowlisted_certificates[0].pem_certificate",
  ],
])("a trust config is refused with %s", async (_, body, field) => {
  await using cloud = await startCertificateManager();
  expect(refusalOf(await cloud.create("trustConfigs", "clients", body))).toMatchObject({ status: 400, field });
});

test("a trust config can't be deleted while a server TLS policy uses it", async () => {
  const policy = `${parent}/serverTlsPolicies/strict`;
  await using cloud = await startCertificateManager({ users: { ofTrustConfig: () => [policy] } });
  await cloud.create("trustConfigs", "clients", { trustStores: [store] });
  expect(refusalOf(await cloud.call("DELETE", `v1/${name}`)).message).toContain(policy);
});
