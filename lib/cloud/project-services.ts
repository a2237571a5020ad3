import { randomUUID } from "node:crypto";
import { ownDescription } from "../discovery";
import { lastPart, projectIn, projectInTarget, withoutLastParts, writeProject } from "../resource-names";
import { CloudError } from "./cloud-error";
import {
  type Call,
  type CloudService,
  type Handlers,
  invalidField,
  type Json,
  listPage,
  listRequestOf,
  textParameter,
} from "./front";
import type { OperationTime } from "./operations";
import { createPlainOperations } from "./operations";
import { hasPermission, type ProjectSettings, permissionsIn, projectNumberOf, projectSettings } from "./projects";
import type { Clock, Collection, Store } from "./state";

const collectionName = "serviceusage.services";

type ServiceState = "ENABLED" | "DISABLED";

/**
 * Services that a migration needs; enabled in a new project, so that only tests of a disabled service configure them.
 */
const usual = ["certificatemanager.googleapis.com", "compute.googleapis.com", "dns.googleapis.com"];

/** Limits of requests; see google/api/serviceusage/v1/serviceusage.proto. */
const mostEnabled = 20;
const mostRead = 30;
const pageSizes = { defaultSize: 50, mostSize: 200 };
const listFilters: ReadonlySet<string> = new Set(["", "state:ENABLED", "state:DISABLED"]);

/**
 * Returns the error of a call to a service that was disabled; undefined for any other service, also if it was never
 * enabled.
 */
export function refusalOfDisabled(store: Store, methodId: string, target: string): CloudError | undefined {
  const service = `${methodId.slice(0, methodId.indexOf("."))}.googleapis.com`;
  const project = projectInTarget(target);
  // A disabled Service Usage could not be enabled again.
  if (project === undefined || service === "serviceusage.googleapis.com") return undefined;
  const state = store.collection<ServiceState>(collectionName).get(`${writeProject(project)}/services/${service}`);
  if (state !== "DISABLED") return undefined;
  const message = `${service} is disabled in project ${project}: enable it, as in POST /v1/projects/${project}/services/${service}:enable`;
  const metadata = { service, consumer: writeProject(project) };
  return new CloudError("PERMISSION_DENIED", message, {
    reason: "accessNotConfigured",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "SERVICE_DISABLED",
        domain: "googleapis.com",
        metadata,
      },
    ],
  });
}

/**
 * Creates Service Usage, Cloud Resource Manager and Cloud Billing, as far as the preparation of a migration uses them.
 * By default every project exists and has billing, and callers have all permissions; control calls change these
 * defaults.
 *
 * @param operationMs duration of operations, in milliseconds of the cloud's time
 */
export function createProjectServices(store: Store, clock: Clock, operationMs: OperationTime): readonly CloudService[] {
  const settingsOf = projectSettings(store);
  const firstProjects: Handlers = {
    "cloudresourcemanager.projects.get": (call) => {
      const projectId = textParameter(call, "projectId");
      return { projectNumber: projectNumberOf(projectId), projectId, lifecycleState: "ACTIVE", name: projectId };
    },
  };
  return [
    {
      description: ownDescription("serviceusage:v1"),
      errors: "status",
      handlers: usageHandlers(store, clock, operationMs),
    },
    { description: ownDescription("cloudresourcemanager:v1"), errors: "status", handlers: firstProjects },
    { description: ownDescription("cloudresourcemanager:v3"), errors: "status", handlers: projectHandlers(settingsOf) },
    { description: ownDescription("cloudbilling:v1"), errors: "status", handlers: billingHandlers(settingsOf) },
  ];
}

