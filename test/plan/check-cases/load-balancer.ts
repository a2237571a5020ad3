import type { AdoptedTargetHttpsProxySpec, AdoptedTargetSslProxySpec, ServingProxySpec } from "../../../lib/plan";
import { type CheckCase, id, names, regional, with_ } from "./case";

const adopted: AdoptedTargetHttpsProxySpec = {
  name: "web",
  urlMap: "um",
  sslCertificates: null,
  sslPolicy: null,
  quicOverride: null,
  tlsEarlyData: null,
  httpKeepAliveTimeoutSeconds: null,
  serverTlsPolicy: null,
  description: null,
};
const { tlsEarlyData: _, ...unstated } = adopted;
const adoptedSsl: AdoptedTargetSslProxySpec = {
  name: "tcp",
  backendService: "bs",
  sslCertificates: null,
  sslPolicy: null,
  proxyHeader: null,
  description: null,
};
const regionalAdopted: AdoptedTargetHttpsProxySpec = {
  name: "web",
  urlMap: "um",
  sslCertificates: null,
  sslPolicy: null,
  httpKeepAliveTimeoutSeconds: null,
  serverTlsPolicy: null,
  description: null,
};

const serving: ServingProxySpec = {
  proxy: "projects/p/global/targetHttpsProxies/web",
  addresses: ["203.0.113.7"],
  certificates: [{ id: "projects/p/global/sslCertificates/old", domains: ["example.com"] }],
};

export const loadBalancerCases: readonly CheckCase[] = [
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
];
