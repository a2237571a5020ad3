import { InputError } from "../../errors";
import { lastPart, projectIn, writeProject } from "../../resource-names";
import type { ApiObject, Attempt } from "../cloud-api";
import { sameValue, textValue, type ValueObject } from "../value";
import type { ProviderCall, ResourceKind } from "./kind";
import { fromApi, isOutput, type Mapping, toApi } from "./mapping";
import { attemptTo } from "./resource-id";

/** A type of Cloud Monitoring. The service chooses the name of a new resource, which is also its id in the state. */
interface NamedRow extends Pick<ResourceKind, "type" | "overlay"> {
  /** Collection below the project, for example `alertPolicies`. */
  readonly collection: string;
  readonly mapping: Mapping;
  /** Attribute with the last part of the name. @default none */
  readonly idAttribute?: string;
}

const foreign = ["id", "project", "timeouts", "deletion_policy"];

const conditionBlocks = ["condition_threshold", "condition_absent"].map((name) => `conditions.${name}`);

/** Alert policies and uptime checks. Source: the provider's source code at 6.50.0 and 7.45.0. */
const rows: readonly NamedRow[] = [
  {
    type: "google_monitoring_alert_policy",
    collection: "alertPolicies",
    overlay: {
      forceNew: ["project"],
      defaults: { enabled: true, "documentation.mime_type": "text/markdown" },
      equivalences: Object.fromEntries(
        conditionBlocks.map((block) => [`${block}.aggregations.cross_series_reducer`, "reducer" as const]),
      ),
    },
    mapping: { foreign },
  },
  {
    type: "google_monitoring_uptime_check_config",
    collection: "uptimeCheckConfigs",
    idAttribute: "uptime_check_id",
    overlay: {
      forceNew: [
        ...["project", "checker_type", "monitored_resource", "resource_group", "synthetic_monitor"],
        "http_check.request_method",
      ],
      defaults: {
        period: "300s",
        "http_check.path": "/",
        "http_check.request_method": "GET",
        "content_matchers.matcher": "CONTAINS_STRING",
        "content_matchers.json_path_matcher.json_matcher": "EXACT_MATCH",
      },
      equivalences: { "monitored_resource.labels": "projectLabel" },
      answers: { neverReturned: ["http_check.auth_info.password", "http_check.auth_info.password_wo"] },
      sensitive: ["http_check.auth_info.password"],
    },
    mapping: { foreign: [...foreign, "uptime_check_id"] },
  },
];

const dashboardType = "google_monitoring_dashboard";

/** All types of Cloud Monitoring that the cloud has. */
export const monitoringKinds: readonly ResourceKind[] = [...rows.map(namedKind), dashboardKind()];

function namedKind({ type, overlay, collection, mapping, idAttribute }: NamedRow): ResourceKind {
  const toState = (answer: ApiObject, values: ValueObject, { schema }: ProviderCall): ValueObject => {
    const name = String(answer.name);
    const project = values.project ?? projectIn(name) ?? null;
    return {
      ...fromApi(schema, { ...mapping, defaults: overlay.defaults }, answer),
      name,
      id: name,
      project,
      ...(idAttribute === undefined ? {} : { [idAttribute]: lastPart(name) }),
    };
  };
  return {
    type,
    overlay,
    create: async (planned, call) => {
      const attempt = attemptTo("create", describe(type, planned), planned, call);
      const target = `/v3/${writeProject(textValue(planned, "project"))}/${collection}`;
      const body = toApi(call.schema, mapping, planned);
      return toState(await call.api.send({ ...attempt, httpMethod: "POST", target, body }), planned, call);
    },
    read: async (state, call) => {
      const answer = await call.api.find({ ...readingOf(type, state, call), target: pathOf("v3", state) });
      return answer === undefined ? undefined : toState(answer, state, call);
    },
    update: async (prior, planned, call) => {
      const attempt = attemptTo("update", describe(type, planned), planned, call);
      const mask = changedMembers(mapping, prior, planned, call);
      const target = pathOf("v3", prior);
      if (mask.length > 0) {
        const body = toApi(call.schema, mapping, planned);
        const query = `?updateMask=${encodeURIComponent(mask.join(","))}`;
        await call.api.send({ ...attempt, httpMethod: "PATCH", target: `${target}${query}`, body });
      }
      return toState(await call.api.send({ ...attempt, httpMethod: "GET", target }), planned, call);
    },
    delete: async (state, call) => {
      const attempt = attemptTo("delete", describe(type, state), state, call);
      await call.api.find({ ...attempt, httpMethod: "DELETE", target: pathOf("v3", state) });
    },
    identify: identifyNamed(type, collection),
  };
}

