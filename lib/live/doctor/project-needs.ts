import { type DoctorSubject, isSsl } from "./subject";

const certificateManager = "certificatemanager.googleapis.com";
const compute = "compute.googleapis.com";
const dns = "dns.googleapis.com";
const monitoring = "monitoring.googleapis.com";

export interface ProjectNeeds {
  readonly project: string;
  readonly services: readonly string[];
  /** Roles of specification 3, with the permissions of each role that the migration uses. */
  readonly roles: readonly RoleNeed[];
}

export interface RoleNeed {
  readonly role: string;
  readonly permissions: readonly string[];
  /** Permissions that are needed only to delete resources. */
  readonly toDelete: readonly string[];
}

export function projectNeeds(subject: DoctorSubject): readonly ProjectNeeds[] {
  const needs = new Map<string, { readonly services: Set<string>; readonly roles: RoleNeed[] }>();
  const add = (project: string | undefined, service: string, role: RoleNeed) => {
    if (project === undefined) return;
    const need = needs.get(project) ?? { services: new Set<string>(), roles: [] };
    need.services.add(service);
    need.roles.push(role);
    needs.set(project, need);
  };
  add(subject.project, certificateManager, certificateRole(subject));
  if (subject.balancer.proxies.length > 0) add(subject.balancer.project, compute, balancerRole(subject));
  for (const project of new Set(subject.dns.zones.map((zone) => zone.project))) add(project, dns, dnsRole);
  if (subject.dns.zonesUnnamed) add(subject.project, dns, dnsRole);
  if (subject.alerts !== undefined) add(subject.alerts.project, monitoring, alertRole(subject.alerts.hostnames));
  return [...needs].map(([project, { services, roles }]) => ({ project, services: [...services].sort(), roles }));
}

function permissions(service: string, collection: string, verbs: readonly string[]): readonly string[] {
  return verbs.map((verb) => `${service}.${collection}.${verb}`);
}

function certificateRole(subject: DoctorSubject): RoleNeed {
  const { map, dns, certificates } = subject;
  const makesConfigs = certificates.private.some(({ issuer }) => issuer.existingIssuanceConfig === undefined);
  const collections = [
    "certs",
    ...(certificates.private.length > 0 ? ["certissuanceconfigs"] : []),
    ...(dns.domains.length > 0 ? ["dnsauthorizations"] : []),
    ...(map.usesMap ? ["certmaps", "certmapentries"] : []),
  ];
  const taken = [
    ...(certificates.made.length === 0 ? ["certs"] : []),
    ...(makesConfigs ? [] : ["certissuanceconfigs"]),
    ...(map.existing === undefined ? [] : ["certmaps"]),
  ];
  const made = collections.filter((collection) => !taken.includes(collection));
  const attached = ["certs", "certissuanceconfigs", "dnsauthorizations", "certmaps"];
  return {
    role: "roles/certificatemanager.owner",
    permissions: [
      ...collections.flatMap((collection) => {
        const verbs = made.includes(collection) ? ["create", "get", "list", "update"] : ["get", "list"];
        return permissions("certificatemanager", collection, attached.includes(collection) ? [...verbs, "use"] : verbs);
      }),
      "certificatemanager.operations.get",
    ],
    toDelete: made.map((collection) => `certificatemanager.${collection}.delete`),
  };
}

/** Permissions to use the resource that a new proxy points to; the creator of the proxy needs them. */
const behind = {
  targetHttpsProxies: "compute.urlMaps.use",
  regionTargetHttpsProxies: "compute.regionUrlMaps.use",
  targetSslProxies: "compute.backendServices.use",
};

function balancerRole({ balancer: { proxies, region, rules }, map: { usesMap } }: DoctorSubject): RoleNeed {
  const collections = new Set(
    proxies.map(({ id }) =>
      isSsl(id) ? "targetSslProxies" : region === undefined ? "targetHttpsProxies" : "regionTargetHttpsProxies",
    ),
  );
  const attach = usesMap ? "setCertificateMap" : "setSslCertificates";
  const made = proxies.some(({ origin }) => origin === "new");
  const ruleCollection = region === undefined ? "globalForwardingRules" : "forwardingRules";
  return {
    role: "roles/compute.loadBalancerAdmin",
    permissions: [
      ...[...collections].flatMap((collection) =>
        permissions("compute", collection, ["get", "list", attach, "use", ...(made ? ["create"] : [])]),
      ),
      ...(made ? [...collections].map((collection) => behind[collection]) : []),
      ...(rules.length > 0 ? permissions("compute", ruleCollection, ["create", "get"]) : []),
    ],
    toDelete: [],
  };
}

function alertRole(hostnames: readonly string[]): RoleNeed {
  const collections =
    hostnames.length === 0 ? ["alertPolicies"] : ["alertPolicies", "uptimeCheckConfigs", "dashboards"];
  return {
    role: "roles/monitoring.editor",
    permissions: [
      ...collections.flatMap((collection) => permissions("monitoring", collection, ["create", "get", "update"])),
      // For the number of checks that the project has.
      ...(hostnames.length === 0 ? [] : ["monitoring.uptimeCheckConfigs.list"]),
    ],
    toDelete: collections.map((collection) => `monitoring.${collection}.delete`),
  };
}

const dnsRole: RoleNeed = {
  role: "roles/dns.admin",
  permissions: [
    ...permissions("dns", "managedZones", ["get", "list"]),
    ...permissions("dns", "resourceRecordSets", ["create", "get", "list", "update"]),
    ...permissions("dns", "changes", ["create", "get", "list"]),
  ],
  toDelete: ["dns.resourceRecordSets.delete"],
};
