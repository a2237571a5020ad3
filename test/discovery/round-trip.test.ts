import fc from "fast-check";
import { call } from "../support/arbitrary-description";
import { withMethod, withRoutes } from "../support/descriptions";
import { runs } from "../support/runs";

test("maps a request's URL back to the method and the exact values", () => {
  fc.assert(
    fc.property(call, ({ api, methodId, parameters }) => {
      const request = api.request(methodId, { parameters });
      const match = api.match(request.method, request.url);

      expect(match?.method.id).toBe(methodId);
      expect(match?.parameters).toEqual(parameters);
      expect(match?.unknownParameters).toEqual([]);
    }),
    runs(500),
  );
});

test("writes a request's URL as URL parsers do, so that nothing changes in transit", () => {
  fc.assert(
    fc.property(call, ({ api, methodId, parameters }) => {
      const { url } = api.request(methodId, { parameters });
      expect(new URL(url).href).toBe(url);
    }),
    runs(300),
  );
});

const segment = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  .filter((value) => !/^\.{1,2}$|\//.test(value));

test("maps several variables of several segments back by their patterns", () => {
  const parameters = {
    a: { type: "string", location: "path", pattern: "^projects/[^/]+/zones/[^/]+$" },
    b: { type: "string", location: "path", pattern: "^(cages|houses)/[^/]+$" },
    c: { type: "string", location: "path", pattern: "[^/]+/[^/]+/[^/]+" },
  };

  fc.assert(
    fc.property(fc.array(segment, { minLength: 6, maxLength: 6 }), fc.boolean(), ([p, z, h, d, e, f], flag) => {
      const api = withMethod({ path: "v1/{+a}/at/{+b}/{+c}:move", parameters }, { fullyEncodeReservedExpansion: flag });
      const values = { a: `projects/${p}/zones/${z}`, b: `cages/${h}`, c: `${d}/${e}/${f}` };

      expect(api.match("GET", api.request("zoo.get", { parameters: values }).url)?.parameters).toEqual(values);
    }),
    runs(100),
  );
});

test("maps upload addresses back", () => {
  const api = withMethod({
    httpMethod: "POST",
    path: "v1/{+name}/media",
    parameters: { name: { type: "string", location: "path" }, size: { type: "integer", location: "query" } },
    mediaUpload: {
      protocols: {
        simple: { path: "/upload/v1/{+name}/media" },
        resumable: { path: "/resumable/upload/v1/{+name}/media" },
      },
    },
    supportsMediaUpload: true,
  });

  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1 }),
      fc.constantFrom("simple" as const, "resumable" as const),
      (names, kind) => {
        const parameters = { name: names.join("/"), size: names.length };
        const media = { kind, contentType: "text/plain", content: "lion" };
        const match = api.match("POST", api.request("zoo.get", { parameters, media }).url);

        expect(match).toMatchObject({ method: { id: "zoo.get" }, upload: kind, parameters });
      },
    ),
    runs(60),
  );
});

test("maps the URL of each of many methods back to its method", () => {
  const routes = {
    list: "GET v1/{+parent}/animals",
    get: "GET v1/{+name}",
    feed: "POST v1/{+name}:feed",
    move: "POST v1/{+name}:move",
    search: "GET v1/animals:search",
    keeper: "GET v1/{+keeper}",
    legacy: "GET v0/{project}/animals/{id}",
    legacyAll: "GET v0/{project}/animals",
  };
  const pattern = (text: string) => ({ type: "string", location: "path", pattern: text });
  const api = withRoutes(routes, {
    parent: pattern("^projects/[^/]+$"),
    name: pattern("^projects/[^/]+/animals/[^/]+$"),
    keeper: pattern("^projects/[^/]+/keepers/[^/]+$"),
    project: { type: "string", location: "path" },
    id: { type: "string", location: "path" },
  });
  const valuesFor = (a: string, b: string) => ({
    parent: `projects/${a}`,
    name: `projects/${a}/animals/${b}`,
    keeper: `projects/${a}/keepers/${b}`,
    project: a,
    id: b,
  });

  fc.assert(
    fc.property(segment, segment, fc.constantFrom(...Object.keys(routes)), (a, b, name) => {
      const wanted = Object.keys(api.method(`zoo.${name}`).parameters);
      const parameters = Object.fromEntries(Object.entries(valuesFor(a, b)).filter(([key]) => wanted.includes(key)));
      const { method, url } = api.request(`zoo.${name}`, { parameters });

      expect(api.match(method, url)).toMatchObject({ method: { id: `zoo.${name}` }, parameters });
    }),
    runs(150),
  );
});
