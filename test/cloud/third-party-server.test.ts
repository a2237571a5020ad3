import { createServer } from "node:net";
import {
  makeThirdPartyCertificates,
  startThirdPartyServer,
  type ThirdPartyServer,
  type ThirdPartyServerOptions,
} from "../../lib/cloud/third-party-server";
import { readCertificateChain } from "../../lib/x509";
import { makeCertificate } from "../support/make-certificate";
import { openssl } from "../support/openssl";
import { seenBy } from "../support/tls-client";

const made = makeThirdPartyCertificates(
  [
    { names: ["example.com", "*.example.com"] },
    { names: ["pay.example.net"] },
    { names: ["pay.example.net", "shop.example.net"], publicKeyAlgorithm: "ecdsa-p256" },
  ],
  { now: () => new Date() },
);

/** Starts a provider, and stops it after the test. */
async function start(options: Partial<ThirdPartyServerOptions> = {}): Promise<ThirdPartyServer & AsyncDisposable> {
  const provider = await startThirdPartyServer({ certificates: (await made).certificates, ...options });
  return { ...provider, [Symbol.asyncDispose]: provider.close };
}

async function handshake({ endpoints }: ThirdPartyServer, servername: string, endpoint = 0) {
  const { address: host, port } = endpoints[endpoint]!;
  return seenBy({ host, port, servername, ca: (await made).authority.trustBundlePem });
}

describe("the certificate for", () => {
  test.each([
    ["example.com", "example.com"],
    ["www.example.com", "example.com"],
    ["pay.example.net", "pay.example.net"],
    ["shop.example.net", "pay.example.net"],
  ])("%s has the common name %s", async (servername, commonName) => {
    await using provider = await start();

    expect(await handshake(provider, servername)).toEqual({ commonName, protocol: "TLSv1.3" });
  });

  test("a hostname without a match is the first", async () => {
    await using provider = await start();
    const { port } = provider.endpoints[0]!;

    const { stdout } = await openssl(["s_client", "-connect", `127.0.0.1:${port}`, "-servername", "other.example"]);

    expect(stdout).toMatch(/^subject=CN = example\.com$/m);
    expect(stdout).toMatch(/^issuer=CN = Previous Provider RSA$/m);
  });
});

test("serves the user's own certificates, whichever CA signed them", async () => {
  const own = makeCertificate(["own.example.com"]);
  await using provider = await start({
    certificates: [{ name: "own", chainPem: own.certificatePem, privateKeyPem: own.privateKeyPem }],
  });
  const { address: host, port } = provider.endpoints[0]!;

  expect(await seenBy({ host, port, servername: "own.example.com", ca: own.certificatePem })).toMatchObject({
    commonName: "own.example.com",
  });
});

test("counts handshakes over all addresses and reports each of them", async () => {
  const reports: string[] = [];
  let allReported = () => {};
  const all = new Promise<void>((resolve) => {
    allReported = resolve;
  });
  await using provider = await start({
    addresses: ["127.0.0.1", "127.0.0.3"],
    onHandshake: ({ serverName = "", ok }) => {
      if (reports.push(`${serverName} ${ok}`) === 3) allReported();
    },
  });

  await handshake(provider, "www.example.com", 0);
  await handshake(provider, "www.example.com", 1);
  await handshake(provider, "shop.example.net", 1);
  await all;

  expect(provider.handshakes()).toEqual({
    answered: [
      { serverName: "www.example.com", certificateName: "example.com", count: 2 },
      { serverName: "shop.example.net", certificateName: "pay.example.net", count: 1 },
    ],
    failed: [],
  });
  expect(reports.sort()).toEqual(["shop.example.net true", "www.example.com true", "www.example.com true"]);
});

describe("addresses", () => {
  test("of both IP versions share one port", async () => {
    await using provider = await start({ addresses: ["127.0.0.1", "127.0.0.4", "::1"] });
    const port = provider.endpoints[0]!.port;

    expect(provider.endpoints).toEqual([
      { address: "127.0.0.1", port },
      { address: "127.0.0.4", port },
      { address: "::1", port },
    ]);
    expect(await handshake(provider, "example.com", 2)).toMatchObject({ commonName: "example.com" });
  });

  test("whose port is in use are refused, and the listeners on the others are closed", async () => {
    const occupier = createServer();
    await new Promise<void>((resolve) => occupier.listen(0, "127.0.0.5", resolve));
    const { port } = occupier.address() as { readonly port: number };

    await expect(start({ addresses: ["127.0.0.1", "127.0.0.5"], port })).rejects.toMatchObject({
      code: "listener-address-in-use",
    });
    await new Promise((resolve) => occupier.close(resolve));

    await using provider = await start({ addresses: ["127.0.0.1", "127.0.0.5"], port });
    expect(provider.endpoints).toHaveLength(2);
  });
});

describe("refuses to start", () => {
  test("without an address", async () => {
    await expect(start({ addresses: [] })).rejects.toMatchObject({ code: "previous-provider-no-address" });
  });

  test("on an address that others could reach", async () => {
    await expect(start({ addresses: ["127.0.0.1", "0.0.0.0"] })).rejects.toMatchObject({
      code: "listener-address-not-loopback",
    });
  });

  test("without a certificate", async () => {
    await expect(start({ certificates: [] })).rejects.toMatchObject({ code: "previous-provider-no-certificate" });
  });

  test("and lists every malformed certificate", async () => {
    const unreadable = { chainPem: "x", privateKeyPem: "x" };

    await expect(
      start({
        certificates: [{ name: "one", ...unreadable }, ...(await made).certificates, { name: "two", ...unreadable }],
      }),
    ).rejects.toThrow(
      "'chainPem' of 'one' holds no server's certificate in PEM: give the certificate, then its intermediates\n'chainPem' of 'two'",
    );
  });
});

test("closes all connections and listeners", async () => {
  const provider = await startThirdPartyServer({
    certificates: (await made).certificates,
    addresses: ["127.0.0.1", "::1"],
  });

  await provider.close();

  expect(await Promise.all([handshake(provider, "example.com", 0), handshake(provider, "example.com", 1)])).toEqual([
    { refused: "ECONNREFUSED" },
    { refused: "ECONNREFUSED" },
  ]);
});

describe("generated certificates", () => {
  test("have RSA keys and a year and a month of validity by default", async () => {
    const now = new Date("2026-11-21T12:00:00Z");
    const { certificates } = await makeThirdPartyCertificates([{ names: ["a.example", "b.example"] }], {
      now: () => now,
    });

    expect(certificates.map(({ name }) => name)).toEqual(["a.example"]);
    expect(readCertificateChain(certificates[0]!.chainPem).leaf).toMatchObject({
      keyType: "rsa-2048",
      dnsNames: ["a.example", "b.example"],
      notBefore: now,
      notAfter: new Date("2027-12-23T11:59:59Z"),
    });
  });

  test("can be expired", async () => {
    const { certificates } = await makeThirdPartyCertificates(
      [
        {
          names: ["a.example"],
          publicKeyAlgorithm: "ecdsa-p256",
          validDays: 90,
          notBefore: new Date("2026-01-01T00:00:00Z"),
        },
      ],
      { now: () => new Date("2026-11-21T12:00:00Z") },
    );

    expect(readCertificateChain(certificates[0]!.chainPem).leaf).toMatchObject({
      keyType: "ecdsa-p256",
      notAfter: new Date("2026-03-31T23:59:59Z"),
    });
  });
});
