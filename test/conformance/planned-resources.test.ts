import { plannedResources } from "../../conformance/trial/planned-resources";

const run = { project: "p1", prefix: "cf000000", domain: "example.com", zone: "zone" };
const planned = (plan: string) => plannedResources(plan, run, "cf000000-trial.cf000000.example.com");

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
    { name: "cf000000-entry", map: "cf000000-map" },
    {
      createdBy: "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.create",
      target: {
        name: "projects/p1/locations/global/certificateMaps/cf000000-map/certificateMapEntries/cf000000-entry",
      },
    },
  ],
  [
    "google_compute_global_forwarding_rule",
    { name: "cf000000-rule" },
    { createdBy: "compute.globalForwardingRules.insert", target: { project: "p1", forwardingRule: "cf000000-rule" } },
  ],
  [
    "google_dns_record_set",
    { managed_zone: "zone", type: "CNAME" },
    {
      createdBy: "dns.resourceRecordSets.create",
      target: {
        project: "p1",
        managedZone: "zone",
        name: "_acme-challenge.cf000000-trial.cf000000.example.com.",
        type: "CNAME",
      },
    },
  ],
])("journals a planned %s by the name that deletes it", (type, after, entry) => {
  expect(planned(planOf(type, after))).toEqual([entry]);
});

test("journals nothing for a gate, and for what exists already", () => {
  expect(planned(planOf("terraform_data", {}))).toEqual([]);
  expect(planned(planOf("google_compute_global_forwarding_rule", {}, ["update"]))).toEqual([]);
});

test("refuses a plan before its apply if a cleanup could not delete what it creates", () => {
  expect(() => planned(planOf("google_storage_bucket", { name: "b" }))).toThrow(
    "module.certificates.google_storage_bucket.one is not applied: the journal has no entry for google_storage_bucket, so a cleanup could not delete it",
  );
  expect(() => planned(planOf("google_compute_target_https_proxy", {}))).toThrow("the plan does not contain its name");
});

test.each([
  ["google_certificate_manager_certificate", { name: "shop" }],
  ["google_certificate_manager_certificate_map_entry", { name: "cf000000-entry", map: "shop" }],
  ["google_compute_global_forwarding_rule", { name: "trial-cf000000" }],
  ["google_dns_record_set", { managed_zone: "zone", name: "www.example.com.", type: "A" }],
])("refuses a planned %s whose name is not of the run, because a cleanup would refuse it", (type, after) => {
  expect(() => planned(planOf(type, after))).toThrow("does not have the prefix of the run");
});
