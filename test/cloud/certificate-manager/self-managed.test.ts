import { X509Certificate } from "node:crypto";
import { createAuthority } from "../../../lib/cloud/certificate-authority";
import {
  minuteMs,
  parent,
  refusalOf,
  type StartedManager,
  startCertificateManager,
} from "../../support/certificate-manager";
import { encryptKey, makeCertificate } from "../../support/make-certificate";

const first = makeCertificate(["example.com", "*.example.com"], { notAfter: new Date("2030-01-02T03:04:05Z") });
const second = makeCertificate(["example.net"], { key: 1 });
const name = `${parent}/certificates/c1`;

function upload(pemCertificate: string, pemPrivateKey: string) {
  return { selfManaged: { pemCertificate, pemPrivateKey } };
}

function create(cloud: StartedManager) {
  return cloud.create("certificates", "c1", upload(first.certificatePem, first.privateKeyPem));
}

test("a self-managed certificate has the values of the uploaded certificate, and never returns its key", async () => {
  await using cloud = await startCertificateManager();
  const answer = await create(cloud);
  expect(await cloud.get(name)).toMatchObject({
    selfManaged: {},
    pemCertificate: first.certificatePem,
    sanDnsnames: ["example.com", "*.example.com"],
    expireTime: "2030-01-02T03:04:05.000Z",
  });
  await cloud.clock.advance(1_000);
  const everything = JSON.stringify([
    answer.body,
    await cloud.get(name),
    await cloud.get(String((answer.body as { name?: string }).name)),
    await cloud.get(`${parent}/certificates`),
  ]);
  expect(everything).not.toContain("PRIVATE KEY");
  expect(cloud.manager.keyMaterial(name)?.privateKeyPem).toBe(first.privateKeyPem);
});

const certificateField = "certificate.self_managed.pem_certificate";
const keyField = "certificate.self_managed.pem_private_key";
test.each<[string, object, string]>([
  ["no certificate", { selfManaged: { pemPrivateKey: first.privateKeyPem } }, certificateField],
  ["no key", { selfManaged: { pemCertificate: first.certificatePem } }, keyField],
  ["an empty certificate", upload("", first.privateKeyPem), certificateField],
  ["a malformed certificate", upload("garbage", first.privateKeyPem), certificateField],
  ["a certificate cut off", upload(first.certificatePem.slice(0, 300), first.privateKeyPem), certificateField],
  ["a key instead of a certificate", upload(first.privateKeyPem, first.privateKeyPem), certificateField],
  [
    "a certificate whose octets are damaged",
    upload(first.certificatePem.replace(/\n[^\n]{64}/, `\n${"A".repeat(64)}`), first.privateKeyPem),
    certificateField,
  ],
  ["the key of another certificate", upload(first.certificatePem, second.privateKeyPem), keyField],
  ["a malformed key", upload(first.certificatePem, "garbage"), keyField],
  ["an encrypted key", upload(first.certificatePem, encryptKey(first.privateKeyPem, "secret")), keyField],
])("a self-managed certificate is refused with %s", async (_, body, field) => {
  await using cloud = await startCertificateManager();
  const refusal = refusalOf(await cloud.create("certificates", "c1", body));
  expect(refusal).toMatchObject({ status: 400, word: "INVALID_ARGUMENT", field });
  expect(refusal.message).not.toContain("PRIVATE KEY");
  expect(cloud.manager.keyMaterial(name)).toBeUndefined();
});

test("a self-managed certificate is accepted under OpenSSL's earlier PEM label", async () => {
  await using cloud = await startCertificateManager();
  const pem = first.certificatePem.replaceAll(" CERTIFICATE-", " X509 CERTIFICATE-");
  expect(await cloud.create("certificates", "c1", upload(pem, first.privateKeyPem))).toMatchObject({ status: 200 });
  expect(await cloud.get(name)).toMatchObject({ sanDnsnames: ["example.com", "*.example.com"] });
  expect(new X509Certificate(cloud.manager.keyMaterial(name)?.chainPem ?? "").subjectAltName).toContain("example.com");
});

