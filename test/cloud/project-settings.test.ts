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
