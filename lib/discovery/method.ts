import type { MethodDocument, NameMap, SchemaDocument } from "./document";

/** A method of an API, as the index holds it. */
export interface Method {
  /** The document's id, or one made of the API's name and the resource path where it has none. */
  readonly id: string;
  /** Its name in its resource, such as `list`. */
  readonly name: string;
  /** Names of the resources around it, outermost first; empty for a method of the API itself. */
  readonly resourcePath: readonly string[];
  /** Upper case. */
  readonly httpMethod: string;
  readonly path: string;
  /** The document's, or the path where it has none. */
  readonly flatPath: string;
  /** Its own parameters; those of the API are not among them. */
  readonly parameters: NameMap<SchemaDocument>;
  readonly parameterOrder: readonly string[];
  readonly scopes: readonly string[];
  /** Whether the method, or a resource around it, is deprecated. */
  readonly deprecated: boolean;
  /** Empty where there is none. */
  readonly description: string;
  /** The body of a request: a `$ref`, or a schema in place. */
  readonly request: SchemaDocument | undefined;
  readonly response: SchemaDocument | undefined;
  /** The method as it is written, with everything else. */
  readonly document: MethodDocument;
}
