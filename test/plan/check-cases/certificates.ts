import type { IssuedBySpec } from "../../../lib/plan/spec";
import { makeCertificate } from "../../support/make-certificate";
import { type CheckCase, certificate, id, names, with_ } from "./case";

const long = `${"a".repeat(30)}.${"b".repeat(30)}.example.com`;

const internal = { kind: "regionalInternal", region: "europe-west1" } as const;
const privately = (issuedBy: IssuedBySpec, domain = "status.corp.internal") => ({
  ...certificate({ kind: "privateCa", domains: [domain], caPool: id("caPools", "europe-west6"), ...issuedBy }),
  dns: { kind: "external" } as const,
});
const issuedByConfig = (existingIssuanceConfig: string) => ({
  ...certificate({ kind: "privateCa", domains: ["status.corp.internal"], existingIssuanceConfig }),
  dns: { kind: "external" } as const,
});

export const certificatesCases: readonly CheckCase[] = [
  {
    code: "certificate-kind-ambiguous",
    refused: certificate({
      selfManaged: { certificatePem: makeCertificate(["example.com"]).certificatePem, privateKeyVariable: "key" },
      existingCertificateId: id("certificates"),
      domains: ["example.com"],
    }),
    accepted: certificate({ kind: "existing", domains: ["example.com"], id: id("certificates") }),
  },
  {
    code: "issued-by-ambiguous",
    refused: privately({ existingIssuanceConfig: id("certificateIssuanceConfigs") }),
    accepted: privately({}),
  },
  { code: "ca-pool-malformed", refused: privately({ caPool: "internal" }), accepted: privately({}) },
  {
    code: "ca-pool-location-mismatch",
    refused: { ...privately({ caPool: id("caPools", "europe-west6") }), loadBalancer: internal },
    accepted: { ...privately({ caPool: id("caPools", "europe-west1") }), loadBalancer: internal },
  },
  {
    code: "issuance-config-malformed",
    refused: issuedByConfig(id("certificates")),
    accepted: issuedByConfig(id("certificateIssuanceConfigs")),
  },
  {
    code: "issuance-lifetime-invalid",
    refused: privately({ lifetime: "31d" }),
    accepted: privately({ lifetime: "2592000s" }),
  },
  {
    code: "issuance-rotation-invalid",
    refused: privately({ lifetime: "21d", rotationWindowPercentage: 70 }),
    accepted: privately({ lifetime: "21d", rotationWindowPercentage: 66 }),
  },
  {
    code: "private-ca-public-name",
    refused: { ...privately({}, "shop.example.com"), loadBalancer: { kind: "crossRegionInternal" } },
    accepted: { ...privately({}), loadBalancer: { kind: "crossRegionInternal" } },
  },
  {
    code: "private-ca-external",
    refused: privately({}),
    accepted: { ...privately({}), loadBalancer: { kind: "crossRegionInternal" } },
  },
  {
    code: "certificate-domains-missing",
    refused: certificate({ name: "shop" }),
    accepted: certificate({ name: "shop", domains: ["example.com"] }),
  },
  {
    code: "certificate-domain-repeated",
    refused: certificate({ domains: ["example.com", "EXAMPLE.com."] }),
    accepted: certificate({ domains: ["example.com", "www.example.com"] }),
  },
  {
    code: "certificate-name-repeated",
    refused: with_({
      certificates: [
        { name: "a", domains: ["example.com"] },
        { name: "a", domains: ["www.example.com"] },
      ],
    }),
    accepted: with_({
      certificates: [
        { name: "a", domains: ["example.com"] },
        { name: "b", domains: ["www.example.com"] },
      ],
    }),
  },
  {
    code: "certificate-too-many-domains",
    refused: certificate({ domains: names(101) }),
    accepted: certificate({ domains: names(100) }),
  },
  {
    code: "wildcard-without-parent",
    refused: certificate({ domains: ["*.example.com"] }),
    accepted: with_({
      certificates: [{ domains: ["*.example.com", "*.a.example.com"] }, { domains: ["example.com"] }],
    }),
  },
  {
    code: "certificate-domain-long",
    refused: certificate({ domains: [long] }),
    accepted: certificate({ domains: [long, "example.com"] }),
  },
  {
    code: "certificate-id-malformed",
    refused: certificate({ kind: "existing", domains: ["example.com"], id: "shop" }),
    accepted: certificate({
      kind: "existing",
      domains: ["example.com"],
      id: `//certificatemanager.googleapis.com/${id("certificates")}`,
    }),
  },
  {
    code: "certificate-location-mismatch",
    refused: certificate({ location: "europe-west1", domains: ["example.com"] }),
    accepted: certificate({ location: "global", domains: ["example.com"] }),
  },
  {
    code: "certificate-scope-mismatch",
    refused: certificate({ scope: "ALL_REGIONS", domains: ["example.com"] }),
    accepted: with_({
      certificates: [{ scope: "ALL_REGIONS", domains: ["example.com"] }],
      loadBalancer: { kind: "crossRegionInternal" },
    }),
  },
  {
    code: "certificate-not-gated",
    refused: with_({
      gate: "precondition",
      certificates: [{ kind: "existing", domains: ["example.com"], id: id("certificates") }],
    }),
    accepted: with_({
      gate: "wait",
      certificates: [{ kind: "existing", domains: ["example.com"], id: id("certificates") }],
    }),
  },
];
