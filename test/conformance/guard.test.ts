import { checkOwn, isChange } from "../../conformance/guard";

const run = { prefix: "cf000000", domain: "cf000000.example.com" };
const zone = { project: "p1", managedZone: "zone" };

function attempt(id: string, parameters: Record<string, string>, body?: unknown) {
  return () => checkOwn({ id, parameters, body, ...run });
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

test("allows resources and records of the run", () => {
  expect(attempt("compute.urlMaps.insert", { project: "p1" }, { name: "cf000000-urls" })).not.toThrow();
  expect(attempt("dns.changes.create", zone, { additions: [{ name: "a.cf000000.example.com." }] })).not.toThrow();
});

test("takes a POST request that only reads for no change", () => {
  expect(isChange("POST", "dns.managedZones.testIamPermissions")).toBe(false);
  expect(isChange("POST", "logging.entries.list")).toBe(false);
  expect(isChange("POST", "dns.changes.create")).toBe(true);
});
