import { compareDescriptions, type DescriptionChange, type DescriptionDocument } from "../../../lib/discovery";
import { description, differences, withMethod } from "./description";

const scopes = (all: Readonly<Record<string, string>>): Partial<DescriptionDocument> => ({
  auth: {
    oauth2: {
      scopes: Object.fromEntries(Object.entries(all).map(([scope, text]) => [scope, { description: text }])),
    },
  },
});
const berlin = { endpointUrl: "https://berlin.example.com/", location: "berlin" };

test.each<[string, Partial<DescriptionDocument>, Partial<DescriptionDocument>, readonly string[]]>([
  [
    "another root",
    { rootUrl: "https://a.example/" },
    { rootUrl: "https://b.example/" },
    ["breaking root-url-changed rootUrl"],
  ],
  ["a root", {}, { rootUrl: "https://b.example/" }, ["compatible root-url-changed rootUrl"]],
  ["no root", { rootUrl: "https://b.example/" }, {}, ["breaking root-url-changed rootUrl"]],
  [
    "the root without its slash",
    { rootUrl: "https://a.example/" },
    { rootUrl: "https://a.example" },
    ["noise root-url-changed rootUrl"],
  ],
  [
    "another root for mutual TLS",
    { mtlsRootUrl: "https://a/" },
    { mtlsRootUrl: "https://b/" },
    ["breaking mtls-root-url-changed mtlsRootUrl"],
  ],
  ["another batch path", { batchPath: "batch" }, { batchPath: "batch/v1" }, ["breaking batch-path-changed batchPath"]],
  ["the usual batch path, stated explicitly", {}, { batchPath: "batch" }, []],
  ["another protocol", { protocol: "rest" }, { protocol: "rpc" }, ["breaking protocol-changed protocol"]],
  [
    "another encoding",
    {},
    { fullyEncodeReservedExpansion: true },
    ["compatible reserved-expansion-changed fullyEncodeReservedExpansion"],
  ],
  ["a feature", {}, { features: ["dataWrapper"] }, ["breaking feature-added features"]],
  ["no feature", { features: ["dataWrapper"] }, {}, ["breaking feature-removed features"]],
  ["a label", {}, { labels: ["limited_availability"] }, ["compatible label-added labels"]],
  ["no label", { labels: ["labs"] }, { labels: [] }, ["compatible label-removed labels"]],
  ["deprecated", {}, { labels: ["deprecated"] }, ["compatible deprecation-gained labels"]],
  ["deprecated no longer", { labels: ["deprecated"] }, {}, ["compatible deprecation-lost labels"]],
  ["an endpoint", {}, { endpoints: [berlin] }, ["compatible endpoint-added endpoints berlin"]],
  ["no endpoint", { endpoints: [berlin] }, {}, ["breaking endpoint-removed endpoints berlin"]],
  [
    "another host for a location",
    { endpoints: [berlin] },
    { endpoints: [{ ...berlin, endpointUrl: "https://b.example.com/" }] },
    ["breaking endpoint-removed endpoints berlin", "compatible endpoint-added endpoints berlin"],
  ],
  [
    "an endpoint deprecated",
    { endpoints: [berlin] },
    { endpoints: [{ ...berlin, deprecated: true }] },
    ["compatible deprecation-gained endpoints berlin"],
  ],
  [
    "an endpoint deprecated no longer",
    { endpoints: [{ ...berlin, deprecated: true }] },
    { endpoints: [berlin] },
    ["compatible deprecation-lost endpoints berlin"],
  ],
  [
    "an endpoint in other words",
    { endpoints: [berlin] },
    { endpoints: [{ ...berlin, description: "Berlin." }] },
    ["noise description-changed endpoints berlin"],
  ],
  ["a scope", scopes({}), scopes({ a: "A." }), ["compatible auth-scope-added auth.oauth2.scopes"]],
  ["no scope", scopes({ a: "A." }), {}, ["breaking auth-scope-removed auth.oauth2.scopes"]],
  [
    "a scope in other words",
    scopes({ a: "A." }),
    scopes({ a: "B." }),
    ["noise description-changed auth.oauth2.scopes"],
  ],
  ["another title", { title: "A" }, { title: "B" }, ["noise description-changed title"]],
  ["other words", { description: "A" }, { description: "B" }, ["noise description-changed description"]],
  ["another revision", { revision: "20260101" }, { revision: "20261101" }, ["noise revision-changed revision"]],
  ["another etag", { etag: "a" }, { etag: "b" }, ["noise field-changed etag"]],
  ["other icons", { icons: { x16: "a" } }, { icons: { x16: "b" } }, ["noise field-changed icons"]],
  [
    "other documentation",
    { documentationLink: "a" },
    { documentationLink: "b" },
    ["noise field-changed documentationLink"],
  ],
  ["another version of the service", {}, { serviceVersion: "2026-11-01" }, ["noise field-changed serviceVersion"]],
  [
    "the deprecated base address",
    { baseUrl: "a", basePath: "a" },
    {},
    ["noise field-changed basePath", "noise field-changed baseUrl"],
  ],
])("%s", (_, before, after, expected) => {
  expect(differences(description(before), description(after))).toEqual(expected);
});

describe("another service path", () => {
  test("moves every method", () => {
    const before = withMethod({ path: "carts" }, { servicePath: "v1/" });
    const after = withMethod({ path: "carts" }, { servicePath: "v2/" });

    expect(compareDescriptions(before, after).changes).toEqual<DescriptionChange[]>([
      {
        kind: "service-path-changed",
        class: "breaking",
        subject: "servicePath",
        before: "v1/",
        after: "v2/",
        message: "'servicePath' is 'v2/' instead of 'v1/'",
      },
    ]);
  });

  test("is insignificant if the methods' paths compensate for it", () => {
    const before = withMethod({ path: "carts" }, { servicePath: "v1/" });
    const after = withMethod({ path: "v1/carts" });

    expect(differences(before, after)).toEqual([
      "noise service-path-changed servicePath",
      "noise path-changed shop.carts.get",
    ]);
  });
});
