import { furtherMade } from "../../../lib/live/doctor/quota-checks";
import { sourceFromSpec } from "../../../lib/source";
import { makeClientPki } from "../../support/client-certificates";
import { fromPool, makePool, poolOf } from "./problems/pools";
import { healthySpec, type Place, startWorld, type World } from "./world";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => world.cloud.faults.set({}));

async function specIn(place: Place) {
  await makePool(world, place, { config: {} });
  const clientAuthentication = {
    trustAnchors: [makeClientPki().root.pem],
    mode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT",
  };
  const newTargetHttpsProxy = {
    urlMap: "global/urlMaps/shop",
    forwardingRules: { ipv4Address: place.address },
    clientAuthentication,
  };
  return {
    ...fromPool()(healthySpec(place), place),
    loadBalancer: { kind: "globalExternal", newTargetHttpsProxy },
  };
}

test("counts issuance configs, trust configs and server TLS policies, existing and to create", async () => {
  const place = await world.place();
  const spec = await specIn(place);

  const { findings, checks } = await world.examine(spec, place);

  expect(findings).toEqual([]);
  const notes = checks.find(({ check, subject }) => check === "quotas" && subject === place.project)?.notes;
  expect(notes).toEqual([
    "certificates: 0 there, 1 to come",
    "entries in the certificate map: 0 there, 3 to come",
    "issuance configs: 1 there, 1 to come",
    "trust configs: 0 there, 1 to come",
    "server TLS policies: 0 there, 1 to come",
  ]);
});

test("counts a resource of the migration that exists already only once", async () => {
  const place = await world.place();
  const spec = await specIn(place);
  const { plan } = sourceFromSpec(JSON.stringify(spec), { source: "migration.yaml", project: place.project });
  const configs = `projects/${place.project}/locations/global/certificateIssuanceConfigs`;
  const [name] = furtherMade({ project: place.project, balancer: {} }, plan, undefined).get(configs) ?? [];
  await world.cloud.make("POST", `/v1/${configs}?certificateIssuanceConfigId=${name}`, {
    lifetime: "2592000s",
    rotationWindowPercentage: 66,
    keyAlgorithm: "RSA_2048",
    certificateAuthorityConfig: { certificateAuthorityServiceConfig: { caPool: poolOf(place) } },
  });

  const { checks } = await world.examine(spec, place);

  const notes = checks.find(({ check, subject }) => check === "quotas" && subject === place.project)?.notes;
  expect(notes).toContain("issuance configs: 2 there, 0 to come");
});

test("notes a kind that the caller may not list, and counts the others", async () => {
  const place = await world.place();
  const spec = await specIn(place);
  const method = "certificatemanager.projects.locations.trustConfigs.list";
  world.cloud.faults.set({ requests: [{ method, status: "PERMISSION_DENIED" }] });

  const { checks } = await world.examine(spec, place);

  const quotas = checks.find(({ check, subject }) => check === "quotas" && subject === place.project);
  expect(quotas?.outcome).toBe("unknown");
  expect(quotas?.notes).toEqual([
    expect.stringMatching(/^number of trust configs: /),
    "certificates: 0 there, 1 to come",
    "entries in the certificate map: 0 there, 3 to come",
    "issuance configs: 1 there, 1 to come",
    "server TLS policies: 0 there, 1 to come",
  ]);
});

test("reads a stack, without what it looks up and what only Terraform knows", () => {
  const type = "google_certificate_manager_trust_config";
  const resource = (name: string, more: object = {}) => ({
    address: `${type}.${name}`,
    type,
    isLookedUp: false,
    values: { name, location: "europe-west6" },
    project: "shop-1",
    ...more,
  });
  const resources = [
    resource("a"),
    resource("b", { values: { name: "b" } }),
    resource("c", { isLookedUp: true }),
    resource("d", { values: { name: "${random_id.d.hex}" } }),
    resource("e", { type: "google_compute_url_map" }),
  ];
  const made = furtherMade({ balancer: {} }, undefined, { resources, resolve: (text) => text });
  expect([...made].map(([place, names]) => [place, [...names]])).toEqual([
    ["projects/shop-1/locations/europe-west6/trustConfigs", ["a"]],
    ["projects/shop-1/locations/global/trustConfigs", ["b"]],
  ]);
});
