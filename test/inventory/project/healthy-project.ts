import type { AssembledProject } from "../../../lib/inventory/project";
import type { ProjectCertificate, ProjectProxy } from "../../../lib/project-inventory";

export const now = new Date("2026-11-21T00:00:00Z");
export const proxyId = "projects/p/global/targetHttpsProxies/web";
export const certificateId = "projects/p/global/sslCertificates/shop";

export const proxy: ProjectProxy = {
  id: proxyId,
  name: "web",
  kind: "https",
  presents: "computeCertificates",
  certificateIds: [certificateId],
  urlMapId: "projects/p/global/urlMaps/web",
};
export const certificate: ProjectCertificate = {
  id: certificateId,
  name: "shop",
  kind: "computeUploaded",
  domains: ["shop.example.com"],
  renewedBy: "you",
  status: "ACTIVE",
  domainStatuses: [],
  issuer: "CN=R11",
  serialNumber: "4a",
  notBefore: "2026-06-01T00:00:00.000Z",
  notAfter: "2027-06-01T00:00:00.000Z",
  dnsAuthorizationIds: [],
  proxyIds: [proxyId],
};
/** A project without findings. */
export const healthy: AssembledProject = {
  schemaVersion: 1,
  project: "p",
  dnsProjects: ["p"],
  forwardingRules: [
    {
      id: "projects/p/global/forwardingRules/web",
      name: "web",
      ipAddress: "203.0.113.7",
      ipVersion: "IPV4",
      port: 443,
      scheme: "EXTERNAL_MANAGED",
      networkTier: "PREMIUM",
      proxyId,
    },
  ],
  addresses: [],
  proxies: [proxy],
  urlMaps: [],
  certificates: [certificate],
  maps: [],
  zones: [{ id: "projects/p/managedZones/z", name: "z", project: "p", dnsName: "example.com", visibility: "public" }],
  unread: [],
};
export const map = { id: "projects/p/locations/global/certificateMaps/m", name: "m", entries: [], proxyIds: [proxyId] };
export const unused = { ...certificate, id: "projects/p/global/sslCertificates/old", proxyIds: [] };
export const unread = {
  what: "target SSL proxies",
  project: "p",
  permission: "compute.targetSslProxies.list",
  reason: "no",
};
