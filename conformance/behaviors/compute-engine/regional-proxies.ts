import { defineGroup } from "../../behavior";
import { isRefused, refusalOf, type Side } from "../../side";
import { issue, pages, providerFile } from "../../sources";
import { makeUpload } from "../../uploads";
import { create } from "../certificate-manager/resources";
import {
  change,
  get,
  insert,
  linkTo,
  sharedCertificateMap,
  sharedSslCertificates,
  tryChange,
  tryInsert,
} from "./resources";

const resource = providerFile("services/compute/resource_compute_region_target_https_proxy.go");
const tests = providerFile("services/compute/resource_compute_region_target_https_proxy_test.go");
const examples = providerFile("services/compute/resource_compute_region_target_https_proxy_generated_test.go");
const root = "{root}compute/v1/projects/{project}/regions/us-central1";

const body = (side: Side) => ({
  urlMap: linkTo(side, "regionUrlMaps", "regional"),
  sslCertificates: [linkTo(side, "regionSslCertificates", "regional")],
});

export const regionalProxies = defineGroup<undefined>({
  service: "compute-engine",
  concept: "regional-proxies",
  prepare: async (side) => {
    const { pemCertificate: certificate, pemPrivateKey: privateKey } = await makeUpload(side, [side.host("regional")]);
    await insert(side, "regionSslCertificates", "regional", { certificate, privateKey });
    await insert(side, "regionBackendServices", "regional", { loadBalancingScheme: "EXTERNAL_MANAGED" });
    const defaultService = linkTo(side, "regionBackendServices", "regional");
    await insert(side, "regionUrlMaps", "regional", { defaultService });
    await insert(side, "regionTargetHttpsProxies", "regional", body(side));
    return undefined;
  },
  behaviors: [
    {
      word: "links",
      statement: "A regional proxy has the full link of its region, and full links to regional resources.",
      source: resource,
      reliedOnBy: ["regional-external", "lib/google/load-balancers.ts"],
      expected: {
        region: root,
        selfLink: `${root}/targetHttpsProxies/{prefix}-regional`,
        urlMap: `${root}/urlMaps/{prefix}-regional`,
        sslCertificates: [`${root}/sslCertificates/{prefix}-regional`],
      },
      observe: async (side) => {
        const { region, selfLink, urlMap, sslCertificates } = await get(side, "regionTargetHttpsProxies", "regional");
        return { region, selfLink, urlMap, sslCertificates };
      },
    },
    {
      word: "certificate-map",
      statement: "A certificate map is refused for a regional proxy: only global proxies have maps.",
      source: [pages.targetSslProxyFields, pages.maps],
      reliedOnBy: ["map-not-allowed", "proxy-takes-no-map"],
      expected: true,
      observe: async (side) => {
        const certificateMap = await sharedCertificateMap(side);
        return isRefused(
          await tryInsert(side, "regionTargetHttpsProxies", "mapped", { ...body(side), certificateMap }),
        );
      },
    },
    {
      word: "global-certificate",
      statement: "A global SSL certificate is refused for a regional proxy.",
      source: pages.sslCertificates,
      reliedOnBy: ["certificate-location-mismatch"],
      expected: true,
      observe: async (side) => {
        await sharedSslCertificates(side);
        const sslCertificates = [linkTo(side, "sslCertificates", "cert")];
        return isRefused(
          await tryInsert(side, "regionTargetHttpsProxies", "mixed", { ...body(side), sslCertificates }),
        );
      },
    },
    {
      word: "last-certificates",
      statement: "The certificates of a regional proxy can't all be removed: 400 invalid.",
      source: issue("hashicorp/terraform-provider-google/17802"),
      reliedOnBy: ["certificate-detached-unmapped"],
      expected: { status: 400, reason: "invalid" },
      observe: async (side) => {
        const none = { sslCertificates: [] };
        return refusalOf(await tryChange(side, "regionTargetHttpsProxies", "regional", "setSslCertificates", none));
      },
    },
    {
      word: "patch-with-fingerprint",
      statement: "A patch with the fingerprint of the proxy sets its SSL policy, which is returned with its full link.",
      source: [resource, issue("hashicorp/terraform-provider-google/16963")],
      reliedOnBy: ["lib/terraform-provider/resources/compute-proxies.ts"],
      expected: `${root}/sslPolicies/{prefix}-regional-policy`,
      observe: async (side) => {
        const policy = { name: side.name("regional-policy"), profile: "MODERN", minTlsVersion: "TLS_1_2" };
        const place = { project: side.project, region: "us-central1" };
        await side.run("compute.regionSslPolicies.insert", place, policy);
        const { fingerprint } = await get(side, "regionTargetHttpsProxies", "regional");
        const sslPolicy = `regions/us-central1/sslPolicies/${policy.name}`;
        return (await change(side, "regionTargetHttpsProxies", "regional", "patch", { sslPolicy, fingerprint }))
          .sslPolicy;
      },
    },
    {
      word: "several-certificates",
      statement: "`setSslCertificates` and `setUrlMap` change a regional proxy in place.",
      source: tests,
      reliedOnBy: ["lib/terraform-provider/resources/compute-proxies.ts"],
      expected: {
        sslCertificates: [`${root}/sslCertificates/{prefix}-regional`, `${root}/sslCertificates/{prefix}-regional-2`],
        urlMap: `${root}/urlMaps/{prefix}-regional-2`,
      },
      observe: async (side) => {
        const { pemCertificate, pemPrivateKey } = await makeUpload(side, [side.host("regional-2")]);
        const upload = { certificate: pemCertificate, privateKey: pemPrivateKey };
        await insert(side, "regionSslCertificates", "regional-2", upload);
        const defaultService = linkTo(side, "regionBackendServices", "regional");
        await insert(side, "regionUrlMaps", "regional-2", { defaultService });
        const links = ["regional", "regional-2"].map((word) => linkTo(side, "regionSslCertificates", word));
        const both = { sslCertificates: links };
        const urlMap = { urlMap: linkTo(side, "regionUrlMaps", "regional-2") };
        await change(side, "regionTargetHttpsProxies", "regional", "setSslCertificates", both);
        const proxy = await change(side, "regionTargetHttpsProxies", "regional", "setUrlMap", urlMap);
        return { sslCertificates: proxy.sslCertificates, urlMap: proxy.urlMap };
      },
    },
    {
      word: "keep-alive",
      statement: "A regional internal proxy is returned with the keep-alive time of its creation.",
      source: examples,
      reliedOnBy: ["proxy-settings-differ", "lib/plan/target-proxies.ts"],
      expected: 600,
      observe: async (side) => {
        await insert(side, "regionBackendServices", "internal", { loadBalancingScheme: "INTERNAL_MANAGED" });
        const defaultService = linkTo(side, "regionBackendServices", "internal");
        await insert(side, "regionUrlMaps", "internal", { defaultService });
        const urlMap = linkTo(side, "regionUrlMaps", "internal");
        const { sslCertificates } = body(side);
        const settings = { urlMap, sslCertificates, httpKeepAliveTimeoutSec: 600 };
        await insert(side, "regionTargetHttpsProxies", "kept-alive", settings);
        return (await get(side, "regionTargetHttpsProxies", "kept-alive")).httpKeepAliveTimeoutSec;
      },
    },
    {
      word: "manager-certificates",
      statement:
        "A regional internal proxy returns certificates of Certificate Manager in `sslCertificates`, with `//`.",
      source: examples,
      reliedOnBy: ["regional-external", "lib/google/load-balancers.ts"],
      expected: [
        "//certificatemanager.googleapis.com/projects/{project}/locations/us-central1/certificates/{prefix}-regional",
      ],
      observe: async (side) => {
        const selfManaged = await makeUpload(side, [side.host("regional")]);
        const name = await create(side, "certificates", "regional", { selfManaged }, "us-central1");
        const sslCertificates = [`https://certificatemanager.googleapis.com/v1/${name}`];
        const urlMap = linkTo(side, "regionUrlMaps", "internal");
        await insert(side, "regionTargetHttpsProxies", "managed", { urlMap, sslCertificates });
        return (await get(side, "regionTargetHttpsProxies", "managed")).sslCertificates;
      },
    },
    {
      word: "private-key",
      statement: "A regional SSL certificate is returned with its certificate and description, and without its key.",
      source: providerFile("services/compute/data_source_google_compute_region_ssl_certificate_test.go"),
      reliedOnBy: ["private-key-in-certificate"],
      expected: { certificate: "{pem}{pem}", description: "really descriptive", hasKey: false },
      observe: async (side) => {
        const { pemCertificate, pemPrivateKey } = await makeUpload(side, [side.host("regional-3")]);
        const upload = { certificate: pemCertificate, privateKey: pemPrivateKey, description: "really descriptive" };
        await insert(side, "regionSslCertificates", "regional-3", upload);
        const found = await get(side, "regionSslCertificates", "regional-3");
        const hasKey = JSON.stringify(found).includes("PRIVATE KEY");
        return { certificate: found.certificate, description: found.description, hasKey };
      },
    },
    {
      word: "stale-fingerprint",
      statement: "A patch of a regional proxy with an outdated fingerprint is refused with 412 conditionNotMet.",
      source: "https://github.com/ansible-collections/google.cloud/pull/327",
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 412, reason: "conditionNotMet" },
      observe: async (side) => {
        const stale = { description: "new", fingerprint: "AAAAAAAAAAA=" };
        return refusalOf(await tryChange(side, "regionTargetHttpsProxies", "regional", "patch", stale));
      },
    },
    {
      word: "other-scope",
      statement: "The global list does not contain regional proxies.",
      source: resource,
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: false,
      observe: async (side) => {
        const filter = `name = "${side.name("regional")}"`;
        return "items" in (await side.make("compute.targetHttpsProxies.list", { project: side.project, filter }));
      },
    },
  ],
});
