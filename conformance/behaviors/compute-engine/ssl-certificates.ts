import { defineGroup } from "../../behavior";
import { isRefused, type Json, refusalOf, type Side } from "../../side";
import { pages, providerFile } from "../../sources";
import { makeUpload } from "../../uploads";
import { get, insert, linkTo, sharedSslCertificates, sharedUrlMap, tryInsert } from "./resources";

const managedResource = providerFile("services/compute/resource_compute_managed_ssl_certificate.go");
const uploadedResource = providerFile("services/compute/resource_compute_ssl_certificate.go");

const managedTests = providerFile("services/compute/resource_compute_managed_ssl_certificate_generated_test.go");
const uploadedTests = providerFile("services/compute/resource_compute_ssl_certificate_generated_test.go");
const unitTests = providerFile("services/compute/resource_compute_ssl_certificate_test.go");

const uploaded = (certificate: string, privateKey: string) => {
  return { type: "SELF_MANAGED", selfManaged: { certificate, privateKey } };
};
const managed = (...domains: readonly string[]) => ({ type: "MANAGED", managed: { domains } });

export const sslCertificates = defineGroup<Json>({
  service: "compute-engine",
  concept: "ssl-certificates",
  prepare: async (side) => {
    await sharedSslCertificates(side);
    await insert(side, "sslCertificates", "managed", managed(side.host("managed"), side.host("www.managed")));
    return get(side, "sslCertificates", "cert");
  },
  behaviors: [
    {
      word: "uploaded",
      statement: "An uploaded SSL certificate has the type `SELF_MANAGED`, its DNS names and the time of its end.",
      source: [uploadedResource, pages.uploadedSslCertificates],
      reliedOnBy: ["uploaded-certificate", "lib/google/load-balancers.ts"],
      expected: {
        type: "SELF_MANAGED",
        subjectAlternativeNames: ["cert.{prefix}.{domain}"],
        expireTime: "{time}",
      },
      observe: async (_, { type, subjectAlternativeNames, expireTime }) => {
        return { type, subjectAlternativeNames, expireTime };
      },
    },
    {
      word: "private-key",
      statement: "No answer contains the private key of an SSL certificate.",
      source: uploadedResource,
      reliedOnBy: ["private-key-in-certificate"],
      expected: false,
      observe: async (_, certificate) => JSON.stringify(certificate).includes("PRIVATE KEY"),
    },
    {
      word: "other-key",
      statement: "A certificate with the private key of another certificate is refused.",
      source: pages.uploadedSslCertificates,
      reliedOnBy: ["private-key-mismatch", "key-of-another-certificate"],
      expected: true,
      observe: async (side) => {
        const { pemCertificate } = await makeUpload(side, [side.host("mismatch")]);
        const { pemPrivateKey } = await makeUpload(side, [side.host("other")]);
        return isRefused(await tryInsert(side, "sslCertificates", "mismatch", uploaded(pemCertificate, pemPrivateKey)));
      },
    },
    {
      word: "not-pem",
      statement: "A certificate that is not in PEM format is refused.",
      source: pages.uploadedSslCertificates,
      reliedOnBy: ["certificate-pem-unusable"],
      expected: true,
      observe: async (side) => {
        const { pemPrivateKey } = await makeUpload(side, [side.host("mismatch")]);
        return isRefused(await tryInsert(side, "sslCertificates", "mismatch", uploaded("text", pemPrivateKey)));
      },
    },
    {
      word: "exists",
      statement: "A second SSL certificate with the same name is refused with 409 alreadyExists.",
      source: uploadedResource,
      reliedOnBy: ["uploaded-certificate-replaced"],
      expected: { status: 409, reason: "alreadyExists" },
      observe: async (side) => {
        const { pemCertificate, pemPrivateKey } = await makeUpload(side, [side.host("cert")]);
        return refusalOf(await tryInsert(side, "sslCertificates", "cert", uploaded(pemCertificate, pemPrivateKey)));
      },
    },
    {
      word: "managed",
      statement: "A managed SSL certificate that no proxy uses is `PROVISIONING` and has its domains as DNS names.",
      source: [pages.sslCertificateStates, managedResource],
      reliedOnBy: ["lib/google/load-balancers.ts", "certificate-provisioning"],
      expected: {
        type: "MANAGED",
        status: "PROVISIONING",
        domains: ["managed.{prefix}.{domain}", "www.managed.{prefix}.{domain}"],
        subjectAlternativeNames: ["managed.{prefix}.{domain}", "www.managed.{prefix}.{domain}"],
      },
      observe: async (side) => {
        const { type, managed: details, subjectAlternativeNames } = await get(side, "sslCertificates", "managed");
        const { status, domains } = details as Json;
        return { type, status, domains, subjectAlternativeNames };
      },
    },
    {
      word: "states-of-domains",
      statement: "A managed SSL certificate has a state for each domain, first `PROVISIONING` or `FAILED_NOT_VISIBLE`.",
      source: pages.sslCertificateStates,
      reliedOnBy: ["domain-awaits-traffic"],
      expected: { "managed.{prefix}.{domain}": true, "www.managed.{prefix}.{domain}": true },
      observe: async (side) => {
        const { domainStatus = {} } = (await get(side, "sslCertificates", "managed")).managed as Json;
        const states = Object.entries(domainStatus as Readonly<Record<string, string>>);
        return Object.fromEntries(
          states.map(([domain, state]) => [domain, ["PROVISIONING", "FAILED_NOT_VISIBLE"].includes(state)]),
        );
      },
    },
    {
      word: "managed-without-certificate",
      statement: "A managed SSL certificate without issuance has no time of its end.",
      source: managedResource,
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: false,
      observe: async (side) => "expireTime" in (await get(side, "sslCertificates", "managed")),
    },
    {
      word: "managed-wildcard",
      statement: "A managed SSL certificate with a wildcard is refused.",
      source: pages.managedSslCertificates,
      reliedOnBy: ["wildcard-only"],
      expected: true,
      observe: async (side) =>
        isRefused(await tryInsert(side, "sslCertificates", "wildcard", managed(`*.${side.host("managed")}`))),
    },
    {
      word: "managed-many-domains",
      statement: "A managed SSL certificate with 101 domains is refused: at most 100 are allowed.",
      source: managedResource,
      reliedOnBy: ["certificate-too-many-domains"],
      expected: true,
      observe: async (side) => {
        const domains = Array.from({ length: 101 }, (_, index) => side.host(`d${index}`));
        return isRefused(await tryInsert(side, "sslCertificates", "many", managed(...domains)));
      },
    },
    {
      word: "upload-at-top-level",
      statement: "A certificate and key beside `name`, without a type, make an uploaded SSL certificate.",
      source: [uploadedTests, uploadedResource],
      reliedOnBy: ["uploaded-certificate"],
      expected: { type: "SELF_MANAGED", certificate: "{pem}{pem}", description: "a description" },
      observe: async (side) => {
        const { pemCertificate: certificate, pemPrivateKey: privateKey } = await makeUpload(side, [side.host("top")]);
        await insert(side, "sslCertificates", "top", { certificate, privateKey, description: "a description" });
        const found = await get(side, "sslCertificates", "top");
        return { type: found.type, certificate: found.certificate, description: found.description };
      },
    },
    {
      word: "managed-final-dot",
      statement: "A managed SSL certificate accepts a domain with a final dot, and returns it with or without the dot.",
      source: [managedTests, unitTests],
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: ["dotted.{prefix}.{domain}"],
      observe: async (side) => {
        await insert(side, "sslCertificates", "dotted", managed(`${side.host("dotted")}.`));
        const { domains = [] } = (await get(side, "sslCertificates", "dotted")).managed as Json;
        return (domains as readonly string[]).map((domain) => domain.replace(/\.$/, ""));
      },
    },
    {
      word: "managed-on-proxy",
      statement: "A proxy may use a managed SSL certificate that is still `PROVISIONING`.",
      source: managedTests,
      reliedOnBy: ["certificate-provisioning"],
      expected: ["{root}compute/v1/projects/{project}/global/sslCertificates/{prefix}-dotted"],
      observe: async (side) => {
        await sharedUrlMap(side);
        const sslCertificates = [linkTo(side, "sslCertificates", "dotted")];
        const body = { urlMap: linkTo(side, "urlMaps", "urls"), sslCertificates };
        await insert(side, "targetHttpsProxies", "dotted", body);
        return (await get(side, "targetHttpsProxies", "dotted")).sslCertificates;
      },
    },
    {
      word: "deletion",
      statement: "The deletion of an SSL certificate that no proxy uses succeeds.",
      source: uploadedResource,
      reliedOnBy: ["deletion-of-the-whole"],
      expected: "DONE",
      observe: async (side: Side) => {
        const parameters = { project: side.project, sslCertificate: side.name("managed") };
        return (await side.run("compute.sslCertificates.delete", parameters)).status;
      },
    },
  ],
});
