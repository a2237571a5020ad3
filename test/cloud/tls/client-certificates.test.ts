import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { readClientRequirement, validateClient } from "../../../lib/cloud/tls/client-certificates";
import { shakeHands } from "../../../lib/live/verify";
import { asClient, clientUsage, makeClientPki } from "../../support/client-certificates";
import { makeChainCertificate } from "../../support/made-chain";
import { hostname, makeCertificates, startListener, type TestCertificates } from "../../support/tls-front-end";

const { root, intermediate, client } = makeClientPki();
const other = makeClientPki();
const requirement = {
  rejectsInvalid: true,
  trustAnchors: [root.pem],
  intermediates: [intermediate.pem],
};
const now = new Date();
const dayMs = 86_400_000;
const [past, future] = [new Date(now.getTime() - dayMs), new Date(now.getTime() + dayMs)];
const old = new Date(now.getTime() - 2 * dayMs);

const expiredIntermediate = makeChainCertificate({
  commonName: "Clients Expired",
  isAuthority: true,
  issuer: root,
  notBefore: old,
  notAfter: past,
});
const notAnAuthority = client();
test.each([
  ["accepts a chain that the trust config completes", [client()], undefined],
  ["accepts a chain that the client sends itself", [client(), intermediate], undefined],
  ["refuses no certificate", [], "client_cert_not_provided"],
  ["refuses a certificate of another CA", [other.client(), other.intermediate], "client_cert_validation_failed"],
  ["refuses an expired certificate", [client({ notBefore: old, notAfter: past })], "client_cert_validation_failed"],
  ["refuses a certificate that is not valid yet", [client({ notBefore: future })], "client_cert_validation_failed"],
  ["refuses a certificate for servers", [client({ usages: ["1.3.6.1.5.5.7.3.1"] })], "client_cert_chain_invalid_eku"],
  ["refuses a certificate without usages", [client({ usages: [] })], "client_cert_chain_invalid_eku"],
  [
    "refuses a chain with an expired intermediate",
    [client({ issuer: expiredIntermediate }), expiredIntermediate],
    "client_cert_validation_failed",
  ],
  [
    "refuses an issuer that is not a CA",
    [client({ issuer: notAnAuthority }), notAnAuthority],
    "client_cert_validation_failed",
  ],
  ["refuses a CA as the client", [intermediate], "client_cert_chain_invalid_eku"],
])("the validation of a client %s", (_, chain, error) => {
  const presented = chain.map(({ pem }) => new X509Certificate(pem));
  const verdict = validateClient(presented, readClientRequirement(requirement), now);
  expect([verdict.error, verdict.isVerified, verdict.isPresent]).toEqual([
    error,
    error === undefined,
    chain.length > 0,
  ]);
});

test("the validation of a client refuses a forged issuer with the anchor's name", () => {
  const forged = makeChainCertificate({ commonName: "Clients Root", isAuthority: true });
  const verdict = validateClient(
    [new X509Certificate(client({ issuer: forged }).pem)],
    readClientRequirement(requirement),
    now,
  );
  expect(verdict.error).toBe("client_cert_validation_failed");
});

test("the validation of a client accepts an allowlisted certificate without a chain, even if it has expired", () => {
  const listed = makeChainCertificate({ commonName: "old device", notBefore: old, notAfter: past });
  const trust = readClientRequirement({ rejectsInvalid: true, trustAnchors: [], allowlisted: [listed.pem] });
  const judge = (pem: string) => validateClient([new X509Certificate(pem)], trust, now);
  expect(judge(listed.pem)).toMatchObject({ isVerified: true });
  expect(judge(client().pem)).toMatchObject({ isVerified: false });
});

test("the validation of a client is skipped without a trust config", () => {
  const verdict = validateClient([new X509Certificate(client().pem)], { rejectsInvalid: false }, now);
  expect(verdict).toMatchObject({
    isPresent: true,
    isVerified: false,
    error: "client_cert_validation_not_performed",
  });
});

describe.each(["TLSv1.2", "TLSv1.3"] as const)("a listener that requests client certificates, with %s", (version) => {
  let certificates: TestCertificates;
  beforeAll(async () => {
    certificates = await makeCertificates();
  });
  const shake = async (rejectsInvalid: boolean, identity: object) => {
    const clients = readClientRequirement({ ...requirement, rejectsInvalid });
    await using listener = await startListener(certificates, [certificates.rsa], { clients: () => clients });
    const secureContext = createSecureContext({
      ca: certificates.authority.trustBundlePem,
      minVersion: version,
      maxVersion: version,
      ...identity,
    });
    const target = { address: listener.address, port: listener.port, hostname, timeoutMs: 5_000, secureContext };
    const seen = await shakeHands({ ...target, http: true });
    const confirmed = await shakeHands(target);
    const [report] = await listener.reported(1);
    const reported = report?.ok === true ? report.client?.error : report?.error.code;
    return { answered: seen.ok, accepted: confirmed.ok && confirmed.unconfirmed !== true, reported };
  };
  const identities = [
    ["a valid certificate", asClient(client()), undefined, undefined],
    [
      "an untrusted certificate",
      asClient(other.client()),
      "client_cert_validation_failed",
      "client-certificate-invalid",
    ],
    ["no certificate", {}, "client_cert_not_provided", "client-certificate-missing"],
  ] as const;

  test.each(identities)("accepts a client with %s if invalid certificates are allowed", async (_, identity, error) => {
    expect(await shake(false, identity)).toEqual({ answered: true, accepted: true, reported: error });
  });

  test.each(identities)(
    "decides on a client with %s if invalid certificates are rejected",
    async (_, identity, __, code) => {
      const isAccepted = code === undefined;
      expect(await shake(true, identity)).toEqual({ answered: isAccepted, accepted: isAccepted, reported: code });
    },
  );
});

test("uses the key usage for clients in RFC 5280, section 4.2.1.12", () => {
  expect(new X509Certificate(client().pem).keyUsage).toEqual([clientUsage]);
});
