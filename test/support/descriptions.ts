import { ApiDescription } from "../../lib/discovery";
import type { DescriptionDocument, MethodDocument, SchemaDocument } from "../../lib/discovery/document";
import { InputError, type Problem } from "../../lib/errors";

/** Returns an empty valid description; `fields` overrides its members. */
export function documentOf(fields: Partial<DescriptionDocument> = {}): DescriptionDocument {
  return {
    kind: "discovery#restDescription",
    discoveryVersion: "v1",
    id: "zoo:v1",
    name: "zoo",
    version: "v1",
    revision: "20261121",
    protocol: "rest",
    rootUrl: "https://zoo.example/",
    servicePath: "",
    batchPath: "batch",
    fullyEncodeReservedExpansion: true,
    ...fields,
  };
}

export function description(fields: Partial<DescriptionDocument> = {}): ApiDescription {
  return ApiDescription.parse(documentOf(fields));
}

/** Returns the method `zoo.get`, in which most descriptions of tests differ. */
export function methodOf(method: Partial<MethodDocument> = {}): MethodDocument {
  return { id: "zoo.get", httpMethod: "GET", path: "v1/animals", ...method };
}

/** Returns a description whose only method is `zoo.get`. */
export function withMethod(method: Partial<MethodDocument>, fields: Partial<DescriptionDocument> = {}): ApiDescription {
  return description({ methods: { get: methodOf(method) }, ...fields });
}

/** Returns a description whose only method has one query parameter, `x`. */
export function withParameter(parameter: SchemaDocument, fields: Partial<DescriptionDocument> = {}): ApiDescription {
  return withMethod({ parameters: { x: { location: "query", ...parameter } } }, fields);
}

/**
 * Returns a description of methods by verb and path, for example `GET v1/animals/{id}`; ids are `zoo.` and the names.
 */
export function withRoutes(
  routes: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, SchemaDocument>> = {},
  fields: Partial<DescriptionDocument> = {},
): ApiDescription {
  const methods = Object.entries(routes).map(([name, route]) => {
    const [httpMethod = "", path = ""] = route.split(" ");
    const used = Object.entries(parameters).filter(
      ([variable]) => path.includes(`{${variable}}`) || path.includes(`{+${variable}}`),
    );
    return [name, { id: `zoo.${name}`, httpMethod, path, parameters: Object.fromEntries(used) }];
  });
  return description({ methods: Object.fromEntries(methods), ...fields });
}

/** Returns the problems for which a call refuses its input, or an empty list. */
export function problemsOf(call: () => unknown): readonly Problem[] {
  try {
    call();
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

/** Returns the codes of these problems, in order. */
export function codesOf(call: () => unknown): readonly string[] {
  return problemsOf(call).map(({ code }) => code);
}
