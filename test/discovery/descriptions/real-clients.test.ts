import type { CertificateManagerClient } from "@google-cloud/certificate-manager";
import { admin } from "@googleapis/admin";
import { Discovery } from "googleapis-common";
import { type LoopbackServer, type ReceivedRequest, startServer } from "../../support/loopback";
import { unknownMembers } from "./bodies";
import { documentFile, documentNames, methodsOf, readDocument } from "./documents";
import { matches, sampleParameters } from "./routes";

const documents = documentNames.map(readDocument);

/** Returns the ids of the methods that match a request. */
function idsOf({ method, target }: ReceivedRequest): readonly string[] {
  return matches(documents, method, target.split("?")[0] ?? "").map((match) => match.method);
}

/** Returns a request's method, and the query parameters and body members that the description lacks. */
function seen(request: ReceivedRequest): object {
  const ids = idsOf(request);
  const document = documents.find((one) => methodsOf(one).some(({ id }) => id === ids[0]));
  const method = methodsOf(document ?? {}).find(({ id }) => id === ids[0]);
  const known = { ...document?.parameters, ...method?.parameters };
  const query = [...new URLSearchParams(request.target.split("?")[1] ?? "").keys()];
  const body: unknown = request.body === "" ? undefined : JSON.parse(request.body);
  return {
    ids,
    unknownQuery: query.filter((name) => name !== "$alt" && known[name]?.location !== "query"),
    unknownMembers: document === undefined ? [] : unknownMembers(document, method?.request ?? {}, body),
  };
}

function fits(...ids: readonly string[]): readonly object[] {
  return ids.map((id) => ({ ids: [id], unknownQuery: [], unknownMembers: [] }));
}

async function answerWith(...answers: readonly object[]): Promise<LoopbackServer> {
  return startServer((_request, response, count) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answers[Math.min(count, answers.length) - 1]));
  });
}

describe.each(documentNames)("the client that googleapis-common builds from %s", (name) => {
  type Call = (parameters: object) => Promise<unknown>;

  test("has every method, and sends requests that match only that method", async () => {
    await using server = await answerWith({});
    const create = await new Discovery({}).discoverAPI(documentFile(name));
    const api = create({ rootUrl: server.url, fetchImplementation: fetch }, { _options: {} });
    const methods = methodsOf(readDocument(name));

    for (const method of methods) {
      const [call, ...resources] = [...method.place].reverse();
      const owner = resources.reverse().reduce<object>((inner, step) => Reflect.get(inner, step), api);
      const send = Reflect.get(owner, call ?? "") as Call;
      await send.call(owner, { ...sampleParameters(method), ...(method.request && { requestBody: {} }) });
    }

    expect(server.requests.map(seen)).toEqual(fits(...methods.map(({ id }) => id)));
  });
});

const parent = "projects/p1/locations/global";
const operation = {
  name: `${parent}/operations/operation-1`,
  done: false,
  metadata: { "@type": "type.googleapis.com/google.cloud.certificatemanager.v1.OperationMetadata", verb: "create" },
};

function client(server: LoopbackServer): CertificateManagerClient {
  // Loading takes half a second, so only these tests load the library.
  const library = require("@google-cloud/certificate-manager") as typeof import("@google-cloud/certificate-manager");
  const { hostname, port } = new URL(server.url);
  const withoutCredentials = {
    fetch: (input: string | URL, init?: RequestInit) => fetch(input, init),
    getProjectId: async () => "p1",
    getClient: async () => ({}),
  };
  const options = { fallback: true, apiEndpoint: hostname, port: Number(port), protocol: "http" };
  type Options = ConstructorParameters<typeof library.CertificateManagerClient>[0];
  return new library.CertificateManagerClient({ ...options, auth: withoutCredentials } as unknown as Options);
}

test("the Certificate Manager client creates what a migration needs", async () => {
  await using server = await answerWith(operation);
  const api = client(server);

  await api.createDnsAuthorization({
    parent,
    dnsAuthorizationId: "a",
    dnsAuthorization: { domain: "example.com", type: "PER_PROJECT_RECORD", labels: { team: "web" } },
  });
  await api.createCertificate({
    parent,
    certificateId: "c",
    certificate: { scope: "ALL_REGIONS", managed: { domains: ["example.com"], dnsAuthorizations: [`${parent}/x`] } },
  });
  await api.createCertificateMap({ parent, certificateMapId: "m", certificateMap: { description: "all" } });
  await api.createCertificateMapEntry({
    parent: `${parent}/certificateMaps/m`,
    certificateMapEntryId: "e",
    certificateMapEntry: { matcher: "PRIMARY", certificates: [`${parent}/certificates/c`] },
  });
  await api.updateCertificateMapEntry({
    certificateMapEntry: { name: `${parent}/certificateMaps/m/certificateMapEntries/e`, description: "x" },
    updateMask: { paths: ["description", "certificates"] },
  });

  const id = "certificatemanager.projects.locations";
  expect(server.requests.map(seen)).toEqual(
    fits(
      `${id}.dnsAuthorizations.create`,
      `${id}.certificates.create`,
      `${id}.certificateMaps.create`,
      `${id}.certificateMaps.certificateMapEntries.create`,
      `${id}.certificateMaps.certificateMapEntries.patch`,
    ),
  );
});

