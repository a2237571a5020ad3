import { type ChainAuthor, createClients, shakeHands } from "../../../lib/live/verify";
import { authority, hostname, serve } from "../../support/defect-servers";
import { makeChainCertificate } from "../../support/made-chain";

const first = makeChainCertificate({ commonName: "First", isAuthority: true, issuer: authority });
const second = makeChainCertificate({ commonName: "Second", isAuthority: true, issuer: first });
const leaf = makeChainCertificate({ commonName: hostname, names: [hostname], issuer: second });
const unknown = makeChainCertificate({ commonName: "Unknown", isAuthority: true });
const weak = makeChainCertificate({ commonName: "Weak", isAuthority: true, issuer: unknown, keyType: "rsa-1024" });
const ofWeak = makeChainCertificate({ commonName: hostname, names: [hostname], issuer: weak });

test.each<[string, readonly (typeof leaf)[], ChainAuthor, string]>([
  ["reads the chain of a user, which may be out of order", [leaf, first, second], "user", "chain-out-of-order"],
  ["does not read a trusted chain of the service", [leaf, first, second], "service", "ok"],
  ["finds a key that is too short in the chain of a user", [ofWeak, weak], "user", "weak-key"],
  ["reads a chain of the service that clients don't trust", [ofWeak, weak], "service", "weak-key"],
])("%s", async (_, chain, chainBy, expected) => {
  const cert = chain.map(({ pem }) => pem).join("");
  const server = await serve({ cert, key: chain[0]?.keyPem, ciphers: "DEFAULT:@SECLEVEL=0" });
  try {
    const handshake = await shakeHands({
      address: "127.0.0.1",
      port: server.port,
      hostname,
      timeoutMs: 5_000,
      secureContext: createClients([authority.pem])("modern"),
      chainBy,
    });
    expect(handshake.ok ? "ok" : handshake.code).toBe(expected);
  } finally {
    await server[Symbol.asyncDispose]();
  }
});
