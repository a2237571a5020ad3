import { type Cloud, startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { CloudReader } from "../../lib/rehearsal/cloud-reader";
import { Operator } from "../../lib/rehearsal/operator";

const project = "p1";
const zones = [{ project, name: "example-com", dnsName: "example.com." }];
let cloud: Cloud;
let operator: Operator;
let said: string[];
let stopping: AbortController;
let nowMs: number;

/** Called before a refused request is retried. */
let refused: (() => void) | undefined;

const post = (path: string, body: object) =>
  fetch(`${cloud.endpoints.http}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const authorize = (name: string, domain: string) =>
  post(`v1/projects/${project}/locations/global/dnsAuthorizations?dnsAuthorizationId=${name}`, { domain });

beforeEach(async () => {
  cloud = await startCloud({ speed: 1_000, behavior: { faults: {} } });
  said = [];
  stopping = new AbortController();
  nowMs = 0;
  refused = undefined;
  const http = createHttpClient({ sleep: async () => void refused?.() });
  const reader = new CloudReader({ cloudUrl: cloud.endpoints.http, http }, () => [project], zones);
  operator = new Operator({
    cloudUrl: cloud.endpoints.http,
    http,
    reader,
    addresses: [],
    zones,
    say: (line) => said.push(line),
    signal: stopping.signal,
    nowMs: () => nowMs,
  });
  await post(`dns/v1/projects/${project}/managedZones`, {
    name: "example-com",
    dnsName: "example.com.",
    description: "",
  });
});
afterEach(async () => {
  await operator.withdraw();
  await cloud.stop();
});

const records = async () => {
  const answer = await fetch(`${cloud.endpoints.http}dns/v1/projects/${project}/managedZones/example-com/rrsets`);
  const { rrsets } = (await answer.json()) as {
    readonly rrsets: readonly { readonly name: string; readonly type: string }[];
  };
  return rrsets.filter(({ type }) => type === "CNAME").map(({ name }) => name);
};

test("publishes the CNAME of each authorization for the operator, and removes it on undo", async () => {
  await authorize("a", "a.example.com");
  await authorize("b", "b.example.com");
  await operator.catchUp();
  expect((await records()).sort()).toEqual(["_acme-challenge.a.example.com.", "_acme-challenge.b.example.com."]);
  expect(said).toEqual(
    ["a", "b"].map((name) => expect.stringMatching(`^published manually: _acme-challenge.${name}.example.com. CNAME `)),
  );
  await operator.catchUp();
  expect(said).toHaveLength(2);
  await operator.withdraw();
  expect(await records()).toEqual([]);
});

test("keeps published records if only publishing ends", async () => {
  await authorize("a", "a.example.com");
  operator.publish();
  while ((await records()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await operator.stop();
  await authorize("b", "b.example.com");
  await operator.catchUp();
  expect(await records()).toEqual(["_acme-challenge.a.example.com."]);
});

test("gives up after a minute if Cloud DNS does not answer correctly", async () => {
  await Promise.all(["a", "b"].map((name) => authorize(name, `${name}.example.com`)));
  cloud.faults.set({ requests: [{ method: "dns.changes.create", status: "UNAVAILABLE" }] });
  refused = () => {
    nowMs += 10_000;
  };
  await operator.catchUp();
  expect(nowMs).toBeGreaterThan(60_000);
  expect(nowMs).toBeLessThan(150_000);
  cloud.faults.set({});
  expect(await records()).toEqual([]);
});

test("deletes unused resources, and reports what still uses the others", async () => {
  await authorize("a", "a.example.com");
  await authorize("b", "b.example.com");
  const parent = `projects/${project}/locations/global`;
  await post(`v1/${parent}/certificates?certificateId=c`, {
    managed: { domains: ["b.example.com"], dnsAuthorizations: [`${parent}/dnsAuthorizations/b`] },
  });
  const certificate = await fetch(`${cloud.endpoints.http}v1/${parent}/certificates/c`);
  expect(certificate.status).toBe(200);
  expect(await operator.remove(`${parent}/dnsAuthorizations/a`)).toBe(true);
  expect(await operator.remove(`${parent}/dnsAuthorizations/b`)).toBe(false);
  expect(await operator.remove(`${parent}/dnsAuthorizations/none`)).toBe(true);
});

const map = `v1/projects/${project}/locations/global/certificateMaps?certificateMapId=m`;
const rules = async () => {
  const answer = await fetch(`${cloud.endpoints.http}compute/v1/projects/${project}/global/forwardingRules`);
  const { items = [] } = (await answer.json()) as { readonly items?: readonly { readonly name: string }[] };
  return items.map(({ name }) => name);
};

test("repeats the creation of backends while Compute Engine refuses it, and undoes it", async () => {
  await post(map, {});
  cloud.faults.set({
    requests: [{ method: "compute.globalForwardingRules.insert", status: "UNAVAILABLE", times: 12 }],
  });
  expect(await operator.attach()).toBe(true);
  expect(await rules()).toEqual(["manual-1"]);
  await operator.withdraw();
  expect(await rules()).toEqual([]);
});

test("gives the first proxy all known addresses, and each other proxy a free one", async () => {
  const known = ["203.0.113.7", "203.0.113.8", "2001:db8::8"];
  const http = createHttpClient();
  const reader = {
    authorizations: async () => [],
    maps: async () => [],
    targetHttpsProxies: async () => names.map((name) => `${place}/targetHttpsProxies/${name}`),
  };
  const place = `projects/${project}/global`;
  const names = ["a", "b", "c"];
  await post(`compute/v1/${place}/backendServices`, { name: "all", loadBalancingScheme: "EXTERNAL_MANAGED" });
  await post(`compute/v1/${place}/urlMaps`, { name: "all", defaultService: `${place}/backendServices/all` });
  await post(map, {});
  const certificateMap = `//certificatemanager.googleapis.com/projects/${project}/locations/global/certificateMaps/m`;
  for (const name of names) {
    await post(`compute/v1/${place}/targetHttpsProxies`, { name, urlMap: `${place}/urlMaps/all`, certificateMap });
  }
  const { signal } = stopping;
  const say = (line: string) => void said.push(line);
  const target = { cloudUrl: cloud.endpoints.http, http };
  const several = new Operator({ ...target, reader, addresses: known, zones, say, signal, nowMs: () => nowMs });
  expect(await several.attach()).toBe(true);
  const line = (address: string, name: string) =>
    `created manually: a forwarding rule from ${address} to ${place}/targetHttpsProxies/${name}`;
  const ofFirst = known.map((address) => line(address, "a"));
  expect(said).toEqual([...ofFirst, line("203.0.113.9", "b"), line("203.0.113.10", "c")]);
  await several.withdraw();
});

