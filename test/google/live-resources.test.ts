import { ServiceError } from "../../lib/errors";
import { resourceLister } from "../../lib/google";
import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  parent,
  startTestCloud,
  type TestCloud,
} from "../support/cloud";
import { startServer } from "../support/loopback";

const { signal } = new AbortController();
let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.");
  const certificate = await makeActiveCertificate(cloud, "shop", "example-com", ["example.com", "*.example.com"]);
  const map = await makeMap(cloud, "main", { "example.com": [certificate], PRIMARY: [certificate] });
  await cloud.clock.advance(10_000);
  await makeLoadBalancer(cloud, "web", { certificateMap: map });
  await cloud.clock.advance(10_000);
});

afterAll(() => cloud.stop());

test("reads certificates, authorizations, the map and its entries", async () => {
  const lister = resourceLister(cloud.endpoints.http);
  expect(await lister.certificates(parent, signal)).toEqual([
    {
      name: `${parent}/certificates/shop`,
      kind: "managed",
      authorizations: [`${parent}/dnsAuthorizations/example-com`],
      state: "ACTIVE",
      domains: ["example.com", "*.example.com"],
      attempts: [
        { domain: "example.com", state: "AUTHORIZED" },
        { domain: "*.example.com", state: "AUTHORIZED" },
      ],
      certificatePem: expect.stringMatching(/^-----BEGIN CERTIFICATE-----/),
      expireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ]);
  expect(await lister.authorizations(parent, signal)).toEqual([
    {
      name: `${parent}/dnsAuthorizations/example-com`,
      domain: "example.com",
      record: {
        name: "_acme-challenge.example.com.",
        data: expect.stringMatching(/\.authorize\.certificatemanager\.goog\.$/),
      },
    },
  ]);
  const map = `${parent}/certificateMaps/main`;
  expect(await lister.map(map, signal)).toMatchObject({
    name: map,
    proxies: ["//compute.googleapis.com/projects/p1/global/targetHttpsProxies/web"],
  });
  expect((await lister.entries(map, signal)).map(({ hostname, state }) => `${hostname} ${state}`).sort()).toEqual([
    "PRIMARY ACTIVE",
    "example.com ACTIVE",
  ]);
});

test("returns nothing for resources that do not exist, and sends no request that changes anything", async () => {
  const before = cloud.requests().length;
  const lister = resourceLister(cloud.endpoints.http);
  expect(await lister.map(`${parent}/certificateMaps/none`, signal)).toBeUndefined();
  expect(await lister.entries(`${parent}/certificateMaps/none`, signal)).toEqual([]);
  expect(
    cloud
      .requests()
      .slice(before)
      .filter(({ mutation }) => mutation),
  ).toEqual([]);
});

test("reads every page of a list", async () => {
  const certificate = (id: number) => ({ name: `${parent}/certificates/c${id}`, selfManaged: {} });
  await using server = await startServer((request, response) => {
    const second = new URL(request.target, "http://x").searchParams.get("pageToken") === "2";
    const body = second ? { certificates: [certificate(2)] } : { certificates: [certificate(1)], nextPageToken: "2" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const found = await resourceLister(server.url).certificates(parent, signal);
  expect(found.map(({ name }) => name)).toEqual([`${parent}/certificates/c1`, `${parent}/certificates/c2`]);
  expect(server.requests.map(({ target }) => new URL(target, "http://x").searchParams.get("pageSize"))).toEqual([
    "1000",
    "1000",
  ]);
});

test.each([
  [undefined, "1000"],
  [{ entriesPerPage: 250 }, "250"],
])("asks for entries with the options %j in pages of %s", async (options, expected) => {
  await using server = await startServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const lister = resourceLister(server.url, undefined, undefined, options);
  expect(await lister.entries(`${parent}/certificateMaps/m`, signal)).toEqual([]);
  const sizes = server.requests.map(({ target }) => new URL(target, "http://x").searchParams.get("pageSize"));
  expect(sizes).toEqual([expected]);
});

test("names the resource and the required role when a request is refused", async () => {
  await using server = await startServer((_, response) => {
    const error = { code: 403, status: "PERMISSION_DENIED", message: "no" };
    response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  const reading = resourceLister(server.url).authorizations(parent, signal);
  await expect(reading).rejects.toThrow(ServiceError);
  await expect(reading).rejects.toThrow(/reading DNS authorizations of .*roles\/certificatemanager\.viewer/);
});
