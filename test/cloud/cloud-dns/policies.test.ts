import { type Answer, startTestCloud, type TestCloud } from "../../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());
afterEach(() => cloud.reset());

const policies = "/dns/v1/projects/p1/policies";
const network = (name: string) => ({
  networkUrl: `https://www.googleapis.com/compute/v1/projects/p1/global/networks/${name}`,
});
const make = (name: string, more: object = {}) => cloud.make("POST", policies, { name, description: "", ...more });
const reasonOf = ({ status, body }: Answer) => {
  const { error } = body as { error?: { errors: readonly { reason: string; message: string }[] } };
  return `${status} ${error?.errors[0]?.reason ?? "done"}`;
};

it("a server policy is returned as it was created, by name and by number, in its project", async () => {
  const inbound = { enableInboundForwarding: true, networks: [network("n1")] };
  const policy = await make("inbound", inbound);
  const id = expect.stringMatching(/^\d{1,20}$/);
  expect(policy).toEqual({
    kind: "dns#policy",
    id,
    name: "inbound",
    description: "",
    enableLogging: false,
    ...inbound,
  });
  expect(await cloud.make("GET", `${policies}/inbound`)).toEqual(policy);
  expect(await cloud.make("GET", `${policies}/${policy.id}`)).toEqual(policy);
  expect(reasonOf(await cloud.call("GET", "/dns/v1/projects/p2/policies/inbound"))).toBe("404 notFound");
});

it("a server policy is listed in order of name, in pages", async () => {
  expect(await cloud.make("GET", policies)).toEqual({ kind: "dns#policiesListResponse", policies: [] });
  for (const name of ["b", "a", "c"]) await make(name);
  const first = await cloud.make("GET", `${policies}?maxResults=2`);
  expect(first).toMatchObject({ policies: [{ name: "a" }, { name: "b" }], nextPageToken: expect.any(String) });
  expect(await cloud.make("GET", `${policies}?maxResults=2&pageToken=${first.nextPageToken}`)).toMatchObject({
    policies: [{ name: "c" }],
  });
});

it("a server policy keeps the members that a patch omits, and loses the members that an update omits", async () => {
  const alternativeNameServerConfig = { targetNameServers: [{ ipv4Address: "192.0.2.53" }] };
  const before = await make("a", { alternativeNameServerConfig, enableLogging: true });
  const patched = { ...before, description: "d", networks: [network("n1")] };
  const body = { description: "d", networks: [network("n1")] };
  expect(await cloud.make("PATCH", `${policies}/a`, body)).toEqual({ policy: patched });
  expect(await cloud.make("GET", `${policies}/a`)).toEqual(patched);
  expect(await cloud.make("PUT", `${policies}/a`, { name: "a" })).toEqual({
    policy: { kind: "dns#policy", id: before.id, name: "a" },
  });
});

test.each<[what: string, httpMethod: string, path: string, body: object | undefined, outcome: string]>([
  ["a name that is in use", "POST", policies, { name: "a" }, "409 alreadyExists"],
  ["no name", "POST", policies, { description: "" }, "400 invalid"],
  ["upper case in its name", "POST", policies, { name: "A" }, "400 invalid"],
  ["an unknown field", "POST", policies, { name: "b", colour: "red" }, "400 invalid"],
  ["a network that another policy has", "POST", policies, { name: "b", networks: [network("n1")] }, "400 invalid"],
  ["a network twice", "PATCH", `${policies}/a`, { networks: [network("n2"), network("n2")] }, "400 invalid"],
  ["another name", "PATCH", `${policies}/a`, { name: "b" }, "400 invalid"],
  ["a missing policy", "PATCH", `${policies}/b`, {}, "404 notFound"],
  ["its deletion with networks", "DELETE", `${policies}/a`, undefined, "400 resourceInUseByAnotherResource"],
])("a server policy is refused with %s, and nothing changes", async (_what, httpMethod, path, body, outcome) => {
  const before = await make("a", { networks: [network("n1")] });
  expect(reasonOf(await cloud.call(httpMethod, path, body))).toBe(outcome);
  expect(await cloud.make("GET", policies)).toMatchObject({ policies: [before] });
});

it("a server policy is removed when it is deleted", async () => {
  await make("a", { networks: [network("n1")] });
  await cloud.make("PATCH", `${policies}/a`, { networks: [] });
  expect(reasonOf(await cloud.call("DELETE", `${policies}/a`))).toBe("204 done");
  expect(reasonOf(await cloud.call("GET", `${policies}/a`))).toBe("404 notFound");
});

it("a server policy is unchanged by a request that a fault makes fail", async () => {
  cloud.faults.set({ operations: [{ method: "dns.policies.*", times: 1 }] });
  expect(reasonOf(await cloud.call("POST", policies, { name: "a" }))).toBe("500 internalError");
  expect((await make("a")).name).toBe("a");
});