function usageHandlers(store: Store, clock: Clock, operationMs: OperationTime): Handlers {
  const states = store.collection<ServiceState>(collectionName);
  const operations = createPlainOperations({ store, clock, operationMs, collection: "serviceusage.operations" });
  const describe = (name: string): Json => {
    const id = lastPart(name);
    const state = states.get(name) ?? (usual.includes(id) ? "ENABLED" : "DISABLED");
    return { name, parent: withoutLastParts(name, 2), config: { name: id, title: id }, state };
  };
  /** Changes the state of services. An operation that changes nothing is done at once. */
  const change = (
    call: Call,
    names: readonly string[],
    state: ServiceState,
    responseOf: (services: readonly Json[]) => Json,
  ): Json => {
    const changed = names.filter((name) => describe(name).state !== state);
    for (const name of changed) states.set(name, state);
    const response = responseOf(names.map(describe));
    return changed.length === 0
      ? { name: "operations/noop.DONE_OPERATION", done: true, response }
      : operations.start(call.method.id, `operations/acf.${randomUUID()}`, response);
  };
  return {
    "serviceusage.services.get": (call) => describe(textParameter(call, "name")),
    "serviceusage.services.list": (call) => {
      const parent = textParameter(call, "parent");
      if (!listFilters.has(textParameter(call, "filter")))
        throw invalidField("filter", "has to be state:ENABLED or state:DISABLED");
      const services = knownServices(parent, states).map(describe);
      const keyOf = ({ name }: Json) => String(name);
      const { items, ...next } = listPage(services, listRequestOf(call, "pageSize"), { ...pageSizes, keyOf });
      return { services: items, ...next };
    },
    "serviceusage.services.enable": (call) =>
      change(call, [textParameter(call, "name")], "ENABLED", ([service]) =>
        responseOf("EnableServiceResponse", { service }),
      ),
    "serviceusage.services.disable": (call) => {
      const name = textParameter(call, "name");
      if (describe(name).state !== "ENABLED")
        throw new CloudError("FAILED_PRECONDITION", `the service ${name} is not enabled`);
      return change(call, [name], "DISABLED", ([service]) => responseOf("DisableServiceResponse", { service }));
    },
    "serviceusage.services.batchEnable": (call) => {
      const parent = textParameter(call, "parent");
      const ids = (call.body.serviceIds ?? []) as readonly string[];
      if (ids.length > mostEnabled) throw invalidField("service_ids", `at most ${mostEnabled} are allowed`);
      const names = ids.map((id) => `${parent}/services/${id}`);
      return change(call, names, "ENABLED", (services) => responseOf("BatchEnableServicesResponse", { services }));
    },
    "serviceusage.operations.get": (call) => operations.get(textParameter(call, "name")),
    "serviceusage.services.batchGet": (call) => {
      const names = [call.parameters.names ?? []].flat();
      if (names.length > mostRead) throw invalidField("names", `at most ${mostRead} are allowed`);
      return { services: names.map((name) => describe(String(name))) };
    },
  };
}

/** Returns the names of the services of a project that are enabled by default, or have been enabled or disabled. */
function knownServices(project: string, states: Collection<ServiceState>): readonly string[] {
  const usualNames = usual.map((id) => `${project}/services/${id}`);
  const names = new Set([...usualNames, ...[...states.entries()].map(([name]) => name)]);
  return [...names].filter((name) => name.startsWith(`${project}/`));
}

function responseOf(type: string, members: Json): Json {
  return { "@type": `type.googleapis.com/google.api.serviceusage.v1.${type}`, ...members };
}

function projectHandlers(settingsOf: Collection<ProjectSettings>): Handlers {
  return {
    "cloudresourcemanager.projects.get": (call) => {
      const projectId = projectOf(call, "name");
      if (projectId === "") throw new CloudError("INVALID_ARGUMENT", "name: a project is needed");
      return { name: writeProject(projectNumberOf(projectId)), projectId, state: "ACTIVE", displayName: projectId };
    },
    "cloudresourcemanager.projects.getIamPolicy": (call) => ({
      version: 1,
      bindings: settingsOf.get(projectOf(call, "resource"))?.iamBindings ?? [],
    }),
    "cloudresourcemanager.projects.testIamPermissions": (call) => {
      const settings = settingsOf.get(projectOf(call, "resource")) ?? {};
      return { permissions: permissionsIn(call).filter((permission) => hasPermission(settings, permission)) };
    },
  };
}

function billingHandlers(settingsOf: Collection<ProjectSettings>): Handlers {
  return {
    "cloudbilling.projects.getBillingInfo": (call) => {
      const projectId = projectOf(call, "name");
      const billingEnabled = settingsOf.get(projectId)?.billingEnabled ?? true;
      const billingAccountName = billingEnabled ? "billingAccounts/000000-000000-000000" : "";
      return { name: `${writeProject(projectId)}/billingInfo`, projectId, billingAccountName, billingEnabled };
    },
  };
}

function projectOf(call: Call, parameter: string): string {
  return projectIn(textParameter(call, parameter)) ?? "";
}
