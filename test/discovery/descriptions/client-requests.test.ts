import { unknownMembers } from "./bodies";
import { documentNames, methodsOf, readClientRequests, readDocument } from "./documents";
import { matches } from "./routes";

const requests = readClientRequests();
const documents = documentNames.map(readDocument);

describe.each(requests)("$client: $request", ({ request, method: id, path, query, body }) => {
  const [verb = "", target = ""] = request.split(" ");
  const [rawPath = "", rawQuery = ""] = target.split("?");
  const document = documents.find((one) => methodsOf(one).some((method) => method.id === id)) ?? documents[0]!;
  const method = methodsOf(document).find((one) => one.id === id);

  test("matches exactly one method, with the path's values", () => {
    expect(matches(documents, verb, rawPath)).toEqual([{ method: id, path }]);
  });

  test("has only query parameters of the method or the API, besides $alt", () => {
    const pairs = [...new URLSearchParams(rawQuery)].filter(([name]) => name !== "$alt");
    const known = { ...document.parameters, ...method?.parameters };

    expect(Object.fromEntries(pairs)).toEqual(query);
    expect(pairs.filter(([name]) => known[name]?.location !== "query")).toEqual([]);
  });

  test("has a body if and only if the method accepts one, with members of its schema", () => {
    expect(body !== undefined).toBe(method?.request !== undefined);
    expect(unknownMembers(document, method?.request ?? {}, body)).toEqual([]);
  });
});

test.each([
  ["certificatemanager.v1", "https://certificatemanager.googleapis.com/batch"],
  ["dns.v1", "https://dns.googleapis.com/batch"],
  ["compute.v1", "https://compute.googleapis.com/batch/compute/v1"],
])("sends batches of %s to %s", (name, url) => {
  const { rootUrl, batchPath } = readDocument(name);

  expect(new URL(batchPath, rootUrl).href).toBe(url);
});

test.each([
  ["dnsAuthorizations?dns_authorization_id=a", "dnsAuthorizations.create"],
  ["certificates?certificate_id=c", "certificates.create"],
])("finds the endpoint of specification 3, %s, in %s", (target, method) => {
  const [collection = ""] = target.split("?");
  const parent = "projects/p1/locations/global";

  expect(matches(documents, "POST", `/v1/${parent}/${collection}`)).toEqual([
    { method: `certificatemanager.projects.locations.${method}`, path: { parent } },
  ]);
});
