import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ApiDescription,
  encodeBatch,
  type MethodDocument,
  ownDescription,
  type RequestInput,
  type SchemaDocument,
} from "../../lib/discovery";
import { runCli } from "../support/io";

/**
 * Defects in descriptions, in calls by them and in services that hand them out, each constructed for itself. A row
 * whose title begins with "finds" is reported, routed or refused; one that begins with "accepts" is harmless.
 */
const folder = mkdtempSync(join(tmpdir(), "api-defects-"));
afterAll(() => rmSync(folder, { recursive: true }));

const library = {
  kind: "discovery#restDescription",
  discoveryVersion: "v1",
  id: "library:v2",
  name: "library",
  version: "v2",
  revision: "20260301",
  rootUrl: "https://library.example/",
  servicePath: "",
};

interface Route extends Omit<MethodDocument, "path" | "httpMethod"> {
  readonly route: string;
}

/** A description of methods by verb and path; every variable is a path parameter, with these patterns. */
function describeApi(
  routes: Readonly<Record<string, string | Route>>,
  patterns: Readonly<Record<string, string>> = {},
  fields: object = {},
): ApiDescription {
  const methods = Object.entries(routes).map(([name, given]) => {
    const { route, ...rest } = typeof given === "string" ? { route: given } : given;
    const [httpMethod = "", path = ""] = route.split(" ");
    const variables = [...path.matchAll(/\{\+?([^}]*)\}/g)].map(([, variable = ""]): [string, SchemaDocument] => {
      const pattern = patterns[variable];
      return [variable, { type: "string", location: "path", ...(pattern === undefined ? {} : { pattern }) }];
    });
    const parameters = { ...Object.fromEntries(variables), ...rest.parameters };
    return [name, { id: `library.${name}`, httpMethod, path, ...rest, parameters }];
  });
  return ApiDescription.parse({ ...library, methods: Object.fromEntries(methods), ...fields });
}

function fileOf(name: string, api: ApiDescription): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(api.document));
  return path;
}

describe("routing", () => {
  const books = { name: "^shelves/[^/]+/books/.*$", parent: "^shelves/[^/]+/books/.*$", root: "^shelves/.+$" };

  it.each<[string, Record<string, string>, string, string]>([
    [
      "finds the index of a book whose name may have slashes",
      { get: "GET v2/{+name}", index: "GET v2/{+parent}/index" },
      "v2/shelves/a/books/b/c/index",
      "index",
    ],
    [
      "finds pages below a book whose name may have slashes",
      { get: "GET v2/{+name}", pages: "GET v2/{+parent}/pages/{page}" },
      "v2/shelves/a/books/b/pages/3",
      "pages",
    ],
    [
      "finds a verb behind a book before a volume of two variables",
      { lend: "POST v2/{+name}:lend", add: "POST v2/{+other}/books/{+volume}" },
      "v2/shelves/a/books/b:lend",
      "lend",
    ],
    [
      "finds a verb behind any name before two plain variables",
      { undo: "POST v2/{+any}:undo", put: "POST v2/{x}/{y}" },
      "v2/ops/7:undo",
      "undo",
    ],
    [
      "finds a literal that is written encoded behind a book",
      { get: "GET v2/{+name}", all: "GET v2/{+parent}/$all" },
      "v2/shelves/a/books/b/%24all",
      "all",
    ],
    [
      "finds a range between two variables before one variable",
      { one: "GET v2/{x}", range: "GET v2/{from}..{to}" },
      "v2/a..f",
      "range",
    ],
    [
      "finds a verb of a page behind any name",
      { get: "GET v2/{+any}", print: "GET v2/{+other}/{page}:print" },
      "v2/a/b/3:print",
      "print",
    ],
    [
      "accepts a book of that name elsewhere",
      { get: "GET v2/{+name}", index: "GET v2/{+parent}/index" },
      "v2/shelves/a/books/index/b",
      "get",
    ],
    [
      "accepts a verb that no method has as part of a name",
      { get: "GET v2/{+any}", undo: "GET v2/{+other}:undo" },
      "v2/ops/7:redo",
      "get",
    ],
    ["accepts a literal at the place of a variable", { one: "GET v2/{x}", new: "GET v2/new" }, "v2/new", "new"],
  ])("%s", (_, routes, path, name) => {
    for (const order of [Object.entries(routes), Object.entries(routes).reverse()]) {
      const api = describeApi(Object.fromEntries(order), { ...books, volume: "^volumes/[^/]+$" });
      const [verb = ""] = (routes[name] ?? "").split(" ");
      expect(api.match(verb, `https://library.example/${path}`)?.method.id).toBe(`library.${name}`);
    }
  });

  it.each<[string, Record<string, string>, readonly string[]]>([
    [
      "finds notes that can't be distinguished from a chapter",
      { chapter: "GET v2/{+name}", notes: "GET v2/{+parent}/{note}" },
      ["library.notes"],
    ],
    [
      "finds a second open path that takes nothing new",
      { one: "GET v2/{+any}", two: "GET v2/{+any2}/{x}" },
      ["library.two"],
    ],
    ["accepts paths that a verb distinguishes", { chapter: "GET v2/{+name}", notes: "GET v2/{+parent}:notes" }, []],
    [
      "accepts paths that the HTTP method distinguishes",
      { chapter: "GET v2/{+name}", notes: "POST v2/{+parent}/{note}" },
      [],
    ],
  ])("%s", (_, routes, found) => {
    const { warnings } = describeApi(routes, books);
    expect(warnings.filter(({ code }) => /ambiguous/.test(code)).map(({ pointer }) => pointer)).toEqual(found);
  });
});

