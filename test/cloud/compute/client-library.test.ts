import { base, client, loadBalancer, manager, startCompute } from "./start-compute";

const project = "p1";

interface Refusal {
  readonly errors: readonly { readonly reason: string }[];
}

/** Returns the status and reason of the client's error. */
async function refusalOf(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return "not refused";
  } catch (error) {
    const { status, response } = error as { status?: number; response?: { data: { error: Refusal } } };
    return `${status} ${response?.data.error.errors[0]?.reason}`;
  }
}

it("Google's client library for Compute Engine creates a load balancer, moves it to another certificate map, and deletes it", async () => {
  await using cloud = await startCompute();
  const { backendServices, urlMaps, targetHttpsProxies, globalForwardingRules, globalAddresses, globalOperations } =
    client(cloud);
  await backendServices.insert({ project, requestBody: loadBalancer.backendService[1] });
  await urlMaps.insert({ project, requestBody: loadBalancer.urlMap[1] });
  const { data: inserting } = await targetHttpsProxies.insert({ project, requestBody: loadBalancer.proxy[1] });
  expect(inserting).toMatchObject({ status: "PENDING", targetLink: `${base}/global/targetHttpsProxies/x1` });
  await cloud.clock.advance(1_000);
  const { data: done } = await globalOperations.wait({ project, operation: inserting.name ?? "" });
  expect(done).toMatchObject({ status: "DONE", progress: 100, operationType: "insert" });

  await globalAddresses.insert({ project, requestBody: { name: "a1", address: "203.0.113.7" } });
  const requestBody = { ...loadBalancer.rule[1], IPAddress: `projects/${project}/global/addresses/a1` };
  await globalForwardingRules.insert({ project, requestBody });
  const certificateMap = `${manager}/global/certificateMaps/m2`;
  await targetHttpsProxies.setCertificateMap({ project, targetHttpsProxy: "x1", requestBody: { certificateMap } });
  const { data: proxy } = await targetHttpsProxies.get({ project, targetHttpsProxy: "x1" });
  expect(proxy).toMatchObject({ name: "x1", urlMap: `${base}/global/urlMaps/u1`, certificateMap });
  const { data: address } = await globalAddresses.get({ project, address: "a1" });
  expect(address).toMatchObject({ status: "IN_USE", users: [`${base}/global/forwardingRules/r1`] });

  await globalForwardingRules.delete({ project, forwardingRule: "r1" });
  await targetHttpsProxies.delete({ project, targetHttpsProxy: "x1" });
  await urlMaps.delete({ project, urlMap: "u1" });
  await backendServices.delete({ project, backendService: "b1" });
  await globalAddresses.delete({ project, address: "a1" });
  const { data: list } = await globalAddresses.list({ project });
  expect(list.items ?? []).toEqual([]);
});

it("Google's client library for Compute Engine reads the pages of lists, in one scope and in all", async () => {
  await using cloud = await startCompute();
  const { globalAddresses, addresses } = client(cloud);
  for (const name of ["a1", "a2", "a3"]) await globalAddresses.insert({ project, requestBody: { name } });
  await addresses.insert({ project, region: "us-east1", requestBody: { name: "a4" } });
  const names: (string | null | undefined)[] = [];
  let pageToken: string | undefined;
  do {
    const { data } = await globalAddresses.list({ project, maxResults: 2, ...(pageToken ? { pageToken } : {}) });
    names.push(...(data.items ?? []).map(({ name }) => name));
    pageToken = data.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
  expect(names).toEqual(["a1", "a2", "a3"]);
  const { data } = await addresses.aggregatedList({ project, filter: "name != a1" });
  const found = Object.values(data.items ?? {}).map((scope) => (scope.addresses ?? []).map(({ name }) => name));
  expect(found).toEqual([["a2", "a3"], ["a4"]]);
});

it("Google's client library for Compute Engine changes labels and URL maps with their fingerprints", async () => {
  await using cloud = await startCompute();
  const { globalAddresses, backendServices, urlMaps } = client(cloud);
  await globalAddresses.insert({ project, requestBody: { name: "a1" } });
  const { data: address } = await globalAddresses.get({ project, address: "a1" });
  const labels = { env: "test" };
  const { labelFingerprint = null } = address;
  await globalAddresses.setLabels({ project, resource: "a1", requestBody: { labels, labelFingerprint } });
  expect((await globalAddresses.get({ project, address: "a1" })).data).toMatchObject({ labels });
  expect(
    await refusalOf(globalAddresses.setLabels({ project, resource: "a1", requestBody: { labels, labelFingerprint } })),
  ).toBe("412 conditionNotMet");

  await backendServices.insert({ project, requestBody: { name: "b1" } });
  await urlMaps.insert({ project, requestBody: { name: "u1", defaultService: "global/backendServices/b1" } });
  const { data: urlMap } = await urlMaps.get({ project, urlMap: "u1" });
  await urlMaps.update({ project, urlMap: "u1", requestBody: { ...urlMap, description: "new" } });
  expect((await urlMaps.get({ project, urlMap: "u1" })).data).toMatchObject({ id: urlMap.id, description: "new" });
});

it("Google's client library for Compute Engine reports errors with status and reason", async () => {
  await using cloud = await startCompute();
  const { backendServices, urlMaps, targetHttpsProxies } = client(cloud);
  await backendServices.insert({ project, requestBody: { name: "b1" } });
  await urlMaps.insert({ project, requestBody: { name: "u1", defaultService: "global/backendServices/b1" } });
  expect(await refusalOf(urlMaps.get({ project, urlMap: "u9" }))).toBe("404 notFound");
  expect(await refusalOf(backendServices.insert({ project, requestBody: { name: "b1" } }))).toBe("409 alreadyExists");
  expect(await refusalOf(backendServices.delete({ project, backendService: "b1" }))).toBe(
    "400 resourceInUseByAnotherResource",
  );
  expect(
    await refusalOf(targetHttpsProxies.insert({ project, requestBody: { name: "x1", urlMap: "global/urlMaps/u1" } })),
  ).toBe("400 invalid");
});

it("Google's client library for Compute Engine creates a regional load balancer", async () => {
  await using cloud = await startCompute();
  const region = "europe-west1";
  const place = { project, region };
  const { regionBackendServices, regionUrlMaps, regionTargetHttpsProxies, forwardingRules, regionOperations } =
    client(cloud);
  await regionBackendServices.insert({
    ...place,
    requestBody: { name: "b1", loadBalancingScheme: "INTERNAL_MANAGED" },
  });
  const defaultService = `regions/${region}/backendServices/b1`;
  await regionUrlMaps.insert({ ...place, requestBody: { name: "u1", defaultService } });
  const sslCertificates = [`${manager}/${region}/certificates/c1`];
  const urlMap = `regions/${region}/urlMaps/u1`;
  const { data } = await regionTargetHttpsProxies.insert({
    ...place,
    requestBody: { name: "x1", urlMap, sslCertificates },
  });
  await cloud.clock.advance(1_000);
  const { data: done } = await regionOperations.wait({ ...place, operation: data.name ?? "" });
  expect(done).toMatchObject({ status: "DONE", region: `${base}/regions/${region}` });
  const target = `regions/${region}/targetHttpsProxies/x1`;
  const requestBody = { name: "r1", target, portRange: "443", loadBalancingScheme: "INTERNAL_MANAGED" };
  await forwardingRules.insert({ ...place, requestBody });
  expect(cloud.compute.frontends()).toMatchObject([
    {
      ipAddress: expect.stringMatching(/^10\.128\./),
      certificates: ["projects/p1/locations/europe-west1/certificates/c1"],
    },
  ]);
});
