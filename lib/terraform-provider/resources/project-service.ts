import { projectIn, writeProject } from "../../resource-names";
import type { ApiObject, Attempt } from "../cloud-api";
import type { ProviderBehavior } from "../provider-version";
import { textValue, type ValueObject } from "../value";
import type { DataKind, ProviderCall, ResourceKind } from "./kind";
import { fill, identifyBy, timeoutMs } from "./resource-id";

const type = "google_project_service";
const idTemplate = "{project}/{service}";

/**
 * Returns an API of a project, which exists while it is enabled. Source: the provider's source code. Version 7.0
 * removed the default of `disable_on_destroy`, so that an API without a setting stays enabled from then on.
 */
export function projectServiceKindOf({ disablesServiceByDefault }: ProviderBehavior): ResourceKind {
  return {
    type,
    overlay: {
      forceNew: ["service", "project"],
      ...(disablesServiceByDefault ? { defaults: { disable_on_destroy: true } } : {}),
    },
    create: async (planned, call) => {
      if (!(await isEnabled(planned, call))) {
        await change("enable", planned, call);
        // The provider reads until the service is listed, which the cloud does at once.
        await isEnabled(planned, call);
        await readProject(planned, call);
        await isEnabled(planned, call);
      }
      return toState(planned);
    },
    read: async (state, call) => {
      const project = await readProject(state, call);
      return project !== undefined && (await isEnabled(state, call)) ? toState(state) : undefined;
    },
    // Only attributes that the provider itself uses can change.
    update: async (_, planned) => toState(planned),
    delete: async (state, call) => {
      if (state.disable_on_destroy === true) await change("disable", state, call);
    },
    identify: identifyBy(type, idTemplate),
  };
}

async function readProject(values: ValueObject, call: ProviderCall): Promise<ApiObject | undefined> {
  const target = fill("/v1/projects/{project}", values);
  return call.api.find({ ...attemptOf("reading", values, call), httpMethod: "GET", target });
}

/** Returns whether the service is among the enabled services of its project. */
async function isEnabled(values: ValueObject, call: ProviderCall): Promise<boolean> {
  const attempt = attemptOf("reading", values, call);
  for (let pageToken = ""; ; ) {
    const query = new URLSearchParams({
      fields: "services/name,nextPageToken",
      filter: "state:ENABLED",
      pageSize: "200",
      ...(pageToken === "" ? {} : { pageToken }),
    });
    const target = `${fill("/v1/projects/{project}/services", values)}?${query}`;
    const page = await call.api.send({ ...attempt, httpMethod: "GET", target });
    const services = (page.services as readonly { readonly name?: string }[] | undefined) ?? [];
    if (services.some(({ name = "" }) => name.endsWith(`/services/${textValue(values, "service")}`))) return true;
    pageToken = String(page.nextPageToken ?? "");
    if (pageToken === "") return false;
  }
}

function toState(values: ValueObject): ValueObject {
  return { id: fill(idTemplate, values), project: values.project ?? null, service: values.service ?? null };
}

function attemptOf(verb: string, values: ValueObject, { signal }: ProviderCall): Attempt {
  return { purpose: `${verb} ${type} '${fill(idTemplate, values)}'`, signal, project: textValue(values, "project") };
}

async function change(action: "enable" | "disable", values: ValueObject, call: ProviderCall): Promise<void> {
  const attempt = attemptOf(`${action.slice(0, -1)}ing`, values, call);
  const withDependents = action === "disable" && values.disable_dependent_services === true;
  const body = withDependents ? { disableDependentServices: true } : {};
  const target = `${fill("/v1/projects/{project}/services/{service}", values)}:${action}`;
  const operation = await call.api.send({ ...attempt, httpMethod: "POST", target, body });
  const limitMs = timeoutMs(values, action === "enable" ? "create" : "delete");
  await call.api.settle(operation, `/v1/${String(operation.name)}`, attempt, limitMs);
}

/** A project, as read from Cloud Resource Manager. */
export const projectData: DataKind = {
  type: "google_project",
  read: async (config, { api, settings, signal }) => {
    const project = textValue(config, "project_id") || (settings.project ?? "");
    const target = `/v3/${writeProject(project)}`;
    const answer = await api.send({
      httpMethod: "GET",
      target,
      purpose: `reading google_project '${project}'`,
      signal,
    });
    const number = /^\d+$/.exec(projectIn(String(answer.name)) ?? "")?.[0];
    return {
      id: writeProject(project),
      project_id: String(answer.projectId ?? project),
      name: String(answer.displayName ?? project),
      number: number ?? null,
    };
  },
};
