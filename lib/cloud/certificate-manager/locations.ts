import { projectIn, writeLocation } from "../../resource-names";
import { type Handler, type Json, listPage, listRequestOf, textParameter } from "../front";
import { regions } from "../regions";
import { checkLocation, locationOf } from "./names";
import { methodPrefix } from "./resource-handlers";

/** Handlers for locations: `global` and the regions of Google Cloud. */
export const locationHandlers: readonly (readonly [string, Handler])[] = [
  [
    `${methodPrefix}.get`,
    (call) => {
      const name = textParameter(call, "name");
      checkLocation(name);
      return describe(name);
    },
  ],
  [
    `${methodPrefix}.list`,
    (call) => {
      const project = projectIn(textParameter(call, "name")) ?? "";
      const all = ["global", ...regions()].map((id) => describe(writeLocation({ project, location: id })));
      const sizes = { defaultSize: 100, mostSize: 1_000, keyOf: ({ name }: Json) => String(name) };
      const { items: locations, ...next } = listPage(all, listRequestOf(call, "pageSize"), sizes);
      return { locations, ...next };
    },
  ],
];

function describe(name: string): Json {
  return { name, locationId: locationOf(name).location };
}
