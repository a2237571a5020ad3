import { defineGroup } from "../../behavior";
import { isRefused, type Side } from "../../side";
import { issue, pages, providerFile } from "../../sources";
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
  ],
});
