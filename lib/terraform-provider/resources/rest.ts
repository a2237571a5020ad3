import { InputError } from "../../errors";
import { defined } from "../../json/defined";
import { textOf, unknown, type ValueObject, withoutNull } from "../value";
import { timeoutMs } from "./durations";
import { given } from "./given";
import { type Call, type DataKind, type ResourceKind, UnreadError } from "./kind";
import { createRestResource } from "./rest-resource";
import type { RestRow } from "./rest-row";
import { labelsStep, updateSteps } from "./rest-updates";
import { fill, parseImportId } from "./template";

/** Returns a resource type whose methods all follow one pattern. */
export function restKind(row: RestRow): ResourceKind {
  const resource = createRestResource(row);
  return {
    type: row.type,
    overlay: row,
    keptOnly: false,
    ...defined({ finishPlan: row.finishPlan }),
    create: async (unnamed, call) => {
      const planned = withName(unnamed, call);
      const body = { ...resource.body(planned, call), ...resource.labels(planned) };
      const query =
        row.nameParameter === undefined ? "" : `?${row.nameParameter}=${encodeURIComponent(textOf(planned, "name"))}`;
      const attempt = {
        purpose: `creating ${resource.describe(planned)}`,
        signal: call.signal,
        timeoutMs: timeoutMs(planned, "create"),
      };
      const operation = await call.api.send({
        ...attempt,
        httpMethod: "POST",
        target: `${resource.collection(planned)}${query}`,
        body: row.nameParameter === undefined || row.nameInBody ? { ...body, name: textOf(planned, "name") } : body,
      });
      await resource.settle(operation, planned, "create", attempt, call);
      try {
        const attributes = await resource.readBack(planned, attempt, call);
        if (row.labelsAfterCreation !== true || resource.labels(planned).labels === undefined) return attributes;
        const labelling = await call.api.send({ ...attempt, ...labelsStep(resource, planned, attributes).request({}) });
        await resource.settle(labelling, planned, "create", attempt, call);
        return await resource.readBack(planned, attempt, call);
      } catch (error) {
        throw new UnreadError({ id: fill(resource.idTemplate, planned) }, error);
      }
    },
    read: async (state, call) =>
      resource.read(state, { purpose: `reading ${resource.describe(state)}`, signal: call.signal }, call),
    update: async (prior, planned, call) => {
      const attempt = {
        purpose: `updating ${resource.describe(planned)}`,
        signal: call.signal,
        timeoutMs: timeoutMs(planned, "update"),
      };
      for (const step of updateSteps(resource, prior, planned, call)) {
        const before = step.needsCurrent
          ? await call.api.send({ ...attempt, httpMethod: "GET", target: resource.path(planned) })
          : {};
        const operation = await call.api.send({ ...attempt, ...step.request(before) });
        await resource.settle(operation, planned, "update", attempt, call);
      }
      return resource.readBack(planned, attempt, call);
    },
    delete: async (state, call) => {
      const attempt = {
        purpose: `deleting ${resource.describe(state)}`,
        signal: call.signal,
        timeoutMs: timeoutMs(state, "delete"),
      };
      const operation = await call.api.find({ ...attempt, httpMethod: "DELETE", target: resource.path(state) });
      if (operation !== undefined) await resource.settle(operation, state, "delete", attempt, call);
    },
    identify: (importId, settings) => {
      const values = parseImportId(row.type, resource.idTemplate, importId, given(settings));
      return { ...values, id: fill(resource.idTemplate, values) };
    },
  };
}

/** Adds a generated name to a resource whose name is unknown, as the provider does. */
function withName(planned: ValueObject, { unique }: Call): ValueObject {
  if (planned.name !== unknown) return planned;
  return { ...planned, name: `${textOf(planned, "name_prefix") || "terraform-"}${unique()}` };
}

/**
 * Returns the data source that reads a resource of a row.
 *
 * @param type Terraform type of the data source. @default - the row's own
 */
export function restData(row: RestRow, type: string = row.type): DataKind {
  const resource = createRestResource(row);
  return {
    type,
    read: async (config, call) => {
      const labels = { labels: unknown, terraform_labels: unknown, effective_labels: unknown };
      const values: ValueObject = { ...given(call.settings), ...withoutNull(config), ...labels };
      const attempt = { purpose: `reading ${resource.describe(values)}`, signal: call.signal };
      const attributes = await resource.read(values, attempt, call);
      if (attributes === undefined) {
        throw new InputError("not-found", `${type}: ${fill(resource.idTemplate, values)} is not there`);
      }
      const { project, region } = values;
      return { ...defined({ project, region }), ...attributes };
    },
  };
}
