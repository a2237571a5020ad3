import type { ApiDescription, Method, Parameter } from "../../../discovery";
import { InputError } from "../../../errors";

export type ShownParameter = Pick<Parameter, "name" | "schema" | "location" | "required" | "repeated">;

/** The method's own ones; as they are declared where its path is of a kind that can't be filled. */
export function ownParameters(api: ApiDescription, method: Method): readonly ShownParameter[] {
  try {
    return api.parametersOf(method.id).filter(({ name }) => Object.hasOwn(method.parameters, name));
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== "path-unsupported") throw error;
    return Object.entries(method.parameters).map(([name, schema]) => {
      const inPath = schema.location === "path";
      return {
        name,
        schema,
        location: inPath ? "path" : "query",
        required: inPath || schema.required === true,
        repeated: schema.repeated === true,
      };
    });
  }
}
