import { createRestApi, listZones, loadBalancerReader, projectReader } from "../../lib/google";
import { createHttpClient } from "../../lib/http";
import { startServer } from "../support/loopback";

const { signal } = new AbortController();
const zones = { method: "dns.managedZones.list", parameters: { project: "p1" }, purpose: "listing zones", signal };

/** Starts a JSON server and creates an API client of it. */
async function startApi(answer: (query: URLSearchParams) => object | string, status = 200) {
  const server = await startServer((request, response) => {
    const body = answer(new URL(request.target, "http://x").searchParams);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const http = createHttpClient({ retry: { maxAttempts: 1 } });
  return { ...server, api: createRestApi({ endpoint: server.url, http }) };
}

test.each([
  ["a path", "http://127.0.0.1:1/compute"],
  ["a query", "https://127.0.0.1:1/?a=b"],
  ["a fragment", "http://127.0.0.1:1/#a"],
  ["another protocol", "ftp://127.0.0.1:1/"],
  ["a password", "http://a:b@127.0.0.1:1/"],
  ["no host", "127.0.0.1:1"],
])("refuses an endpoint with %s before it sends a request", (_, endpoint) => {
  expect(() => createRestApi({ endpoint })).toThrow(expect.objectContaining({ code: "endpoint-malformed" }));
});

test("reads every page of a list", async () => {
  await using server = await startApi((query) =>
    query.get("pageToken") === "2"
      ? { managedZones: [{ name: "b" }] }
      : { managedZones: [{ name: "a" }], nextPageToken: "2" },
  );
  expect(await server.api.list(zones, "managedZones")).toEqual([{ name: "a" }, { name: "b" }]);
  expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
    "GET /dns/v1/projects/p1/managedZones",
    "GET /dns/v1/projects/p1/managedZones?pageToken=2",
  ]);
});

test("reports an error if a page token repeats, instead of looping", async () => {
  await using server = await startApi(() => ({ nextPageToken: "again" }));
  await expect(server.api.list(zones, "managedZones")).rejects.toMatchObject({
    code: "answer-endless",
    message: "listing zones: a page leads back to itself",
  });
  expect(server.requests).toHaveLength(2);
});

test.each([
  ["no JSON", "<html>", "listing zones: the answer is not JSON"],
  ["no object", "[1]", "listing zones: the answer is not a JSON object"],
])("reports an answer that is %s as an error", async (_, body, message) => {
  await using server = await startApi(() => body);
  await expect(server.api.call(zones)).rejects.toMatchObject({ code: "answer-malformed", message });
});

test("skips list items of an unexpected shape, and reads the members that are valid", async () => {
  await using server = await startApi(() => ({
    managedZones: [
      1,
      null,
      { name: 7 },
      { name: "z", dnsName: "Shop.COM.", nameServers: ["NS1.x.", 3], dnssecConfig: [] },
    ],
  }));
  const empty = { name: "", domain: "", isPrivate: false, nameServers: [], isSigned: false };
  expect(await listZones(server.api, "p1", signal)).toEqual([
    empty,
    { ...empty, name: "z", domain: "shop.com", nameServers: ["ns1.x"] },
  ]);
});

test("treats a zone as signed if DNSSEC is on or is being transferred", async () => {
  const states = ["on", "transfer", "off", undefined];
  await using server = await startApi(() => ({
    managedZones: states.map((state) => ({ dnssecConfig: { state } })),
  }));
  const found = await listZones(server.api, "p1", signal);
  expect(found.map(({ isSigned }) => isSigned)).toEqual([true, true, false, false]);
});

test("keeps the status and reason of a refusal", async () => {
  const error = { code: 403, message: "no", errors: [{ reason: "accessNotConfigured" }] };
  await using server = await startApi(() => ({ error }), 403);
  await expect(projectReader(server.api).computeQuotas("p1", undefined, signal)).rejects.toMatchObject({
    name: "ServiceError",
    status: 403,
    reason: "accessNotConfigured",
    message: expect.stringMatching(/^reading the quotas of project p1: /),
  });
});

