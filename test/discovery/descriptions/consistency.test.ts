import {
  type Description,
  documentNames,
  methodsOf,
  nodesOf,
  readDocument,
  type Schema,
  schemaNodes,
} from "./documents";
import { matches, sampleParameters, wholeMatch } from "./routes";

const documents = documentNames.map(readDocument);

/** Schemas that no method references by `$ref`: values name them in `@type`. */
const behindType = [
  "OperationMetadata",
  "EnableServiceResponse",
  "DisableServiceResponse",
  "BatchEnableServicesResponse",
];
/** Methods that `annotations` name and that these subsets of the APIs leave out, by description id. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  "compute:v1": ["compute.instances.insert", "compute.networks.insert", "compute.projects.setCommonInstanceMetadata"],
};

/** Returns every schema node and every parameter of a document. */
function everything(document: Description): readonly { readonly at: string; readonly schema: Schema }[] {
  return [
    ...schemaNodes(document),
    ...Object.entries(document.parameters).map(([name, schema]) => ({ at: `#${name}`, schema })),
    ...methodsOf(document).flatMap((method) =>
      Object.entries(method.parameters).map(([name, schema]) => ({ at: `${method.id}#${name}`, schema })),
    ),
  ];
}

function reachableSchemas(document: Description): ReadonlySet<string> {
  const found = new Set<string>(behindType.filter((id) => Object.hasOwn(document.schemas, id)));
  const waiting = [
    ...found,
    ...methodsOf(document).flatMap(({ request, response }) => [request?.$ref, response?.$ref]),
  ];
  for (const id of waiting) {
    if (id === undefined || (found.has(id) && !behindType.includes(id))) continue;
    found.add(id);
    waiting.push(...nodesOf(id, document.schemas[id] ?? {}).map(({ schema }) => schema.$ref));
  }
  return found;
}

/**
 * Names each star of a path after the collection before it: `a/*` becomes `a/{aId}`, a second star in a row `{aId1}`.
 */
function nameVariables(path: string): string {
  return path.replace(/([^/*]+)((?:\/\*)+)/g, (_text, collection: string, places: string) => {
    const names = places.match(/\*/g)?.map((_place, index) => `{${collection}Id${index === 0 ? "" : index}}`) ?? [];
    return [collection, ...names].join("/");
  });
}

const named = documents.map((document) => [document.id, document] as const);

describe.each(named)("%s, in its schemas,", (_, document) => {
  test("refers only to schemas that it contains, and contains only schemas that it refers to", () => {
    expect([...reachableSchemas(document)].sort()).toEqual(Object.keys(document.schemas));
    expect(Object.entries(document.schemas).filter(([id, schema]) => schema.id !== id)).toEqual([]);
  });

  test("gives every schema node either a type or a reference", () => {
    const odd = everything(document).filter(
      ({ schema }) => (schema.type === undefined) === (schema.$ref === undefined),
    );

    expect(odd.map(({ at }) => at)).toEqual([]);
  });

  test("gives every array elements and every object members", () => {
    const odd = schemaNodes(document).filter(
      ({ schema: { type, items, properties, additionalProperties } }) =>
        (type === "array") !== (items !== undefined) ||
        (type === "object") !== (properties !== undefined || additionalProperties !== undefined),
    );

    expect(odd.map(({ at }) => at)).toEqual([]);
  });

  test("has patterns that compile", () => {
    const patterns = new Set(everything(document).flatMap(({ schema: { pattern } }) => pattern ?? []));

    for (const pattern of patterns) expect(() => new RegExp(`^(?:${pattern})$`, "u")).not.toThrow();
  });

  test("has allowed defaults, and bounds in order", () => {
    const odd = everything(document).filter(({ schema }) => {
      const { default: value, enum: values, minimum, maximum } = schema;
      if (minimum !== undefined && maximum !== undefined && BigInt(minimum) > BigInt(maximum)) return true;
      if (value === undefined || value === "") return false;
      return (
        (values !== undefined && !values.includes(value)) ||
        (minimum !== undefined && BigInt(value) < BigInt(minimum)) ||
        (maximum !== undefined && BigInt(value) > BigInt(maximum)) ||
        !wholeMatch(schema, value)
      );
    });

    expect(odd.map(({ at }) => at)).toEqual([]);
  });
});

