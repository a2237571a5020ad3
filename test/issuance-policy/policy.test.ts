import { durationMs, type IssuancePolicy, limitedLifetimeMs, refusalOfPolicy } from "../../lib/issuance-policy";

const request = { dnsNames: ["a.corp.internal"], keyAlgorithm: "ECDSA_P256" } as const;
const below = (domain: string): IssuancePolicy => ({
  identityConstraints: {
    allowSubjectAltNamesPassthrough: true,
    celExpression: { expression: `subject_alt_names.all(san, san.value.endsWith("${domain}"))` },
  },
});

test.each<[string, IssuancePolicy, string | undefined]>([
  ["an empty policy", {}, undefined],
  ["a policy for the domain", below(".corp.internal"), undefined],
  ["a policy for another domain", below(".other"), "the issuance policy refuses a.corp.internal: "],
  [
    "an expression that can't be evaluated",
    { identityConstraints: { allowSubjectAltNamesPassthrough: true, celExpression: { expression: "x()" } } },
    undefined,
  ],
  [
    "a policy that ignores names",
    { identityConstraints: {} },
    "the issuance policy does not allow requests to choose names",
  ],
  ["RSA keys only", { allowedKeyTypes: [{ rsa: {} }] }, "the issuance policy allows no ECDSA_P256 keys"],
  [
    "another curve",
    { allowedKeyTypes: [{ ellipticCurve: { signatureAlgorithm: "EDDSA_25519" } }] },
    "the issuance policy allows no",
  ],
  ["the curve", { allowedKeyTypes: [{ rsa: {} }, { ellipticCurve: { signatureAlgorithm: "ECDSA_P256" } }] }, undefined],
])("decides by %s", (_, policy, expected) => {
  const refusal = refusalOfPolicy(policy, request);

  if (expected === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toContain(expected);
});

test.each([
  [{ minModulusSize: "3072" }, false],
  [{ maxModulusSize: "2048" }, true],
  [{ maxModulusSize: "1024" }, false],
  [{}, true],
])("allows RSA keys of 2048 bits by %j: %s", (rsa, expected) => {
  const refusal = refusalOfPolicy({ allowedKeyTypes: [{ rsa }] }, { ...request, keyAlgorithm: "RSA_2048" });

  expect(refusal === undefined).toBe(expected);
});

test("shortens a lifetime to the maximum of the pool", () => {
  expect(limitedLifetimeMs({ maximumLifetime: "86400s" }, 2 * 86_400_000)).toBe(86_400_000);
  expect(limitedLifetimeMs({ maximumLifetime: "259200s" }, 2 * 86_400_000)).toBe(2 * 86_400_000);
  expect(limitedLifetimeMs({}, 5)).toBe(5);
});

test("reads durations of Google's APIs", () => {
  expect([durationMs("1814400s"), durationMs("1.5s"), durationMs("21d"), durationMs("")]).toEqual([
    1_814_400_000,
    1_500,
    undefined,
    undefined,
  ]);
});
