import { isIP } from "node:net";
import { canonicalAddress } from "../../hostnames";
import { traitsOf } from "../../plan";
import {
  lastPart,
  parseLocatedName,
  resourceNameIn,
  writeComputeScope,
  writeLocatedName,
  writeProject,
  writeZoneName,
} from "../../resource-names";
import { gcloud } from "../../text/command-line";
import { locationFlags, placeOf, projectOfPath } from "./compute-names";
import {
  isOfCertificateManager,
  literal,
  mentionsOfDirectCertificates,
  namedCertificates,
  parentIdOf,
  projectsOf,
  statedBy,
  statedByRules,
  unique,
} from "./plan-mentions";
import { privateCaReferences } from "./private-ca-references";
import { describeCommand } from "./proxy-checks";
import { among, amongNames, computeKind, findInList, type ReferenceKind } from "./reference-kind";
import { computeIdOf, managerIdOf, namedBy, zoneIdOf } from "./stack-references";

const httpsProxyTypes = ["google_compute_target_https_proxy", "google_compute_region_target_https_proxy"];
const proxyTypes = [...httpsProxyTypes, "google_compute_target_ssl_proxy"];
const urlMapTypes = ["google_compute_url_map", "google_compute_region_url_map"];
const ruleTypes = ["google_compute_global_forwarding_rule", "google_compute_forwarding_rule"];
const addressTypes = ["google_compute_global_address", "google_compute_address"];

