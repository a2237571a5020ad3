import { documentNames, methodsOf, nodesOf, readDocument, readFixture, schemaNodes } from "./documents";
import { inlineLines, methodLine, propertyLine } from "./notation";

/** The methods and schemas of a published API, recorded from its published description. */
interface Surface {
  /** By method id, see `methodLine`. */
  readonly methods: Readonly<Record<string, string>>;
  /** By schema and property, see `propertyLine`. */
  readonly schemas: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By place, see `inlineLines`: inline object schemas. */
  readonly inline?: Readonly<Record<string, string>>;
  /** Pattern of a path parameter to the number of methods that have it. */
  readonly pathPatterns?: Readonly<Record<string, number>>;
  /** Locations that have an endpoint of their own. */
  readonly endpoints?: readonly string[];
}

/**
 * Documents without a table: another test compares the schemas of the description service with the descriptions
 * themselves, and dashboards are described without their 80 kinds of widgets.
 */
const withoutTable = ["discovery.v1", "monitoring.v1"];

describe.each(documentNames.filter((name) => !withoutTable.includes(name)))("%s", (name) => {
  const document = readDocument(name);
  const surface = readFixture<Surface>(name);

  test("has exactly the methods of the table, with their verbs, paths, parameters, requests and responses", () => {
    const lines = methodsOf(document).map((method) => [method.id, methodLine(method)]);

    expect(Object.fromEntries(lines)).toEqual(surface.methods);
  });

  test("has exactly the schemas of the table", () => {
    expect(Object.keys(document.schemas)).toEqual(Object.keys(surface.schemas));
  });

  test.each(Object.keys(surface.schemas))("has the properties of %s with their types, flags and values", (id) => {
    const properties = Object.entries(document.schemas[id]?.properties ?? {});

    expect(Object.fromEntries(properties.map(([property, schema]) => [property, propertyLine(schema)]))).toEqual(
      surface.schemas[id],
    );
    expect(document.schemas[id]).toMatchObject({ id, type: "object" });
  });

  test("has the inline objects of the table", () => {
    const { inline = {} } = surface;
    const ids = [...new Set(Object.keys(inline).map((at) => at.split(".")[0] ?? ""))];
    const lines = inlineLines(ids.flatMap((id) => nodesOf(id, document.schemas[id] ?? {})));
    const shown = Object.keys(inline).map((at) => [at, lines[at]]);

    expect(Object.fromEntries(shown)).toEqual(inline);
  });

  test("has the patterns of the table on its path parameters", () => {
    const patterns = methodsOf(document)
      .flatMap((method) => Object.values(method.parameters))
      .filter((parameter) => parameter.location === "path" && parameter.pattern !== undefined)
      .map((parameter) => parameter.pattern ?? "");
    const counts = Object.fromEntries(patterns.map((one) => [one, patterns.filter((other) => other === one).length]));

    expect(surface.pathPatterns === undefined ? {} : counts).toEqual(surface.pathPatterns ?? {});
  });

  test("has the endpoints of the table, each at an address that names its location", () => {
    const expected = (surface.endpoints ?? []).map((location) => ({
      location,
      endpointUrl: `https://${document.name}.${location}.rep.googleapis.com/`,
      description: expect.stringContaining(location),
    }));

    expect(document.endpoints ?? []).toEqual(expected);
  });
});

test.each([
  ["admin.reports_v1", "https://admin.googleapis.com/", "", "batch", true],
  ["certificatemanager.v1", "https://certificatemanager.googleapis.com/", "", "batch", true],
  ["cloudbilling.v1", "https://cloudbilling.googleapis.com/", "", "batch", true],
  ["cloudresourcemanager.v1", "https://cloudresourcemanager.googleapis.com/", "", "batch", true],
  ["cloudresourcemanager.v3", "https://cloudresourcemanager.googleapis.com/", "", "batch", true],
  ["compute.v1", "https://compute.googleapis.com/", "compute/v1/", "batch/compute/v1", undefined],
  ["discovery.v1", "https://www.googleapis.com/", "discovery/v1/", "batch/discovery/v1", undefined],
  ["dns.v1", "https://dns.googleapis.com/", "", "batch", true],
  ["logging.v2", "https://logging.googleapis.com/", "", "batch", true],
  ["monitoring.v1", "https://monitoring.googleapis.com/", "", "batch", true],
  ["monitoring.v3", "https://monitoring.googleapis.com/", "", "batch", true],
  ["networksecurity.v1", "https://networksecurity.googleapis.com/", "", "batch", true],
  ["privateca.v1", "https://privateca.googleapis.com/", "", "batch", true],
  ["serviceusage.v1", "https://serviceusage.googleapis.com/", "", "batch", true],
  ["storage.v1", "https://storage.googleapis.com/", "storage/v1/", "batch/storage/v1", undefined],
])("%s is at %s", (name, rootUrl, servicePath, batchPath, fullyEncodeReservedExpansion) => {
  const document = readDocument(name);

  expect({
    rootUrl: document.rootUrl,
    servicePath: document.servicePath,
    batchPath: document.batchPath,
    fullyEncodeReservedExpansion: document.fullyEncodeReservedExpansion,
  }).toEqual({ rootUrl, servicePath, batchPath, fullyEncodeReservedExpansion });
});

