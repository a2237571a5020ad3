import { type AddressInfo, connect as connectTcp, createServer } from "node:net";
import { connect, createSecureContext, type SecureContextOptions, TLSSocket } from "node:tls";
import { familyOf, type KeyFamily, onlyFamily } from "../../lib/tls/key-families";
import { type ChainCertificate, makeChainCertificate } from "../support/made-chain";
import { openssl } from "../support/openssl";

const name = "shop.example.com";
const leaf = (keyType: "ec" | "rsa", issuer: "ec" | "rsa") => {
  const root = makeChainCertificate({ commonName: "Root", isAuthority: true, keyType: issuer });
  return { root, own: makeChainCertificate({ commonName: name, names: [name], issuer: root, keyType }) };
};

/** Whether a client gets through to a server of one certificate. */
async function meet(own: Pick<ChainCertificate, "pem" | "keyPem">, ca: string, client: SecureContextOptions) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    const tls = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext({ cert: own.pem, key: own.keyPem }),
    });
    tls.on("error", () => undefined);
    tls.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const tcp = connectTcp((server.address() as AddressInfo).port, "127.0.0.1");
  const secureContext = createSecureContext({ ...client, ca });
  const socket = connect({ socket: tcp, servername: name, secureContext });
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once("secureConnect", () => resolve(socket.authorized));
      socket.once("error", () => resolve(false));
    });
  } finally {
    socket.destroy();
    tcp.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe.each(["TLSv1.2", "TLSv1.3"] as const)("over %s a client that accepts only one key family", (version) => {
  const only = (family: KeyFamily) => ({ ...onlyFamily(family), minVersion: version, maxVersion: version });

  test.each([
    ["rsa", "rsa", "rsa", true],
    ["rsa", "ec", "rsa", false],
    ["ecdsa", "ec", "ec", true],
    ["ecdsa", "ec", "rsa", true],
    ["ecdsa", "rsa", "rsa", false],
  ] as const)("that accepts %s and gets a key of %s from a CA with %s: %s", async (family, key, issuer, expected) => {
    const { root, own } = leaf(key, issuer);
    expect(await meet(own, root.pem, only(family))).toBe(expected);
  });
});

test("Ed25519 keys are only for clients that also accept rare key types", async () => {
  const made = await openssl([
    ...["req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", "-", "-out", "-", "-days", "30"],
    ...["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`],
  ]);
  const [keyPem = "", pem = ""] = made.stdout.split(/(?=-----BEGIN CERTIFICATE)/);
  expect(await meet({ pem, keyPem }, pem, onlyFamily("ecdsa", { withRare: true }))).toBe(true);
  expect(await meet({ pem, keyPem }, pem, onlyFamily("ecdsa"))).toBe(false);
  expect(await meet({ pem, keyPem }, pem, onlyFamily("rsa", { withRare: true }))).toBe(false);
});

test.each([
  ["rsa-2048", "rsa"],
  ["ecdsa-p256", "ecdsa"],
  ["ed25519", undefined],
])("maps a key of %s to the family %s", (keyType, family) => {
  expect(familyOf(keyType)).toBe(family);
});
