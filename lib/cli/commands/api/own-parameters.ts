import type { ApiDescription, Method, Parameter } from "../../../discovery";
import { InputError } from "../../../errors";

export type ShownParameter = Pick<Parameter, "name" | "schema" | "location" | "required" | "repeated">;

/** Returns the method's own parameters. If the path has an unsupported format, returns them as the description declares them. */
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
