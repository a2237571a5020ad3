import { base, client, loadBalancer, manager, startCompute } from "./start-compute";

const project = "p1";

describe("the client library of Compute Engine", () => {
  it("builds a load balancer, moves it to a certificate map, and reads it back", async () => {
    await using cloud = await startCompute();
    const { backendServices, urlMaps, targetHttpsProxies, globalForwardingRules, globalOperations } = client(cloud);
    await backendServices.insert({ project, requestBody: loadBalancer.backendService[1] });
    await urlMaps.insert({ project, requestBody: loadBalancer.urlMap[1] });
    const { data: inserting } = await targetHttpsProxies.insert({
      project,
      requestBody: { ...loadBalancer.proxy[1], description: "shop" },
    });
    expect(inserting).toMatchObject({ status: "PENDING", targetLink: `${base}/global/targetHttpsProxies/x1` });
    const waiting = globalOperations.wait({ project, operation: inserting.name ?? "" });
    await cloud.clock.advance(1_000);
    await cloud.clock.advance(1_000);
    expect((await waiting).data).toMatchObject({ status: "DONE", progress: 100 });

    await targetHttpsProxies.setCertificateMap({
      project,
      targetHttpsProxy: "x1",
      requestBody: { certificateMap: `${manager}/global/certificateMaps/m2` },
    });
    await globalForwardingRules.insert({ project, requestBody: loadBalancer.rule[1] });
    const { data } = await targetHttpsProxies.get({ project, targetHttpsProxy: "x1" });
    expect(data).toMatchObject({
      kind: "compute#targetHttpsProxy",
      name: "x1",
      description: "shop",
      urlMap: `${base}/global/urlMaps/u1`,
      certificateMap: `${manager}/global/certificateMaps/m2`,
    });
    expect(cloud.compute.targetsOfMap("projects/p1/locations/global/certificateMaps/m2")).toEqual([
      {
        targetHttpsProxy: "//compute.googleapis.com/projects/p1/global/targetHttpsProxies/x1",
        ipConfigs: [{ ipAddress: "203.0.113.7", ports: [443] }],
      },
    ]);
  });
});
