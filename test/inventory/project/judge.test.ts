import { type AssembledProject, judgeProject } from "../../../lib/inventory/project";
import type { ProjectProbe } from "../../../lib/project-inventory";
import { certificate, certificateId, healthy, map, now, proxy, proxyId, unread } from "./healthy-project";

const standard = { ...healthy.forwardingRules[0]!, region: "europe-west1", networkTier: "STANDARD" };
const inRegion: Partial<AssembledProject> = { proxies: [{ ...proxy, region: "europe-west1" }] };
const withManagers = (count: number): Partial<AssembledProject> => {
  const certificateIds = Array<string>(count).fill("projects/p/locations/europe-west1/certificates/shop");
  return { proxies: [{ ...proxy, region: "europe-west1", presents: "managerCertificates", certificateIds }] };
};

type Case = readonly [string, Partial<AssembledProject>, readonly (readonly string[])[]];

const cases: readonly Case[] = [
  ["a healthy project", {}, []],
  [
    "a proxy with a map, beside which its certificates stay",
    {
      proxies: [{ ...proxy, presents: "map", mapId: map.id }],
      maps: [map],
      certificates: [{ ...certificate, proxyIds: [] }],
    },
    [["proxy-has-map", proxyId]],
  ],
  [
    "a proxy with 14 certificates",
    { proxies: [{ ...proxy, certificateIds: Array<string>(14).fill(certificateId) }] },
    [],
  ],
  [
    "a proxy with 15 certificates",
    { proxies: [{ ...proxy, certificateIds: Array<string>(15).fill(certificateId) }] },
    [["proxy-certificates-full", proxyId]],
  ],
  ["a regional proxy with 99 certificates of Certificate Manager", withManagers(99), [["proxy-takes-no-map", proxyId]]],
  [
    "a regional proxy with 100 certificates of Certificate Manager",
    withManagers(100),
    [
      ["proxy-takes-no-map", proxyId],
      ["proxy-certificates-full", proxyId],
    ],
  ],
  ["a proxy in the tier STANDARD", { forwardingRules: [standard] }, [["proxy-standard-tier", proxyId]]],
  [
    "a proxy in the tier STANDARD that has a map",
    { forwardingRules: [standard], proxies: [{ ...proxy, mapId: map.id }], maps: [map] },
    [["proxy-has-map", proxyId]],
  ],
  [
    "a regional proxy in the tier STANDARD",
    { ...inRegion, forwardingRules: [standard] },
    [["proxy-takes-no-map", proxyId]],
  ],
  ["a regional proxy", { proxies: [{ ...proxy, region: "europe-west1" }] }, [["proxy-takes-no-map", proxyId]]],
  [
    "a regional proxy with several certificates, of which clients without SNI get the first",
    { proxies: [{ ...proxy, region: "europe-west1", certificateIds: [certificateId, certificateId] }] },
    [
      ["proxy-takes-no-map", proxyId],
      ["proxy-first-certificate", proxyId],
    ],
  ],
  [
    "an internal load balancer",
    { forwardingRules: [{ ...healthy.forwardingRules[0]!, scheme: "INTERNAL_MANAGED" }] },
    [["proxy-takes-no-map", proxyId]],
  ],
  ["an SSL proxy with certificates", { proxies: [{ ...proxy, kind: "ssl" }] }, [["ssl-proxy-exclusive", proxyId]]],
  [
    "an SSL proxy with a map only",
    { proxies: [{ ...proxy, kind: "ssl", certificateIds: [], mapId: map.id }], maps: [map] },
    [["proxy-has-map", proxyId]],
  ],
  [
    "a proxy of GKE",
    { proxies: [{ ...proxy, owner: "gke", ownerReason: "its name" }] },
    [["proxy-owned-by-gke", proxyId]],
  ],
  [
    "a proxy without a rule, whose names need no zone",
    { forwardingRules: [], zones: [] },
    [["proxy-without-rule", proxyId]],
  ],
  ["a name without a zone", { zones: [] }, [["name-without-zone", "example.com"]]],
  [
    "a name in a private zone",
    { zones: [{ ...healthy.zones[0]!, visibility: "private" }] },
    [["name-without-zone", "example.com"]],
  ],
  [
    "a name beside a zone of a similar name",
    { zones: [{ ...healthy.zones[0]!, dnsName: "ample.com" }] },
    [["name-without-zone", "example.com"]],
  ],
  [
    "a name without a zone if zones are unknown",
    { zones: [], unread: [{ ...unread, what: "DNS zones" }] },
    [["project-unread", "projects/p"]],
  ],
];

test.each(cases)("reports for %s", (_, change, expected) => {
  const findings = judgeProject({ ...healthy, ...change }, [], now);
  expect(findings.map(({ code, subject }) => [code, subject])).toEqual(expected);
  for (const { remedy, message } of findings) expect([remedy, message]).not.toContain("");
});

const probe: ProjectProbe = {
  forwardingRuleId: "projects/p/global/forwardingRules/web",
  ipAddress: "203.0.113.7",
  port: 443,
  hostname: "shop.example.com",
  outcome: "served",
  certificateId,
  coverage: "exact",
  issuer: "CN=R11",
};
const { certificateId: _, ...other } = probe;

test.each([
  ["the certificate of the inventory", probe, []],
  ["a certificate for other names", { ...probe, coverage: "none" as const }, ["probe-mismatch"]],
  ["a certificate that the inventory lacks", other, ["probe-differs"]],
  ["nothing", { ...probe, outcome: "timeout" }, ["probe-failed"]],
])("checks an address that serves %s", (_name, given, expected) => {
  expect(judgeProject(healthy, [given], now).map(({ code }) => code)).toEqual(expected);
});

test("groups the names without a zone by their registrable domain", () => {
  const domains = ["a.shop.example.com", "b.example.com", "c.example.org"];
  const findings = judgeProject({ ...healthy, certificates: [{ ...certificate, domains }], zones: [] }, [], now);
  expect(findings.map(({ subject, hostnames }) => [subject, hostnames])).toEqual([
    ["example.com", ["a.shop.example.com", "b.example.com"]],
    ["example.org", ["c.example.org"]],
  ]);
});

test("a served certificate is not called unknown if the project's certificates could not be read", () => {
  const probe: ProjectProbe = {
    forwardingRuleId: "projects/p/global/forwardingRules/web",
    ipAddress: "203.0.113.7",
    port: 443,
    hostname: "shop.example.com",
    outcome: "served",
    coverage: "exact",
    issuer: "CN=R11",
  };
  const codes = (change: Partial<AssembledProject>) =>
    judgeProject({ ...healthy, ...change }, [probe], now).map(({ code }) => code);
  expect(codes({})).toEqual(["probe-differs"]);
  for (const what of ["certificates of Compute Engine", "certificates of Certificate Manager"]) {
    expect(codes({ unread: [{ ...unread, what }] })).toEqual(["project-unread"]);
  }
});

test("states what could not be checked instead of counting entries that could not be read", () => {
  const change = { proxies: [{ ...proxy, mapId: map.id, presents: "map" as const }], certificates: [] };
  const messages = (of: Partial<AssembledProject>) =>
    judgeProject({ ...healthy, ...change, ...of }, [], now).map(({ message }) => message);
  expect(messages({ maps: [map] })).toEqual([`it uses ${map.id} with 0 entries`]);
  expect(messages({ unread: [{ ...unread, what: "certificate maps" }] })).toEqual([
    expect.stringContaining("could not be checked: names that the maps serve, and certificates that nothing uses"),
    `it uses ${map.id}; its entries could not be checked: certificate maps not readable`,
  ]);
});
