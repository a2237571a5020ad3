import fc from "fast-check";
import { withoutSecrets, withoutSecretText } from "../../../lib/rehearsal/evidence/without-secrets";

const mask = "(secret, left out)";
const secret = "s3cr3t-value-of-a-stack";
const cleaned = (document: object) => JSON.parse(withoutSecrets(JSON.stringify(document)));

test.each<[string, object, object]>([
  [
    "values of a plan, and of a state that is shown",
    { values: { a: secret, b: "open" }, sensitive_values: { a: true } },
    { values: { a: mask, b: "open" }, sensitive_values: { a: true } },
  ],
  [
    "both sides of a change, in blocks",
    {
      before: null,
      before_sensitive: false,
      after: { managed: [{ key: secret, name: "n" }] },
      after_sensitive: { managed: [{ key: true }] },
    },
    {
      before: null,
      before_sensitive: false,
      after: { managed: [{ key: mask, name: "n" }] },
      after_sensitive: { managed: [{ key: true }] },
    },
  ],
  [
    "attributes of a state",
    {
      attributes: { list: [{ pem: secret }] },
      sensitive_attributes: [
        [
          { type: "get_attr", value: "list" },
          { type: "index", value: { value: 0, type: "number" } },
          { type: "get_attr", value: "pem" },
        ],
      ],
    },
    {
      attributes: { list: [{ pem: mask }] },
      sensitive_attributes: [
        [
          { type: "get_attr", value: "list" },
          { type: "index", value: { value: 0, type: "number" } },
          { type: "get_attr", value: "pem" },
        ],
      ],
    },
  ],
  ["outputs", { o: { sensitive: true, value: [secret] } }, { o: { sensitive: true, value: [mask] } }],
  [
    "the texts of an output in the output only, because they may be hostnames",
    {
      outputs: { o: { sensitive: true, value: { domain: "www.example.com" } } },
      output_changes: { o: { after: ["www.example.com"], after_sensitive: true } },
      values: { domain: "www.example.com" },
    },
    {
      outputs: { o: { sensitive: true, value: { domain: mask } } },
      output_changes: { o: { after: [mask], after_sensitive: true } },
      values: { domain: "www.example.com" },
    },
  ],
  [
    "the texts of an output everywhere, if a resource has them as a secret",
    {
      outputs: { o: { sensitive: true, value: secret } },
      values: { key: secret, note: secret },
      sensitive_values: { key: true },
    },
    {
      outputs: { o: { sensitive: true, value: mask } },
      values: { key: mask, note: mask },
      sensitive_values: { key: true },
    },
  ],
  [
    "variables, and the same value as a constant of the configuration",
    {
      variables: { key: { value: secret }, zone: { value: "z" } },
      configuration: {
        root_module: { variables: { key: { sensitive: true }, zone: {} }, resources: [{ constant_value: secret }] },
      },
    },
    {
      variables: { key: { value: mask }, zone: { value: "z" } },
      configuration: {
        root_module: { variables: { key: { sensitive: true }, zone: {} }, resources: [{ constant_value: mask }] },
      },
    },
  ],
  [
    "short texts, numbers and truth values, at their own places alone",
    {
      values: { pin: "1234", n: 7, live: true, none: null, empty: "", list: ["ab", 1], name: "1234" },
      sensitive_values: { pin: true, n: true, live: true, none: true, empty: true, list: [true, false] },
    },
    {
      values: { pin: mask, n: mask, live: mask, none: null, empty: "", list: [mask, 1], name: "1234" },
      sensitive_values: { pin: true, n: true, live: true, none: true, empty: true, list: [true, false] },
    },
  ],
  [
    "sensitive variables and outputs of a configuration",
    {
      variables: { v: { sensitive: true, default: "ab" } },
      outputs: { o: { sensitive: true, expression: { constant_value: "cd" } } },
    },
    {
      variables: { v: { sensitive: true, default: mask } },
      outputs: { o: { sensitive: true, expression: { constant_value: mask } } },
    },
  ],
  [
    "members with the name of a secret",
    { access_token: "t", private_key: "k" },
    { access_token: mask, private_key: mask },
  ],
  [
    "members whose last word is a secret, as of types that the bindings mark nowhere",
    { auth_token: "t", oauth2_client_secret: "s", self: [{ secret_data: "d", service_key: "k" }] },
    { auth_token: mask, oauth2_client_secret: mask, self: [{ secret_data: mask, service_key: mask }] },
  ],
  [
    "constants of a configuration, by the attribute's name",
    { expressions: { auth_token: { constant_value: "short" }, zone: { constant_value: "z" } } },
    { expressions: { auth_token: { constant_value: mask }, zone: { constant_value: "z" } } },
  ],
  [
    "no member whose name only begins like a secret",
    { secret_id: "s", kms_key_name: "k", token_url: "u", certificate: "c" },
    { secret_id: "s", kms_key_name: "k", token_url: "u", certificate: "c" },
  ],
  [
    "private keys, marked or not",
    { pem: "a\n-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----\nb" },
    { pem: `a\n${mask}\nb` },
  ],
])("redacts %s", (_, given, expected) => {
  expect(cleaned(given)).toEqual(expected);
});

test("keeps certificates and names", () => {
  const document = {
    pem: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    name: "shop",
    n: 1,
    no: null,
  };
  expect(cleaned(document)).toEqual(document);
});

test("redacts a private key that was cut off", () => {
  expect(withoutSecretText("x -----BEGIN PRIVATE KEY-----\nMIIE")).toBe(`x ${mask}`);
});

test("redacts a sensitive value wherever it occurs in the text", () => {
  const value = fc.string({ minLength: 12, maxLength: 40 }).filter((text) => !JSON.stringify(mask).includes(text));
  fc.assert(
    fc.property(value, fc.jsonValue(), (own, rest) => {
      const text = withoutSecrets(
        JSON.stringify({ values: { a: own }, sensitive_values: { a: true }, deep: [{ beside: `<${own}>` }], rest }),
      );
      const { values, deep } = JSON.parse(text);
      expect(values.a).toBe(mask);
      expect(deep[0].beside).toBe(`<${mask}>`);
    }),
    { numRuns: 50 },
  );
});
