import { defineGroup } from "../../behavior";
import type { Json, Side } from "../../side";
import { providerFile } from "../../sources";
import { change, get, insert } from "./resources";

const tests = providerFile("services/compute/resource_compute_region_ssl_policy_test.go");
const examples = providerFile("services/compute/resource_compute_region_ssl_policy_generated_test.go");
const dataSource = providerFile("services/compute/data_source_google_compute_region_ssl_policy_test.go");
const cloud = "lib/cloud/compute/ssl-policies.ts";
const features = ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"];

const settingsOf = ({ profile, minTlsVersion }: Json) => ({ profile, minTlsVersion });

async function patch(side: Side, body: object): Promise<Json> {
  const { fingerprint } = await get(side, "regionSslPolicies", "region-policy");
  return change(side, "regionSslPolicies", "region-policy", "patch", { ...body, fingerprint });
}

export const regionalSslPolicies = defineGroup<undefined>({
  service: "compute-engine",
  concept: "regional-ssl-policies",
  prepare: async (side) => {
    const body = { profile: "MODERN", minTlsVersion: "TLS_1_2", description: "regional" };
    await insert(side, "regionSslPolicies", "region-policy", body);
    return undefined;
  },
  behaviors: [
    {
      word: "resource",
      statement: "A regional SSL policy has the link of its region, its profile, version and description.",
      source: [dataSource, examples],
      reliedOnBy: ["regional-external", cloud],
      expected: {
        selfLink: "{root}compute/v1/projects/{project}/regions/us-central1/sslPolicies/{prefix}-region-policy",
        region: "{root}compute/v1/projects/{project}/regions/us-central1",
        profile: "MODERN",
        minTlsVersion: "TLS_1_2",
        description: "regional",
      },
      observe: async (side) => {
        const found = await get(side, "regionSslPolicies", "region-policy");
        const { selfLink, region, profile, minTlsVersion, description } = found;
        return { selfLink, region, profile, minTlsVersion, description };
      },
    },
    {
      word: "version-default",
      statement: "A regional policy with a profile and without a version has the minimum version TLS 1.0.",
      source: examples,
      reliedOnBy: ["ssl-policy-excludes-clients"],
      expected: { profile: "MODERN", minTlsVersion: "TLS_1_0" },
      observe: async (side) => {
        await insert(side, "regionSslPolicies", "region-default", { profile: "MODERN" });
        return settingsOf(await get(side, "regionSslPolicies", "region-default"));
      },
    },
    {
      word: "profiles",
      statement: "Patches change profile and minimum version of a regional policy in place.",
      source: tests,
      reliedOnBy: ["ssl-policy-excludes-clients", cloud],
      expected: [
        { profile: "MODERN", minTlsVersion: "TLS_1_0" },
        { profile: "RESTRICTED", minTlsVersion: "TLS_1_2" },
        { profile: "FIPS_202205", minTlsVersion: "TLS_1_2" },
        { profile: "RESTRICTED", minTlsVersion: "TLS_1_3" },
      ],
      observe: async (side) => [
        settingsOf(await patch(side, { profile: "MODERN", minTlsVersion: "TLS_1_0" })),
        settingsOf(await patch(side, { profile: "RESTRICTED", minTlsVersion: "TLS_1_2" })),
        settingsOf(await patch(side, { profile: "FIPS_202205", minTlsVersion: "TLS_1_2" })),
        settingsOf(await patch(side, { profile: "RESTRICTED", minTlsVersion: "TLS_1_3" })),
      ],
    },
    {
      word: "custom",
      statement: "Patches change a regional policy to custom features and back to a profile of Google's.",
      source: tests,
      reliedOnBy: ["ssl-policy-excludes-key", cloud],
      expected: {
        custom: { profile: "CUSTOM", minTlsVersion: "TLS_1_1", customFeatures: features },
        after: { profile: "MODERN", minTlsVersion: "TLS_1_0", customFeatures: [] },
      },
      observe: async (side) => {
        const set = async (profile: string, minTlsVersion: string, customFeatures: readonly string[]) => {
          const policy = await patch(side, { profile, minTlsVersion, customFeatures });
          return { ...settingsOf(policy), customFeatures: policy.customFeatures ?? [] };
        };
        const custom = await set("CUSTOM", "TLS_1_1", features);
        return { custom, after: await set("MODERN", "TLS_1_0", []) };
      },
    },
    {
      word: "post-quantum",
      statement: "Patches set the post-quantum key exchange of a regional policy.",
      source: tests,
      reliedOnBy: [cloud],
      expected: ["ENABLED", "DEFERRED", "DEFAULT"],
      observe: async (side) => {
        const seen: unknown[] = [];
        for (const postQuantumKeyExchange of ["ENABLED", "DEFERRED", "DEFAULT"])
          seen.push((await patch(side, { postQuantumKeyExchange })).postQuantumKeyExchange);
        return seen;
      },
    },
  ],
});
