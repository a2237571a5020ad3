import type { Json } from "../front";
import { invalidValue } from "./answers";
import type { Concept } from "./concept";
import { textMember, textMembers } from "./resources";

const forwardSecret = ["ECDSA", "RSA"].flatMap((key) =>
  ["AES_128_GCM_SHA256", "AES_256_GCM_SHA384", "CHACHA20_POLY1305_SHA256"].map(
    (cipher) => `TLS_ECDHE_${key}_WITH_${cipher}`,
  ),
);
const forwardSecretCbc = ["ECDSA", "RSA"].flatMap((key) =>
  ["AES_128_CBC_SHA", "AES_256_CBC_SHA"].map((cipher) => `TLS_ECDHE_${key}_WITH_${cipher}`),
);
const withoutSecrecy = [
  "3DES_EDE_CBC_SHA",
  "AES_128_CBC_SHA",
  "AES_128_GCM_SHA256",
  "AES_256_CBC_SHA",
  "AES_256_GCM_SHA384",
].map((cipher) => `TLS_RSA_WITH_${cipher}`);

/** Cipher suites of the profiles, for realistic answers; not compared with Google's current lists. */
const profiles: Readonly<Record<string, readonly string[]>> = {
  COMPATIBLE: [...forwardSecret, ...forwardSecretCbc, ...withoutSecrecy].sort(),
  FIPS_202205: forwardSecret.filter((suite) => suite.includes("_GCM_")).sort(),
  MODERN: [...forwardSecret, ...forwardSecretCbc].sort(),
  RESTRICTED: [...forwardSecret].sort(),
};
const known = new Set(profiles.COMPATIBLE);

/** SSL policies. Listeners enforce the minimum version TLS 1.3; they negotiate cipher suites without policies. */
export const sslPolicies: Concept = {
  collection: "sslPolicies",
  schema: "SslPolicy",
  noun: "ssl_policy",
  methods: { global: "sslPolicies", regional: "regionSslPolicies" },
  complete(body) {
    const profile = textMember(body, "profile") || "COMPATIBLE";
    const customFeatures = textMembers(body, "customFeatures");
    const minTlsVersion = textMember(body, "minTlsVersion") || "TLS_1_0";
    checkFeatures(profile, customFeatures);
    checkVersion(profile, minTlsVersion);
    const enabledFeatures = profile === "CUSTOM" ? [...customFeatures].sort() : profiles[profile];
    const { enabledFeatures: _, customFeatures: __, ...rest } = body;
    return {
      ...rest,
      minTlsVersion,
      profile,
      ...(customFeatures.length === 0 ? {} : { customFeatures }),
      enabledFeatures,
    } satisfies Json;
  },
};

function checkFeatures(profile: string, customFeatures: readonly string[]): void {
  if (profile !== "CUSTOM" && customFeatures.length > 0)
    throw invalidValue("customFeatures", customFeatures, "Only the profile CUSTOM takes custom features.");
  if (profile === "CUSTOM" && customFeatures.length === 0)
    throw invalidValue("customFeatures", "", "The profile CUSTOM needs at least one feature.");
  const unknown = customFeatures.find((feature) => !known.has(feature));
  if (unknown !== undefined) throw invalidValue("customFeatures", unknown, "Unknown feature.");
}

/** Source: https://docs.cloud.google.com/load-balancing/docs/use-ssl-policies */
function checkVersion(profile: string, minTlsVersion: string): void {
  if (minTlsVersion === "TLS_1_3" && profile !== "RESTRICTED")
    throw invalidValue("minTlsVersion", minTlsVersion, "It needs the profile RESTRICTED.");
  if (profile === "FIPS_202205" && minTlsVersion !== "TLS_1_2")
    throw invalidValue("minTlsVersion", minTlsVersion, "The profile FIPS_202205 needs TLS_1_2.");
}