const everywhere = {
  "$.xgafv": "string {1, 2}",
  access_token: "string",
  alt: "string default json {json, media, proto}",
  callback: "string",
  fields: "string",
  key: "string",
  oauth_token: "string",
  prettyPrint: "boolean default true",
  quotaUser: "string",
  uploadType: "string",
  upload_protocol: "string",
};

test.each([
  ["admin.reports_v1", everywhere],
  ["certificatemanager.v1", everywhere],
  ["cloudbilling.v1", everywhere],
  ["cloudresourcemanager.v1", everywhere],
  ["cloudresourcemanager.v3", everywhere],
  ["compute.v1", { ...everywhere, userIp: "string" }],
  ["dns.v1", everywhere],
  ["logging.v2", everywhere],
  ["monitoring.v1", everywhere],
  ["monitoring.v3", everywhere],
  ["networksecurity.v1", everywhere],
  ["privateca.v1", everywhere],
  ["serviceusage.v1", everywhere],
  [
    "storage.v1",
    {
      alt: "string default json {json, media}",
      fields: "string",
      key: "string",
      oauth_token: "string",
      prettyPrint: "boolean default true",
      quotaUser: "string",
      uploadType: "string",
      userIp: "string",
    },
  ],
  [
    "discovery.v1",
    {
      alt: "string default json {json}",
      fields: "string",
      key: "string",
      oauth_token: "string",
      prettyPrint: "boolean default true",
      quotaUser: "string",
      userIp: "string",
    },
  ],
])("%s accepts the parameters of every method", (name, expected) => {
  const parameters = Object.entries(readDocument(name).parameters);

  expect(Object.fromEntries(parameters.map(([key, schema]) => [key, propertyLine(schema)]))).toEqual(expected);
});

const auth = "https://www.googleapis.com/auth";
const cloud = `${auth}/cloud-platform`;

test.each([
  ["admin.reports_v1", [`${auth}/admin.reports.audit.readonly`, `${auth}/admin.reports.usage.readonly`]],
  ["certificatemanager.v1", [cloud]],
  ["cloudbilling.v1", [`${auth}/cloud-billing`, `${auth}/cloud-billing.readonly`, cloud]],
  ["cloudresourcemanager.v1", [cloud, `${cloud}.read-only`]],
  ["cloudresourcemanager.v3", [cloud, `${cloud}.read-only`]],
  [
    "compute.v1",
    [
      cloud,
      `${auth}/compute`,
      `${auth}/compute.readonly`,
      `${auth}/devstorage.full_control`,
      `${auth}/devstorage.read_only`,
      `${auth}/devstorage.read_write`,
    ],
  ],
  ["discovery.v1", []],
  ["dns.v1", [cloud, `${cloud}.read-only`, `${auth}/ndev.clouddns.readonly`, `${auth}/ndev.clouddns.readwrite`]],
  ["logging.v2", [cloud, `${cloud}.read-only`, `${auth}/logging.admin`, `${auth}/logging.read`]],
  ["monitoring.v1", [cloud, `${auth}/monitoring`, `${auth}/monitoring.read`]],
  ["monitoring.v3", [cloud, `${auth}/monitoring`, `${auth}/monitoring.read`]],
  ["networksecurity.v1", [cloud]],
  ["privateca.v1", [cloud]],
  ["serviceusage.v1", [cloud, `${cloud}.read-only`, `${auth}/service.management`]],
  [
    "storage.v1",
    [cloud, `${auth}/devstorage.full_control`, `${auth}/devstorage.read_only`, `${auth}/devstorage.read_write`],
  ],
])("%s declares its scopes", (name, scopes) => {
  expect(Object.keys(readDocument(name).auth?.oauth2.scopes ?? {})).toEqual(scopes);
});