test("reports what can't be undone, and undoes the rest", async () => {
  await post(map, {});
  await operator.attach();
  cloud.faults.set({ requests: [{ method: "compute.urlMaps.delete", status: "PERMISSION_DENIED", times: 1 }] });
  said.length = 0;
  await operator.withdraw();
  expect(await rules()).toEqual([]);
  expect(said).toEqual([expect.stringMatching(/^not taken back: .*PERMISSION_DENIED/), expect.any(String)]);
});

test("ends at once if the rehearsal is stopped", async () => {
  await Promise.all(["a", "b"].map((name) => authorize(name, `${name}.example.com`)));
  cloud.faults.set({ requests: [{ method: "dns.changes.create", status: "UNAVAILABLE" }] });
  let times = 0;
  refused = () => {
    times += 1;
    stopping.abort();
  };
  await operator.catchUp();
  expect(times).toBe(1);
});

test("reports a hostname that no zone contains, once", async () => {
  await authorize("c", "c.example.net");
  await operator.catchUp();
  await operator.catchUp();
  const name = `projects/${project}/locations/global/dnsAuthorizations/c`;
  expect(said).toEqual([
    `the CNAME of ${name} can't be published: _acme-challenge.c.example.net. is in no zone of the rehearsal`,
  ]);
});