/** Returns the members of changed attributes and blocks that the API receives. */
function changedMembers(
  mapping: Mapping,
  prior: ValueObject,
  planned: ValueObject,
  { schema }: ProviderCall,
): readonly string[] {
  const attributes = [...schema.attributes].filter(([, attribute]) => !isOutput(attribute)).map(([name]) => name);
  return [...attributes, ...schema.blocks.keys()]
    .filter((name) => !mapping.foreign.includes(name) && !sameValue(prior[name] ?? null, planned[name] ?? null))
    .map((name) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()));
}

/** Dashboards: the whole JSON of the API is one attribute, which a refresh replaces by the service's spelling. */
function dashboardKind(): ResourceKind {
  const toState = (answer: ApiObject, values: ValueObject): ValueObject => ({
    id: String(answer.name),
    project: values.project ?? projectIn(String(answer.name)) ?? null,
    dashboard_json: JSON.stringify(answer),
  });
  const bodyOf = (values: ValueObject): ApiObject => JSON.parse(textValue(values, "dashboard_json")) as ApiObject;
  return {
    type: dashboardType,
    overlay: { forceNew: ["project"], equivalences: { dashboard_json: "jsonMembers" } },
    create: async (planned, call) => {
      const attempt = attemptTo("create", dashboardType, planned, call);
      const target = `/v1/${writeProject(textValue(planned, "project"))}/dashboards`;
      return toState(await call.api.send({ ...attempt, httpMethod: "POST", target, body: bodyOf(planned) }), planned);
    },
    read: async (state, call) => {
      const answer = await call.api.find({ ...readingOf(dashboardType, state, call), target: pathOf("v1", state) });
      return answer === undefined ? undefined : toState(answer, state);
    },
    update: async (prior, planned, call) => {
      const attempt = attemptTo("update", describe(dashboardType, prior), planned, call);
      const { etag } = bodyOf(prior);
      const body = { ...bodyOf(planned), ...(etag === undefined ? {} : { etag }) };
      const target = pathOf("v1", prior);
      return toState(await call.api.send({ ...attempt, httpMethod: "PATCH", target, body }), planned);
    },
    delete: async (state, call) => {
      const attempt = attemptTo("delete", describe(dashboardType, state), state, call);
      await call.api.find({ ...attempt, httpMethod: "DELETE", target: pathOf("v1", state) });
    },
    identify: identifyNamed(dashboardType, "dashboards"),
  };
}

function describe(type: string, values: ValueObject): string {
  const name = textValue(values, "id") || textValue(values, "display_name");
  return name === "" ? type : `${type} '${name}'`;
}

function pathOf(version: "v1" | "v3", values: ValueObject): string {
  return `/${version}/${textValue(values, "id")}`;
}

function readingOf(
  type: string,
  state: ValueObject,
  { signal }: ProviderCall,
): Attempt & { readonly httpMethod: "GET" } {
  return { purpose: `reading ${describe(type, state)}`, signal, httpMethod: "GET" };
}

/** Reads an import id: the whole name. */
function identifyNamed(type: string, collection: string): ResourceKind["identify"] {
  return (importId) => {
    if (new RegExp(`^projects/[^/]+/${collection}/[^/]+$`).test(importId)) {
      return { id: importId, project: projectIn(importId) ?? null };
    }
    const form = `projects/{project}/${collection}/{id}`;
    throw new InputError("import-id-invalid", `'${importId}' is not a valid id of ${type}: use ${form}`);
  };
}
