import type { DescriptionDocument, MethodDocument, NameMap, ResourceDocument, SchemaDocument } from "./document";

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

/** Returns every method of a description by id. Of two methods with the same id, the first is kept. */
export function indexMethods(document: DescriptionDocument): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>();
  visit(document, { resourcePath: [], deprecated: false });
  return methods;

  function visit(resource: ResourceDocument, around: Surroundings): void {
    for (const [name, method] of Object.entries(resource.methods ?? {})) {
      const entry = describe(document.name, name, method, around);
      if (!methods.has(entry.id)) methods.set(entry.id, entry);
    }
    for (const [name, inner] of Object.entries(resource.resources ?? {})) {
      const deprecated = around.deprecated || inner.deprecated === true;
      visit(inner, { resourcePath: [...around.resourcePath, name], deprecated });
    }
  }
}

export function countMethods(resource: ResourceDocument): number {
  const inner = Object.values(resource.resources ?? {}).map(countMethods);
  return inner.reduce((sum, count) => sum + count, Object.keys(resource.methods ?? {}).length);
}

const none: readonly never[] = [];

/** The resources around a method. */
interface Surroundings {
  readonly resourcePath: readonly string[];
  /** Whether one of them is deprecated. */
  readonly deprecated: boolean;
}

function describe(
  api: string,
  name: string,
  document: MethodDocument,
  { resourcePath, deprecated }: Surroundings,
): Method {
  const path = document.path ?? document.flatPath ?? "";
  return {
    id: document.id ?? [api, ...resourcePath, name].join("."),
    name,
    resourcePath,
    httpMethod: (document.httpMethod ?? "GET").toUpperCase(),
    path,
    flatPath: document.flatPath ?? path,
    parameters: document.parameters ?? {},
    parameterOrder: document.parameterOrder ?? none,
    scopes: document.scopes ?? none,
    deprecated: deprecated || document.deprecated === true,
    description: document.description ?? "",
    request: document.request,
    response: document.response,
    document,
  };
}
