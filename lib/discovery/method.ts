import type { MethodDocument, NameMap, SchemaDocument } from "./document";

/** A method of an API, as the index stores it. */
export interface Method {
  /** Id in the document. If it is missing, an id made of the API's name and the resource path. */
  readonly id: string;
  /** Name of the method in its resource, for example `list`. */
  readonly name: string;
  /** Names of the resources that contain the method, outermost first; empty for a method of the API itself. */
  readonly resourcePath: readonly string[];
  /** HTTP method, upper case. */
  readonly httpMethod: string;
  readonly path: string;
  /** Flat path in the document; the path if it is missing. */
  readonly flatPath: string;
  /** The method's own parameters, without the parameters of the API. */
  readonly parameters: NameMap<SchemaDocument>;
  readonly parameterOrder: readonly string[];
  readonly scopes: readonly string[];
  /** Whether the method, or a resource that contains it, is deprecated. */
  readonly deprecated: boolean;
  /** Description; empty if it is missing. */
  readonly description: string;
  /** Schema of the request body: a `$ref`, or an inline schema. */
  readonly request: SchemaDocument | undefined;
  readonly response: SchemaDocument | undefined;
  /** The method in the document, unchanged, with all other fields. */
  readonly document: MethodDocument;
}