describe("suggestions", () => {
  it.each([
    ["finds swapped letters in the name of a read", "dns:v1", "dns.managedZones.gte", "dns.managedZones.get"],
    ["finds swapped letters in a resource", "dns:v1", "dns.resourceRceordSets.list", "dns.resourceRecordSets.list"],
    ["finds a missing letter of a list", "dns:v1", "dns.managedZones.lis", "dns.managedZones.list"],
    [
      "finds a letter too much in a write",
      "compute:v1",
      "compute.targetHttpsProxies.setCertificateMapp",
      "compute.targetHttpsProxies.setCertificateMap",
    ],
    [
      "finds a method without the resources around it",
      "certificatemanager:v1",
      "certificateMaps.list",
      "certificatemanager.projects.locations.certificateMaps.list",
    ],
  ])("%s", (_, id, typed, meant) => {
    expect(() => ownDescription(id as "dns:v1").method(typed)).toThrow(`did you mean '${meant}'?`);
  });

  it.each([
    ["accepts no write for a read that a collection doesn't have", "dns:v1", "dns.changes.patch"],
    [
      "accepts no write for a read of a policy",
      "certificatemanager:v1",
      "certificatemanager.projects.locations.certificates.getIamPolicy",
    ],
  ])("%s", (_, id, typed) => {
    expect(() => ownDescription(id as "dns:v1").method(typed)).toThrow("none with a name like it");
  });

  it("finds a misspelled schema", () => {
    expect(() => ownDescription("dns:v1").schema("ManagdeZone")).toThrow("did you mean 'ManagedZone'?");
  });

  it.each([
    ["finds a misspelled parameter", "maxResutls", "'maxResults' instead"],
    ["finds a name from the flat path", "projectsId", "'projectsId' is in the flat path only"],
  ])("%s", (_, name, message) => {
    const [id, method, parameters] =
      name === "projectsId"
        ? (["certificatemanager:v1", "certificatemanager.projects.locations.certificates.list", {}] as const)
        : (["dns:v1", "dns.managedZones.list", { project: "p" }] as const);
    expect(() => ownDescription(id).request(method, { parameters: { ...parameters, [name]: "5" } })).toThrow(message);
  });
});