/** Every kind of reference that a migration can have. To support a new kind, add a row. */
export const referenceKinds: readonly ReferenceKind[] = [
  {
    noun: "project",
    of: (subject, plan) => unique([...projectsOf(subject, plan)]).map((id) => ({ id })),
    find: async (id, { options: { google, signal } }) => ({ isThere: await google.projects.exists(id, signal) }),
    missing: { describe: (id) => ({ subject: id, what: `the project ${id} does not exist` }) },
    command: (id) => gcloud("projects describe", id),
  },
  {
    noun: "region",
    of: ({ balancer: { project: balancerProject, region, proxies } }) =>
      balancerProject === undefined || region === undefined || proxies.length === 0
        ? []
        : [{ id: writeComputeScope({ project: balancerProject, region }) }],
    find: async (id, { options: { google, signal } }) => ({
      isThere: await google.projects.hasRegion(projectOfPath(id), lastPart(id), signal),
    }),
    command: (id) => gcloud("compute regions list", `--project=${projectOfPath(id)}`),
  },
  {
    noun: "target proxy",
    missing: { code: "proxy-missing" },
    of: ({ balancer: { proxies } }) => proxies.flatMap(({ id, origin }) => (origin === "adopted" ? { id } : [])),
    inStack: {
      types: proxyTypes,
      namedBy: namedBy(ruleTypes, "target"),
      idOf: (text, at) => {
        // A bare name does not say which kind of proxy it is, unless it is the name of the proxy itself.
        if (!text.includes("/") && !proxyTypes.includes(at.type)) return undefined;
        const collections = ["targetHttpsProxies", "targetSslProxies"];
        return computeIdOf(at.type.includes("_ssl_") ? collections.reverse() : collections)(text, at);
      },
    },
    inOutputs: ({ balancer: { proxies } }) => proxies.map(({ id }) => id),
    find: async (id, { shared, options: { google, signal } }) => {
      const ids = (await shared.balancers.proxiesOf(projectOfPath(id))).map((proxy) => proxy.id);
      const found = among(id, ids);
      // The list has only proxies of the load balancer's region.
      return found.isThere ? found : among(id, await google.balancers.ids(placeOf(id), signal));
    },
    check: { name: "proxies", subject: (_id, { balancer: { project = "" } }) => project },
    command: describeCommand,
  },
  computeKind(
    "URL map",
    "urlMaps",
    "url-maps",
    (plan) =>
      plan.attachment.proxies.flatMap((proxy) =>
        proxy.kind === "newHttps" || proxy.kind === "adoptedHttps" ? statedBy(proxy, "urlMap", proxy.spec.urlMap) : [],
      ),
    {
      types: urlMapTypes,
      namedBy: namedBy(
        [...httpsProxyTypes, "google_compute_target_http_proxy", "google_compute_region_target_http_proxy"],
        "url_map",
      ),
    },
  ),
  computeKind(
    "backend service",
    "backendServices",
    "backend-services",
    (plan) =>
      plan.attachment.proxies.flatMap((proxy) =>
        proxy.kind === "newSsl" || proxy.kind === "adoptedSsl"
          ? statedBy(proxy, "backendService", proxy.spec.backendService)
          : [],
      ),
    {
      types: ["google_compute_backend_service", "google_compute_region_backend_service"],
      namedBy: {
        ...namedBy(["google_compute_target_ssl_proxy", "google_compute_forwarding_rule"], "backend_service"),
        ...namedBy(
          urlMapTypes,
          "default_service",
          "path_matcher.default_service",
          "path_matcher.path_rule.service",
          "path_matcher.route_rules.service",
        ),
      },
    },
  ),
  computeKind(
    "SSL policy",
    "sslPolicies",
    "ssl-policies",
    (plan) => plan.attachment.proxies.flatMap((proxy) => statedBy(proxy, "sslPolicy", proxy.spec.sslPolicy)),
    {
      types: ["google_compute_ssl_policy", "google_compute_region_ssl_policy"],
      namedBy: namedBy(proxyTypes, "ssl_policy"),
    },
  ),
  computeKind(
    "SSL certificate",
    "sslCertificates",
    "ssl-certificates",
    (plan) => mentionsOfDirectCertificates(plan).filter(({ text }) => !isOfCertificateManager(text)),
    {
      types: [
        "google_compute_ssl_certificate",
        "google_compute_region_ssl_certificate",
        "google_compute_managed_ssl_certificate",
      ],
      namedBy: namedBy(proxyTypes, "ssl_certificates"),
    },
  ),
  computeKind(
    "reserved address",
    "addresses",
    "addresses",
    (plan) => statedByRules(plan, "address").filter(({ text }) => isIP(withoutBits(text)) === 0),
    {
      types: addressTypes,
      namedBy: namedBy(ruleTypes, "ip_address"),
      idOf: (text, at) => (isIP(withoutBits(text)) === 0 ? computeIdOf(["addresses"])(text, at) : undefined),
    },
    // A single request lists the addresses of all locations, and other checks use the result too. A load balancer
    // takes addresses of its own scope and region only.
    async (id, { shared }) => {
      const ids = (await shared.balancers.addresses(projectOfPath(id))).map((address) => address.id);
      return { isThere: ids.includes(id), others: ids.filter((otherId) => placeOf(otherId) === placeOf(id)) };
    },
  ),
  computeKind(
    "network",
    "networks",
    "networks",
    (plan) => statedByRules(plan, "network").map((mention) => ({ ...mention, isGlobal: true })),
    {
      types: ["google_compute_network"],
      namedBy: namedBy([...ruleTypes, "google_compute_subnetwork"], "network"),
      idOf: computeIdOf(["networks"], "global"),
    },
  ),
  computeKind(
    "subnetwork",
    "subnetworks",
    "networks subnets",
    // A subnetwork belongs to a region. Without a region, a plain name is ambiguous if the load balancer is global.
    (plan) =>
      statedByRules(plan, "subnetwork").filter(
        ({ text }) => plan.attachment.region !== undefined || text.includes("regions/"),
      ),
    {
      types: ["google_compute_subnetwork"],
      namedBy: namedBy(ruleTypes, "subnetwork"),
      idOf: (text, at) => {
        const id = computeIdOf(["subnetworks"])(text, at);
        return id?.includes("/regions/") ? id : undefined;
      },
    },
  ),
  {
    noun: "server TLS policy",
    of: ({ balancer: { project: balancerProject, region } }, plan) =>
      (plan?.attachment.proxies ?? []).flatMap((proxy) => {
        if (proxy.kind !== "adoptedHttps") return [];
        return statedBy(proxy, "serverTlsPolicy", proxy.spec.serverTlsPolicy).flatMap(({ text, by, project }) => {
          const proxyProject = project ?? balancerProject;
          if (!literal(text) || proxyProject === undefined) return [];
          const collection = "serverTlsPolicies";
          const named = parseLocatedName(resourceNameIn(text));
          const bare = { project: proxyProject, location: region ?? "global", collection, name: lastPart(text) };
          return [{ id: writeLocatedName(named?.collection === collection ? named : bare), by }];
        });
      }),
    inStack: {
      types: ["google_network_security_server_tls_policy"],
      namedBy: namedBy(httpsProxyTypes, "server_tls_policy"),
      idOf: managerIdOf("serverTlsPolicies"),
    },
    find: findInList,
    command: (id) => gcloud("network-security server-tls-policies list", ...locationFlags(id)),
  },
  {
    noun: "reserved address",
    of: ({ balancer: { project: balancerProject, kind } }, plan) => {
      // Internal rules accept any free address of their subnetwork.
      if (plan === undefined || balancerProject === undefined || traitsOf(kind).isInternal) return [];
      return statedByRules(plan, "address").flatMap(({ text, by }) => {
        const address = canonicalAddress(withoutBits(text));
        return isIP(address) === 0 ? [] : [{ id: `${writeProject(balancerProject)}/${address}`, by }];
      });
    },
    inStack: {
      types: addressTypes,
      identifiedBy: "address",
      namedBy: namedBy(ruleTypes, "ip_address"),
      idOf: (text, { project, values }) => {
        const address = canonicalAddress(withoutBits(text));
        const isInternal = String(values.load_balancing_scheme ?? "").startsWith("INTERNAL");
        return isIP(address) === 0 || isInternal || project === undefined
          ? undefined
          : `${writeProject(project)}/${address}`;
      },
    },
    find: async (id, { shared, subject }) => {
      const address = lastPart(id);
      const [reserved, rules] = await Promise.all([
        shared.balancers.addresses(projectOfPath(id)),
        shared.balancers.rules(),
      ]);
      // A forwarding rule of the migration's proxies uses the address, so the address exists even if its reservation
      // was deleted.
      const proxyIds = new Set(subject.balancer.proxies.map((proxy) => proxy.id));
      const isServed = rules.some((rule) => rule.address === address && proxyIds.has(rule.target));
      return { isThere: isServed || reserved.some((liveAddress) => withoutBits(liveAddress.address) === address) };
    },
    // Separate from the check of proxies, which also works without permission to list addresses.
    check: { name: "references", subject: (id) => `${placeOf(id)}/addresses` },
    missing: {
      code: "address-not-reserved",
      describe: (id) => ({
        subject: lastPart(id),
        what: `project ${projectOfPath(id)} has not reserved ${lastPart(id)}`,
      }),
    },
    command: (id) => gcloud("compute addresses list", `--project=${projectOfPath(id)}`),
  },
  {
    noun: "DNS zone",
    of: ({ dns: { zones } }) => zones.map(({ project, name }) => ({ id: writeZoneName({ project, zone: name }) })),
    inStack: {
      types: ["google_dns_managed_zone"],
      namedBy: namedBy(["google_dns_record_set"], "managed_zone"),
      idOf: zoneIdOf,
    },
    find: async (id, { shared }) => ({
      isThere: (await shared.zones(projectOfPath(id))).some(({ name }) => name === lastPart(id)),
    }),
    check: {
      name: "zones",
      subject: (id, { dns: { zones } }) => {
        const zone = zones.find(({ project, name }) => id === writeZoneName({ project, zone: name }));
        return zone === undefined ? lastPart(id) : `${lastPart(id)} (${zone.domain})`;
      },
    },
    missing: {
      code: "zone-missing",
      describe: (id) => ({
        subject: lastPart(id),
        what: `project ${projectOfPath(id)} has no DNS zone ${lastPart(id)}`,
      }),
      remedy: async (id, { shared, subject }) => {
        const wanted = subject.dns.zones.filter(
          ({ name, project }) => name === lastPart(id) && project === projectOfPath(id),
        );
        const fitting = (await shared.zones(projectOfPath(id))).filter(
          ({ domain, isPrivate }) => !isPrivate && wanted.some((zone) => zone.domain === domain),
        );
        if (fitting.length === 0) return undefined;
        return `name ${fitting.map(({ name }) => name).join(" or ")}, which is for ${fitting[0]?.domain}`;
      },
    },
    command: (id) => gcloud("dns managed-zones list", `--project=${projectOfPath(id)}`),
  },
  {
    noun: "certificate map",
    of: ({ map }) => (map.existing === undefined ? [] : [{ id: map.existing }]),
    inStack: {
      types: ["google_certificate_manager_certificate_map"],
      namedBy: {
        ...namedBy(["google_compute_target_https_proxy", "google_compute_target_ssl_proxy"], "certificate_map"),
        ...namedBy(["google_certificate_manager_certificate_map_entry"], "map"),
      },
      idOf: managerIdOf("certificateMaps"),
    },
    inOutputs: ({ map: { id: map } }) => (map === undefined ? [] : [map]),
    find: async (id, { shared }) => ({ isThere: (await shared.manager.map(id)) !== undefined }),
    check: { name: "existing", subject: (id) => id },
    command: (id) => gcloud("certificate-manager maps list", `--project=${projectOfPath(id)}`),
  },
  {
    noun: "certificate",
    of: (subject, plan) => namedCertificates(subject, plan).map((id) => ({ id })),
    inStack: {
      types: ["google_certificate_manager_certificate"],
      namedBy: {
        ...namedBy(["google_certificate_manager_certificate_map_entry"], "certificates"),
        ...namedBy(httpsProxyTypes, "certificate_manager_certificates"),
      },
      idOf: managerIdOf("certificates"),
    },
    inOutputs: ({ certificates }) => certificates.made,
    find: (id, { shared }) => amongNames(id, shared.manager.certificatesIn(parentIdOf(id))),
    check: { name: "existing", subject: () => "certificates" },
    command: (id) => gcloud("certificate-manager certificates list", ...locationFlags(id)),
  },
  {
    noun: "DNS authorization",
    of: ({ certificates: { existingAuthorizations } }) => existingAuthorizations.map((id) => ({ id })),
    inStack: {
      types: ["google_certificate_manager_dns_authorization"],
      namedBy: namedBy(["google_certificate_manager_certificate"], "managed.dns_authorizations"),
      idOf: managerIdOf("dnsAuthorizations"),
    },
    inOutputs: ({ certificates: { authorizations } }) => authorizations.flatMap(({ id }) => id ?? []),
    find: (id, { shared }) => amongNames(id, shared.manager.authorizationsIn(parentIdOf(id))),
    check: { name: "existing", subject: () => "authorizations" },
    command: (id) => gcloud("certificate-manager dns-authorizations list", ...locationFlags(id)),
  },
  ...privateCaReferences,
];

function withoutBits(address: string): string {
  return address.replace(/\/\d+$/, "");
}