test("sends credentials with every request over HTTPS, and never over plain HTTP", async () => {
  const sent: (string | undefined)[] = [];
  const http = {
    send: async ({ url, headers }: { readonly url: string; readonly headers?: Readonly<Record<string, string>> }) => {
      sent.push(`${url} ${headers?.authorization}`);
      return { status: 200, headers: new Map(), body: new Uint8Array(), text: "{}" };
    },
  };
  const credentials = async () => ({ authorization: "Bearer secret" });
  await createRestApi({ http, credentials, endpoint: "http://127.0.0.1:1/" }).call(zones);
  await createRestApi({ http, credentials }).call(zones);
  expect(sent).toEqual([
    "http://127.0.0.1:1/dns/v1/projects/p1/managedZones undefined",
    "https://dns.googleapis.com/dns/v1/projects/p1/managedZones Bearer secret",
  ]);
});

test("sends no request if the signal is already aborted", async () => {
  await using server = await startApi(() => ({}));
  const stopping = new AbortController();
  stopping.abort(new Error("stopped"));
  await expect(server.api.call({ ...zones, signal: stopping.signal })).rejects.toThrow("stopped");
  expect(server.requests).toEqual([]);
});

describe("the state of a project", () => {
  test("lists disabled APIs by name, whether the answer has the project's id or number", async () => {
    await using server = await startApi(() => ({
      services: [
        { name: "projects/123/services/dns.googleapis.com", state: "ENABLED" },
        { name: "projects/123/services/compute.googleapis.com", state: "DISABLED" },
      ],
    }));
    const services = ["compute.googleapis.com", "dns.googleapis.com"];
    expect(await projectReader(server.api).disabledServices("p1", services, signal)).toEqual([
      "compute.googleapis.com",
    ]);
  });

  test("lists missing permissions with a single request", async () => {
    await using server = await startApi(() => ({ permissions: ["a.b.get"] }));
    const asked = ["a.b.get", "a.b.list"];
    expect(await projectReader(server.api).missingPermissions("p1", asked, signal)).toEqual(["a.b.list"]);
    expect(server.requests).toMatchObject([
      { method: "POST", target: "/v3/projects/p1:testIamPermissions", body: JSON.stringify({ permissions: asked }) },
    ]);
  });

  test.each([
    [{ billingEnabled: true }, true],
    [{ billingEnabled: false }, false],
    [{}, false],
  ])("reads billing %j as %j", async (answer, enabled) => {
    await using server = await startApi(() => answer);
    expect(await projectReader(server.api).billingEnabled("p1", signal)).toBe(enabled);
  });
});

const compute = "https://www.googleapis.com/compute/v1/projects/p1/global";

/** Answers of Compute Engine by path, about one load balancer. */
const loadBalancerAnswers: Readonly<Record<string, object>> = {
  "/compute/v1/projects/p1/global/targetHttpsProxies": {
    items: [
      {
        selfLink: `${compute}/targetHttpsProxies/web`,
        certificateMap: "//certificatemanager.googleapis.com/projects/p1/locations/global/certificateMaps/m",
        sslCertificates: [`${compute}/sslCertificates/old`],
        urlMap: `${compute}/urlMaps/web`,
        description: "of https://www.googleapis.com/compute/v1/projects/p1",
        httpKeepAliveTimeoutSec: 60,
        sslPolicy: "",
      },
    ],
  },
  "/compute/v1/projects/p1/aggregated/forwardingRules": {
    items: {
      global: {
        forwardingRules: [
          {
            selfLink: `${compute}/forwardingRules/web`,
            target: `${compute}/targetHttpsProxies/web`,
            loadBalancingScheme: "EXTERNAL",
            IPAddress: "203.0.113.7",
            portRange: "443-443",
            networkTier: "PREMIUM",
          },
        ],
      },
      "regions/europe-west1": { warning: { code: "NO_RESULTS_ON_PAGE" } },
      "regions/odd": null,
    },
  },
  "/compute/v1/projects/p1/aggregated/addresses": {
    items: {
      global: { addresses: [{ selfLink: `${compute}/addresses/a`, address: "203.0.113.7", networkTier: "PREMIUM" }] },
      "regions/r1": {
        addresses: [{ selfLink: `${compute.replace("global", "regions/r1")}/addresses/b`, address: "10.0.0.1" }],
      },
    },
  },
  "/compute/v1/projects/p1/global/sslCertificates": {
    items: [
      { selfLink: `${compute}/sslCertificates/old`, subjectAlternativeNames: ["a.com"] },
      { selfLink: `${compute}/sslCertificates/google`, managed: { domains: ["b.com"] } },
    ],
  },
};