describe("requests", () => {
  const lending = {
    lend: {
      route: "POST v2/lend",
      deprecated: true,
      parameters: {
        days: { type: "integer", location: "query", deprecated: true },
        to: { type: "string", location: "query", enum: ["MAN", "READER"], enumDeprecated: [true, false] },
      },
    },
    back: "POST v2/back",
  };
  const endpoints = [
    { location: "north", endpointUrl: "https://north.library.example/", deprecated: true },
    { location: "south", endpointUrl: "https://south.library.example/" },
  ];
  const api = describeApi(lending, {}, { endpoints });

  it.each<[string, string, RequestInput, number]>([
    ["finds a deprecated method", "lend", {}, 1],
    ["finds a deprecated parameter", "lend", { parameters: { days: 3 } }, 2],
    ["finds a deprecated value", "lend", { parameters: { to: "MAN" } }, 2],
    ["finds a deprecated location", "back", { endpoint: { location: "north" } }, 1],
    [
      "finds a deprecated endpoint that is given as an address",
      "back",
      { endpoint: "https://north.library.example" },
      1,
    ],
    ["accepts a value that is not deprecated", "back", { endpoint: { location: "south" } }, 0],
    ["accepts a method that is not deprecated", "back", {}, 0],
  ])("%s", (_, method, input, count) => {
    const { findings } = api.request(`library.${method}`, input);
    expect(findings.filter(({ code }) => code === "deprecated")).toHaveLength(count);
  });

  const mediaUpload = {
    protocols: { simple: { path: "/upload/scan" }, resumable: { path: "/resumable/upload/scan" } },
  };
  const scans = describeApi({
    scan: {
      route: "POST v2/scans",
      mediaUpload,
      supportsMediaDownload: true,
      parameters: { alt: { type: "string", location: "query" } },
      request: { type: "object", properties: { raw: { type: "string", annotations: { required: ["library.scan"] } } } },
    },
    list: "GET v2/scans",
  });
  const scan = (input: RequestInput) => scans.request("library.scan", input);
  const list = scans.request("library.list");

  it.each<[string, () => readonly Parameters<typeof encodeBatch>[0][number][], string]>([
    [
      "finds media of text in a batch",
      () => [scan({ media: { contentType: "text/plain", content: "x" } })],
      "batch-media",
    ],
    [
      "finds the start of an upload in a batch",
      () => [list, scan({ body: { raw: "" }, media: { kind: "resumable", contentType: "a/b" } })],
      "batch-media",
    ],
    [
      "finds two hosts in a batch",
      () => [list, scans.request("library.list", { endpoint: "https://b.example/" })],
      "batch-host",
    ],
    [
      "finds two ports in a batch",
      () => [
        scans.request("library.list", { endpoint: "http://127.0.0.1:1/" }),
        scans.request("library.list", { endpoint: "http://127.0.0.1:2/" }),
      ],
      "batch-host",
    ],
  ])("%s", (_, requests, code) => {
    expect(() => encodeBatch(requests())).toThrow(expect.objectContaining({ code }));
  });

  it("accepts several requests with bodies in a batch", () => {
    expect(encodeBatch([list, scan({ body: { raw: "x" } })]).body).toContain("content-id: <2>");
  });

  it("accepts a message instead of the required body", () => {
    expect(() => scan({ media: { kind: "multipart", contentType: "message/rfc822", content: "To: x" } })).not.toThrow();
  });

  it("finds the same missing member without media", () => {
    expect(() => scan({ body: {} })).toThrow("'/raw' is missing");
  });

  it("finds the address of a baseUrl without rootUrl", () => {
    const fields = { rootUrl: undefined, servicePath: undefined, baseUrl: "https://library.example/library/v2/" };
    const { url } = describeApi({ list: "GET books" }, {}, fields).request("library.list");
    expect(url).toBe("https://library.example/library/v2/books");
  });
});

