import { type EventDefinition, eventCatalogue } from "../catalogue";
import type { ActivityEvent } from "../reading";

/** Values of `event.category` that the schema allows and that administrators' events use. */
export type EcsCategory = "iam" | "configuration";

/** Values of `event.type` that the schema allows for these categories. */
export type EcsType = "creation" | "deletion" | "change" | "user" | "info";

/** Events that read data or start a task, but change nothing by themselves. */
const informing = /^(?:EMAIL_LOG_SEARCH|EMAIL_LIFE_OF_A_MESSAGE|.*_DEP_SYNC_TRIGGERED)$/;

/**
 * Returns the categories of an event. Every event has the category `iam`, as in Elastic's integration. An event that
 * changes a setting also has `configuration`.
 */
export function categoriesOf(event: ActivityEvent): readonly EcsCategory[] {
  return definitionOf(event)?.parameters.some(({ name }) => name === "SETTING_NAME") === true
    ? ["iam", "configuration"]
    : ["iam"];
}

/**
 * Returns the types of an event, by the verb in its name. An event about a user's device also has the type `user`. An
 * event outside the catalog has only the type `info`.
 */
export function typesOf(event: ActivityEvent): readonly EcsType[] {
  const definition = definitionOf(event);
  if (definition === undefined) return ["info"];
  const { name } = definition;
  const isOfUser = /^(?:MOBILE_(?:DEVICE|ACCOUNT)_|ACTION_)/.test(name);
  return [verbOf(name), ...(isOfUser ? (["user"] as const) : [])];
}

function verbOf(name: string): EcsType {
  if (informing.test(name)) return "info";
  if (/^CREATE_|_CREATION$|^EMAIL_UNDELETE$/.test(name)) return "creation";
  if (/^DELETE_|_DELET(?:E|ION)(?:_EVENT)?$/.test(name)) return "deletion";
  return "change";
}

function definitionOf({ canonicalName }: ActivityEvent): EventDefinition | undefined {
  return canonicalName === undefined ? undefined : eventCatalogue[canonicalName];
}
