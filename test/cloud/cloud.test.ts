import { Resolver } from "node:dns/promises";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiDescription } from "../../lib/discovery";
import { assignRole, record } from "../audit/activities";
import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  parent,
  publishProof,
  startTestCloud,
  type TestCloud,
} from "../support/cloud";
import { until } from "../support/until";

const folder = mkdtempSync(join(tmpdir(), "cloud-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const activity = record([assignRole()]);

async function addressesOf(cloud: TestCloud, name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ tries: 1, timeout: 20_000 });
  resolver.setServers([cloud.endpoints.dns]);
  return resolver.resolve4(name);
}

/**
 * Forwarding rules with their addresses on this machine; the port is another one where the rule's is taken or
 * forbidden.
 */
function addressesOfRules(cloud: TestCloud): readonly object[] {
  return cloud.loadBalancers
    .listeners()
    .map((listening) => ({ ...listening, listen: listening.listen.replace(/:\d+$/, "") }));
}

it("a cloud with a state file continues after a restart: zones, certificates, load balancers, records, CA and time", async () => {
  const state = join(folder, "restart.journal");
  await using first = await startTestCloud({ state });
  await makeZone(first, "com", "example.com.");
  const a = { name: "a.example.com.", type: "A", ttl: 60, rrdatas: ["192.0.2.1"] };
  await first.make("POST", "/dns/v1/projects/p1/managedZones/com/rrsets", a);
  const certificate = await makeActiveCertificate(first, "shop", "com", ["example.com"]);
  const certificateMap = await makeMap(first, "main", { "example.com": [certificate] });
  await makeLoadBalancer(first, "web", { certificateMap });
  await first.make("POST", "/_cloud/activities", activity);
  await first.clock.advance(10_000);
  const before = await first.make("GET", `/v1/${certificate}`);
  const time = first.clock.now();
  const listening = addressesOfRules(first);
  await first.stop();

  await using second = await startTestCloud({ state });
  expect(second.clock.now().getTime()).toBeGreaterThanOrEqual(time.getTime());
  expect(second.endpoints.trustBundle).toBe(first.endpoints.trustBundle);
  expect(await second.make("GET", `/v1/${certificate}`)).toEqual(before);
  expect(await addressesOf(second, "a.example.com")).toEqual(["192.0.2.1"]);
  expect(addressesOfRules(second)).toEqual(listening);
  expect(await second.handshake("web", "example.com")).toMatchObject({ commonName: "example.com" });
  expect(
    await second.make("GET", "/admin/reports/v1/activity/users/all/applications/admin?access_token=t"),
  ).toMatchObject({
    items: [{ events: [{ name: "ASSIGN_ROLE" }] }],
  });
  expect(await second.make("GET", "/dns/v1/projects/p1/managedZones/com/changes")).toMatchObject({
    changes: [{ id: "1" }, { id: "2" }],
  });
});

