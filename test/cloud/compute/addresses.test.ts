import { base, loadBalancer, refusal, startCompute } from "./start-compute";

const { backendService, urlMap, proxy, rule } = loadBalancer;
const path = "p1/global/addresses/a1";
const europe = "p1/regions/europe-west1";

it("an address is chosen from the documentation ranges, and is RESERVED", async () => {
  await using cloud = await startCompute();
  await cloud.make(["p1/global/addresses", { name: "a1", description: "shop", labels: { env: "test" } }]);
  expect(await cloud.get(path)).toEqual({
    kind: "compute#address",
    id: expect.stringMatching(/^\d+$/),
    creationTimestamp: "2026-11-21T00:00:00.000Z",
    name: "a1",
    description: "shop",
    selfLink: `${base}/global/addresses/a1`,
    address: expect.stringMatching(/^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/),
    addressType: "EXTERNAL",
    ipVersion: "IPV4",
    networkTier: "PREMIUM",
    status: "RESERVED",
    labels: { env: "test" },
    labelFingerprint: expect.any(String),
  });
});

it.each([
  ["IPv6", { ipVersion: "IPV6" }, { address: expect.stringMatching(/^2001:db8:/), ipVersion: "IPV6" }],
  ["internal", { addressType: "INTERNAL" }, { address: expect.stringMatching(/^10\.128\./), addressType: "INTERNAL" }],
  ["given", { address: "192.0.2.77" }, { address: "192.0.2.77", ipVersion: "IPV4" }],
  ["given in IPv6", { address: "2001:DB8::0:7" }, { address: "2001:db8::7", ipVersion: "IPV6" }],
])("an address may be %s", async (_, body, expected) => {
  await using cloud = await startCompute();
  await cloud.make([`${europe}/addresses`, { name: "a1", ...body }]);
  const region = `${base}/regions/europe-west1`;
  expect(await cloud.get(`${europe}/addresses/a1`)).toMatchObject({
    ...expected,
    region,
    selfLink: `${region}/addresses/a1`,
  });
});

it.each([
  ["no name", { name: undefined }, /^400 /],
  [
    "an invalid address",
    { address: "example.com" },
    "400 invalid: Invalid value for field 'resource.address': 'example.com'. Must be a valid IP address.",
  ],
  [
    "an address that is reserved",
    { address: "203.0.113.7" },
    "400 invalid: Invalid value for field 'resource.address': '203.0.113.7'. Specified IP address is already reserved.",
  ],
  [
    "an address of the other version",
    { address: "203.0.113.8", ipVersion: "IPV6" },
    "400 invalid: Invalid value for field 'resource.ipVersion': 'IPV6'. The address 203.0.113.8 is of IPV4.",
  ],
  [
    "a range",
    { prefixLength: 24 },
    "501 notImplemented: the rehearsal cloud does not emulate ranges of addresses (prefixLength)",
  ],
])("an address fails with %s", async (_, change, expected) => {
  await using cloud = await startCompute();
  await cloud.make([`${europe}/addresses`, { name: "taken", address: "203.0.113.7" }]);
  expect(refusal(await cloud.call("POST", "p1/global/addresses", { name: "a1", ...change }))).toMatch(expected);
});

it("an address is IN_USE while forwarding rules use it, and can't be released", async () => {
  await using cloud = await startCompute();
  await cloud.make(
    backendService,
    urlMap,
    proxy,
    ["p1/global/addresses", { name: "a1", address: "203.0.113.7" }],
    [rule[0], { ...rule[1], IPAddress: "global/addresses/a1" }],
    [rule[0], { ...rule[1], name: "r2", portRange: "8443" }],
  );
  expect(await cloud.get("p1/global/forwardingRules/r1")).toMatchObject({ IPAddress: "203.0.113.7" });
  const users = [`${base}/global/forwardingRules/r1`, `${base}/global/forwardingRules/r2`];
  expect(await cloud.get(path)).toMatchObject({ status: "IN_USE", users });
  expect(refusal(await cloud.call("DELETE", path))).toBe(
    "400 resourceInUseByAnotherResource: The address resource 'projects/p1/global/addresses/a1' is already being used by 'projects/p1/global/forwardingRules/r1'",
  );
  await cloud.call("DELETE", "p1/global/forwardingRules/r1");
  await cloud.call("DELETE", "p1/global/forwardingRules/r2");
  expect(await cloud.get(path)).toMatchObject({ status: "RESERVED" });
  expect(await cloud.call("DELETE", path)).toMatchObject({ status: 200 });
});

