import type { ApiObject, Attempt } from "../cloud-api";
import { isEmpty, sameValue, textValue, type ValueObject } from "../value";
import type { ProviderCall, ResourceKind } from "./kind";
import { fromApi, type Mapping, toApi } from "./mapping";
import { attemptTo, fill, identifyBy, timeoutMs } from "./resource-id";

const type = "google_logging_project_bucket_config";
const idTemplate = "projects/{project}/locations/{location}/buckets/{bucket_id}";
const collection = "/v2/projects/{project}/locations/{location}/buckets";

const mapping: Mapping = {
  apiNames: { enable_analytics: "analyticsEnabled" },
  foreign: ["id", "project", "location", "bucket_id"],
};

/** Buckets that every project has, which the provider does not delete. */
const ownBuckets: readonly string[] = ["_Default", "_Required"];

/**
 * Attributes that one `PATCH` changes, by their member of the API. Analytics and the lock have requests of their own.
 */
const patched = {
  retention_days: "retentionDays",
  description: "description",
  cmek_settings: "cmekSettings",
  index_configs: "indexConfigs",
} as const;

/**
 * Log buckets of a project. The provider adopts an existing bucket by `PATCH`. A deleted bucket keeps its name for
 * seven days, and the service refuses to change it. After that, a refresh fails. Source: the provider's source code at
 * 6.50.0.
 */
export const logBucketKind: ResourceKind = {
  type,
  overlay: { forceNew: ["project", "location", "bucket_id"], defaults: { retention_days: 30 } },
  // Analytics can't be disabled, so the provider suppresses this change.
  finishPlan: (planned, prior) => (prior?.enable_analytics === true ? { ...planned, enable_analytics: true } : planned),
  create: async (planned, call) => {
    const attempt = attemptTo("create", describe(planned), planned, call);
    const target = `/v2/${fill(idTemplate, planned)}`;
    const found = await call.api.find({ ...attempt, httpMethod: "GET", target });
    if (found !== undefined) {
      await changeBucket({}, planned, attempt, call);
    } else {
      const query = `bucketId=${encodeURIComponent(textValue(planned, "bucket_id"))}`;
      // The provider also sends empty members.
      const body = { ...sharedBody(planned, call), locked: planned.locked === true, name: "" };
      const created = { ...attempt, target: `${fill(collection, planned)}:createAsync?${query}`, body };
      await settle(await call.api.send({ ...created, httpMethod: "POST" }), planned, attempt, call);
    }
    return readBucket(planned, call);
  },
  read: readBucket,
  update: async (prior, planned, call) => {
    await changeBucket(prior, planned, attemptTo("update", describe(planned), planned, call), call);
    return readBucket(planned, call);
  },
  delete: async (state, call) => {
    if (ownBuckets.includes(textValue(state, "bucket_id"))) return;
    const attempt = attemptTo("delete", describe(state), state, call, "update");
    await call.api.send({ ...attempt, httpMethod: "DELETE", target: `/v2/${fill(idTemplate, state)}` });
  },
  identify: identifyBy(type, idTemplate),
};

function describe(values: ValueObject): string {
  return `${type} '${fill(idTemplate, values)}'`;
}

/** Reads a bucket. @throws ServiceError if it does not exist: unlike other types, the provider fails then */
async function readBucket(values: ValueObject, call: ProviderCall): Promise<ValueObject> {
  const target = `/v2/${fill(idTemplate, values)}`;
  const purpose = `reading ${describe(values)}`;
  const answer = await call.api.send({ purpose, signal: call.signal, httpMethod: "GET", target });
  const { project = null, location = null, bucket_id = null } = values;
  return { ...fromApi(call.schema, mapping, answer), project, location, bucket_id, id: fill(idTemplate, values) };
}

/** Returns the members that creations and changes share. */
function sharedBody(planned: ValueObject, { schema }: ProviderCall): ApiObject {
  const empty = { description: "", cmekSettings: null, indexConfigs: [] };
  const { name: _, locked: __, ...members } = toApi(schema, mapping, planned);
  // What only the service sets is not known before the creation.
  const known = Object.entries(members).filter(([, value]) => typeof value !== "symbol");
  return { ...empty, ...Object.fromEntries(known) };
}

/** Changes a bucket: analytics first, then everything else, and the lock at last. */
async function changeBucket(
  prior: ValueObject,
  planned: ValueObject,
  attempt: Attempt,
  call: ProviderCall,
): Promise<void> {
  const target = `/v2/${fill(idTemplate, planned)}`;
  const isChanged = (name: string) => !sameValue(orEmpty(prior, name), orEmpty(planned, name));
  const { analyticsEnabled, ...body } = sharedBody(planned, call);
  if (isChanged("enable_analytics")) {
    const analytics = { ...attempt, target: `${target}:updateAsync?updateMask=analyticsEnabled` };
    const answer = await call.api.send({ ...analytics, httpMethod: "POST", body: { analyticsEnabled } });
    await settle(answer, planned, attempt, call);
  }
  const mask = Object.entries(patched)
    .filter(([name]) => isChanged(name))
    .map(([, member]) => member);
  if (mask.length > 0) {
    const whole = isChanged("enable_analytics") ? { ...body, analyticsEnabled } : body;
    const query = `updateMask=${encodeURIComponent(mask.join(","))}`;
    await call.api.send({ ...attempt, httpMethod: "PATCH", target: `${target}?${query}`, body: whole });
  }
  if (isChanged("locked")) {
    const locked = { locked: planned.locked === true };
    await call.api.send({ ...attempt, httpMethod: "PATCH", target: `${target}?updateMask=locked`, body: locked });
  }
}

/** Returns a value, or null for every empty value and for one that only the service sets. */
function orEmpty(values: ValueObject, name: string) {
  const value = values[name] ?? null;
  return typeof value === "symbol" || isEmpty(value) ? null : value;
}

async function settle(answer: ApiObject, values: ValueObject, attempt: Attempt, { api }: ProviderCall): Promise<void> {
  await api.settle(answer, `/v2/${String(answer.name)}`, attempt, timeoutMs(values, "create"));
}
