import type { ProjectCertificate, ProjectProxy } from "../../lib/project-inventory";

/** Returns builders for the resources of a project's inventory. */
export function inventoryBuilders(project: string) {
  const place = `projects/${project}/global`;
  return {
    place,

    /** An uploaded certificate that is valid until 2027. */
    certificate: (name: string, ...domains: readonly string[]): ProjectCertificate => ({
      id: `${place}/sslCertificates/${name}`,
      name,
      kind: "computeUploaded",
      domains,
      renewedBy: "you",
      status: "ACTIVE",
      domainStatuses: [],
      notAfter: "2027-01-01T00:00:00Z",
      dnsAuthorizationIds: [],
      proxyIds: [],
    }),

    /** A target HTTPS proxy with certificates, by their names. */
    proxy: (name: string, ...certificates: readonly string[]): ProjectProxy => ({
      id: `${place}/targetHttpsProxies/${name}`,
      name,
      kind: "https",
      presents: "computeCertificates",
      certificateIds: certificates.map((one) => `${place}/sslCertificates/${one}`),
      urlMapId: `${place}/urlMaps/${name}`,
    }),

    /** A forwarding rule for port 443 to the proxy of the same name. */
    rule: (name: string, ipAddress: string) => ({
      id: `${place}/forwardingRules/${name}`,
      name,
      ipAddress,
      ipVersion: "IPV4" as const,
      port: 443,
      scheme: "EXTERNAL_MANAGED",
      proxyId: `${place}/targetHttpsProxies/${name}`,
    }),
  };
}
