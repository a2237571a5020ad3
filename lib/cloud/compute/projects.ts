import { writeComputeScope, writeProject } from "../../resource-names";
import { type Handlers, type Json, textParameter } from "../front";
import { projectNumberOf, twelveDigitsOf } from "../projects";
import { type ComputeCollection, linkTo } from "./links";
import { scopeOfCall } from "./operations";
import type { Resources } from "./resources";

/** Quotas of a new project for the emulated resources; reported, not enforced. */
const quotas: readonly (readonly [metric: string, limit: number, collection: ComputeCollection])[] = [
  ["FORWARDING_RULES", 150, "forwardingRules"],
  ["TARGET_HTTP_PROXIES", 100, "targetHttpProxies"],
  ["TARGET_HTTPS_PROXIES", 100, "targetHttpsProxies"],
  ["TARGET_SSL_PROXIES", 100, "targetSslProxies"],
  ["URL_MAPS", 100, "urlMaps"],
  ["BACKEND_SERVICES", 100, "backendServices"],
  ["SSL_CERTIFICATES", 100, "sslCertificates"],
  ["STATIC_ADDRESSES", 700, "addresses"],
  ["HEALTH_CHECKS", 100, "healthChecks"],
];

const regionalQuotas: typeof quotas = [
  ["EXTERNAL_MANAGED_FORWARDING_RULES", 45, "forwardingRules"],
  ["STATIC_ADDRESSES", 8, "addresses"],
];

/**
 * Returns the handlers of projects and regions; every project exists. @param limitOf undefined for the default limit
 */
export function projectHandlers(
  resources: Resources,
  limitOf: (project: string, metric: string) => number | undefined,
): Handlers {
  const describeQuotas = (
    limits: typeof quotas,
    project: string,
    listOf: (collection: ComputeCollection) => readonly Json[],
  ) =>
    limits.map(([metric, limit, collection]) => ({
      metric,
      limit: limitOf(project, metric) ?? limit,
      usage: listOf(collection).length,
    }));
  return {
    "compute.projects.get": (call) => {
      const project = textParameter(call, "project");
      return {
        kind: "compute#project",
        id: projectNumberOf(project),
        name: project,
        selfLink: linkTo(writeProject(project)),
        defaultNetworkTier: "PREMIUM",
        quotas: describeQuotas(quotas, project, (collection) => resources.listOfProject(collection, project)),
      };
    },
    "compute.regions.get": (call) => {
      const scope = scopeOfCall(call);
      const { project, region = "" } = scope;
      return {
        kind: "compute#region",
        id: twelveDigitsOf(region),
        name: region,
        description: region,
        status: "UP",
        selfLink: linkTo(writeComputeScope({ project, region })),
        quotas: describeQuotas(regionalQuotas, project, (collection) => resources.list(collection, scope)),
      };
    },
  };
}
