import { certificateReader, createRestApi, projectLister, resourceLister } from "../../lib/google";
import { createHttpClient } from "../../lib/http";
import { assembleProject } from "../../lib/inventory/project/assemble";
import { readProjectResources } from "../../lib/inventory/project/read";
import { parent } from "../support/cloud";
import { startServedCloud } from "../support/served-cloud";

const name = `${parent}/certificates/private`;
const { signal } = new AbortController();

let served: Awaited<ReturnType<typeof startServedCloud>>;
beforeAll(async () => {
  served = await startServedCloud();
});
afterAll(async () => {
  await served.prober.stop();
  await served.cloud.stop();
});

test("readers add the rotation window of a private CA to its certificates, and to no other ones", async () => {
  const { http } = served.cloud.endpoints;
  const [one] = await certificateReader(http).read([name], signal);
  expect(one).toMatchObject({ renewalShare: 0.66, lifetimeMs: 1_814_400_000 });
  const shares = (await resourceLister(http).certificates(parent, signal)).map((live) => [
    live.name.split("/").at(-1),
    live.renewalShare,
  ]);
  expect(Object.fromEntries(shares)).toEqual({ managed: undefined, private: 0.66, uploaded: undefined });
});

test("without the permission to read the issuance config, two thirds of the lifetime are assumed", async () => {
  const method = "certificatemanager.projects.locations.certificateIssuanceConfigs.get";
  served.cloud.faults.set({ requests: [{ method, status: "PERMISSION_DENIED" }] });
  try {
    const [one] = await certificateReader(served.cloud.endpoints.http).read([name], signal);
    expect(one).toMatchObject({ name, state: "ACTIVE" });
    expect(one).not.toHaveProperty("renewalShare");
    expect(one).not.toHaveProperty("lifetimeMs");
  } finally {
    served.cloud.faults.set({});
  }
});

test("the inventory of a project has the share and the lifetime, too", async () => {
  const lister = projectLister(createRestApi({ http: createHttpClient(), endpoint: served.cloud.endpoints.http }));
  const resources = await readProjectResources({ project: "p1", dnsProjects: [], lister, signal });
  const { certificates } = assembleProject(resources).inventory;
  const terms = certificates.map(({ name: id, renewalShare, lifetimeSeconds }) => [id, renewalShare, lifetimeSeconds]);
  expect(terms.sort()).toEqual([
    ["managed", undefined, undefined],
    ["private", 0.66, 1_814_400],
    ["uploaded", undefined, undefined],
  ]);
});
