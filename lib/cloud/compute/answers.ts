import { groupBy } from "../../json/group-by";
import { regionIn, writeProject, writeRegion } from "../../resource-names";
import { CloudError } from "../cloud-error";
import { type Call, countParameter, type Json, type ListPage, listPage, listRequestOf, textParameter } from "../front";
import { linkTo } from "./links";
import { compact, textMember } from "./resources";

/** Errors of Compute Engine. Clients branch on the reasons, and some clients on the texts. */

/** Returns the error for an invalid value. @param field for example `urlMap` or `pathMatchers[0].name` */
export function invalidValue(field: string, value: unknown, why: string): CloudError {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return new CloudError("INVALID_ARGUMENT", `Invalid value for field 'resource.${field}': '${shown}'. ${why}`);
}

export function requiredField(field: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", `Required field 'resource.${field}' not specified`, { reason: "required" });
}

/** The errors of Compute Engine for resources that are missing, exist already or are in use. */
export const computeErrors = {
  notFound: (path: string) => new CloudError("NOT_FOUND", `The resource '${path}' was not found`),
  alreadyExists: (path: string) => new CloudError("ALREADY_EXISTS", `The resource '${path}' already exists`),
  /** @param noun kind of the resource, for example `url_map` */
  inUse: (noun: string, path: string, user: string) =>
    new CloudError("INVALID_ARGUMENT", `The ${noun} resource '${path}' is already being used by '${user}'`, {
      reason: "resourceInUseByAnotherResource",
    }),
};

/** Returns the error for an outdated fingerprint: another client has changed the resource. */
export function staleFingerprint(): CloudError {
  return new CloudError("CONDITION_NOT_MET", "Invalid fingerprint.");
}

export function staleLabels(): CloudError {
  return new CloudError("CONDITION_NOT_MET", "Labels fingerprint either invalid or resource labels have changed");
}

export function quotaExceeded(metric: string, limit: number): CloudError {
  return new CloudError("RESOURCE_EXHAUSTED", `Quota '${metric}' exceeded.  Limit: ${limit}.0 globally.`, {
    httpStatus: 403,
    reason: "quotaExceeded",
  });
}

export function notEmulated(what: string): CloudError {
  return new CloudError("UNIMPLEMENTED", `the rehearsal cloud does not emulate ${what}`);
}

/** Maximum and default number of items on a page. */
const mostResults = 500;

/** Returns the answer of a list call. @param kind for example `compute#urlMapList` @param path of the collection */
export function computeListAnswer(call: Call, kind: string, path: string, items: readonly Json[]): Json {
  const page = pageOf(call, items);
  const id = path.replace(/\/$/, "");
  return compact({
    kind,
    id,
    items: page.items.length === 0 ? undefined : page.items,
    nextPageToken: page.nextPageToken,
    selfLink: linkTo(id),
  });
}

/** Returns items by scope, for example `regions/r1`. The global scope is always present, a region only with items. */
export function aggregatedAnswer(call: Call, kind: string, collection: string, items: readonly Json[]): Json {
  const page = pageOf(call, items);
  const found = groupBy(page.items, (item) => writeRegion(regionIn(textMember(item, "selfLink"))));
  const scopes = new Map<string, readonly Json[]>([["global", []], ...found]);
  const path = `${writeProject(textParameter(call, "project"))}/aggregated/${collection}`;
  return compact({
    kind,
    id: path,
    items: Object.fromEntries(
      [...scopes].map(([scope, members]) => [
        scope,
        members.length === 0 ? nothingIn(scope) : { [collection]: members },
      ]),
    ),
    nextPageToken: page.nextPageToken,
    selfLink: linkTo(path),
  });
}

function nothingIn(scope: string): Json {
  const message = `There are no results for scope '${scope}' on this page.`;
  return { warning: { code: "NO_RESULTS_ON_PAGE", message, data: [{ key: "scope", value: scope }] } };
}

function pageOf(call: Call, items: readonly Json[]): ListPage<Json> {
  const pageSize = countParameter(call, "maxResults");
  if (pageSize !== undefined && pageSize > mostResults)
    throw invalidValue("maxResults", pageSize, `Values are from 0 to ${mostResults}.`);
  return listPage(
    items,
    listRequestOf(call, "maxResults"),
    // Names are unique only within a scope. Links are unique everywhere and sort by name within a scope.
    { defaultSize: mostResults, mostSize: mostResults, keyOf: (item) => textMember(item, "selfLink") },
  );
}
