import { certificate, createFirst, destroyFirst, type Fields, gone, planOf, summaries } from "./plans";

const set = (zone: string, more: Fields = {}): Fields => ({
  name: "api.example.com.",
  type: "A",
  managed_zone: zone,
  project: "p",
  rrdatas: ["192.0.2.1"],
  ...more,
});
const there = { "google_dns_record_set.old": set("main") };
const make = (address: string, after: Fields) => planOf([{ address, actions: ["create"], after }], { there });

describe("a record set that is created", () => {
  test.each<[string, Fields]>([
    ["the same record set", set("main")],
    ["another spelling of its name", set("main", { name: "API.example.com" })],
    ["another spelling of its zone", set("projects/p/managedZones/main")],
    ["other data", set("main", { rrdatas: ["192.0.2.9"], ttl: 5 })],
  ])("causes a warning if the plan has %s at another address, because the provider overwrites it", (_, after) => {
    expect(summaries(make("google_dns_record_set.new", after))).toEqual([
      "record-overwritten google_dns_record_set.new",
    ]);
  });

  test.each<[string, string, Fields]>([
    ["another type", "google_dns_record_set.new", set("main", { type: "TXT" })],
    ["another name", "google_dns_record_set.new", set("main", { name: "api2.example.com." })],
    ["another zone", "google_dns_record_set.new", set("private")],
    ["another project", "google_dns_record_set.new", set("main", { project: "q" })],
    ["a name that is not known yet", "google_dns_record_set.new", set("main", { name: undefined })],
  ])("causes no warning if the existing record set has %s", (_, address, after) => {
    expect(summaries(make(address, after))).toEqual([]);
  });

  test("causes no warning if it replaces itself", () => {
    const address = "google_dns_record_set.old";
    expect(summaries(planOf([{ address, actions: destroyFirst, after: set("main") }], { there }))).not.toContain(
      `record-overwritten ${address}`,
    );
  });
});

describe("a certificate with deletion_policy PREVENT", () => {
  const held = (policy: string) => ({
    "google_certificate_manager_certificate.old": { ...certificate("old"), deletion_policy: policy },
  });
  const address = "google_certificate_manager_certificate.old";

  test.each([gone, createFirst, destroyFirst])("can't be deleted by %s, because it blocks a rotation", (...actions) => {
    expect(summaries(planOf([{ address, actions }], { there: held("PREVENT") }))).toContain(
      `certificate-deletion-prevented ${address}`,
    );
  });

  test("can't be deleted as a leftover of an earlier rotation either", () => {
    const plan = planOf([{ address, actions: gone, deposed: "0a1b2c3d" }], { there: held("PREVENT") });
    expect(summaries(plan)).toContain(`certificate-deletion-prevented ${address}`);
  });

  test.each(["DELETE", "ABANDON"])("may be deleted with %s", (policy) => {
    expect(summaries(planOf([{ address, actions: gone }], { there: held(policy) }))).not.toContain(
      `certificate-deletion-prevented ${address}`,
    );
  });

  test("may be changed", () => {
    const plan = planOf([{ address, actions: ["update"], after: { description: "x" } }], { there: held("PREVENT") });
    expect(summaries(plan)).not.toContain(`certificate-deletion-prevented ${address}`);
  });
});