it.each([
  ["regional", `${europe}/addresses`, {}, "Invalid IP address specified."],
  ["internal", "p1/global/addresses", { addressType: "INTERNAL" }, "The address is reserved as INTERNAL."],
])("an address is refused for a global external forwarding rule if it is %s", async (_, collection, body, why) => {
  await using cloud = await startCompute();
  await cloud.make(backendService, urlMap, proxy, [collection, { name: "a1", address: "203.0.113.7", ...body }]);
  expect(refusal(await cloud.call("POST", rule[0], rule[1]))).toBe(
    `400 invalid: Invalid value for field 'resource.IPAddress': '203.0.113.7'. ${why}`,
  );
});

describe("an address that is internal and regional", () => {
  const bodyFor = (name: string) => ({
    name,
    target: "global/targetHttpProxies/h1",
    portRange: "80",
    loadBalancingScheme: "INTERNAL_MANAGED",
    IPAddress: "regions/europe-west1/addresses/a1",
  });
  const makeInternal = (scope: "global" | "regions/us-east1") =>
    [
      [`p1/${scope}/backendServices`, { name: "internal", loadBalancingScheme: "INTERNAL_MANAGED" }],
      [`p1/${scope}/urlMaps`, { name: "internal", defaultService: `${scope}/backendServices/internal` }],
      [`p1/${scope}/targetHttpProxies`, { name: "h1", urlMap: `${scope}/urlMaps/internal` }],
      [`${europe}/addresses`, { name: "a1", addressType: "INTERNAL", address: "10.128.0.7" }],
    ] as const;

  it("is accepted by a cross-region load balancer", async () => {
    await using cloud = await startCompute();
    await cloud.make(...makeInternal("global"), ["p1/global/forwardingRules", bodyFor("r1")]);
    expect(await cloud.get("p1/global/forwardingRules/r1")).toMatchObject({ IPAddress: "10.128.0.7" });
    expect(await cloud.get(`${europe}/addresses/a1`)).toMatchObject({ status: "IN_USE" });
  });

  it("is refused by a load balancer of another region", async () => {
    await using cloud = await startCompute();
    await cloud.make(...makeInternal("regions/us-east1"));
    const body = { ...bodyFor("r1"), target: "regions/us-east1/targetHttpProxies/h1" };
    expect(refusal(await cloud.call("POST", "p1/regions/us-east1/forwardingRules", body))).toBe(
      "400 invalid: Invalid value for field 'resource.IPAddress': 'regions/europe-west1/addresses/a1'. Invalid IP address specified.",
    );
  });
});

it("an address is unique, however many there are", async () => {
  await using cloud = await startCompute();
  const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
  await cloud.make(...names.map((name) => ["p1/global/addresses", { name }] as const));
  const { items } = await cloud.get("p1/global/addresses");
  expect(new Set((items as { address: string }[]).map(({ address }) => address)).size).toBe(40);
});

it.each([
  ["the same with the same seed", "a", "a", true],
  ["another with another seed", "a", "b", false],
])("an address is %s", async (_, one, other, isSame) => {
  const draw = async (seed: string) => {
    await using cloud = await startCompute({ seed });
    await cloud.make(["p1/global/addresses", { name: "a1" }]);
    return (await cloud.get(path)).address;
  };
  expect((await draw(one)) === (await draw(other))).toBe(isSame);
});