it("a cloud with a state file continues pending work: a certificate that waits for its CNAME is issued after the restart", async () => {
  const state = join(folder, "waiting.journal");
  await using first = await startTestCloud({ state });
  await makeZone(first, "com", "example.com.");
  await first.make("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=a`, { domain: "example.com" });
  await first.make("POST", `/v1/${parent}/certificates?certificateId=c`, {
    managed: { domains: ["example.com"], dnsAuthorizations: [`${parent}/dnsAuthorizations/a`] },
  });
  await first.clock.advance(60_000);
  await first.stop();

  await using second = await startTestCloud({ state });
  await publishProof(second, `${parent}/dnsAuthorizations/a`, "com");
  await second.clock.advance(60 * 60_000);
  expect(await second.make("GET", `/v1/${parent}/certificates/c`)).toMatchObject({ managed: { state: "ACTIVE" } });
});

it("a cloud with a state file has all acknowledged changes, and no earlier time, after it ended without a stop", async () => {
  const state = join(folder, "killed.journal");
  await using first = await startTestCloud({ state });
  await first.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=m1`, {});
  await first.make("POST", "/_cloud/clock", { advanceMs: 30 * 24 * 3_600_000 });
  // The files that a process leaves if it is killed at this moment.
  const left = join(folder, "left.journal");
  copyFileSync(state, left);
  await using second = await startTestCloud({ state: left });
  expect(await second.make("GET", `/v1/${parent}/certificateMaps/m1`)).toMatchObject({
    name: `${parent}/certificateMaps/m1`,
  });
  expect(second.clock.now().getTime()).toBeGreaterThanOrEqual(first.clock.now().getTime());
});

it("a cloud with a state file never goes below a time that clients have seen, while its clock runs", async () => {
  const state = join(folder, "running.journal");
  await using first = await startTestCloud({ state, speed: 1_000, startAt: new Date("2100-01-01T00:00:00Z") });
  await first.make("GET", `/v1/${parent}/certificateMaps`);
  const seen = first.clock.now().getTime();
  const left = join(folder, "left-running.journal");
  copyFileSync(state, left);
  await using second = await startTestCloud({ state: left });
  expect(second.clock.now().getTime()).toBeGreaterThanOrEqual(seen);
});

it("a cloud with a state file keeps the faults that a control call has set", async () => {
  const state = join(folder, "faults.journal");
  await using first = await startTestCloud({ state });
  const plan = { requests: [{ method: "dns.*", status: "UNAVAILABLE" }] };
  await first.make("PUT", "/_cloud/faults", plan);
  await first.stop();
  await using second = await startTestCloud({ state });
  expect(await second.make("GET", "/_cloud/faults")).toMatchObject({ plan });
  expect((await second.call("GET", "/dns/v1/projects/p1/managedZones")).status).toBe(503);
});

it("a cloud with a state file allows one cloud at a time", async () => {
  const state = join(folder, "shared.journal");
  await using first = await startTestCloud({ state });
  await expect(startTestCloud({ state })).rejects.toMatchObject({ code: "state-in-use" });
  await first.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=m1`, {});
  await first.stop();
  await using second = await startTestCloud({ state });
  expect((await second.call("GET", `/v1/${parent}/certificateMaps/m1`)).status).toBe(200);
});

it("a cloud with a state file can be opened again after a killed cloud left its lock", async () => {
  const state = join(folder, "orphan.journal");
  writeFileSync(`${state}.lock`, "999999999");
  await using cloud = await startTestCloud({ state });
  expect(cloud.endpoints.http).toMatch(/^http:/);
});

it("a cloud with a state file is empty after a reset, also after a restart, and has the same CA", async () => {
  const state = join(folder, "reset.journal");
  await using first = await startTestCloud({ state });
  await makeZone(first, "com", "example.com.");
  await first.make("POST", "/_cloud/activities", activity);
  await first.reset();
  expect(first.activities.all()).toEqual([]);
  await first.stop();
  await using second = await startTestCloud({ state });
  expect(second.endpoints.trustBundle).toBe(first.endpoints.trustBundle);
  expect(await second.make("GET", "/dns/v1/projects/p1/managedZones")).toMatchObject({ managedZones: [] });
  expect(second.activities.all()).toEqual([]);
});

it("a cloud with a state file fails to start with a file of another format, and leaves it unchanged", async () => {
  const state = join(folder, "notes.txt");
  writeFileSync(state, "my notes\n");
  await expect(startTestCloud({ state })).rejects.toMatchObject({ name: "InputError", code: "state-unreadable" });
});

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

