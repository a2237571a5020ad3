import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Discovery } from "googleapis-common";
import { createDescriptionService, ownDescription } from "../../../lib/discovery";
import { type LoopbackServer, serve, startServer } from "../../support/loopback";
import { sampleDescription } from "./samples";

const ids = ["dns:v1", "certificatemanager:v1", "compute:v1", "admin:reports_v1"] as const;
const apis = ids.map(ownDescription);

/** Fills every writable field of examples, so that each answer identifies its method. */
const filled = { properties: "writable" } as const;

interface Call {
  readonly method: string;
  readonly parameters: object;
  readonly body: unknown;
}

/**
 * Starts an emulator of all these APIs: it finds the method of a request and answers with a small valid response.
 */
async function startEmulator(): Promise<LoopbackServer & { readonly calls: readonly Call[] }> {
  const calls: Call[] = [];
  const server = await startServer(({ method, target, body }, response) => {
    const found = apis.flatMap((api) => ({ api, match: api.match(method, target) })).find(({ match }) => match);
    if (found?.match === undefined) return response.writeHead(404).end();
    const { parameters, method: asked } = found.match;
    calls.push({ method: asked.id, parameters, body: body === "" ? undefined : JSON.parse(body) });
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify(asked.response === undefined ? {} : found.api.example(asked.response, filled)));
  });
  return { ...server, calls };
}

/** Creates the client with the global fetch, because Jest cannot load the ES module that its transport imports. */
function discovery(): Discovery {
  const client = new Discovery({});
  Reflect.get(client, "transporter").defaults.fetchImplementation = fetch;
  return client;
}

/** The generated client has no types: methods by resource path. */
type Made = Readonly<Record<string, Readonly<Record<string, (parameters: object) => Promise<{ data: unknown }>>>>>;
const made = (api: unknown) => api as Made;

const zone = { name: "example", dnsName: "example.com.", description: "" };

it("googleapis-common builds a client from a description that is served here, and calls it", async () => {
  await using emulator = await startEmulator();
  const { handler } = createDescriptionService({ descriptions: apis, rootUrl: emulator.url });
  await using server = await serve(handler);
  const create = await discovery().discoverAPI(`${server.url}discovery/v1/apis/dns/v1/rest`);
  const dns = made(create({ fetchImplementation: fetch }, { _options: {} }));

  const created = await dns.managedZones?.create?.({ project: "p1", requestBody: zone });
  const listed = await dns.resourceRecordSets?.list?.({ project: "p1", managedZone: "example", maxResults: 5 });

  expect(emulator.calls).toEqual([
    { method: "dns.managedZones.create", parameters: { project: "p1" }, body: zone },
    {
      method: "dns.resourceRecordSets.list",
      parameters: { project: "p1", managedZone: "example", maxResults: 5 },
      body: undefined,
    },
  ]);
  expect(created?.data).toEqual(ownDescription("dns:v1").example("ManagedZone", filled));
  expect(listed?.data).toEqual(ownDescription("dns:v1").example("ResourceRecordSetsListResponse", filled));
});

it("googleapis-common builds every API of the list, and calls each", async () => {
  await using emulator = await startEmulator();
  const { handler } = createDescriptionService({ descriptions: apis, rootUrl: emulator.url });
  await using server = await serve(handler);
  const all = await discovery().discoverAllAPIs(`${server.url}discovery/v1/apis`);
  const api = (name: string) => made(Reflect.get(all, name)({ fetchImplementation: fetch }));

  const parent = "projects/p1/locations/global";
  const certificates = made(made(made(api("certificatemanager").projects).locations).certificates);
  const list = certificates.list as unknown as (parameters: object) => Promise<unknown>;
  await list({ parent, pageSize: 2 });
  await api("compute").targetHttpsProxies?.setCertificateMap?.({
    project: "p1",
    targetHttpsProxy: "proxy-1",
    requestBody: { certificateMap: "//certificatemanager.googleapis.com/m" },
  });
  await api("admin").activities?.list?.({ userKey: "all", applicationName: "admin" });
  await api("dns").projects?.get?.({ project: "p1" });

  expect(Object.keys(all).sort()).toEqual(["admin", "certificatemanager", "compute", "discovery", "dns"]);
  expect(emulator.calls).toEqual([
    {
      method: "certificatemanager.projects.locations.certificates.list",
      parameters: { parent, pageSize: 2 },
      body: undefined,
    },
    {
      method: "compute.targetHttpsProxies.setCertificateMap",
      parameters: { project: "p1", targetHttpsProxy: "proxy-1" },
      body: { certificateMap: "//certificatemanager.googleapis.com/m" },
    },
    {
      method: "reports.activities.list",
      parameters: { userKey: "all", applicationName: "admin" },
      body: undefined,
    },
    { method: "dns.projects.get", parameters: { project: "p1" }, body: undefined },
  ]);
});

it("googleapis-common builds a client from the service's description of itself, and queries the service with it", async () => {
  const shop = sampleDescription("shop:v1");
  await using server = await serve(createDescriptionService({ descriptions: [shop] }).handler);
  const create = await discovery().discoverAPI(`${server.url}discovery/v1/apis/discovery/v1/rest`);
  const service = made(create({ fetchImplementation: fetch }, { _options: {} }));
  const { data: list } = (await service.apis?.list?.({ name: "shop" })) ?? {};
  const { data: description } = (await service.apis?.getRest?.({ api: "shop", version: "v1" })) ?? {};
  expect(list).toMatchObject({ items: [{ id: "shop:v1" }] });
  expect(description).toEqual(shop);
});

it("googleapis-common reads the service's error as its own error type", async () => {
  await using server = await serve(createDescriptionService({ descriptions: [] }).handler);
  await expect(discovery().discoverAPI(`${server.url}discovery/v1/apis/pub/v1/rest`)).rejects.toMatchObject({
    status: 404,
    message: "'pub:v1' has no description here",
  });
});

it("googleapis-common works unmodified in a separate process", async () => {
  await using emulator = await startEmulator();
  const { handler } = createDescriptionService({ descriptions: apis, rootUrl: emulator.url });
  await using server = await serve(handler);
  const script = `
      const { Discovery } = require("googleapis-common");
      new Discovery({}).discoverAllAPIs(process.argv[1] + "discovery/v1/apis").then(async (all) => {
        const { data } = await all.dns({}).managedZones.get({ project: "p1", managedZone: "example" });
        process.stdout.write(JSON.stringify([Object.keys(all).sort(), data]));
      });`;
  const environment = { ...process.env, HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script, server.url], { env: environment });
  expect(JSON.parse(stdout)).toEqual([
    ["admin", "certificatemanager", "compute", "discovery", "dns"],
    ownDescription("dns:v1").example("ManagedZone", filled),
  ]);
  expect(emulator.calls).toEqual([
    {
      method: "dns.managedZones.get",
      parameters: { project: "p1", managedZone: "example" },
      body: undefined,
    },
  ]);
});