describe.each(named)("%s, in its texts,", (_, document) => {
  const methods = methodsOf(document);

  test("describes everything, in whole sentences of its own", () => {
    const texts = [
      ...Object.entries(document.schemas).flatMap(([id, schema]) => [
        { at: id, text: schema.description },
        ...nodesOf(id, schema)
          .filter(({ at }) => !at.endsWith("[]") && !at.endsWith("{}"))
          .map(({ at, schema: inner }) => ({ at, text: inner.description })),
      ]),
      ...everything(document)
        .filter(({ at }) => at.includes("#"))
        .map(({ at, schema }) => ({ at, text: schema.description })),
      ...methods.map(({ id, description }) => ({ at: id, text: description })),
    ];
    const restates = (at: string, text: string) =>
      text
        .toLowerCase()
        .replace(/[^a-z]/g, "")
        .replace(/^(?:the|a|an)/, "") === (at.split(/[.#]/).at(-1) ?? "").toLowerCase().replace(/[^a-z]/g, "");
    const poor = texts.filter(({ at, text = "" }) => !/^[A-Z"].{3,}\.$/.test(text) || restates(at, text));

    expect(poor).toEqual([]);
  });

  test("describes every allowed value, at its position", () => {
    const odd = everything(document).filter(
      ({ schema: { enum: values, enumDescriptions, enumDeprecated } }) =>
        values !== undefined &&
        (enumDescriptions?.length !== values.length ||
          enumDescriptions.some((text) => !/^[A-Z0-9].+\.$/.test(text)) ||
          new Set(values).size !== values.length ||
          (enumDeprecated !== undefined && enumDeprecated.length !== values.length)),
    );

    expect(odd.map(({ at }) => at)).toEqual([]);
  });
});

describe.each(named)("%s, in its paths,", (_, document) => {
  const methods = methodsOf(document);

  test("declares the variables of each path as required path parameters, and no others", () => {
    const odd = methods.filter(({ path, parameters }) => {
      const variables = [...path.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => name ?? "");
      const inPath = Object.keys(parameters).filter((name) => parameters[name]?.location === "path");
      const allRequired = inPath.every((name) => parameters[name]?.required);
      return !allRequired || variables.sort().join() !== inPath.sort().join();
    });

    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("has flat paths that match the paths when their variables follow their patterns", () => {
    const odd = methods.filter(({ path, flatPath, parameters }) => {
      const shape = (name: string) => (parameters[name]?.pattern ?? "").slice(1, -1).replaceAll("[^/]+", "*");
      const filled = path.replace(/\{\+(\w+)\}/g, (_text, name: string) => shape(name));
      return nameVariables(filled) !== flatPath;
    });

    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("gives each method an address that no method of any of the descriptions shares", () => {
    const found = methods.map((method) => {
      const parameters = sampleParameters(method);
      const path = method.path.replace(/\{(\+?)(\w+)\}/g, (_text, reserved: string, name: string) => {
        const value = parameters[name] ?? "";
        return reserved === "+" ? value : encodeURIComponent(value);
      });
      return matches(documents, method.httpMethod, `/${document.servicePath}${path}`).map(({ method: id }) => id);
    });

    expect(found).toEqual(methods.map(({ id }) => [id]));
  });
});

describe.each(named)("%s, in its methods,", (_, document) => {
  const methods = methodsOf(document);

  test("names methods by their place, once each", () => {
    const prefix = document.name === "admin" ? "reports" : document.name;

    expect(methods.map(({ id }) => id)).toEqual(methods.map(({ place }) => [prefix, ...place].join(".")));
  });

  test("has exactly the required parameters in the parameter order", () => {
    const odd = methods.filter(({ parameters, parameterOrder }) => {
      const required = Object.keys(parameters).filter((name) => parameters[name]?.required);
      return [...parameterOrder].sort().join() !== required.sort().join();
    });

    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("uses only scopes that it declares, on every method if it declares any", () => {
    const declared = Object.keys(document.auth?.oauth2.scopes ?? {});
    const odd = methods.filter(
      ({ scopes = [] }) =>
        scopes.some((scope) => !declared.includes(scope)) || (scopes.length === 0) !== (declared.length === 0),
    );

    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("requires properties only in methods that it has, except for methods that it omits from the API", () => {
    const named = new Set(schemaNodes(document).flatMap(({ schema }) => schema.annotations?.required ?? []));
    const known = new Set(methods.map(({ id }) => id));

    expect([...named].filter((id) => !known.has(id)).sort()).toEqual(leftOut[document.id] ?? []);
  });
});
