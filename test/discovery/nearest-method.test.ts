import { ownDescription, ownDescriptionIds } from "../../lib/discovery";
import { description, problemsOf, withMethod } from "../support/descriptions";

const routes = {
  "zoo.animals.get": "GET",
  "zoo.animals.set": "POST",
  "zoo.animals.list": "GET",
  "zoo.animals.insert": "POST",
  "zoo.animals.delete": "DELETE",
  "zoo.animals.patch": "PATCH",
  "zoo.animals.getPolicy": "POST",
  "zoo.animals.setPolicy": "POST",
  "zoo.cages.update": "PUT",
  "zoo.cages.move": "POST",
  "zoo.plants.deleteAll": "POST",
};
const zoo = description({
  methods: Object.fromEntries(
    Object.entries(routes).map(([id, httpMethod]) => [id, { id, httpMethod, path: id.replaceAll(".", "/") }]),
  ),
});

function suggested(id: string, api = zoo): readonly string[] {
  const message = problemsOf(() => api.method(id))[0]?.message ?? "";
  return [...(message.split("did you mean")[1] ?? "").matchAll(/'([^']+)'/g)].map(([, name = ""]) => name);
}

test.each([
  ["swapped letters", "zoo.animals.gte", ["zoo.animals.get"]],
  ["a swapped dot", "zoo.animal.sget", ["zoo.animals.get"]],
  ["a missing letter", "zoo.animls.list", ["zoo.animals.list"]],
  ["a resource in the singular", "zoo.cage.update", ["zoo.cages.update"]],
  ["another case", "ZOO.Animals.Get", ["zoo.animals.get"]],
  ["an id without the API's name", "animals.list", ["zoo.animals.list"]],
  ["a method's name alone", "move", ["zoo.cages.move"]],
  ["a method's name alone, mistyped", "updaet", ["zoo.cages.update"]],
  ["a read that is as near to a write", "zoo.animals.xet", ["zoo.animals.get"]],
  ["a read by POST that is near a write by POST", "zoo.animals.getPolicyy", ["zoo.animals.getPolicy"]],
  ["a write", "zoo.animals.delet", ["zoo.animals.delete"]],
])("suggests the method for %s", (_, typed, expected) => {
  expect(suggested(typed)).toEqual(expected);
});

test.each([
  ["a read of a resource that has only writes", "zoo.cages.get"],
  ["a read that only a write is near", "zoo.plants.getAll"],
  ["a right name of a method that the resource doesn't have", "zoo.cages.patch"],
  ["a deletion where creation is near", "zoo.animals.create"],
  ["text of any length", "zoo.animals.get".repeat(10_000)],
])("suggests nothing for %s", (_, typed) => {
  expect(suggested(typed)).toEqual([]);
});

describe.each(ownDescriptionIds)("swapped letters in the ids of %s", (id) => {
  const api = ownDescription(id);
  const mistyped = [...api.methods()].flatMap((method) =>
    [...method.id].flatMap((letter, at) => {
      const next = method.id[at + 1];
      const typed = `${method.id.slice(0, at)}${next}${letter}${method.id.slice(at + 2)}`;
      // Every twentieth place, another one in each id: all of them take half a minute.
      const isTried = (at + method.id.length) % 20 === 0 && next !== undefined && next !== letter;
      return isTried && !api.hasMethod(typed) ? [{ typed, method }] : [];
    }),
  );

  test("suggest the method, and never a writing method for a reading method", () => {
    expect(mistyped.length).toBeGreaterThan(0);
    for (const { typed, method } of mistyped) {
      const got = suggested(typed, api);
      expect({ typed, got }).toEqual({ typed, got: expect.arrayContaining([method.id]) });
      const verbs = got.map((one) => api.method(one).httpMethod);
      expect({ typed, verbs }).toEqual({ typed, verbs: verbs.map(() => method.httpMethod) });
    }
  });
});

test.each([
  ["Certifcate", "Certificate"],
  ["certificatemap", "CertificateMap"],
  ["DnsAuthorisation", "DnsAuthorization"],
])("suggests for the schema %s the schema %s", (typed, name) => {
  expect(problemsOf(() => ownDescription("certificatemanager:v1").schema(typed))[0]?.message).toContain(
    `did you mean '${name}'?`,
  );
});

test("suggests no schema if none is similar", () => {
  expect(problemsOf(() => ownDescription("certificatemanager:v1").schema("Whale"))[0]?.message).toContain(
    "none with a name like it",
  );
});

describe("an unknown parameter name", () => {
  const parameters = {
    parent: { type: "string", location: "path", pattern: "^zoos/[^/]+/cages/[^/]+$" },
    kind: { type: "string", location: "path" },
    pageSize: { type: "integer", location: "query" },
  };
  const api = withMethod({
    path: "v1/{+parent}/animals/{kind}",
    flatPath: "v1/zoos/{zoosId}/cages/{cagesId}/animals/{kind}",
    parameters,
  });
  const given = { parent: "zoos/z/cages/c", kind: "lion" };

  test.each([
    ["pagSize", "give 'pageSize' instead"],
    ["page_size", "give 'pageSize' instead"],
    ["prent", "give 'parent' instead"],
    [
      "cagesId",
      "give 'parent', which contains all of 'zoos/{zoosId}/cages/{cagesId}'; 'cagesId' is in the flat path only",
    ],
    [
      "zoosId",
      "give 'parent', which contains all of 'zoos/{zoosId}/cages/{cagesId}'; 'zoosId' is in the flat path only",
    ],
    ["colour", "give one of 'parent', 'kind', 'pageSize'"],
  ])("%s", (name, hint) => {
    const [problem] = problemsOf(() => api.request("zoo.get", { parameters: { ...given, [name]: "x" } }));
    expect(problem).toMatchObject({
      code: "parameter-unknown",
      message: `'zoo.get' has no parameter '${name}': ${hint}`,
    });
  });
});
