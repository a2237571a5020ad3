import type {
  AdoptedTargetHttpsProxySpec,
  AdoptedTargetSslProxySpec,
  ClientAuthenticationSpec,
  ServingProxySpec,
} from "../../../lib/plan";
import { adoptedProxy } from "../../support/adopted-proxy";
import { makeClientPki } from "../../support/client-certificates";
import { makeChainCertificate } from "../../support/made-chain";
import { type CheckCase, id, names, regional, with_ } from "./case";

const adopted = adoptedProxy({ urlMap: "um" });
const { tlsEarlyData: _, ...unstated } = adopted;
const adoptedSsl: AdoptedTargetSslProxySpec = {
  name: "tcp",
  backendService: "bs",
  sslCertificates: [],
  sslPolicy: "",
  proxyHeader: "UNSET",
  description: "",
};
const regionalAdopted: AdoptedTargetHttpsProxySpec = {
  name: "web",
  urlMap: "um",
  sslCertificates: [],
  sslPolicy: "",
  httpKeepAliveTimeoutSeconds: 0,
  serverTlsPolicy: "",
  description: "",
};

const { root, intermediate } = makeClientPki();
const expired = makeChainCertificate({
  commonName: "Expired Root",
  isAuthority: true,
  notBefore: new Date("2020-01-01T00:00:00Z"),
  notAfter: new Date("2026-01-02T03:04:05Z"),
});
const mode = "ALLOW_INVALID_OR_MISSING_CLIENT_CERT";
/** A new proxy that validates clients. */
const validating = (clientAuthentication: Partial<ClientAuthenticationSpec>) =>
  with_({
    loadBalancer: {
      kind: "globalExternal",
      newTargetHttpsProxy: {
        urlMap: "um",
        clientAuthentication: { mode, trustAnchors: [root.pem], ...clientAuthentication },
      },
    },
  });
const adopting = (proxy: Partial<AdoptedTargetHttpsProxySpec>) =>
  with_({ loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [{ ...adopted, ...proxy }] } });
const policy = (location: string) => `projects/p/locations/${location}/serverTlsPolicies/clients`;

const serving: ServingProxySpec = {
  proxy: "projects/p/global/targetHttpsProxies/web",
  addresses: ["203.0.113.7"],
  certificates: [{ id: "projects/p/global/sslCertificates/old", domains: ["example.com"] }],
};

