import { base, refusal, startCompute } from "./start-compute";

const path = "p1/global/backendServices/b1";
const healthCheck = ["p1/global/healthChecks", { name: "h1", type: "HTTP", httpHealthCheck: { port: 80 } }] as const;

describe("a backend service", () => {
  it("is returned with full links, defaults and a fingerprint", async () => {
    await using cloud = await startCompute();
    const backends = [{ group: "zones/europe-west1-b/instanceGroups/g1", balancingMode: "UTILIZATION" }];
    const body = { name: "b1", protocol: "HTTPS", backends, healthChecks: ["global/healthChecks/h1"] };
    await cloud.make(healthCheck, ["p1/global/backendServices", body]);
    expect(await cloud.get(path)).toEqual({
      kind: "compute#backendService",
      id: expect.any(String),
      creationTimestamp: "2026-11-21T00:00:00.000Z",
      name: "b1",
      selfLink: `${base}/global/backendServices/b1`,
      backends,
      healthChecks: [`${base}/global/healthChecks/h1`],
      protocol: "HTTPS",
      loadBalancingScheme: "EXTERNAL",
      timeoutSec: 30,
      sessionAffinity: "NONE",
      affinityCookieTtlSec: 0,
      connectionDraining: { drainingTimeoutSec: 0 },
      enableCDN: false,
      fingerprint: expect.any(String),
    });
  });

  it("fails with a missing health check", async () => {
    await using cloud = await startCompute();
    const body = { name: "b1", healthChecks: ["global/healthChecks/h9"] };
    expect(refusal(await cloud.call("POST", "p1/global/backendServices", body))).toBe(
      "404 notFound: The resource 'projects/p1/global/healthChecks/h9' was not found",
    );
  });

  it("can be patched in its members, and replaced by an update", async () => {
    await using cloud = await startCompute();
    await cloud.make(["p1/global/backendServices", { name: "b1", logConfig: { enable: true, sampleRate: 1 } }]);
    const { fingerprint } = await cloud.get(path);
    await cloud.call("PATCH", path, { logConfig: { sampleRate: 0.5 }, fingerprint });
    const patched = await cloud.get(path);
    expect(patched).toMatchObject({ logConfig: { enable: true, sampleRate: 0.5 } });
    expect(await cloud.call("PUT", path, { timeoutSec: 60, fingerprint })).toMatchObject({ status: 412 });
    await cloud.call("PUT", path, { timeoutSec: 60, fingerprint: patched.fingerprint });
    const updated = await cloud.get(path);
    expect(updated).toMatchObject({ id: patched.id, timeoutSec: 60 });
    expect(updated).not.toHaveProperty("logConfig");
  });
});

describe("a health check", () => {
  it("is returned with defaults", async () => {
    await using cloud = await startCompute();
    await cloud.make(["p1/global/healthChecks", { name: "h1", tcpHealthCheck: { port: 443 } }]);
    expect(await cloud.get("p1/global/healthChecks/h1")).toEqual({
      kind: "compute#healthCheck",
      id: expect.any(String),
      creationTimestamp: "2026-11-21T00:00:00.000Z",
      name: "h1",
      selfLink: `${base}/global/healthChecks/h1`,
      type: "TCP",
      tcpHealthCheck: { port: 443 },
      checkIntervalSec: 5,
      timeoutSec: 5,
      healthyThreshold: 2,
      unhealthyThreshold: 2,
    });
  });

  it.each([
    ["no type", {}, "400 required: Required field 'resource.type' not specified"],
    [
      "the settings of another type",
      { type: "TCP", httpHealthCheck: {} },
      "400 invalid: Invalid value for field 'resource.type': 'TCP'. A health check of this type has no httpHealthCheck.",
    ],
    [
      "a time-out longer than its interval",
      { type: "TCP", timeoutSec: 6 },
      "400 invalid: Invalid value for field 'resource.timeoutSec': '6'. It must not be longer than checkIntervalSec.",
    ],
  ])("fails with %s", async (_, body, expected) => {
    await using cloud = await startCompute();
    expect(refusal(await cloud.call("POST", "p1/global/healthChecks", { name: "h1", ...body }))).toBe(expected);
  });
});
