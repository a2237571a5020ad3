import { defineGroup } from "../../behavior";
import { isRefused, type Json, type Side } from "../../side";
import { issue, pages, providerFile } from "../../sources";
import { create } from "../certificate-manager/resources";
import {
  change,
  get,
  insert,
  linkTo,
  sharedCertificateMap,
  sharedSslCertificates,
  sharedUrlMap,
  tryInsert,
} from "./resources";

const tests = providerFile("services/compute/resource_compute_target_ssl_proxy_test.go");
const examples = providerFile("services/compute/resource_compute_target_ssl_proxy_generated_test.go");
const root = "{root}compute/v1/projects/{project}/global";

const body = (side: Side) => ({
  service: linkTo(side, "backendServices", "tcp"),
  sslCertificates: [linkTo(side, "sslCertificates", "cert")],
});

export const sslProxies = defineGroup<undefined>({
  service: "compute-engine",
  concept: "ssl-proxies",
  prepare: async (side) => {
    await sharedSslCertificates(side);
    await insert(side, "backendServices", "tcp", { loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "TCP" });
    await insert(side, "targetSslProxies", "ssl-proxy", body(side));
    return undefined;
  },
  behaviors: [
    {
      word: "links",
      statement: "A target SSL proxy is returned with full links and without a header for backends.",
      source: tests,
      reliedOnBy: ["ssl-proxy", "lib/google/load-balancers.ts"],
      expected: {
        kind: "compute#targetSslProxy",
        service: `${root}/backendServices/{prefix}-tcp`,
        sslCertificates: [`${root}/sslCertificates/{prefix}-cert`],
        proxyHeader: "NONE",
      },
      observe: async (side) => {
        const { kind, service, sslCertificates, proxyHeader } = await get(side, "targetSslProxies", "ssl-proxy");
        return { kind, service, sslCertificates, proxyHeader };
      },
    },
    {
      word: "map-beside-certificates",
      statement: "A target SSL proxy may have a certificate map and SSL certificates at once.",
      source: [pages.targetSslProxyFields, issue("hashicorp/terraform-provider-google/25835")],
      reliedOnBy: ["ssl-proxy-holds-certificates", "existing-ssl-proxy-refused"],
      expected: { hasMap: true, certificates: 1 },
      observe: async (side) => {
        const certificateMap = await sharedCertificateMap(side);
        const proxy = await change(side, "targetSslProxies", "ssl-proxy", "setCertificateMap", { certificateMap });
        const certificates = (proxy.sslCertificates as readonly string[]).length;
        return { hasMap: proxy.certificateMap === certificateMap, certificates };
      },
    },
    {
      word: "header",
      statement: "`setProxyHeader` changes the header for backends.",
      source: tests,
      reliedOnBy: ["ssl-proxy"],
      expected: "PROXY_V1",
      observe: async (side) =>
        (await change(side, "targetSslProxies", "ssl-proxy", "setProxyHeader", { proxyHeader: "PROXY_V1" }))
          .proxyHeader,
    },
    {
      word: "http-backend",
      statement: "A target SSL proxy with a backend service for HTTP is refused.",
      source: pages.targetSslProxyFields,
      reliedOnBy: ["ssl-proxy-not-allowed"],
      expected: true,
      observe: async (side) => {
        await sharedUrlMap(side);
        const service = linkTo(side, "backendServices", "backend");
        return isRefused(await tryInsert(side, "targetSslProxies", "http", { ...body(side), service }));
      },
    },
    {
      word: "created-with-both",
      statement: "A target SSL proxy may be created with a certificate map and certificates.",
      source: examples,
      reliedOnBy: ["ssl-proxy-holds-certificates"],
      expected: { hasMap: true, certificates: 1 },
      observe: async (side) => {
        const certificateMap = await sharedCertificateMap(side);
        await insert(side, "targetSslProxies", "ssl-both", { ...body(side), certificateMap });
        const proxy = await get(side, "targetSslProxies", "ssl-both");
        const certificates = (proxy.sslCertificates as readonly string[]).length;
        return { hasMap: proxy.certificateMap === certificateMap, certificates };
      },
    },
    {
      word: "other-map",
      statement: "A target SSL proxy may have a map only, and `setCertificateMap` replaces the map in place.",
      source: tests,
      reliedOnBy: ["ssl-proxy"],
      expected: { created: true, changed: true, certificates: undefined },
      observe: async (side) => {
        const first = await sharedCertificateMap(side);
        const second = `//certificatemanager.googleapis.com/${await create(side, "certificateMaps", "ssl-map", {})}`;
        const { service } = body(side);
        await insert(side, "targetSslProxies", "ssl-mapped", { service, certificateMap: first });
        const before = await get(side, "targetSslProxies", "ssl-mapped");
        const after = await change(side, "targetSslProxies", "ssl-mapped", "setCertificateMap", {
          certificateMap: second,
        });
        return {
          created: before.certificateMap === first,
          changed: after.certificateMap === second,
          certificates: before.sslCertificates,
        };
      },
    },
    {
      word: "other-certificates",
      statement: "`setSslCertificates` replaces the certificates of a target SSL proxy in place.",
      source: tests,
      reliedOnBy: ["ssl-proxy-holds-certificates"],
      expected: [`${root}/sslCertificates/{prefix}-cert-2`],
      observe: async (side) => {
        const sslCertificates = [linkTo(side, "sslCertificates", "cert-2")];
        return (await change(side, "targetSslProxies", "ssl-proxy", "setSslCertificates", { sslCertificates }))
          .sslCertificates;
      },
    },
    {
      word: "ssl-policy",
      statement: "`setSslPolicy` attaches a policy to a target SSL proxy; null detaches it.",
      source: tests,
      reliedOnBy: ["ssl-policy-excludes-clients"],
      expected: { attached: `${root}/sslPolicies/{prefix}-ssl-proxy-policy`, detached: undefined },
      observe: async (side) => {
        await insert(side, "sslPolicies", "ssl-proxy-policy", { profile: "MODERN", minTlsVersion: "TLS_1_2" });
        const set = async (sslPolicy: string | null) =>
          (await change(side, "targetSslProxies", "ssl-proxy", "setSslPolicy", { sslPolicy })).sslPolicy;
        return { attached: await set(linkTo(side, "sslPolicies", "ssl-proxy-policy")), detached: await set(null) };
      },
    },
    {
      word: "other-backend",
      statement: "`setBackendService` replaces the backend service of a target SSL proxy by one with the protocol SSL.",
      source: tests,
      reliedOnBy: ["ssl-proxy"],
      expected: `${root}/backendServices/{prefix}-ssl`,
      observe: async (side) => {
        await insert(side, "backendServices", "ssl", { loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "SSL" });
        const service = linkTo(side, "backendServices", "ssl");
        return (await change(side, "targetSslProxies", "ssl-proxy", "setBackendService", { service })).service;
      },
    },
    {
      word: "list",
      statement: "The list of target SSL proxies has the proxies of the project with their names.",
      source: providerFile("services/compute/list_compute_target_ssl_proxy_generated_test.go"),
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: ["{prefix}-ssl-proxy"],
      observe: async (side) => {
        const { items } = await side.make("compute.targetSslProxies.list", { project: side.project });
        const names = ((items ?? []) as readonly Json[]).map(({ name }) => name);
        return names.filter((name) => name === side.name("ssl-proxy"));
      },
    },
  ],
});