it("a cloud serves the API descriptions of its services, which clients can call", async () => {
  const { items } = (await cloud.make("GET", "/discovery/v1/apis")) as { items: readonly { id: string }[] };
  expect(items.map(({ id }) => id).sort()).toEqual([
    "admin:reports_v1",
    "certificatemanager:v1",
    "cloudbilling:v1",
    "cloudresourcemanager:v1",
    "cloudresourcemanager:v3",
    "compute:v1",
    "discovery:v1",
    "dns:v1",
    "logging:v2",
    "monitoring:v1",
    "monitoring:v3",
    "networksecurity:v1",
    "privateca:v1",
    "serviceusage:v1",
    "storage:v1",
  ]);
  const { rootUrl } = await cloud.make("GET", "/discovery/v1/apis/dns/v1/rest");
  expect(rootUrl).toBe(cloud.endpoints.http);
  const description = ApiDescription.parse(await cloud.make("GET", "/discovery/v1/apis/dns/v1/rest"));
  const { url } = description.request("dns.projects.get", { parameters: { project: "p9" } });
  expect(await (await fetch(url)).json()).toMatchObject({ kind: "dns#project", id: "p9" });
});

it("a cloud lists the activities that control calls have recorded, and filters them", async () => {
  const recorded = await cloud.make("POST", "/_cloud/activities", activity);
  expect(recorded).toMatchObject({
    kind: "admin#reports#activity",
    id: { applicationName: "admin", uniqueQualifier: expect.any(String) },
  });
  const path = "/admin/reports/v1/activity/users/all/applications/admin";
  expect(await cloud.make("GET", `${path}?access_token=t&eventName=ASSIGN_ROLE`)).toMatchObject({
    kind: "admin#reports#activities",
    items: [recorded],
  });
  expect(Object.keys(await cloud.make("GET", `${path}?access_token=t&eventName=UNASSIGN_ROLE`))).not.toContain("items");
  expect((await cloud.call("GET", path)).status).toBe(401);
  expect((await cloud.call("POST", `${path}/watch?access_token=t`, {})).status).toBe(501);
  expect(Object.keys(await cloud.make("GET", `${path}?access_token=t&fields=kind`))).toEqual(["kind"]);
  const refused = await cloud.call("POST", "/_cloud/activities", { events: [{ name: "NOTHING_KNOWN" }] });
  expect(refused).toMatchObject({ status: 400, body: { error: { status: "INVALID_ARGUMENT" } } });
});

it("a cloud reports the services that a project has enabled, and its permissions", async () => {
  const name = "projects/p1/services/certificatemanager.googleapis.com";
  expect(await cloud.make("GET", `/v1/${name}`)).toMatchObject({ name, state: "ENABLED" });
  expect(await cloud.make("POST", `/v1/${name}:disable`, {})).not.toHaveProperty("done");
  expect(await cloud.make("GET", `/v1/${name}`)).toMatchObject({ state: "DISABLED" });
  await cloud.make("POST", `/v1/${name}:enable`, {});
  expect(await cloud.make("POST", `/v1/${name}:enable`, {})).toMatchObject({
    done: true,
    response: { service: { state: "ENABLED" } },
  });
  const { services } = await cloud.make("GET", "/v1/projects/p1/services?filter=state:ENABLED");
  expect(services).toHaveLength(3);
  const permissions = ["certificatemanager.certs.create"];
  expect(await cloud.make("POST", "/v3/projects/p1:testIamPermissions", { permissions })).toEqual({ permissions });
  const described = await cloud.make("GET", "/v3/projects/p1");
  const numbered = expect.stringMatching(/^projects\/[1-9]\d{11}$/);
  expect(described).toMatchObject({ name: numbered, projectId: "p1", state: "ACTIVE" });
  expect(await cloud.make("GET", "/v3/projects/p1")).toEqual(described);
});

