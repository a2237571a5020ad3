import { createAuthority } from "../../../lib/cloud/certificate-authority";
import {
  directEntries,
  readServerCertificate,
  type ServerCertificate,
  selectCertificate,
} from "../../../lib/cloud/tls";
import type { ClientHello } from "../../../lib/cloud/tls/client-hello";

const certificate = (name: string, keyType = "ecdsa-p256", octets = 500): ServerCertificate => ({
  name,
  keyType,
  octets,
  chainPem: "",
  privateKeyPem: "",
  dnsNames: [name],
});

const rsaSchemes = [0x0804, 0x0401];
const ecdsaSchemes = [0x0403];

const hello = (serverName: string | undefined, signatureSchemes = [...ecdsaSchemes, ...rsaSchemes]): ClientHello => ({
  ...(serverName === undefined ? {} : { serverName }),
  alpnProtocols: [],
  versions: [0x0304, 0x0303],
  cipherSuites: [0x1301, 0xc02b, 0xc02f],
  signatureSchemes,
  groups: [23],
});

describe("the map entry", () => {
  const map = new Map(
    ["shop.example.com", "*.example.com", "*.shop.example.com", "example.com"].map((name) => [
      name,
      { certificates: [certificate(name)] },
    ]),
  );
  const primary = { certificates: [certificate("PRIMARY")] };

  test.each([
    ["shop.example.com", "shop.example.com", "an exact name has priority over its wildcard"],
    ["www.example.com", "*.example.com", "a wildcard matches one label"],
    ["eu.shop.example.com", "*.shop.example.com", "the wildcard over its own parent"],
    ["a.eu.shop.example.com", "PRIMARY", "a wildcard does not match two labels"],
    ["example.com", "example.com", "a wildcard does not match its parent"],
    ["example.net", "PRIMARY", "a name without entry"],
    [".example.com", "PRIMARY", "a name with an empty label has no entry"],
    ["com", "PRIMARY", "a single label"],
    [undefined, "PRIMARY", "a client without a server name"],
    ["*.example.com", "*.example.com", "a wildcard by its own name"],
  ])("for %s is %s: %s", (serverName, expected, _) => {
    expect(selectCertificate(hello(serverName), { byHostname: map, primary })).toMatchObject({
      certificate: { name: expected },
    });
  });

  test.each([undefined, "example.net"])("for %s without PRIMARY is undefined", (serverName) => {
    expect(selectCertificate(hello(serverName), { byHostname: map })).toEqual({ refusal: "no-entry" });
  });

  test("is selected by name, even if it has no certificate", () => {
    const byHostname = new Map([...map, ["shop.example.com", { certificates: [] }] as const]);

    expect(selectCertificate(hello("shop.example.com"), { byHostname, primary })).toEqual({
      refusal: "no-certificate",
    });
  });

  test("is selected by name, even if the client can't verify any of its certificates", () => {
    const byHostname = new Map([
      ...map,
      ["shop.example.com", { certificates: [certificate("r", "rsa-2048")] }] as const,
    ]);

    expect(selectCertificate(hello("shop.example.com", ecdsaSchemes), { byHostname, primary })).toEqual({
      refusal: "no-accepted-certificate",
    });
  });
});

describe("among the certificates of an entry", () => {
  const ecdsa = certificate("ecdsa");
  const rsa = certificate("rsa", "rsa-2048");
  const choose = (certificates: readonly ServerCertificate[], schemes?: number[]) => {
    const selection = selectCertificate(hello("a.example", schemes), {
      byHostname: new Map([["a.example", { certificates }]]),
    });
    return "certificate" in selection ? selection.certificate.name : selection.refusal;
  };

  test.each([
    ["RSA only", [rsa], "rsa", "rsa", "no-accepted-certificate"],
    ["ECDSA only", [ecdsa], "ecdsa", "no-accepted-certificate", "ecdsa"],
    ["ECDSA then RSA", [ecdsa, rsa], "ecdsa", "rsa", "ecdsa"],
    ["RSA then ECDSA", [rsa, ecdsa], "ecdsa", "rsa", "ecdsa"],
  ])("for %s: any client, one for RSA only, one for ECDSA only", (_, certificates, any, rsaOnly, ecdsaOnly) => {
    expect([choose(certificates), choose(certificates, rsaSchemes), choose(certificates, ecdsaSchemes)]).toEqual([
      any,
      rsaOnly,
      ecdsaOnly,
    ]);
  });

  test("a smaller key has priority over a larger key of its kind, and the first over an equal one", () => {
    const of = (name: string, octets: number) => certificate(name, "ecdsa-p256", octets);

    expect(choose([of("large", 900), of("small", 400), of("alike", 400)])).toBe("small");
  });

  test("a large ECDSA key has priority over a small RSA key", () => {
    expect(choose([certificate("rsa", "rsa-2048", 1), certificate("ecdsa", "ecdsa-p256", 9_000)])).toBe("ecdsa");
  });
});

describe("certificates without a map", () => {
  const entries = directEntries([
    { ...certificate("old", "rsa-2048"), dnsNames: ["example.com", "*.example.com"] },
    { ...certificate("new"), dnsNames: ["example.com"] },
  ]);

  test.each([
    ["example.com", "new"],
    ["www.example.com", "old"],
    ["example.net", "old"],
    [undefined, "old"],
  ])("%s gets %s: each certificate serves its own names, the first all others", (serverName, expected) => {
    expect(selectCertificate(hello(serverName), entries)).toMatchObject({ certificate: { name: expected } });
  });

  test("serve no client if the list is empty", () => {
    expect(selectCertificate(hello("a.example"), directEntries([]))).toEqual({ refusal: "no-entry" });
  });
});

describe("reading a certificate", () => {
  test("returns its names, key type and size", async () => {
    const { issue } = await createAuthority({ commonName: "Test", now: () => new Date() });
    const { chainPem, privateKeyPem, certificatePem } = await issue({
      names: ["example.com", "*.example.com"],
      publicKeyAlgorithm: "rsa-2048",
      validDays: 1,
    });
    const base64 = certificatePem.split("\n").slice(1, -2).join("");

    expect(readServerCertificate({ name: "mine", chainPem, privateKeyPem })).toEqual({
      name: "mine",
      chainPem,
      privateKeyPem,
      keyType: "rsa-2048",
      octets: Buffer.from(base64, "base64").length,
      dnsNames: ["*.example.com", "example.com"],
    });
  });

  test("fails for malformed PEM data", () => {
    expect(() => readServerCertificate({ name: "mine", chainPem: "x", privateKeyPem: "" })).toThrow(
      "'chainPem' of 'mine' holds no server's certificate in PEM: give the certificate, then its intermediates",
    );
  });
});