describe("a self-managed certificate of a CA, with its chain", () => {
  const orders = [
    ["leaf first", [0, 1, 2]],
    ["leaf last", [2, 1, 0]],
    ["leaf in the middle", [1, 0, 2]],
    ["root before intermediate", [0, 2, 1]],
  ] as const;

  test("is presented leaf first and each issuer after it, whatever the order of the upload", async () => {
    await using cloud = await startCertificateManager();
    const authority = await createAuthority({ commonName: "Previous Provider", now: () => new Date() });
    const { chainPem, privateKeyPem } = await authority.issue({
      names: ["shop.example.com"],
      publicKeyAlgorithm: "ecdsa-p256",
      validDays: 90,
    });
    const blocks = [...chainPem.matchAll(/-----BEGIN[\s\S]*?END CERTIFICATE-----\n?/g)].map(
      ([block]) => `${block.trim()}\n`,
    );
    const root = /-----BEGIN[\s\S]*?END CERTIFICATE-----\n/.exec(authority.trustBundlePem)?.[0] ?? "";
    const chain = [...blocks.slice(0, 2), root];
    for (const [what, order] of orders) {
      const id = what.replaceAll(" ", "-");
      const pem = order.map((index) => chain[index]).join("");
      expect((await cloud.create("certificates", id, upload(pem, privateKeyPem))).status).toBe(200);
      const served = await cloud.get(`${parent}/certificates/${id}`);
      expect(served).toMatchObject({ pemCertificate: pem, sanDnsnames: ["shop.example.com"] });
      const presented = cloud.manager.keyMaterial(`${parent}/certificates/${id}`)?.chainPem ?? "";
      const subjects = (text: string) =>
        [...text.matchAll(/-----BEGIN[\s\S]*?END CERTIFICATE-----/g)].map(
          ([block]) => new X509Certificate(block).subject,
        );
      expect([what, subjects(presented)]).toEqual([what, subjects(chain.join(""))]);
    }
  });
});

test("a self-managed certificate can be patched in place with another certificate and its key", async () => {
  await using cloud = await startCertificateManager();
  await create(cloud);
  await cloud.clock.advance(minuteMs);
  const body = upload(second.certificatePem, second.privateKeyPem);
  expect((await cloud.call("PATCH", `v1/${name}?updateMask=self_managed`, body)).status).toBe(200);
  expect(await cloud.get(name)).toMatchObject({
    selfManaged: {},
    pemCertificate: second.certificatePem,
    sanDnsnames: ["example.net"],
    updateTime: "2026-11-21T00:01:00.000Z",
  });
  expect(cloud.manager.keyMaterial(name)?.privateKeyPem).toBe(second.privateKeyPem);
});

test.each<[string, string, object]>([
  ["a wrong key", "selfManaged", upload(second.certificatePem, first.privateKeyPem)],
  ["a certificate without its key", "selfManaged", { selfManaged: { pemCertificate: second.certificatePem } }],
  ["nothing", "selfManaged", {}],
  ["nothing for all fields", "*", {}],
  ["the certificate alone", "selfManaged.pemCertificate", upload(second.certificatePem, second.privateKeyPem)],
])("a self-managed certificate can't be patched with %s, and stays unchanged", async (_, mask, body) => {
  await using cloud = await startCertificateManager();
  await create(cloud);
  const before = await cloud.get(name);
  const refusal = refusalOf(await cloud.call("PATCH", `v1/${name}?updateMask=${mask}`, body));
  expect(refusal).toMatchObject({ status: 400, word: "INVALID_ARGUMENT" });
  expect(await cloud.get(name)).toEqual(before);
  expect(cloud.manager.keyMaterial(name)?.privateKeyPem).toBe(first.privateKeyPem);
});

test("a self-managed certificate keeps its key if the mask omits the upload in the body", async () => {
  await using cloud = await startCertificateManager();
  await create(cloud);
  const body = { description: "d", ...upload(second.certificatePem, second.privateKeyPem) };
  await cloud.call("PATCH", `v1/${name}?updateMask=description`, body);
  expect(await cloud.get(name)).toMatchObject({ description: "d", pemCertificate: first.certificatePem });
  expect(cloud.manager.keyMaterial(name)?.privateKeyPem).toBe(first.privateKeyPem);
});

test("a self-managed certificate deletes its key when it is deleted", async () => {
  await using cloud = await startCertificateManager();
  await create(cloud);
  await cloud.call("DELETE", `v1/${name}`);
  expect(cloud.manager.keyMaterial(name)).toBeUndefined();
});
