import { type ApiDescription, readFieldSelector, type SchemaDocument } from "../../discovery";
import { InputError } from "../../errors";
import { invalidField, type Json } from "./service";

/**
 * Reads a `fields` parameter, as {@link readFieldSelector} does.
 *
 * @throws CloudError for an invalid selector, or one with an unknown response field
 */
export function readSelector(
  fields: string,
  description: ApiDescription,
  schema: SchemaDocument | undefined,
): (answer: Json) => Json {
  try {
    return readFieldSelector(fields, description, schema);
  } catch (error) {
    if (error instanceof InputError) throw invalidField("fields", error.message);
    throw error;
  }
}
