import { defineGroup } from "../../behavior";
import { isRefused, refusalOf, type Side } from "../../side";
import { issue, pages, providerFile } from "../../sources";
import { makeUpload } from "../../uploads";
import { create } from "../certificate-manager/resources";
import { change, get, insert, linkTo, sharedCertificateMap, sharedProxy, tryChange, tryInsert } from "./resources";

const resource = providerFile("services/compute/resource_compute_target_https_proxy.go");
const tests = providerFile("services/compute/resource_compute_target_https_proxy_test.go");
const examples = providerFile("services/compute/resource_compute_target_https_proxy_generated_test.go");
const root = "{root}compute/v1/projects/{project}/global";

const certificates = (side: Side, ...words: readonly string[]) => ({
  sslCertificates: words.map((word) => linkTo(side, "sslCertificates", word)),
});

/** The map of the proxy, in the format of target proxies. */
type Fixture = string;

export const targetProxies = defineGroup<Fixture>({
  service: "compute-engine",
  concept: "target-proxies",
  prepare: async (side) => {
    await sharedProxy(side);
    return sharedCertificateMap(side);
  },
  behaviors: [
    {
      word: "links",
      statement: "Partial links of a request are returned as full links.",
      source: tests,
      reliedOnBy: ["lib/google/load-balancers.ts", "lib/terraform-provider/resources/compute-proxies.ts"],
      expected: {
        kind: "compute#targetHttpsProxy",
        selfLink: `${root}/targetHttpsProxies/{prefix}-proxy`,
        urlMap: `${root}/urlMaps/{prefix}-urls`,
        sslCertificates: [`${root}/sslCertificates/{prefix}-cert`],
      },
      observe: async (side) => {
        const { kind, selfLink, urlMap, sslCertificates } = await get(side, "targetHttpsProxies", "proxy");
        return { kind, selfLink, urlMap, sslCertificates };
      },
    },
    {
      word: "quic-default",
      statement: "A proxy without a setting for QUIC has the setting `NONE`.",
      source: resource,
      reliedOnBy: ["proxy-settings-differ"],
      expected: "NONE",
      observe: async (side) => (await get(side, "targetHttpsProxies", "proxy")).quicOverride,
    },
    {
      word: "map-beside-certificates",
      statement: "A certificate map is attached to a proxy with certificates, which keeps its certificates.",
      source: [pages.targetSslProxyFields, issue("hashicorp/terraform-provider-google/12513")],
      reliedOnBy: ["existing-proxy-with-certificates", "proxy-certificates-ignored"],
      expected: {
        certificateMap:
          "//certificatemanager.googleapis.com/projects/{project}/locations/global/certificateMaps/{prefix}-proxy-map",
        sslCertificates: [`${root}/sslCertificates/{prefix}-cert`],
      },
      observe: async (side, map) => {
        const proxy = await change(side, "targetHttpsProxies", "proxy", "setCertificateMap", { certificateMap: map });
        const { certificateMap, sslCertificates } = proxy;
        return { certificateMap, sslCertificates };
      },
    },
    {
      word: "certificates-removed",
      statement: "The certificates of a proxy with a certificate map can be removed.",
      source: issue("hashicorp/terraform-provider-google/12513"),
      reliedOnBy: ["in-place-certificates-removed-first", "certificate-detached-with-switch"],
      expected: null,
      observe: async (side) =>
        (await change(side, "targetHttpsProxies", "proxy", "setSslCertificates", { sslCertificates: [] }))
          .sslCertificates ?? null,
    },
    {
      word: "last-map",
      statement: "The certificate map of a proxy without certificates can't be detached.",
      source: pages.sslCertificates,
      reliedOnBy: ["map-detached", "proxy-without-certificates"],
      expected: true,
      observe: async (side) =>
        isRefused(await tryChange(side, "targetHttpsProxies", "proxy", "setCertificateMap", { certificateMap: "" })),
    },
    {
      word: "map-in-use",
      statement: "A certificate map that a proxy uses can't be deleted.",
      source: pages.maps,
      reliedOnBy: ["map-deleted", "map-replaced"],
      expected: true,
      observe: async (side) => {
        const name = `${side.location()}/certificateMaps/${side.name("proxy-map")}`;
        return isRefused(await side.call("certificatemanager.projects.locations.certificateMaps.delete", { name }));
      },
    },
    {
      word: "map-detached",
      statement: "An empty certificate map detaches the map of a proxy with certificates.",
      source: [resource, pages.maps],
      reliedOnBy: ["in-place-rolled-back-to-some"],
      expected: { certificateMap: undefined, certificates: 2 },
      observe: async (side) => {
        const both = certificates(side, "cert", "cert-2");
        await change(side, "targetHttpsProxies", "proxy", "setSslCertificates", both);
        const proxy = await change(side, "targetHttpsProxies", "proxy", "setCertificateMap", { certificateMap: "" });
        const { certificateMap, sslCertificates } = proxy;
        return { certificateMap, certificates: (sslCertificates as readonly string[]).length };
      },
    },
    {
      word: "order-of-certificates",
      statement: "The certificates of a proxy keep the order of the request: the first is the default.",
      source: pages.sslCertificates,
      reliedOnBy: ["proxy-first-certificate"],
      expected: [`${root}/sslCertificates/{prefix}-cert-2`, `${root}/sslCertificates/{prefix}-cert`],
      observe: async (side) => {
        const swapped = certificates(side, "cert-2", "cert");
        return (await change(side, "targetHttpsProxies", "proxy", "setSslCertificates", swapped)).sslCertificates;
      },
    },
    {
      word: "last-certificates",
      statement: "The certificates of a proxy without a certificate map can't all be removed.",
      source: [pages.sslCertificates, issue("hashicorp/terraform-provider-google/12513")],
      reliedOnBy: ["certificate-detached-unmapped"],
      expected: true,
      observe: async (side) => {
        const none = { sslCertificates: [] };
        return isRefused(await tryChange(side, "targetHttpsProxies", "proxy", "setSslCertificates", none));
      },
    },
    {
      word: "without-certificates",
      statement: "A proxy without certificates and without a certificate map is refused.",
      source: pages.sslCertificates,
      reliedOnBy: ["proxy-without-certificates"],
      expected: true,
      observe: async (side) => {
        const body = { urlMap: linkTo(side, "urlMaps", "urls") };
        return isRefused(await tryInsert(side, "targetHttpsProxies", "bare", body));
      },
    },
    {
      word: "too-many-certificates",
      statement: "A proxy with 16 SSL certificates is refused: at most 15 are allowed.",
      source: [pages.sslCertificates, resource],
      reliedOnBy: ["proxy-many-certificates", "proxy-certificates-full"],
      expected: true,
      observe: async (side) => {
        const many = certificates(side, ...Array.from({ length: 16 }, () => "cert"));
        return isRefused(await tryChange(side, "targetHttpsProxies", "proxy", "setSslCertificates", many));
      },
    },
    {
      word: "missing-url-map",
      statement: "A proxy whose URL map does not exist is refused.",
      source: resource,
      reliedOnBy: ["api-refuses-proxy"],
      expected: true,
      observe: async (side) => {
        const body = { urlMap: linkTo(side, "urlMaps", "missing"), ...certificates(side, "cert") };
        return isRefused(await tryInsert(side, "targetHttpsProxies", "bare", body));
      },
    },
    {
      word: "quic",
      statement: "`setQuicOverride` changes the setting of QUIC.",
      source: tests,
      reliedOnBy: ["proxy-settings-differ"],
      expected: "ENABLE",
      observe: async (side) =>
        (await change(side, "targetHttpsProxies", "proxy", "setQuicOverride", { quicOverride: "ENABLE" })).quicOverride,
    },
    {
      word: "ssl-policy",
      statement: "`setSslPolicy` attaches a policy, which is returned with its full link; null detaches it.",
      source: [tests, resource],
      reliedOnBy: ["ssl-policy-excludes-clients"],
      expected: { attached: `${root}/sslPolicies/{prefix}-proxy-policy`, detached: undefined },
      observe: async (side) => {
        await insert(side, "sslPolicies", "proxy-policy", { profile: "MODERN", minTlsVersion: "TLS_1_2" });
        const set = async (sslPolicy: string | null) =>
          (await change(side, "targetHttpsProxies", "proxy", "setSslPolicy", { sslPolicy })).sslPolicy;
        return { attached: await set(linkTo(side, "sslPolicies", "proxy-policy")), detached: await set(null) };
      },
    },
    {
      word: "url-map",
      statement: "`setUrlMap` replaces the URL map, which is returned with its full link.",
      source: resource,
      reliedOnBy: ["lib/terraform-provider/resources/compute-proxies.ts"],
      expected: `${root}/urlMaps/{prefix}-other-urls`,
      observe: async (side) => {
        const defaultService = linkTo(side, "backendServices", "backend");
        await insert(side, "urlMaps", "other-urls", { defaultService });
        const urlMap = linkTo(side, "urlMaps", "other-urls");
        return (await change(side, "targetHttpsProxies", "proxy", "setUrlMap", { urlMap })).urlMap;
      },
    },
    {
      word: "fingerprint",
      statement: "A proxy is returned with a fingerprint.",
      source: examples,
      reliedOnBy: ["lib/terraform-provider/resources/compute-proxies.ts"],
      expected: "{fingerprint}",
      observe: async (side) => {
        const { fingerprint } = await get(side, "targetHttpsProxies", "proxy");
        return typeof fingerprint === "string" && fingerprint !== "" ? "{fingerprint}" : fingerprint;
      },
    },
    {
      word: "settings-of-creation",
      statement: "A proxy is returned with the description, QUIC, early data and keep-alive time of its creation.",
      source: [tests, examples],
      reliedOnBy: ["proxy-settings-differ", "lib/plan/target-proxies.ts"],
      expected: { description: "set", quicOverride: "ENABLE", tlsEarlyData: "STRICT", httpKeepAliveTimeoutSec: 610 },
      observe: async (side) => {
        const urlMap = linkTo(side, "urlMaps", "urls");
        const settings = {
          description: "set",
          quicOverride: "ENABLE",
          tlsEarlyData: "STRICT",
          httpKeepAliveTimeoutSec: 610,
        };
        await insert(side, "targetHttpsProxies", "set", { ...settings, urlMap, ...certificates(side, "cert") });
        const proxy = await get(side, "targetHttpsProxies", "set");
        const { description, quicOverride, tlsEarlyData, httpKeepAliveTimeoutSec } = proxy;
        return { description, quicOverride, tlsEarlyData, httpKeepAliveTimeoutSec };
      },
    },
    {
      word: "map-only",
      statement: "A proxy may be created with a certificate map and without certificates.",
      source: tests,
      reliedOnBy: ["plain-sailing", "lib/plan/target-proxies.ts"],
      expected: {
        certificateMap:
          "//certificatemanager.googleapis.com/projects/{project}/locations/global/certificateMaps/{prefix}-proxy-map",
        sslCertificates: undefined,
      },
      observe: async (side, map) => {
        await insert(side, "targetHttpsProxies", "mapped", {
          urlMap: linkTo(side, "urlMaps", "urls"),
          certificateMap: map,
        });
        const { certificateMap, sslCertificates } = await get(side, "targetHttpsProxies", "mapped");
        return { certificateMap, sslCertificates };
      },
    },
    {
      word: "manager-certificates",
      statement:
        "Certificates of Certificate Manager are returned in `sslCertificates`, with `//` and without a version.",
      source: [examples, resource],
      reliedOnBy: ["cross-region-internal", "lib/google/load-balancers.ts"],
      expected: [
        "//certificatemanager.googleapis.com/projects/{project}/locations/global/certificates/{prefix}-proxy-cert",
        "//certificatemanager.googleapis.com/projects/{project}/locations/global/certificates/{prefix}-proxy-cert",
      ],
      observe: async (side) => {
        await insert(side, "backendServices", "internal", { loadBalancingScheme: "INTERNAL_MANAGED" });
        await insert(side, "urlMaps", "internal", { defaultService: linkTo(side, "backendServices", "internal") });
        const selfManaged = await makeUpload(side, [side.host("proxy-cert")]);
        const name = await create(side, "certificates", "proxy-cert", { selfManaged, scope: "ALL_REGIONS" });
        const urlMap = linkTo(side, "urlMaps", "internal");
        const attached = async (word: string, certificate: string) => {
          await insert(side, "targetHttpsProxies", word, { urlMap, sslCertificates: [certificate] });
          return (await get(side, "targetHttpsProxies", word)).sslCertificates as readonly string[];
        };
        return [
          ...(await attached("internal-1", `//certificatemanager.googleapis.com/${name}`)),
          ...(await attached("internal-2", `https://certificatemanager.googleapis.com/v1/${name}`)),
        ];
      },
    },
    {
      word: "server-tls-policy",
      statement:
        "A patch with the fingerprint attaches a server TLS policy, which is returned with `//`; null detaches it.",
      source: [tests, resource],
      reliedOnBy: ["mutual-tls-required", "mutual-tls-optional"],
      expected: {
        attached:
          "//networksecurity.googleapis.com/projects/{project}/locations/global/serverTlsPolicies/{prefix}-proxy-clients",
        detached: undefined,
      },
      observe: async (side) => {
        const parameters = { parent: side.location(), serverTlsPolicyId: side.name("proxy-clients") };
        const mtlsPolicy = { clientValidationMode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" };
        await side.run("networksecurity.projects.locations.serverTlsPolicies.create", parameters, { mtlsPolicy });
        const set = async (serverTlsPolicy: string | null) => {
          const { fingerprint } = await get(side, "targetHttpsProxies", "proxy");
          return (await change(side, "targetHttpsProxies", "proxy", "patch", { serverTlsPolicy, fingerprint }))
            .serverTlsPolicy;
        };
        const name = `${side.location()}/serverTlsPolicies/${side.name("proxy-clients")}`;
        return { attached: await set(`//networksecurity.googleapis.com/${name}`), detached: await set(null) };
      },
    },
    {
      word: "stale-fingerprint",
      statement: "A patch with an outdated fingerprint is refused with 412 conditionNotMet.",
      source: "https://github.com/ansible-collections/google.cloud/pull/327",
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 412, reason: "conditionNotMet" },
      observe: async (side) => {
        const body = { description: "new", fingerprint: "AAAAAAAAAAA=" };
        return refusalOf(await tryChange(side, "targetHttpsProxies", "proxy", "patch", body));
      },
    },
    {
      word: "certificate-in-use",
      statement: "An SSL certificate that a proxy uses can't be deleted: 400 resourceInUseByAnotherResource.",
      source: issue("vmware-archive/pcf-pipelines/106"),
      reliedOnBy: ["certificate-destroyed-early", "deletion-of-the-whole"],
      expected: { status: 400, reason: "resourceInUseByAnotherResource" },
      observe: async (side) => refusalOf(await tryChange(side, "sslCertificates", "cert", "delete")),
    },
    {
      word: "missing",
      statement: "A proxy that does not exist is refused with 404 notFound.",
      source: tests,
      reliedOnBy: ["proxy-missing"],
      expected: { status: 404, reason: "notFound" },
      observe: async (side) =>
        refusalOf(
          await side.call("compute.targetHttpsProxies.get", {
            project: side.project,
            targetHttpsProxy: side.name("missing"),
          }),
        ),
    },
  ],
});
