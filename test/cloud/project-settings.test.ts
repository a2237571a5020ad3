import { startTestCloud, type TestCloud } from "../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

const permissions = ["dns.changes.create", "dns.managedZones.list", "compute.projects.get"];
const mayDo = async (project: string) =>
  (await cloud.make("POST", `/v3/projects/${project}:testIamPermissions`, { permissions })).permissions;
const billing = (project: string) => cloud.make("GET", `/v1/projects/${project}/billingInfo`);
const limitOf = async (project: string, wanted: string) => {
  const { quotas } = await cloud.make("GET", `/compute/v1/projects/${project}`);
  return (quotas as readonly { metric: string; limit: number }[]).find(({ metric }) => metric === wanted)?.limit;
};

test("a project has billing, all permissions for callers, and the default quotas", async () => {
  expect(await billing("usual")).toEqual({
    name: "projects/usual/billingInfo",
    projectId: "usual",
    billingAccountName: "billingAccounts/000000-000000-000000",
    billingEnabled: true,
  });
  expect(await mayDo("usual")).toEqual(permissions);
  expect(await limitOf("usual", "TARGET_HTTPS_PROXIES")).toBe(100);
});

test("a control call removes billing, permissions and quota of a project, and restores them", async () => {
  const settings = {
    project: "poor",
    billingEnabled: false,
    deniedPermissions: ["dns.*.list", "compute.projects.get"],
    quotas: { TARGET_HTTPS_PROXIES: 0 },
  };
  expect(await cloud.make("PUT", "/_cloud/project", settings)).toEqual(settings);
  expect(await billing("poor")).toMatchObject({ billingAccountName: "", billingEnabled: false });
  expect(await mayDo("poor")).toEqual(["dns.changes.create"]);
  expect(await limitOf("poor", "TARGET_HTTPS_PROXIES")).toBe(0);
  expect(await limitOf("poor", "URL_MAPS")).toBe(100);
  expect(await mayDo("usual")).toEqual(permissions);

  await cloud.make("PUT", "/_cloud/project", { project: "poor" });
  expect(await billing("poor")).toMatchObject({ billingEnabled: true });
  expect(await mayDo("poor")).toEqual(permissions);
});

test("a permission with a wildcard is refused", async () => {
  const path = "/v3/projects/usual:testIamPermissions";
  expect((await cloud.call("POST", path, { permissions: ["dns.*"] })).status).toBe(400);
});

test("lists services in pages, and refuses too many services and other filters", async () => {
  const services = "/v1/projects/usual/services";
  const first = await cloud.make("GET", `${services}?filter=state:ENABLED&pageSize=2`);
  expect(first.services).toHaveLength(2);
  const next = `${services}?filter=state:ENABLED&pageSize=2&pageToken=${String(first.nextPageToken)}`;
  expect((await cloud.make("GET", next)).services).toHaveLength(1);
  expect((await cloud.call("GET", `${services}?filter=state:OTHER`)).status).toBe(400);
  const serviceIds = Array.from({ length: 21 }, (_, index) => `s${index}.googleapis.com`);
  expect((await cloud.call("POST", `${services}:batchEnable`, { serviceIds })).status).toBe(400);
  const names = Array.from({ length: 31 }, (_, index) => `names=projects/usual/services/s${index}.googleapis.com`);
  expect((await cloud.call("GET", `${services}:batchGet?${names.join("&")}`)).status).toBe(400);
});

test("a service that was disabled refuses calls until it is enabled again", async () => {
  const service = "/v1/projects/other/services/networksecurity.googleapis.com";
  const list = () => cloud.call("GET", "/v1/projects/other/locations/global/serverTlsPolicies");
  expect((await cloud.call("POST", `${service}:disable`, {})).status).toBe(400);
  await cloud.make("POST", `${service}:enable`, {});
  await cloud.make("POST", `${service}:disable`, {});
  expect(await list()).toMatchObject({
    status: 403,
    body: { error: { status: "PERMISSION_DENIED", details: [{ reason: "SERVICE_DISABLED" }] } },
  });
  await cloud.make("POST", `${service}:enable`, {});
  expect((await list()).status).toBe(200);
});

test.each([
  [[], /'project' must be/],
  [{ project: "p", billingEnabled: 1 }, /'billingEnabled' must be/],
  [{ project: "p", deniedPermissions: "*" }, /'deniedPermissions' must be/],
  [{ project: "p", quotas: { X: -1 } }, /'quotas' must have/],
  [{ project: "p", quotas: { X: null } }, /'quotas' must have/],
  [{ project: "p", quotas: { X: "5" } }, /'quotas' must have/],
  [{ project: "p", colour: "red" }, /'colour' is unknown/],
])("refuses %j as the state of a project", async (body, message) => {
  const answer = await cloud.call("PUT", "/_cloud/project", body);
  expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(message) } } });
});
