import type { SchemaDocument } from "../../lib/discovery";
import type { description } from "../support/descriptions";

export const path = (fields: SchemaDocument = {}) => ({ type: "string", location: "path", required: true, ...fields });
export const query = (fields: SchemaDocument = {}) => ({ type: "string", location: "query", ...fields });
export const warningsOf = (api: ReturnType<typeof description>) =>
  api.warnings.map(({ code, pointer }) => `${code} ${pointer}`);
export const urlOf = (
  api: ReturnType<typeof description>,
  parameters: Record<string, string | number | readonly string[]>,
  id = "zoo.get",
) => api.request(id, { parameters }).url.replace("https://zoo.example/", "");