describe("oddities in a description", () => {
  const withHeader = { parameters: { token: { type: "string", location: "header" } } };
  const upload = (maxSize: string) => ({ route: "POST v2/a", supportsMediaUpload: true, mediaUpload: { maxSize } });

  it.each<[string, Record<string, string | Route>, object, string | undefined]>([
    ["finds a parameter in a header", { a: { route: "GET v2/a", ...withHeader } }, {}, "parameter-location"],
    [
      "finds a common parameter in a cookie",
      { a: "GET v2/a" },
      { parameters: { x: { type: "string", location: "cookie" } } },
      "parameter-location",
    ],
    ["finds a size with a fraction", { a: upload("2.5MB") }, {}, "max-size"],
    ["finds another version of the format", { a: "GET v2/a" }, { discoveryVersion: "v2" }, "discovery-version"],
    ["accepts a size with a unit", { a: upload("5GB") }, {}, undefined],
    [
      "accepts a description without version of the format",
      { a: "GET v2/a" },
      { discoveryVersion: undefined },
      undefined,
    ],
  ])("%s", (_, routes, fields, code) => {
    const codes = describeApi(routes, {}, fields).warnings.map((warning) => warning.code);
    expect(codes).toEqual(code === undefined ? [] : [code]);
  });
});

describe("commands", () => {
  const shown = describeApi(
    {
      scan: {
        route: "POST v2/{+parent}/scans",
        flatPath: "v2/shelves/{shelvesId}/scans",
        supportsMediaUpload: true,
        mediaUpload: { accept: ["image/tiff"], maxSize: "7MB", protocols: { simple: { path: "/upload/v2/scans" } } },
        parameters: { quality: { type: "integer", location: "query" } },
      },
    },
    { parent: "^shelves/[^/]+$" },
    {
      auth: { oauth2: { scopes: { "https://library.example/auth/lend": { description: "Lend books." } } } },
      endpoints: [{ location: "north", endpointUrl: "https://north.library.example/" }],
      parameters: { callback: { type: "string", location: "query", description: "JSONP." } },
    },
  );

  it.each([
    [
      "finds the address of uploads",
      ["show", "library.scan"],
      "https://library.example/upload/v2/scans?uploadType=media",
    ],
    ["finds the largest upload and its types", ["show", "library.scan"], "image/tiff; at most 7MB"],
    ["finds scopes of an API", ["show"], "https://library.example/auth/lend  Lend books."],
    ["finds endpoints of an API", ["show"], "https://north.library.example/"],
    ["finds common parameters of an API", ["show"], "callback"],
    ["finds the parameters that a request takes", ["methods"], "parent=shelves/*, [quality]"],
  ])("%s", async (_, [command = "", ...more], text) => {
    const { exitCode, stdout } = await runCli(["api", command, fileOf("shown", shown), ...more]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(text);
  });

  const before = describeApi({ list: "GET v2/books" });
  it.each<[string, ApiDescription, ApiDescription, string]>([
    [
      "finds reversed arguments",
      before,
      describeApi({ list: "GET v2/books" }, {}, { revision: "20250101" }),
      "the arguments may be reversed",
    ],
    [
      "finds another API",
      before,
      describeApi({ list: "GET v2/books" }, {}, { name: "archive", id: "archive:v2" }),
      "different APIs, 'library' and 'archive'",
    ],
    [
      "finds a change under the same revision",
      before,
      describeApi({ list: "GET v2/volumes" }),
      "carry the revision '20260301'",
    ],
    [
      "finds a method that moved, once",
      describeApi(
        { list: { route: "GET v2/{+parent}/books", flatPath: "v2/shelves/{shelvesId}/books" } },
        { parent: "^shelves/[^/]+$" },
      ),
      describeApi(
        { list: { route: "GET v2/{+parent}/volumes", flatPath: "v2/shelves/{shelvesId}/volumes" } },
        { parent: "^shelves/[^/]+$" },
        { revision: "20260401" },
      ),
      "\n1 breaking, ",
    ],
  ])("%s", async (_, old, now, text) => {
    const { stdout } = await runCli(["api", "compare", fileOf("old", old), fileOf("new", now)]);
    expect(stdout).toContain(text);
  });
});
