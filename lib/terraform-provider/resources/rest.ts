import { InputError } from "../../errors";
import { defined } from "../../json/defined";
import { textValue, unknown, type ValueObject, withoutNull } from "../value";
import { type DataKind, type ProviderCall, type ResourceKind, UnreadError } from "./kind";
import { labelsOf } from "./mapping";
import { attemptTo, fill, given, identifyBy } from "./resource-id";
import { createRestResource } from "./rest-resource";
import type { RestRow } from "./rest-row";
import { updateRequests } from "./rest-updates";

/** Returns a resource type whose methods all follow one pattern. */
export function restKind(row: RestRow): ResourceKind {
  const resource = createRestResource(row);
  return {
    type: row.type,
    overlay: row,
    ...defined({ finishPlan: row.finishPlan }),
    create: async (unnamed, call) => {
      const planned = withName(unnamed, call);
      const name = textValue(planned, "name");
      const body = resource.body(planned, call);
      const query = row.nameParameter === undefined ? "" : `?${row.nameParameter}=${encodeURIComponent(name)}`;
      const attempt = attemptTo("create", resource.describe(planned), planned, call);
      const operation = await call.api.send({
        ...attempt,
        httpMethod: "POST",
        target: `${resource.below(row.collection, planned)}${query}`,
        body: row.nameParameter === undefined || row.nameInBody ? { ...body, name } : body,
      });
      await resource.settle(operation, planned, attempt, call);
      try {
        const attributes = await resource.readBack(planned, attempt, call);
        const { labels } = labelsOf(planned);
        if (row.labelsAfterCreation !== true || labels === undefined) return attributes;
        const labelling = await call.api.send({
          ...attempt,
          httpMethod: "POST",
          target: `${resource.path(planned)}/setLabels`,
          body: { labels, labelFingerprint: attributes.label_fingerprint },
        });
        await resource.settle(labelling, planned, attempt, call);
        return await resource.readBack(planned, attempt, call);
      } catch (error) {
        throw new UnreadError({ id: fill(resource.idTemplate, planned) }, error);
      }
    },
    read: async (state, call) =>
      resource.read(state, { purpose: `reading ${resource.describe(state)}`, signal: call.signal }, call),
    update: async (prior, planned, call) => {
      const attempt = attemptTo("update", resource.describe(planned), planned, call);
      for (const { withFingerprint, ...request } of updateRequests(resource, prior, planned, call)) {
        let { body } = request;
        if (withFingerprint) {
          const current = await call.api.send({ ...attempt, httpMethod: "GET", target: resource.path(planned) });
          body = { ...body, fingerprint: current.fingerprint };
        }
        const operation = await call.api.send({ ...attempt, ...request, body });
        await resource.settle(operation, planned, attempt, call);
      }
      return resource.readBack(planned, attempt, call);
    },
    delete: async (state, call) => {
      const attempt = attemptTo("delete", resource.describe(state), state, call);
      const operation = await call.api.find({ ...attempt, httpMethod: "DELETE", target: resource.path(state) });
      if (operation !== undefined) await resource.settle(operation, state, attempt, call);
    },
    identify: identifyBy(row.type, resource.idTemplate),
  };
}

/** Adds a generated name to a resource whose name is unknown, as the provider does. */
function withName(planned: ValueObject, { unique }: ProviderCall): ValueObject {
  if (planned.name !== unknown) return planned;
  return { ...planned, name: `${textValue(planned, "name_prefix") || "terraform-"}${unique()}` };
}

/** Returns the data source that reads a resource of a row. */
export function restData(row: RestRow): DataKind {
  const resource = createRestResource(row);
  return {
    type: row.type,
    read: async (config, call) => {
      const labels = { labels: unknown, terraform_labels: unknown, effective_labels: unknown };
      const values: ValueObject = { ...given(call.settings), ...withoutNull(config), ...labels };
      const attempt = { purpose: `reading ${resource.describe(values)}`, signal: call.signal };
      const attributes = await resource.read(values, attempt, call);
      if (attributes === undefined) {
        throw new InputError("not-found", `${row.type}: ${fill(resource.idTemplate, values)} is not there`);
      }
      const { project, region } = values;
      return { ...defined({ project, region }), ...attributes };
    },
  };
}
