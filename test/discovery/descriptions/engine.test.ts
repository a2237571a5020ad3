import { ApiDescription } from "../../../lib/discovery";
import { documentNames, methodsOf, readClientRequests, readDocument } from "./documents";
import { sampleParameters } from "./routes";

/**
 * Violations of the specification or of their own rules in published descriptions, and methods that annotations name
 * and that are left out here.
 */
const oddities: Readonly<Record<string, readonly string[]>> = {
  "admin:reports_v1": [
    "default reports.activities.list/parameters/orgUnitID",
    "default reports.activities.watch/parameters/orgUnitID",
  ],
  "compute:v1": [
    "batch-path /batchPath",
    "required-method /schemas/Metadata/properties/items/items/properties/key",
    "required-method /schemas/Metadata/properties/items/items/properties/key",
    "required-method /schemas/Metadata/properties/items/items/properties/value",
    "required-method /schemas/Metadata/properties/items/items/properties/value",
    "required-method /schemas/Network/properties/name",
  ],
  "discovery:v1": ["batch-path /batchPath"],
  "storage:v1": ["batch-path /batchPath"],
};

const apis = documentNames.map((name) => ApiDescription.parse(readDocument(name)));
const requests = readClientRequests();

function apiOf(methodId: string): ApiDescription {
  const api = apis.find((one) => one.hasMethod(methodId));
  if (api === undefined) throw new Error(`no description has ${methodId}`);
  return api;
}

/** Path and query of a target, as a service reads them; `$alt` is the client's own. */
function read(target: string): object {
  const [path = "", query = ""] = target.split("?");
  const pairs = [...new URLSearchParams(query)].filter(([name]) => name !== "$alt").sort();
  return { path, pairs };
}

describe.each(apis.map((api) => [api.id, api] as const))("%s", (_, api) => {
  test("is read, with known oddities only", () => {
    expect(api.warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(oddities[api.id] ?? []);
  });

  test("maps the request for each method back to the method and its parameters", () => {
    const sent = methodsOf(readDocument(documentNames[apis.indexOf(api)] ?? "")).map((method) => {
      const parameters = sampleParameters(method);
      const { request: schema } = api.method(method.id);
      const body = schema === undefined ? {} : { body: api.example(schema, { methodId: method.id }) };
      const request = api.request(method.id, { parameters, ...body });
      return { id: method.id, parameters, match: api.match(request.method, request.url) };
    });

    expect(sent.map(({ match }) => [match?.method.id, match?.parameters, match?.unknownParameters])).toEqual(
      sent.map(({ id, parameters }) => [id, parameters, []]),
    );
  });

  test("conforms to the description service's description of itself", () => {
    expect(apiOf("discovery.apis.getRest").validate("RestDescription", api.document)).toEqual([]);
  });

  test("has schemas whose examples are valid", () => {
    for (const id of api.schemas().keys()) expect([id, api.validate(id, api.example(id))]).toEqual([id, []]);
  });
});

describe.each(requests)("$client: $request", ({ request, method: id, path, query, body, enumNumbers = [] }) => {
  const [verb = "", target = ""] = request.split(" ");
  const api = apiOf(id);

  test("matches one description, which reads its parameters", () => {
    const matched = apis.flatMap((one) => one.match(verb, target) ?? []);

    expect(matched.map(({ method }) => method.id)).toEqual([id]);
    const texts = Object.entries(matched[0]?.parameters ?? {}).map(([name, value]) => [name, String(value)]);
    expect(Object.fromEntries(texts)).toEqual({ ...path, ...query });
    expect(matched[0]?.unknownParameters.filter(([name]) => name !== "$alt")).toEqual([]);
  });

  test("equals a request built from the description", () => {
    const made = api.request(id, { parameters: { ...path, ...query } });
    const { pathname, search } = new URL(made.url);

    expect(made.method).toBe(verb);
    expect(read(`${pathname}${search}`)).toEqual(read(target));
  });

  test("has a body that its schema allows, except enums as numbers", () => {
    const { request: schema } = api.method(id);
    const findings = schema === undefined ? [] : api.validate(schema, body, { as: "request", methodId: id });

    expect(findings.map(({ subject }) => subject)).toEqual(enumNumbers);
  });
});