export const loadBalancerCases: readonly CheckCase[] = [
  {
    code: "client-authentication-pem-unusable",
    refused: validating({ trustAnchors: ["no PEM"] }),
    accepted: validating({ trustAnchors: [root.pem + intermediate.pem] }),
  },
  {
    code: "client-authentication-expired",
    refused: validating({ intermediates: [expired.pem] }),
    accepted: validating({ intermediates: [intermediate.pem], allowlisted: [expired.pem] }),
  },
  {
    code: "client-authentication-without-anchors",
    refused: validating({ trustAnchors: [], intermediates: [intermediate.pem], allowlisted: [root.pem] }),
    accepted: validating({ trustAnchors: [], allowlisted: [root.pem] }),
  },
  {
    code: "client-authentication-with-policy",
    refused: adopting({
      serverTlsPolicy: policy("global"),
      clientAuthentication: { mode, trustAnchors: [root.pem] },
    }),
    accepted: adopting({ clientAuthentication: { mode, trustAnchors: [root.pem] } }),
  },
  {
    code: "client-authentication-rejects",
    refused: adopting({ clientAuthentication: { mode: "REJECT_INVALID", trustAnchors: [root.pem] } }),
    accepted: adopting({ clientAuthentication: { mode, trustAnchors: [root.pem] } }),
  },
  {
    code: "server-tls-policy-mismatch",
    refused: adopting({ serverTlsPolicy: policy("europe-west1") }),
    accepted: adopting({ serverTlsPolicy: policy("global") }),
  },
  {
    code: "region-missing",
    refused: with_({ loadBalancer: { kind: "regionalInternal" } }),
    accepted: with_({ loadBalancer: { kind: "regionalInternal", region: "europe-west1" } }),
  },
  {
    code: "region-not-allowed",
    refused: with_({ loadBalancer: { kind: "globalExternal", region: "europe-west1" } }),
    accepted: with_({ loadBalancer: { kind: "globalExternal" } }),
  },
  {
    code: "map-not-allowed",
    refused: with_({ loadBalancer: regional, existingCertificateMap: id("certificateMaps") }),
    accepted: with_({ loadBalancer: { kind: "globalExternal" }, existingCertificateMap: id("certificateMaps") }),
  },
  {
    code: "map-id-malformed",
    refused: with_({ existingCertificateMap: "web" }),
    accepted: with_({ existingCertificateMap: id("certificateMaps") }),
  },
  {
    code: "ssl-proxy-not-allowed",
    refused: with_({ loadBalancer: { ...regional, newTargetSslProxy: { backendService: "bs" } } }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", newTargetSslProxy: { backendService: "bs" } } }),
  },
  {
    code: "ssl-proxy-holds-certificates",
    refused: with_({
      loadBalancer: { kind: "globalExternal", adoptTargetSslProxies: [{ ...adoptedSsl, sslCertificates: ["c"] }] },
    }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", adoptTargetSslProxies: [adoptedSsl] } }),
  },
  {
    code: "proxy-holds-certificates",
    refused: with_({
      loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [{ ...adopted, sslCertificates: ["c"] }] },
    }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [adopted] } }),
  },
  {
    code: "proxy-holds-conflicting-certificates",
    refused: with_({
      loadBalancer: { ...regional, adoptTargetHttpsProxies: [{ ...regionalAdopted, sslCertificates: ["c"] }] },
    }),
    accepted: with_({ loadBalancer: { ...regional, adoptTargetHttpsProxies: [regionalAdopted] } }),
  },
  {
    code: "proxy-attribute-unstated",
    refused: with_({ loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [unstated] } }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [adopted] } }),
  },
  {
    code: "proxy-attribute-not-allowed",
    refused: with_({ loadBalancer: { ...regional, newTargetHttpsProxy: { urlMap: "um", quicOverride: "ENABLE" } } }),
    accepted: with_({ loadBalancer: { ...regional, newTargetHttpsProxy: { urlMap: "um" } } }),
  },
  {
    code: "proxy-without-certificates",
    refused: with_({
      loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [{ ...adopted, attachMap: false }] },
    }),
    accepted: with_({
      loadBalancer: {
        kind: "globalExternal",
        adoptTargetHttpsProxies: [{ ...adopted, attachMap: false, sslCertificates: ["c"] }],
      },
    }),
  },
  {
    code: "serving-proxy-invalid",
    refused: with_({ loadBalancer: { kind: "globalExternal", servingProxies: [{ ...serving, proxy: "web" }] } }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", servingProxies: [serving] } }),
  },
  {
    code: "serving-ssl-proxy",
    refused: with_({
      loadBalancer: {
        kind: "globalExternal",
        servingProxies: [{ ...serving, proxy: serving.proxy.replace("targetHttpsProxies", "targetSslProxies") }],
      },
    }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", servingProxies: [serving] } }),
  },
  {
    code: "serving-proxy-with-traffic",
    refused: with_({
      loadBalancer: { kind: "globalExternal", servingProxies: [serving] },
      traffic: { to: "previous", previous: { "example.com": { a: ["198.51.100.1"] } } },
    }),
    accepted: with_({ loadBalancer: { kind: "globalExternal", servingProxies: [serving] } }),
  },
  {
    code: "proxy-many-certificates",
    refused: with_({ loadBalancer: regional, certificates: names(101).map((name) => ({ domains: [name] })) }),
    accepted: with_({ loadBalancer: regional, certificates: names(100).map((name) => ({ domains: [name] })) }),
  },
  {
    code: "proxy-name-repeated",
    refused: with_({ loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [adopted, adopted] } }),
    accepted: with_({
      loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [adopted, { ...adopted, name: "shop" }] },
    }),
  },
  {
    code: "forwarding-rule-without-address",
    refused: with_({
      loadBalancer: { kind: "globalExternal", newTargetHttpsProxy: { urlMap: "um", forwardingRules: {} } },
    }),
    accepted: with_({
      loadBalancer: {
        kind: "globalExternal",
        newTargetHttpsProxy: { urlMap: "um", forwardingRules: { ipv6Address: "2001:db8::7" } },
      },
    }),
  },
  {
    code: "address-invalid",
    refused: with_({ loadBalancer: { kind: "globalExternal", addresses: { ipv6: ["203.0.113.7"] } } }),
    accepted: with_({
      loadBalancer: { kind: "globalExternal", addresses: { ipv4: ["203.0.113.7"], ipv6: ["${var.ip}"] } },
    }),
  },
  {
    code: "ipv6-not-generally-available",
    refused: with_({ loadBalancer: { ...regional, addresses: { ipv6: ["2001:db8::7"] } } }),
    accepted: with_({ loadBalancer: { ...regional, addresses: { ipv4: ["203.0.113.7"] } } }),
  },
];
