import { type CheckCase, certificate, id, regional, with_ } from "./case";

export const authorizationsCases: readonly CheckCase[] = [
  {
    code: "authorization-domain-wildcard",
    refused: with_({ existingAuthorizations: { "*.example.com": id("dnsAuthorizations") } }),
    accepted: with_({ existingAuthorizations: { "example.com": id("dnsAuthorizations") }, dns: { kind: "external" } }),
  },
  {
    code: "authorization-id-malformed",
    refused: with_({ existingAuthorizations: { "example.com": "a" }, dns: { kind: "external" } }),
    accepted: with_({ existingAuthorizations: { "example.com": id("dnsAuthorizations") }, dns: { kind: "external" } }),
  },
  {
    code: "authorization-unused",
    refused: with_({ existingAuthorizations: { "example.net": id("dnsAuthorizations") } }),
    accepted: with_({ existingAuthorizations: { "example.com": id("dnsAuthorizations") }, dns: { kind: "external" } }),
  },
  {
    code: "fixed-record-in-region",
    refused: with_({ authorizationType: "FIXED_RECORD", loadBalancer: regional }),
    accepted: with_({ authorizationType: "PER_PROJECT_RECORD", loadBalancer: regional }),
  },
  {
    code: "zone-missing",
    refused: certificate({ domains: ["notexample.com"] }),
    accepted: certificate({ domains: ["not.example.com"] }),
  },
  {
    code: "zone-name-invalid",
    refused: with_({ dns: { kind: "cloudDns", zones: { "example.com": "example.com" } } }),
    accepted: with_({ dns: { kind: "cloudDns", zones: { "example.com": "projects/p/managedZones/example-com" } } }),
  },
  {
    code: "zone-unused",
    refused: with_({ dns: { kind: "cloudDns", zones: { "example.com": "a", "www.example.com": "b" } } }),
    accepted: with_({
      certificates: [{ domains: ["example.com", "www.example.com"] }],
      dns: { kind: "cloudDns", zones: { "example.com": "a", "www.example.com": "b" } },
    }),
  },
];
