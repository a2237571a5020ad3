import { defineGroup } from "../../behavior";
import { isRefused, type Json, refusalOf, type Side } from "../../side";
import { pages, providerFile } from "../../sources";
import { change, get, insert, tryChange, tryInsert } from "./resources";

const tests = providerFile("services/compute/resource_compute_ssl_policy_test.go");
const resource = providerFile("services/compute/resource_compute_ssl_policy.go");

const settingsOf = ({ profile, minTlsVersion }: Json) => ({ profile, minTlsVersion });
const patchPolicy = async (side: Side, body: object) => {
  const { fingerprint } = await get(side, "sslPolicies", "ssl-policy");
  return change(side, "sslPolicies", "ssl-policy", "patch", { ...body, fingerprint });
};

export const sslPolicies = defineGroup<undefined>({
  service: "compute-engine",
  concept: "ssl-policies",
  prepare: async (side) => {
    await insert(side, "sslPolicies", "ssl-policy", {});
    return undefined;
  },
  behaviors: [
    {
      word: "defaults",
      statement: "An SSL policy without settings has the profile `COMPATIBLE` and the minimum version TLS 1.0.",
      source: resource,
      reliedOnBy: ["ssl-policy-excludes-clients", "protocol-lost"],
      expected: { profile: "COMPATIBLE", minTlsVersion: "TLS_1_0" },
      observe: async (side) => settingsOf(await get(side, "sslPolicies", "ssl-policy")),
    },
    {
      word: "features",
      statement: "An SSL policy lists its enabled features; a restricted profile has fewer than a compatible one.",
      source: pages.sslPolicies,
      reliedOnBy: ["ssl-policy-excludes-key"],
      expected: true,
      observe: async (side) => {
        const count = ({ enabledFeatures }: Json) => (enabledFeatures as readonly string[]).length;
        const compatible = count(await get(side, "sslPolicies", "ssl-policy"));
        const body = { profile: "RESTRICTED", minTlsVersion: "TLS_1_2" };
        return count(await patchPolicy(side, body)) < compatible;
      },
    },
    {
      word: "custom-features",
      statement: "The features of a custom policy are returned as custom and as enabled features.",
      source: tests,
      reliedOnBy: ["ssl-policy-excludes-key"],
      expected: {
        profile: "CUSTOM",
        custom: ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"],
        enabled: ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"],
      },
      observe: async (side) => {
        const features = ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"];
        const body = { profile: "CUSTOM", minTlsVersion: "TLS_1_1", customFeatures: features };
        const { profile, customFeatures, enabledFeatures } = await patchPolicy(side, body);
        return { profile, custom: customFeatures, enabled: enabledFeatures };
      },
    },
    {
      word: "from-custom",
      statement: "A patch to a profile of Google's, without features, removes the custom features.",
      source: tests,
      reliedOnBy: ["lib/cloud/compute/ssl-policies.ts"],
      expected: { profile: "MODERN", hasCustomFeatures: false },
      observe: async (side) => {
        const body = { profile: "MODERN", minTlsVersion: "TLS_1_0", customFeatures: [] };
        const policy = await patchPolicy(side, body);
        return { profile: policy.profile, hasCustomFeatures: "customFeatures" in policy };
      },
    },
    {
      word: "custom-without-features",
      statement: "A custom policy without features is refused.",
      source: resource,
      reliedOnBy: ["ssl-policy-excludes-clients"],
      expected: true,
      observe: async (side) => isRefused(await tryInsert(side, "sslPolicies", "empty", { profile: "CUSTOM" })),
    },
    {
      word: "version-of-profile",
      statement: "The minimum version TLS 1.3 is refused without the profile `RESTRICTED`.",
      source: pages.sslPolicyLimits,
      reliedOnBy: ["ssl-policy-excludes-clients"],
      expected: true,
      observe: async (side) => {
        const body = { profile: "MODERN", minTlsVersion: "TLS_1_3" };
        return isRefused(await tryInsert(side, "sslPolicies", "modern", body));
      },
    },
    {
      word: "version-of-fips",
      statement: "The profile `FIPS_202205` is refused with a minimum version other than TLS 1.2.",
      source: [pages.sslPolicyLimits, tests],
      reliedOnBy: ["ssl-policy-excludes-clients"],
      expected: true,
      observe: async (side) => {
        const body = { profile: "FIPS_202205", minTlsVersion: "TLS_1_0" };
        return isRefused(await tryInsert(side, "sslPolicies", "fips", body));
      },
    },
    {
      word: "restricted",
      statement: "A restricted policy may have the minimum version TLS 1.3.",
      source: tests,
      reliedOnBy: ["ssl-policy-excludes-clients"],
      expected: { profile: "RESTRICTED", minTlsVersion: "TLS_1_3" },
      observe: async (side) => settingsOf(await patchPolicy(side, { profile: "RESTRICTED", minTlsVersion: "TLS_1_3" })),
    },
    {
      word: "fips",
      statement: "A patch changes a policy to the profile `FIPS_202205` with TLS 1.2 in place.",
      source: tests,
      reliedOnBy: ["lib/cloud/compute/ssl-policies.ts"],
      expected: { profile: "FIPS_202205", minTlsVersion: "TLS_1_2" },
      observe: async (side) =>
        settingsOf(await patchPolicy(side, { profile: "FIPS_202205", minTlsVersion: "TLS_1_2" })),
    },
    {
      word: "post-quantum",
      statement: "A patch sets the post-quantum key exchange of a policy, which is missing at first.",
      source: tests,
      reliedOnBy: ["lib/cloud/compute/ssl-policies.ts"],
      expected: { first: "", changed: ["DEFAULT", "ENABLED", "DEFERRED"] },
      observe: async (side) => {
        await insert(side, "sslPolicies", "quantum", { profile: "MODERN", minTlsVersion: "TLS_1_2" });
        const { postQuantumKeyExchange: first = "" } = await get(side, "sslPolicies", "quantum");
        const changed: unknown[] = [];
        for (const postQuantumKeyExchange of ["DEFAULT", "ENABLED", "DEFERRED"]) {
          const { fingerprint } = await get(side, "sslPolicies", "quantum");
          const body = { postQuantumKeyExchange, fingerprint };
          changed.push((await change(side, "sslPolicies", "quantum", "patch", body)).postQuantumKeyExchange);
        }
        return { first, changed };
      },
    },
    {
      word: "created-custom",
      statement: "A policy may be created as custom, with its description, and is returned with its full link.",
      source: [tests, providerFile("services/compute/data_source_google_compute_ssl_policy_test.go")],
      reliedOnBy: ["ssl-policy-excludes-key"],
      expected: {
        selfLink: "{root}compute/v1/projects/{project}/global/sslPolicies/{prefix}-custom",
        description: "custom",
        profile: "CUSTOM",
        customFeatures: ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"],
      },
      observe: async (side) => {
        const customFeatures = ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"];
        const body = { description: "custom", profile: "CUSTOM", minTlsVersion: "TLS_1_2", customFeatures };
        await insert(side, "sslPolicies", "custom", body);
        const { selfLink, description, profile, customFeatures: found } = await get(side, "sslPolicies", "custom");
        return { selfLink, description, profile, customFeatures: found };
      },
    },
    {
      word: "stale-fingerprint",
      statement: "A patch with an outdated fingerprint is refused with 412 conditionNotMet.",
      source: "https://github.com/ansible-collections/google.cloud/pull/327",
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 412, reason: "conditionNotMet" },
      observe: async (side) => {
        const body = { profile: "MODERN", fingerprint: "AAAAAAAAAAA=" };
        return refusalOf(await tryChange(side, "sslPolicies", "ssl-policy", "patch", body));
      },
    },
  ],
});
