import { createAuthority } from "../../../lib/cloud/authority";
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

describe("the entry", () => {
  const map = new Map(
    ["shop.example.com", "*.example.com", "*.shop.example.com", "example.com"].map((name) => [
      name,
      { certificates: [certificate(name)] },
    ]),
  );
  const primary = { certificates: [certificate("PRIMARY")] };

  test.each([
    ["shop.example.com", "shop.example.com", "an exact name goes before the wildcard over it"],
    ["www.example.com", "*.example.com", "a wildcard is for one label"],
    ["eu.shop.example.com", "*.shop.example.com", "the wildcard over its own parent"],
    ["a.eu.shop.example.com", "PRIMARY", "but not for two"],
    ["example.com", "example.com", "nor for none"],
    ["example.net", "PRIMARY", "a name without entry"],
    [".example.com", "PRIMARY", "a name with an empty label is nobody's"],
    ["com", "PRIMARY", "a single label"],
    [undefined, "PRIMARY", "a client that names no host"],
    ["*.example.com", "*.example.com", "a wildcard that is asked for by its own name"],
  ])("for %s is %s: %s", (serverName, expected, _) => {
    expect(selectCertificate(hello(serverName), { byHostname: map, primary })).toMatchObject({
      certificate: { name: expected },
    });
  });

  test.each([undefined, "example.net"])("there is none for %s without PRIMARY", (serverName) => {
    expect(selectCertificate(hello(serverName), { byHostname: map })).toEqual({ refusal: "no-entry" });
  });

  test("that is found decides, even where it has no certificate", () => {
    const byHostname = new Map([...map, ["shop.example.com", { certificates: [] }] as const]);

    expect(selectCertificate(hello("shop.example.com"), { byHostname, primary })).toEqual({
      refusal: "no-certificate",
    });
  });

  test("that is found decides, even where the client can check none of its certificates", () => {
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
  ])("%s: any client, one for RSA only, one for ECDSA only", (_, certificates, any, rsaOnly, ecdsaOnly) => {
    expect([choose(certificates), choose(certificates, rsaSchemes), choose(certificates, ecdsaSchemes)]).toEqual([
      any,
      rsaOnly,
      ecdsaOnly,
    ]);
  });

  test("the smaller goes before the larger of its kind, and the first before its like", () => {
    const of = (name: string, octets: number) => certificate(name, "ecdsa-p256", octets);

    expect(choose([of("large", 900), of("small", 400), of("alike", 400)])).toBe("small");
  });

  test("a large one for ECDSA still goes before a small one for RSA", () => {
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
  ])("%s gets %s: each is for its own names, the first for everybody else", (serverName, expected) => {
    expect(selectCertificate(hello(serverName), entries)).toMatchObject({ certificate: { name: expected } });
  });

  test("none at all serve nobody", () => {
    expect(selectCertificate(hello("a.example"), directEntries([]))).toEqual({ refusal: "no-entry" });
  });
});

describe("reading a certificate", () => {
  test("tells what selection goes by", async () => {
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

  test("fails where there is none", () => {
    expect(() => readServerCertificate({ name: "mine", chainPem: "x", privateKeyPem: "" })).toThrow(
      "'chainPem' of 'mine' holds no server's certificate in PEM: give the certificate, then its intermediates",
    );
  });
});
