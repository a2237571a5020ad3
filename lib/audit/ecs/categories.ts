import { type EventDefinition, eventCatalogue } from "../catalogue";
import type { ActivityEvent } from "../reading";

/** Values of `event.category` that the schema allows and administrators' events have. */
export type EcsCategory = "iam" | "configuration";

/** Values of `event.type` that the schema allows for them. */
export type EcsType = "creation" | "deletion" | "change" | "user" | "info";

/** Events that look at something, or start something, and change nothing by themselves. */
const informing = /^(?:EMAIL_LOG_SEARCH|EMAIL_LIFE_OF_A_MESSAGE|.*_DEP_SYNC_TRIGGERED)$/;

/** Every event is one of identity and access, as Elastic's integration has it; one that changes a setting is one of configuration too. */
export function categoriesOf(event: ActivityEvent): readonly EcsCategory[] {
  return definitionOf(event)?.parameters.some(({ name }) => name === "SETTING_NAME") === true
    ? ["iam", "configuration"]
    : ["iam"];
}

/** By the verb in the event's name; an event about a user's device is one of that user as well. Nothing is known of an event that is not catalogued. */
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