it("a cloud refuses calls of a service that a project has disabled, and only in that project", async () => {
  const calls = [
    `/v1/projects/off/locations/global/certificates`,
    "/dns/v1/projects/off/managedZones",
    "/compute/v1/projects/off/global/addresses",
  ];
  const answers = async () => {
    const seen = await Promise.all(calls.map((path) => cloud.call("GET", path)));
    return seen.map(({ status, body }) => [status, JSON.stringify(body)]);
  };
  const on = Array(3).fill([200, expect.anything()]);
  expect(await answers()).toEqual(on);
  for (const id of ["certificatemanager", "dns", "compute"])
    await cloud.make("POST", `/v1/projects/off/services/${id}.googleapis.com:disable`, {});
  expect(await answers()).toEqual([
    [403, expect.stringContaining("SERVICE_DISABLED")],
    [403, expect.stringContaining("accessNotConfigured")],
    [403, expect.stringContaining("compute.googleapis.com is disabled in project off: enable it")],
  ]);
  expect((await cloud.call("GET", "/dns/v1/projects/p1/managedZones")).status).toBe(200);
  const serviceIds = ["certificatemanager", "dns", "compute"].map((id) => `${id}.googleapis.com`);
  await cloud.make("POST", "/v1/projects/off/services:batchEnable", { serviceIds });
  expect(await answers()).toEqual(on);
});

it("a cloud answers on ::1 for an IPv6 address", async () => {
  await makeZone(cloud, "six", "six.example.");
  const certificate = await makeActiveCertificate(cloud, "six", "six", ["six.example"]);
  const certificateMap = await makeMap(cloud, "six", { "six.example": [certificate] });
  await makeLoadBalancer(cloud, "four", { certificateMap });
  const global = "/compute/v1/projects/p1/global";
  await cloud.make("POST", `${global}/addresses`, { name: "six", ipVersion: "IPV6" });
  await cloud.make("POST", `${global}/forwardingRules`, {
    name: "six",
    IPAddress: "global/addresses/six",
    target: "global/targetHttpsProxies/four",
    loadBalancingScheme: "EXTERNAL_MANAGED",
    portRange: "443",
  });
  await cloud.loadBalancers.settle();
  const listener = cloud.loadBalancers.listeners().find(({ forwardingRule }) => forwardingRule.endsWith("/six"));
  expect(listener).toMatchObject({
    ipAddress: expect.stringContaining(":"),
    listen: expect.stringMatching(/^(\[::1\]|127\.0\.0\.1):\d+$/),
  });
  expect(await cloud.handshake("six", "six.example")).toMatchObject({ commonName: "six.example" });
});

it("a cloud runs faster than the machine if requested, and certificates become ACTIVE without control calls", async () => {
  await using fast = await startTestCloud({ speed: 3_600 });
  await makeZone(fast, "com", "example.com.");
  await fast.make("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=a`, { domain: "example.com" });
  await publishProof(fast, `${parent}/dnsAuthorizations/a`, "com");
  await fast.make("POST", `/v1/${parent}/certificates?certificateId=c`, {
    managed: { domains: ["example.com"], dnsAuthorizations: [`${parent}/dnsAuthorizations/a`] },
  });
  const state = async () =>
    ((await fast.make("GET", `/v1/${parent}/certificates/c`)).managed as { state: string }).state;
  expect(await until(state, (now) => now === "ACTIVE")).toBe("ACTIVE");
});

it("a cloud can be stopped twice, and releases its ports", async () => {
  const once = await startTestCloud();
  const { http, dns } = once.endpoints;
  await Promise.all([once.stop(), once.stop()]);
  await using again = await startTestCloud({
    servers: { port: Number(new URL(http).port), dnsPort: Number(dns.split(":")[1]) },
  });
  expect([again.endpoints.http, again.endpoints.dns]).toEqual([http, dns]);
});

it("a cloud ends requests that wait for an operation when it stops", async () => {
  const waiting = await startTestCloud();
  const { name } = await waiting.make("POST", "/compute/v1/projects/p1/global/addresses", { name: "a" });
  const answer = waiting
    .call("POST", `/compute/v1/projects/p1/global/operations/${String(name)}/wait`)
    .catch(() => "cut");
  await until(
    () => waiting.requests().length,
    (count) => count > 0,
  );
  const startedAt = performance.now();
  await waiting.stop();
  await answer;
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
