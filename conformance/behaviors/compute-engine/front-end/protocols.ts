import { defineGroup } from "../../../behavior";
import type { HandshakeResult } from "../../../side";
import { pages, providerFile } from "../../../sources";
import { insert, linkTo } from "../resources";
import { type FrontEnd, frontHost, handshake, isRefused, propagated, setOnProxy, sharedFrontEnd } from "./resources";

const protocolOf = (result: HandshakeResult) => ("refused" in result ? result.refused : result.protocol);
const alpnOf = (result: HandshakeResult) => ("refused" in result ? result.refused : (result.alpn ?? "none"));

export const protocols = defineGroup<FrontEnd>({
  service: "compute-engine",
  concept: "front-end-protocols",
  needs: ["front-end"],
  prepare: sharedFrontEnd,
  behaviors: [
    {
      word: "http-2",
      statement: "A client that offers HTTP/2 and HTTP/1.1 by ALPN gets HTTP/2.",
      source: pages.sslCertificates,
      reliedOnBy: ["alpn-lost"],
      expected: "h2",
      observe: async (side, frontEnd) => {
        const client = { servername: frontHost(side, "exact"), alpn: ["h2", "http/1.1"] };
        return alpnOf(await handshake(side, frontEnd, client));
      },
    },
    {
      word: "http-1",
      statement: "A client that offers HTTP/1.1 only gets HTTP/1.1.",
      source: pages.sslCertificates,
      reliedOnBy: ["alpn-lost"],
      expected: "http/1.1",
      observe: async (side, frontEnd) => {
        const client = { servername: frontHost(side, "exact"), alpn: ["http/1.1"] };
        return alpnOf(await handshake(side, frontEnd, client));
      },
    },
    {
      word: "no-alpn",
      statement: "A client without ALPN is served.",
      source: "https://datatracker.ietf.org/doc/html/rfc7301",
      reliedOnBy: ["alpn-lost"],
      expected: "none",
      observe: async (side, frontEnd) =>
        alpnOf(await handshake(side, frontEnd, { servername: frontHost(side, "exact") })),
    },
    {
      word: "tls-1-3",
      statement: "A client that offers TLS 1.3 gets TLS 1.3.",
      source: pages.sslPolicies,
      reliedOnBy: ["protocol-lost"],
      expected: "TLSv1.3",
      observe: async (side, frontEnd) =>
        protocolOf(await handshake(side, frontEnd, { servername: frontHost(side, "exact") })),
    },
    {
      word: "tls-1-2",
      statement: "A client up to TLS 1.2 is served by a proxy without an SSL policy.",
      source: pages.sslPolicies,
      reliedOnBy: ["obsolete-protocol-lost"],
      expected: "TLSv1.2",
      observe: async (side, frontEnd) => {
        const client = { servername: frontHost(side, "exact"), maxVersion: "TLSv1.2" } as const;
        return protocolOf(await handshake(side, frontEnd, client));
      },
    },
    {
      word: "policy",
      statement: "A client up to TLS 1.2 is refused by a proxy whose SSL policy has the minimum version TLS 1.3.",
      source: [pages.sslPolicies, providerFile("services/compute/resource_compute_ssl_policy_test.go")],
      reliedOnBy: ["ssl-policy-excludes-clients", "protocol-refused"],
      expected: { upTo12: true, upTo13: "TLSv1.3" },
      observe: async (side, frontEnd) => {
        await insert(side, "sslPolicies", "front", { profile: "RESTRICTED", minTlsVersion: "TLS_1_3" });
        await setOnProxy(side, "setSslPolicy", { sslPolicy: linkTo(side, "sslPolicies", "front") });
        const servername = frontHost(side, "exact");
        const old = await propagated(side, frontEnd, { servername, maxVersion: "TLSv1.2" }, isRefused);
        return { upTo12: isRefused(old), upTo13: protocolOf(await handshake(side, frontEnd, { servername })) };
      },
    },
    {
      word: "policy-detached",
      statement: "A client up to TLS 1.2 is served again when the SSL policy is detached.",
      source: pages.sslPolicies,
      reliedOnBy: ["obsolete-protocol-lost"],
      expected: "TLSv1.2",
      observe: async (side, frontEnd) => {
        await setOnProxy(side, "setSslPolicy", { sslPolicy: null });
        const client = { servername: frontHost(side, "exact"), maxVersion: "TLSv1.2" } as const;
        return protocolOf(await propagated(side, frontEnd, client, (result) => !isRefused(result)));
      },
    },
  ],
});
