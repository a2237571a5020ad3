import { checkOwn, isChange } from "../../conformance/guard";
import { startRehearsalSide } from "../../conformance/rehearsal-side";
import type { Transport } from "../../conformance/side";

const run = { project: "p1", prefix: "cf000000", domain: "example.com", zone: "zone" };
const zone = { project: "p1", managedZone: "zone" };
const maps = "certificatemanager.projects.locations.certificateMaps";

function attempt(id: string, parameters: Record<string, string>, body?: unknown) {
  return () => checkOwn({ id, parameters, body, run });
}

test("refuses a deletion of a resource without the prefix", () => {
  expect(attempt("compute.urlMaps.delete", { project: "p1", urlMap: "shop" })).toThrow(
    "compute.urlMaps.delete would change a resource without the prefix cf000000",
  );
});

test("refuses a creation that has the prefix only in its description", () => {
  expect(attempt("compute.urlMaps.insert", { project: "p1" }, { name: "shop", description: "cf000000" })).toThrow(
    "without the prefix",
  );
});

test("refuses records beside the domain of the run", () => {
  const additions = [{ name: "www.cf000000.example.com." }, { name: "cf000000.other.example." }];
  expect(attempt("dns.changes.create", zone, { additions })).toThrow(
    "dns.changes.create would change the records of cf000000.other.example., which is not below cf000000.example.com",
  );
});

test.each([
  [
    "a name that only contains the prefix",
    `${maps}.delete`,
    { name: "projects/p1/locations/global/certificateMaps/shop-cf000000x" },
  ],
  ["a resource in the URL, whatever the body names", "compute.urlMaps.update", { project: "p1", urlMap: "shop" }],
  ["a zone of the user", "dns.managedZones.patch", zone],
  ["another project", "compute.urlMaps.delete", { project: "p2", urlMap: "cf000000-urls" }],
  [
    "an entry in a map of the user",
    `${maps}.certificateMapEntries.create`,
    { parent: "projects/p1/locations/global/certificateMaps/shop", certificateMapEntryId: "cf000000-entry" },
  ],
  ["the longer prefix of another run", "compute.urlMaps.delete", { project: "p1", urlMap: "cf0000001-urls" }],
])("refuses %s", (_, id, parameters) => {
  expect(attempt(id, parameters, { name: "cf000000-x" })).toThrow("without the prefix cf000000");
});

test("refuses to create what no row of the kinds deletes", () => {
  expect(attempt("compute.networks.insert", { project: "p1" }, { name: "cf000000-net" })).toThrow(
    "compute.networks.insert creates a resource that no row of conformance/resource-kinds.ts deletes",
  );
});

test("allows resources and records of the run", () => {
  expect(attempt("compute.urlMaps.insert", { project: "p1" }, { name: "cf000000-urls" })).not.toThrow();
  expect(attempt("dns.changes.create", zone, { additions: [{ name: "a.cf000000.example.com." }] })).not.toThrow();
});

test("refuses a deletion after an answer that names no resource", async () => {
  const around = (transport: Transport): Transport => {
    return async (request) =>
      request.id === "monitoring.projects.alertPolicies.create" ? { status: 200, body: {} } : transport(request);
  };
  await using rehearsal = await startRehearsalSide({ around });
  const { side } = rehearsal;
  const body = { displayName: side.name("policy") };
  await side.make("monitoring.projects.alertPolicies.create", { name: `projects/${side.project}` }, body);
  const zone = { project: side.project, managedZone: side.zone };
  await expect(side.call("dns.managedZones.delete", zone)).rejects.toThrow("without the prefix");
});

test("takes a POST request that only reads for no change", () => {
  expect(isChange("POST", "dns.managedZones.testIamPermissions")).toBe(false);
  expect(isChange("POST", "logging.entries.list")).toBe(false);
  expect(isChange("POST", "dns.changes.create")).toBe(true);
});