const webProxy = "projects/p1/global/targetHttpsProxies/web";

/** Serves the load balancer in the answers above, and reads it with the paths and links of Compute Engine. */
async function startLoadBalancer() {
  const server = await startServer(({ target }, response) => {
    response.end(JSON.stringify(loadBalancerAnswers[target.replace(/\?.*/, "")] ?? {}));
  });
  const reader = loadBalancerReader(createRestApi({ endpoint: server.url }));
  return { reader, requests: server.requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("reads target proxies by id from every spelling of a link, with their settings", async () => {
  await using balancer = await startLoadBalancer();
  expect(await balancer.reader.proxies("p1", undefined, signal)).toEqual([
    {
      id: webProxy,
      map: "projects/p1/locations/global/certificateMaps/m",
      certificates: ["projects/p1/global/sslCertificates/old"],
      settings: {
        urlMap: "projects/p1/global/urlMaps/web",
        description: "of https://www.googleapis.com/compute/v1/projects/p1",
        httpKeepAliveTimeoutSec: 60,
      },
    },
  ]);
});

test("reads forwarding rules of all scopes by id, with the id of their target", async () => {
  await using balancer = await startLoadBalancer();
  expect(await balancer.reader.forwardingRules("p1", undefined, signal)).toEqual([
    {
      id: "projects/p1/global/forwardingRules/web",
      target: webProxy,
      scheme: "EXTERNAL",
      address: "203.0.113.7",
      portRange: "443-443",
      networkTier: "PREMIUM",
    },
  ]);
});

test("reads addresses of all scopes by id, with their region", async () => {
  await using balancer = await startLoadBalancer();
  expect(await balancer.reader.addresses("p1", signal)).toEqual([
    { id: "projects/p1/global/addresses/a", address: "203.0.113.7", networkTier: "PREMIUM" },
    { id: "projects/p1/regions/r1/addresses/b", address: "10.0.0.1", region: "r1", networkTier: "" },
  ]);
});

test("reads SSL certificates by id, and which of them Google manages", async () => {
  await using balancer = await startLoadBalancer();
  expect(await balancer.reader.sslCertificates("p1", undefined, signal)).toEqual([
    { id: "projects/p1/global/sslCertificates/old", domains: ["a.com"], isManaged: false },
    { id: "projects/p1/global/sslCertificates/google", domains: ["b.com"], isManaged: true },
  ]);
});

test("reads the target proxies of a region at the path of the region", async () => {
  await using balancer = await startLoadBalancer();
  await balancer.reader.proxies("p1", "europe-west1", signal);
  expect(balancer.requests.at(-1)?.target).toMatch(
    /^\/compute\/v1\/projects\/p1\/regions\/europe-west1\/targetHttpsProxies\?/,
  );
});

test("stops waiting for credentials after a time limit", async () => {
  const api = createRestApi({ credentials: () => new Promise(() => undefined), credentialsTimeoutMs: 20 });
  await expect(api.call(zones)).rejects.toMatchObject({
    name: "ServiceError",
    retryable: true,
    message: "looking for credentials: no answer within 0.02 s",
  });
});

test("stops looking for credentials when aborted, with the reason of the abort", async () => {
  const stopping = new AbortController();
  const api = createRestApi({ credentials: () => new Promise(() => stopping.abort(new Error("stopped"))) });
  await expect(api.call({ ...zones, signal: stopping.signal })).rejects.toThrow("stopped");
});

test("reads a long page completely", async () => {
  const managedZones = Array.from({ length: 200_000 }, () => ({}));
  const http = {
    send: async () => ({
      status: 200,
      headers: new Map(),
      body: new Uint8Array(),
      text: JSON.stringify({ managedZones }),
    }),
  };
  const items = await createRestApi({ http, endpoint: "http://127.0.0.1:1/" }).list(zones, "managedZones");

  expect(items).toHaveLength(200_000);
});
