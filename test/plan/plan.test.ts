import { planMigration, serializePlan } from "../../lib/plan";

const plan = planMigration({
  name: "shop",
  certificates: [{ domains: ["shop.example.com"] }],
  dns: { kind: "external" },
});

test("a serialized plan leaves out empty lists and places in the spec, and keeps every other value", () => {
  const text = serializePlan({ ...plan, project: "", findings: [] });
  const parsed: unknown = JSON.parse(text);
  expect(parsed).toMatchObject({ project: "" });
  expect(parsed).not.toHaveProperty("findings");
  expect(text).not.toMatch(/"(?:at|specIndex|subject)":/);
});

test("keeps the id of a map that is refused as it was written", () => {
  const { map, findings } = planMigration({
    name: "shop",
    certificates: [{ domains: ["shop.example.com"] }],
    dns: { kind: "external" },
    existingCertificateMap: "maps/shop",
  });
  expect(findings).toEqual([expect.objectContaining({ code: "map-id-malformed", subject: "/existingCertificateMap" })]);
  expect(map).toEqual({ kind: "existing", existingId: "maps/shop" });
});
