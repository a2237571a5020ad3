import { regionIn, writeProject, writeRegion } from "../../resource-names";
import { type Call, countParameter, type Json, listPage, listRequestOf, type Page, textParameter } from "../front";
import { linkTo } from "./links";
import { invalidValue } from "./refusals";
import { compact, textOf } from "./resources";

/** Maximum and default number of items on a page. */
const mostResults = 500;

/**
 * Returns the answer of a list call.
 *
 * @param kind for example `compute#urlMapList`
 * @param path path of the collection
 */
export function listAnswer(call: Call, kind: string, path: string, items: readonly Json[]): Json {
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

/**
 * Returns the answer of an aggregated list call: items by scope, for example `regions/r1`. The global scope is always
 * present, a region only with items.
 */
export function aggregatedAnswer(call: Call, kind: string, collection: string, items: readonly Json[]): Json {
  const page = pageOf(call, items);
  const scopes = new Map<string, Json[]>([["global", []]]);
  for (const item of page.items) {
    const scope = writeRegion(regionIn(textOf(item, "selfLink")));
    const members = scopes.get(scope) ?? [];
    members.push(item);
    scopes.set(scope, members);
  }
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

function pageOf(call: Call, items: readonly Json[]): Page<Json> {
  const pageSize = countParameter(call, "maxResults");
  if (pageSize !== undefined && pageSize > mostResults)
    throw invalidValue("maxResults", pageSize, `Values are from 0 to ${mostResults}.`);
  return listPage(
    items,
    listRequestOf(call, "maxResults"),
    // Names are unique only within a scope. Links are unique everywhere and sort by name within a scope.
    { defaultSize: mostResults, mostSize: mostResults, keyOf: (item) => textOf(item, "selfLink") },
  );
}
