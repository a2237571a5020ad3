import { suiteLabel } from "./normalize";

export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A kind of resource that the suite creates, with the request that deletes it. */
export interface ResourceKind {
  /** Id of the method that creates it. */
  readonly create: string;
  /** Id of the method that deletes it. */
  readonly remove: string;
  /** Returns the parameters of the deletion for each resource of a creating request. */
  readonly targets: (parameters: Parameters, body: Body) => readonly Readonly<Record<string, string>>[];
  /** Field that gets the label of the suite. @default - none: the creating request has no labels */
  readonly labels?: "labels" | "userLabels";
  /** Methods that label a new resource whose creating request has no labels. */
  readonly relabel?: { readonly get: string; readonly set: string };
  /**
   * Finds resources whose names the service assigns: the list, its items, and the field that begins with the prefix.
   * The target of the journal is then the parameters of the list.
   */
  readonly search?: { readonly list: string; readonly items: string; readonly field: string };
  /** Methods with the same target that are called before the deletion; a refusal is ignored. */
  readonly before?: readonly string[];
  /** Further parameters of the deletion. */
  readonly removal?: Parameters;
  /** What the service keeps after the deletion. @default - nothing */
  readonly keeps?: string;
}

type Body = Readonly<Record<string, unknown>>;

/** A kind of a service whose resources have names of the form `projects/P/locations/L/COLLECTION/ID`. */
function located(service: string, path: string, idParameter: string, more: Partial<ResourceKind> = {}): ResourceKind {
  const methods = `${service}.projects.locations.${path}`;
  const collection = path.split(".").at(-1) ?? "";
  return {
    create: `${methods}.create`,
    remove: `${methods}.delete`,
    targets: (parameters) => [{ name: `${parameters.parent}/${collection}/${parameters[idParameter]}` }],
    labels: "labels",
    ...more,
  };
}

/** A kind of Compute Engine. @param word the parameter of the deletion, for example `urlMap` */
function ofCompute(collection: string, word: string): ResourceKind {
  return {
    create: `compute.${collection}.insert`,
    remove: `compute.${collection}.delete`,
    targets: ({ project, region }, { name }) => [
      { project: String(project), ...(region === undefined ? {} : { region: String(region) }), [word]: String(name) },
    ],
  };
}

/** A kind of Compute Engine whose labels are set after its creation. */
function relabeled(collection: string, word: string): ResourceKind {
  const methods = `compute.${collection}`;
  return { ...ofCompute(collection, word), relabel: { get: `${methods}.get`, set: `${methods}.setLabels` } };
}

/** A kind whose names the service assigns; the display name has the prefix. */
function named(service: string, collection: string): ResourceKind {
  const methods = `${service}.projects.${collection}`;
  const list = `${methods}.list`;
  return {
    create: `${methods}.create`,
    remove: `${methods}.delete`,
    targets: ({ name, parent }) => (parent === undefined ? [{ name: String(name) }] : [{ parent: String(parent) }]),
    search: { list, items: collection, field: "displayName" },
    labels: collection === "dashboards" ? "labels" : "userLabels",
  };
}

/** `checkOwn` refuses a creating method without a row. */
const resourceKinds: readonly ResourceKind[] = [
  located("certificatemanager", "dnsAuthorizations", "dnsAuthorizationId"),
  located("certificatemanager", "certificateIssuanceConfigs", "certificateIssuanceConfigId"),
  located("certificatemanager", "certificates", "certificateId"),
  located("certificatemanager", "certificateMaps", "certificateMapId"),
  located("certificatemanager", "certificateMaps.certificateMapEntries", "certificateMapEntryId"),
  located("certificatemanager", "trustConfigs", "trustConfigId"),
  located("networksecurity", "serverTlsPolicies", "serverTlsPolicyId"),
  located("privateca", "caPools", "caPoolId"),
  located("privateca", "caPools.certificateAuthorities", "certificateAuthorityId", {
    // A CA in its grace period is restored first, because only a disabled one can be deleted at once.
    before: ["undelete", "disable"].map(
      (verb) => `privateca.projects.locations.caPools.certificateAuthorities.${verb}`,
    ),
    removal: { skipGracePeriod: true, ignoreActiveCertificates: true, ignoreDependentResources: true },
  }),
  relabeled("addresses", "address"),
  relabeled("globalAddresses", "address"),
  ofCompute("healthChecks", "healthCheck"),
  ofCompute("httpHealthChecks", "httpHealthCheck"),
  ofCompute("regionHealthChecks", "healthCheck"),
  ofCompute("backendServices", "backendService"),
  ofCompute("regionBackendServices", "backendService"),
  ofCompute("urlMaps", "urlMap"),
  ofCompute("regionUrlMaps", "urlMap"),
  ofCompute("sslCertificates", "sslCertificate"),
  ofCompute("regionSslCertificates", "sslCertificate"),
  ofCompute("sslPolicies", "sslPolicy"),
  ofCompute("regionSslPolicies", "sslPolicy"),
  ofCompute("targetHttpProxies", "targetHttpProxy"),
  ofCompute("regionTargetHttpProxies", "targetHttpProxy"),
  ofCompute("targetHttpsProxies", "targetHttpsProxy"),
  ofCompute("regionTargetHttpsProxies", "targetHttpsProxy"),
  ofCompute("targetSslProxies", "targetSslProxy"),
  relabeled("forwardingRules", "forwardingRule"),
  relabeled("globalForwardingRules", "forwardingRule"),
  {
    create: "dns.managedZones.create",
    remove: "dns.managedZones.delete",
    targets: ({ project }, { name }) => [{ project: String(project), managedZone: String(name) }],
    labels: "labels",
  },
  {
    create: "dns.changes.create",
    remove: "dns.resourceRecordSets.delete",
    targets: (parameters, { additions }) => listOf(additions).map((set) => recordTarget(parameters, set)),
  },
  {
    create: "dns.resourceRecordSets.create",
    remove: "dns.resourceRecordSets.delete",
    targets: (parameters, set) => [recordTarget(parameters, set)],
  },
  {
    create: "dns.policies.create",
    remove: "dns.policies.delete",
    targets: ({ project }, { name }) => [{ project: String(project), policy: String(name) }],
  },
  named("monitoring", "alertPolicies"),
  named("monitoring", "uptimeCheckConfigs"),
  named("monitoring", "dashboards"),
  ...["create", "createAsync"].map((verb): ResourceKind => {
    return {
      create: `logging.projects.locations.buckets.${verb}`,
      remove: "logging.projects.locations.buckets.delete",
      targets: ({ parent, bucketId }) => [{ name: `${parent}/buckets/${bucketId}` }],
      keeps: "a deleted log bucket stays in the state DELETE_REQUESTED for 7 days, without a price of its own",
    };
  }),
];

export function kindCreatedBy(method: string): ResourceKind | undefined {
  return resourceKinds.find(({ create }) => create === method);
}

/** Returns the body of a creating request with the label of the suite, where the API has labels. */
export function labeled({ labels: field }: ResourceKind, body: unknown, prefix: string): unknown {
  if (field === undefined || typeof body !== "object" || body === null) return body;
  const labels = (body as Body)[field] as object | undefined;
  return { ...body, [field]: { ...labels, [suiteLabel]: prefix } };
}

function recordTarget({ project, managedZone }: Parameters, { name, type }: Body): Readonly<Record<string, string>> {
  return { project: String(project), managedZone: String(managedZone), name: String(name), type: String(type) };
}

function listOf(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value : [];
}
