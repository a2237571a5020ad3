import { plannedResources } from "../../conformance/trial/planned-resources";

const trial = { project: "p1", hostname: "trial.cf000000.example.com" };

function planOf(type: string, after: object, actions: readonly string[] = ["create"]): string {
  const change = { mode: "managed", type, address: `module.certificates.${type}.one`, change: { actions, after } };
  return JSON.stringify({ resource_changes: [change] });
}

test.each([
  [
    "google_certificate_manager_certificate",
    { name: "cf000000-shop" },
    {
      createdBy: "certificatemanager.projects.locations.certificates.create",
      target: { name: "projects/p1/locations/global/certificates/cf000000-shop" },
    },
  ],
  [
    "google_certificate_manager_certificate_map_entry",
    { name: "entry", map: "map" },
    {
      createdBy: "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.create",
      target: { name: "projects/p1/locations/global/certificateMaps/map/certificateMapEntries/entry" },
    },
  ],
  [
    "google_compute_global_forwarding_rule",
    { name: "rule" },
    { createdBy: "compute.globalForwardingRules.insert", target: { project: "p1", forwardingRule: "rule" } },
  ],
  [
    "google_dns_record_set",
    { managed_zone: "zone", type: "CNAME" },
    {
      createdBy: "dns.resourceRecordSets.create",
      target: {
        project: "p1",
        managedZone: "zone",
        name: "_acme-challenge.trial.cf000000.example.com.",
        type: "CNAME",
      },
    },
  ],
])("journals a planned %s by the name that deletes it", (type, after, entry) => {
  expect(plannedResources(planOf(type, after), trial)).toEqual([entry]);
});

test("journals nothing for a gate, and for what exists already", () => {
  expect(plannedResources(planOf("terraform_data", {}), trial)).toEqual([]);
  expect(plannedResources(planOf("google_compute_global_forwarding_rule", {}, ["update"]), trial)).toEqual([]);
});

test("refuses a plan before its apply if a cleanup could not delete what it creates", () => {
  expect(() => plannedResources(planOf("google_storage_bucket", { name: "b" }), trial)).toThrow(
    "module.certificates.google_storage_bucket.one is not applied: the journal has no entry for google_storage_bucket, so a cleanup could not delete it",
  );
  expect(() => plannedResources(planOf("google_compute_target_https_proxy", {}), trial)).toThrow(
    "the plan does not contain its name",
  );
});
