import { defineGroup } from "../../../behavior";
import { pages } from "../../../sources";
import { type FrontEnd, frontHost, handshake, isRefused, namesOf, sharedFrontEnd } from "./resources";

const rsaOnly = "RSA-PSS+SHA256:RSA-PSS+SHA384:RSA-PSS+SHA512:RSA+SHA256";
const ecdsaOnly = "ECDSA+SHA256";
const primary = ["front.{prefix}.{domain}"];

export const selection = defineGroup<FrontEnd>({
  service: "compute-engine",
  concept: "front-end-selection",
  needs: ["front-end"],
  prepare: sharedFrontEnd,
  behaviors: [
    {
      word: "exact",
      statement: "A hostname gets the certificate of its own entry, although a wildcard entry matches as well.",
      source: pages.selection,
      reliedOnBy: ["name-mismatch", "lib/cloud/tls/select.ts"],
      expected: ["exact.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) =>
        namesOf(await handshake(side, frontEnd, { servername: frontHost(side, "exact") })),
    },
    {
      word: "wildcard",
      statement: "A hostname without an entry of its own gets the certificate of the wildcard entry.",
      source: pages.selection,
      reliedOnBy: ["wildcard-only", "wildcard-coverage"],
      expected: ["*.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) =>
        namesOf(await handshake(side, frontEnd, { servername: frontHost(side, "other") })),
    },
    {
      word: "deeper-name",
      statement: "A wildcard entry matches one label only: a deeper hostname gets the certificate of `PRIMARY`.",
      source: pages.selection,
      reliedOnBy: ["wildcard-coverage", "unplanned-fallback"],
      expected: primary,
      observe: async (side, frontEnd) =>
        namesOf(await handshake(side, frontEnd, { servername: frontHost(side, "a.b") })),
    },
    {
      word: "unknown-name",
      statement: "A hostname without a matching entry gets the certificate of `PRIMARY`.",
      source: pages.selection,
      reliedOnBy: ["unplanned-fallback", "primary-not-served"],
      expected: primary,
      observe: async (side, frontEnd) =>
        namesOf(await handshake(side, frontEnd, { servername: side.host("elsewhere") })),
    },
    {
      word: "no-sni",
      statement: "A client without SNI gets the certificate of `PRIMARY`.",
      source: [pages.selection, pages.managerProto],
      reliedOnBy: ["clients-without-sni", "no-sni-lost"],
      expected: primary,
      observe: async (side, frontEnd) => namesOf(await handshake(side, frontEnd, {})),
    },
    {
      word: "upper-case",
      statement: "The case of the hostname in SNI does not matter.",
      source: "https://datatracker.ietf.org/doc/html/rfc6066#section-3",
      reliedOnBy: ["lib/cloud/tls/client-hello.ts"],
      expected: ["exact.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) =>
        namesOf(await handshake(side, frontEnd, { servername: frontHost(side, "exact").toUpperCase() })),
    },
    {
      word: "map-before-certificates",
      statement: "The SSL certificates of a proxy with a certificate map are not served, even for their own names.",
      source: [pages.targetSslProxyFields, pages.maps],
      reliedOnBy: ["proxy-certificates-ignored", "existing-proxy-with-certificates"],
      expected: ["*.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) =>
        namesOf(await handshake(side, frontEnd, { servername: frontHost(side, "direct-1") })),
    },
    {
      word: "ecdsa-first",
      statement: "A client that accepts both key types gets the ECDSA certificate of an entry with both.",
      source: pages.selection,
      reliedOnBy: ["two-key-types", "lib/cloud/tls/select.ts"],
      expected: "ECDSA",
      observe: async (side, frontEnd) => {
        const result = await handshake(side, frontEnd, { servername: frontHost(side, "exact") });
        return "refused" in result ? result.refused : result.keyType;
      },
    },
    {
      word: "rsa-client",
      statement: "A client that accepts RSA only gets the RSA certificate of an entry with both key types.",
      source: pages.selection,
      reliedOnBy: ["key-type-lost", "lib/cloud/tls/key-types.ts"],
      expected: "RSA",
      observe: async (side, frontEnd) => {
        const client = { servername: frontHost(side, "exact"), signatureAlgorithms: rsaOnly };
        const result = await handshake(side, frontEnd, client);
        return "refused" in result ? result.refused : result.keyType;
      },
    },
    {
      word: "ecdsa-client",
      statement: "A client that accepts ECDSA only gets the ECDSA certificate of an entry with both key types.",
      source: pages.selection,
      reliedOnBy: ["key-type-lost"],
      expected: "ECDSA",
      observe: async (side, frontEnd) => {
        const client = { servername: frontHost(side, "exact"), signatureAlgorithms: ecdsaOnly };
        const result = await handshake(side, frontEnd, client);
        return "refused" in result ? result.refused : result.keyType;
      },
    },
    {
      word: "other-key-type",
      statement: "A client that accepts RSA only is refused by an entry with an ECDSA certificate only.",
      source: pages.selection,
      reliedOnBy: ["no-accepted-certificate", "ssl-policy-excludes-key"],
      expected: true,
      observe: async (side, frontEnd) => {
        const client = { servername: frontHost(side, "other"), signatureAlgorithms: rsaOnly };
        return isRefused(await handshake(side, frontEnd, client));
      },
    },
  ],
});
