import { differencesOf } from "../../conformance/compare";
import { normalize } from "../../conformance/normalize";

const identity = {
  project: "sandbox-1",
  prefix: "cf1a2b3c",
  domain: "sandbox.example.com",
  zone: "public-zone",
};

test("replaces project, prefix, domain, times, tokens, operations and addresses", () => {
  const value = {
    name: "projects/sandbox-1/locations/global/operations/operation-1-2-3",
    owner: "projects/123456789012",
    record: "_acme-challenge.a.cf1a2b3c.sandbox.example.com.",
    data: "9f1c.7.authorize.certificatemanager.goog.",
    createTime: "2026-11-28T10:00:00.123Z",
    address: "34.1.2.3",
    documentation: "192.0.2.1",
    etag: "abc",
  };
  expect(normalize(value, identity)).toEqual({
    name: "projects/{project}/locations/global/operations/{operation}",
    owner: "projects/{project}",
    record: "_acme-challenge.a.{prefix}.{domain}.",
    data: "{token}.authorize.certificatemanager.goog.",
    createTime: "{time}",
    address: "{ip}",
    documentation: "192.0.2.1",
    etag: "{etag}",
  });
});

test("replaces keys and access tokens", () => {
  const key = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n";
  const text = JSON.stringify(normalize({ key, token: "ya29.a0AfH6SMBx", header: "Bearer abc.def" }, identity));
  expect(text).not.toMatch(/c2VjcmV0|a0AfH|abc\.def/);
});

test.each([
  [
    "the text of a disabled API",
    "apis/api/dns.googleapis.com/overview?project=123456789012 then retry",
    "123456789012",
  ],
  ["a resource of a project", '{"projectNumber": "123456789012"}', "123456789012"],
  ["a number of a project without a word", "123456789012", "123456789012"],
  ["an organization", "organizations/4711", "4711"],
  ["a folder", "folders/4712", "4712"],
  ["a billing account", "billingAccounts/01AB-23CD", "01AB"],
  ["a key that was cut", "-----BEGIN PRIVATE KEY-----\nc2VjcmV0", "c2VjcmV0"],
  ["a refresh token", "1//0gSecretToken", "SecretToken"],
  ["the secret of a client", "GOCSPX-secret_1", "secret_1"],
  ["a signed token", "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl", "c2lnbmF0dXJl"],
])("replaces %s", (_, given, secret) => {
  expect(JSON.stringify(normalize({ given, list: [given] }, identity))).not.toContain(secret);
});

test("replaces the name of the zone only where a zone is named, so that a zone named global changes nothing else", () => {
  const value = {
    parent: "projects/sandbox-1/locations/global",
    zone: "managedZones/global/rrsets",
    managedZone: "global",
  };
  expect(normalize(value, { ...identity, zone: "global" })).toEqual({
    parent: "projects/{project}/locations/global",
    zone: "managedZones/{zone}/rrsets",
    managedZone: "{zone}",
  });
});

test("leaves a longer word that contains the name of the project unchanged", () => {
  expect(normalize("sandbox-10 sandbox-1", identity)).toBe("sandbox-10 {project}");
});

test("drops the label of the suite, and keeps the labels of a behavior", () => {
  expect(normalize([{ labels: { conformance: "x" } }, { labels: { conformance: "x", a: "b" } }], identity)).toEqual([
    {},
    { labels: { a: "b" } },
  ]);
});

test("finds a missing field, another field and another order of a list", () => {
  expect(differencesOf({ a: 1, b: ["x", "y"] }, { b: ["y", "x"], c: 2 })).toEqual([
    { path: "a", expected: 1, seen: undefined },
    { path: "b[0]", expected: "x", seen: "y" },
    { path: "b[1]", expected: "y", seen: "x" },
    { path: "c", expected: undefined, seen: 2 },
  ]);
});