test("the Certificate Manager client reads, pages and deletes", async () => {
  await using server = await answerWith(
    { certificates: [], nextPageToken: "a/b+c=" },
    { certificates: [] },
    { name: "c" },
    operation,
  );
  const api = client(server);

  const list = { parent, pageSize: 1, filter: 'labels.a="b c"' };
  await api.listCertificates(list, { autoPaginate: false });
  await api.listCertificates({ ...list, pageToken: "a/b+c=" }, { autoPaginate: false });
  await api.getCertificate({ name: `${parent}/certificates/c` });
  await api.deleteDnsAuthorization({ name: `${parent}/dnsAuthorizations/a` });

  const id = "certificatemanager.projects.locations";
  expect(server.requests.map(seen)).toEqual(
    fits(
      `${id}.certificates.list`,
      `${id}.certificates.list`,
      `${id}.certificates.get`,
      `${id}.dnsAuthorizations.delete`,
    ),
  );
});

test("the Admin SDK client lists and watches activities", async () => {
  await using server = await answerWith({});
  const { activities } = admin({ version: "reports_v1", rootUrl: server.url, fetchImplementation: fetch });
  const whose = { userKey: "all", applicationName: "admin" };

  await activities.list({ ...whose, eventName: "CREATE_USER", maxResults: 10, startTime: "2026-11-21T00:00:00Z" });
  await activities.watch({ ...whose, requestBody: { id: "1", type: "web_hook", address: "https://example.com/" } });

  expect(server.requests.map(seen)).toEqual(fits("reports.activities.list", "reports.activities.watch"));
});

type Compute = ReturnType<typeof import("@googleapis/compute").compute>;

function computeClient(server: LoopbackServer): Compute {
  // Loading takes a tenth of a second, so only these tests load the library.
  const { compute } = require("@googleapis/compute") as typeof import("@googleapis/compute");
  return compute({ version: "v1", rootUrl: server.url, fetchImplementation: fetch });
}

test("the Compute Engine computeClient sends each method to its place in the description, with the same verb and path parameters", async () => {
  await using server = await answerWith({});
  const api = computeClient(server);
  const methods = methodsOf(readDocument("compute.v1"));

  for (const method of methods) {
    const [resource = "", call = ""] = method.place;
    const owner = Reflect.get(api, resource);
    const send = Reflect.get(owner, call) as (parameters: object) => Promise<unknown>;
    await send.call(owner, { ...sampleParameters(method), ...(method.request && { requestBody: {} }) });
  }

  expect(server.requests.map(seen)).toEqual(fits(...methods.map(({ id }) => id)));
});

test("the Compute Engine computeClient builds a regional load balancer from members of the description", async () => {
  await using server = await answerWith({});
  const api = computeClient(server);
  const where = { project: "p1", region: "europe-west6" };
  const named = { name: "a", description: "of the rehearsal" };
  const check = {
    ...named,
    type: "HTTP",
    httpHealthCheck: { requestPath: "/", portSpecification: "USE_SERVING_PORT" },
  };
  const service = { ...named, protocol: "HTTP", healthChecks: ["hc"], loadBalancingScheme: "EXTERNAL_MANAGED" };
  const rule = { ...named, IPAddress: "address", IPProtocol: "TCP", portRange: "443", target: "proxy", network: "n" };

  await api.addresses.insert({
    ...where,
    requestBody: { ...named, networkTier: "STANDARD", labels: { team: "web" } },
  });
  await api.regionHealthChecks.insert({ ...where, requestBody: check });
  await api.regionBackendServices.insert({ ...where, requestBody: service });
  await api.regionUrlMaps.insert({ ...where, requestBody: { ...named, defaultService: "service" } });
  await api.regionSslCertificates.insert({
    ...where,
    requestBody: { ...named, certificate: "PEM", privateKey: "PEM" },
  });
  await api.regionTargetHttpProxies.insert({ ...where, requestBody: { ...named, urlMap: "map" } });
  await api.forwardingRules.insert({ ...where, requestId: "1", requestBody: rule });
  await api.forwardingRules.setTarget({ ...where, forwardingRule: "a", requestBody: { target: "other" } });

  expect(server.requests.map(seen)).toEqual(
    fits(
      "compute.addresses.insert",
      "compute.regionHealthChecks.insert",
      "compute.regionBackendServices.insert",
      "compute.regionUrlMaps.insert",
      "compute.regionSslCertificates.insert",
      "compute.regionTargetHttpProxies.insert",
      "compute.forwardingRules.insert",
      "compute.forwardingRules.setTarget",
    ),
  );
});

test("the Compute Engine computeClient lists across scopes, with one parameter that the published description no longer has", async () => {
  await using server = await answerWith({});

  await computeClient(server).forwardingRules.aggregatedList({
    project: "p1",
    filter: "name = a",
    includeAllScopes: true,
    maxResults: 500,
    returnPartialSuccess: true,
  });

  const ids = ["compute.forwardingRules.aggregatedList"];
  expect(server.requests.map(seen)).toEqual([{ ids, unknownQuery: ["returnPartialSuccess"], unknownMembers: [] }]);
});