describe("scopes of methods", () => {
  const auth = "https://www.googleapis.com/auth";
  const cloud = `${auth}/cloud-platform`;
  const audit = [`${auth}/admin.reports.audit.readonly`];
  // Reading an operation of Service Usage needs the same scopes as starting it.
  const reading =
    /^GET (?!serviceusage\.operations)|\.(?:entries\.list|fetchCaCerts|getHealth|getIamPolicy|testIamPermissions|wait)$/;

  test.each([
    ["admin.reports_v1", audit, audit],
    ["certificatemanager.v1", [cloud], [cloud]],
    ["cloudbilling.v1", [`${auth}/cloud-billing`, `${auth}/cloud-billing.readonly`, cloud], []],
    ["cloudresourcemanager.v1", [cloud, `${cloud}.read-only`], []],
    ["cloudresourcemanager.v3", [cloud, `${cloud}.read-only`], []],
    ["compute.v1", [cloud, `${auth}/compute`, `${auth}/compute.readonly`], [cloud, `${auth}/compute`]],
    [
      "dns.v1",
      [cloud, `${cloud}.read-only`, `${auth}/ndev.clouddns.readonly`, `${auth}/ndev.clouddns.readwrite`],
      [cloud, `${auth}/ndev.clouddns.readwrite`],
    ],
    [
      "logging.v2",
      [cloud, `${cloud}.read-only`, `${auth}/logging.admin`, `${auth}/logging.read`],
      [cloud, `${auth}/logging.admin`],
    ],
    ["monitoring.v1", [cloud, `${auth}/monitoring`, `${auth}/monitoring.read`], [cloud, `${auth}/monitoring`]],
    ["monitoring.v3", [cloud, `${auth}/monitoring`, `${auth}/monitoring.read`], [cloud, `${auth}/monitoring`]],
    ["networksecurity.v1", [cloud], [cloud]],
    ["privateca.v1", [cloud], [cloud]],
    ["serviceusage.v1", [cloud, `${cloud}.read-only`], [cloud, `${auth}/service.management`]],
    [
      "storage.v1",
      [cloud, `${auth}/devstorage.full_control`, `${auth}/devstorage.read_only`, `${auth}/devstorage.read_write`],
      [cloud, `${auth}/devstorage.full_control`, `${auth}/devstorage.read_write`],
    ],
  ])("%s has read methods with the scopes %j, and other methods with %j", (name, forReading, forWriting) => {
    const methods = methodsOf(readDocument(name));
    const expected = methods.map(({ id, httpMethod }) => [
      id,
      reading.test(`${httpMethod} ${id}`) ? forReading : forWriting,
    ]);

    expect(methods.map(({ id, scopes }) => [id, scopes])).toEqual(expected);
  });
});

test("descriptions of results have the same form everywhere in Compute Engine", () => {
  const document = readDocument("compute.v1");
  const shape = document.schemas.Operation?.properties?.warnings?.items?.properties;
  const remarks = schemaNodes(document).filter(({ at }) => at.endsWith(".warning"));

  expect(remarks.length).toBeGreaterThan(20);
  for (const { schema } of remarks) expect(schema.properties).toEqual(shape);
});

describe("the description service itself", () => {
  test("has the methods that list and read descriptions", () => {
    const lines = methodsOf(readDocument("discovery.v1")).map((method) => [method.id, methodLine(method)]);

    expect(Object.fromEntries(lines)).toEqual({
      "discovery.apis.getRest": "GET apis/{api}/{version}/rest (api, version) -> RestDescription",
      "discovery.apis.list": "GET apis (; name, preferred:boolean=false) -> DirectoryList",
    });
  });

  test("describes the items of its list", () => {
    const items = readDocument("discovery.v1").schemas.DirectoryList?.properties?.items?.items;
    const fields = Object.entries(items?.properties ?? {}).map(([field, schema]) => [field, propertyLine(schema)]);

    expect(Object.fromEntries(fields)).toEqual({
      description: "string",
      discoveryLink: "string",
      discoveryRestUrl: "string",
      documentationLink: "string",
      icons: "object{x16, x32}",
      id: "string",
      kind: "string default discovery#directoryItem",
      labels: "string[]",
      name: "string",
      preferred: "boolean",
      title: "string",
      version: "string",
    });
  });
});

describe("parameters of activities.list", () => {
  const list = methodsOf(readDocument("admin.reports_v1")).find(({ id }) => id === "reports.activities.list");
  const time = String.raw`(\d\d\d\d)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:(Z)|([-+])(\d\d):(\d\d))`;

  test.each([
    ["customerId", "C.+|my_customer"],
    ["endTime", time],
    ["filters", "(.+[<,<=,==,>=,>,<>].+,)*(.+[<,<=,==,>=,>,<>].+)"],
    ["groupIdFilter", "(id:[a-z0-9]+(,id:[a-z0-9]+)*)"],
    ["orgUnitID", "(id:[a-z0-9]+)"],
    ["startTime", time],
  ])("%s has the pattern %s", (name, pattern) => {
    expect(list?.parameters[name]?.pattern).toBe(pattern);
  });

  test("the pattern of applicationName allows the 42 applications of its enum", () => {
    const { enum: applications = [], pattern = "" } = list?.parameters.applicationName ?? {};

    expect(applications).toHaveLength(42);
    expect(pattern.slice(1, -1).split(")|(").sort()).toEqual([...applications].sort());
  });
});
