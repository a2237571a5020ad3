import { projectIn, writeProject } from "../../resource-names";
import type { Attempt } from "../cloud-api";
import { textOf, type ValueObject } from "../value";
import { timeoutMs } from "./durations";
import { given } from "./given";
import type { Call, DataKind, ResourceKind } from "./kind";
import { fill, parseImportId } from "./template";

const idTemplate = "{project}/{service}";
const path = "/v1/projects/{project}/services/{service}";

/** An API of a project, which exists while it is enabled. Source: the provider's documentation of 6.50.0. */
export const projectServiceKind: ResourceKind = {
  type: "google_project_service",
  overlay: {
    forceNew: ["service", "project"],
    defaults: { disable_on_destroy: true },
  },
  keptOnly: false,
  create: async (planned, call) => {
    await change("enable", planned, call);
    return toState(planned);
  },
  read: async (state, call) => {
    const answer = await call.api.find({
      ...attemptOf("reading", state, call),
      httpMethod: "GET",
      target: fill(path, state),
    });
    return answer?.state === "ENABLED" ? toState(state) : undefined;
  },
  // Only attributes that the provider itself uses can change.
  update: async (_, planned) => toState(planned),
  delete: async (state, call) => {
    if (state.disable_on_destroy !== false) await change("disable", state, call);
  },
  identify: (importId, settings) => {
    const values = parseImportId(projectServiceKind.type, idTemplate, importId, given(settings));
    return { ...values, id: fill(idTemplate, values) };
  },
};

function toState(values: ValueObject): ValueObject {
  return { id: fill(idTemplate, values), project: values.project ?? null, service: values.service ?? null };
}

function attemptOf(verb: string, values: ValueObject, { signal }: Call): Attempt {
  return { purpose: `${verb} google_project_service '${fill(idTemplate, values)}'`, signal };
}

async function change(action: "enable" | "disable", values: ValueObject, call: Call): Promise<void> {
  const attempt = attemptOf(`${action.slice(0, -1)}ing`, values, call);
  const body = action === "disable" ? { disableDependentServices: values.disable_dependent_services === true } : {};
  const target = `${fill(path, values)}:${action}`;
  const operation = await call.api.send({ ...attempt, httpMethod: "POST", target, body });
  const statusTarget = `/v1/${String(operation.name)}`;
  const verb = action === "enable" ? "create" : "delete";
  await call.api.settle(operation, statusTarget, attempt, timeoutMs(values, verb));
}

/** A project, as read from Cloud Resource Manager. */
export const projectData: DataKind = {
  type: "google_project",
  read: async (config, { api, settings, signal }) => {
    const project = textOf(config, "project_id") || (settings.project ?? "");
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
