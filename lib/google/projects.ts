import { ServiceError } from "../errors";
import { defined } from "../json/defined";
import { fieldsOf, textsOf } from "../json/fields";
import { lastPart, writeProject } from "../resource-names";
import { objectsOf, type RestApi, restText } from "./rest";

export interface ProjectQuota {
  /** For example `TARGET_HTTPS_PROXIES`. */
  readonly metric: string;
  readonly limit: number;
  readonly usage: number;
}

/** Reads the prerequisites of a project for new resources. Every method throws ServiceError. */
export interface ProjectReader {
  /** Returns whether billing is enabled for the project. */
  billingEnabled(project: string, signal: AbortSignal): Promise<boolean>;
  /** Returns the services that are not enabled. @param services for example `dns.googleapis.com`, at most 30 */
  disabledServices(project: string, services: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** Returns the permissions that the caller lacks. @param permissions at most 100 */
  missingPermissions(project: string, permissions: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** Returns the quotas of Compute Engine: of a region, or the global quotas. */
  computeQuotas(project: string, region: string | undefined, signal: AbortSignal): Promise<readonly ProjectQuota[]>;
  /** Returns the hosts of the uptime checks of a project, one for each check; empty for a check of something else. */
  uptimeHosts(project: string, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Returns whether the project exists, as far as the caller may know. For a project without access, the service gives
   * the same answer as for a missing project.
   */
  exists(project: string, signal: AbortSignal): Promise<boolean>;
  /** Returns whether Compute Engine has a region of that name. */
  hasRegion(project: string, region: string, signal: AbortSignal): Promise<boolean>;
}

/** Creates a reader for billing, APIs, permissions and quotas of projects. */
export function projectReader(api: RestApi): ProjectReader {
  return {
    billingEnabled: async (project, signal) => {
      const info = await api.call({
        method: "cloudbilling.projects.getBillingInfo",
        parameters: { name: writeProject(project) },
        purpose: `reading the billing of project ${project}`,
        signal,
      });
      return info.billingEnabled === true;
    },
    disabledServices: async (project, services, signal) => {
      const parent = writeProject(project);
      const { services: found } = await api.call({
        method: "serviceusage.services.batchGet",
        parameters: { parent, names: services.map((service) => `${parent}/services/${service}`) },
        purpose: `reading the APIs of project ${project}`,
        signal,
      });
      const enabled = new Set(
        objectsOf(found)
          .filter(({ state }) => state === "ENABLED")
          // The service returns names with the project's number in place of its id.
          .map(({ name }) => lastPart(restText(name))),
      );
      return services.filter((service) => !enabled.has(service));
    },
    missingPermissions: async (project, permissions, signal) => {
      const answer = await api.call({
        method: "cloudresourcemanager.projects.testIamPermissions",
        parameters: { resource: writeProject(project) },
        body: { permissions },
        purpose: `asking for the caller's permissions in project ${project}`,
        signal,
      });
      const held = new Set(textsOf(answer.permissions));
      return permissions.filter((permission) => !held.has(permission));
    },
    computeQuotas: async (project, region, signal) => {
      const { quotas } = await api.call({
        method: region === undefined ? "compute.projects.get" : "compute.regions.get",
        parameters: { project, ...defined({ region }) },
        purpose: `reading the quotas of project ${project}${region === undefined ? "" : ` in ${region}`}`,
        signal,
      });
      return objectsOf(quotas).map(({ metric, limit, usage }) => ({
        metric: restText(metric),
        limit: Number(limit ?? 0),
        usage: Number(usage ?? 0),
      }));
    },
    uptimeHosts: async (project, signal) => {
      const found = await api.list(
        {
          method: "monitoring.projects.uptimeCheckConfigs.list",
          parameters: { parent: writeProject(project), pageSize: 1_000 },
          purpose: `reading the uptime checks of project ${project}`,
          signal,
        },
        "uptimeCheckConfigs",
      );
      return found.map(({ monitoredResource }) => restText(fieldsOf(fieldsOf(monitoredResource).labels).host));
    },
    exists: (project, signal) =>
      isThere(
        api.call({
          method: "cloudresourcemanager.projects.get",
          parameters: { name: writeProject(project) },
          purpose: `reading project ${project}`,
          signal,
        }),
      ),
    hasRegion: (project, region, signal) =>
      isThere(
        api.call({
          method: "compute.regions.get",
          parameters: { project, region },
          purpose: `reading the region ${region} of project ${project}`,
          signal,
        }),
        // The service refuses a region name that never existed with status 400.
        ({ status, message }) => status === 400 && /unknown region/i.test(message),
      ),
  };
}

/** @param isNone returns whether a refusal other than 404 means that the resource does not exist */
async function isThere(
  asking: Promise<unknown>,
  isNone: (error: ServiceError) => boolean = () => false,
): Promise<boolean> {
  try {
    await asking;
    return true;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 404 || isNone(error))) return false;
    throw error;
  }
}
