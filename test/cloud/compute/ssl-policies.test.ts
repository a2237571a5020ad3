import { refusal, startCompute } from "./start-compute";

describe("an SSL policy", () => {
  it.each([
    ["RESTRICTED", "TLS_1_3"],
    ["FIPS_202205", "TLS_1_2"],
    ["MODERN", "TLS_1_0"],
  ])("of the profile %s has the minimum version %s", async (profile, minTlsVersion) => {
    await using cloud = await startCompute();
    await cloud.make(["p1/global/sslPolicies", { name: "s1", profile, minTlsVersion }]);
    expect(await cloud.get("p1/global/sslPolicies/s1")).toMatchObject({ profile, minTlsVersion });
  });

  it.each([
    ["MODERN", "TLS_1_3", "'TLS_1_3'. It needs the profile RESTRICTED."],
    ["FIPS_202205", "TLS_1_1", "'TLS_1_1'. The profile FIPS_202205 needs TLS_1_2."],
    ["FIPS_202205", undefined, "'TLS_1_0'. The profile FIPS_202205 needs TLS_1_2."],
  ])("of the profile %s is refused with the minimum version %s", async (profile, minTlsVersion, expected) => {
    await using cloud = await startCompute();
    const answer = await cloud.call("POST", "p1/global/sslPolicies", { name: "s1", profile, minTlsVersion });
    expect(refusal(answer)).toBe(`400 invalid: Invalid value for field 'resource.minTlsVersion': ${expected}`);
  });
});
