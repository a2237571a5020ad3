import { permissionsOf as readPermissionsOf } from "../docs/generate/permissions";

/** Permissions of methods whose names differ from the method's. Source: the reference of each method. */
const others: Readonly<Record<string, readonly string[]>> = {
  "logging.entries.list": ["logging.logEntries.list"],
  "compute.projects.get": ["compute.projects.get"],
};

/** IAM names of verbs that differ from the verb of the method. */
const verbs: Readonly<Record<string, string>> = {
  insert: "create",
  patch: "update",
  createAsync: "create",
  updateAsync: "update",
  enable: "update",
  disable: "update",
  fetchCaCerts: "get",
};

/** Permissions to refer to another resource, by the method that creates the reference. */
const uses: Readonly<Record<string, readonly string[]>> = {
  "certificatemanager.projects.locations.certificates.create": [
    "certificatemanager.certissuanceconfigs.use",
    "certificatemanager.dnsauthorizations.use",
  ],
  "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.create": [
    "certificatemanager.certs.use",
  ],
  "networksecurity.projects.locations.serverTlsPolicies.create": ["certificatemanager.trustconfigs.use"],
  "compute.backendServices.update": ["compute.healthChecks.useReadOnly"],
  "compute.urlMaps.insert": ["compute.backendServices.use"],
  "compute.regionTargetHttpsProxies.insert": ["certificatemanager.certs.use"],
  "compute.targetHttpsProxies.insert": [
    "certificatemanager.certmaps.use",
    "certificatemanager.certs.use",
    "compute.sslCertificates.get",
    "compute.sslPolicies.use",
    "compute.urlMaps.use",
    "networksecurity.serverTlsPolicies.use",
  ],
  "compute.targetSslProxies.insert": ["certificatemanager.certmaps.use", "compute.backendServices.use"],
  "compute.globalForwardingRules.insert": ["compute.globalAddresses.use", "compute.targetHttpsProxies.use"],
};

/** Returns the IAM permissions of methods, sorted. */
export function permissionsOf(methods: readonly string[]): readonly string[] {
  const all = methods.flatMap((method) => [...(uses[method] ?? []), ...ofMethod(method)]);
  return [...new Set(all)].sort();
}

function ofMethod(method: string): readonly string[] {
  if (method.endsWith(".testIamPermissions")) return [];
  if (method.startsWith("serviceusage.")) return readPermissionsOf(method);
  const other = others[method];
  if (other !== undefined) return other;
  return readPermissionsOf(method).map((permission) => {
    const at = permission.lastIndexOf(".");
    const verb = permission.slice(at + 1);
    return `${permission.slice(0, at)}.${verbs[verb] ?? verb}`;
  });
}
