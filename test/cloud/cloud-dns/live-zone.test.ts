import { LiveZone } from "../../../lib/cloud/cloud-dns/live-zone";

const recordSet = (name: string) => ({ name, type: "A", ttl: 300, rrdatas: ["192.0.2.1"] }) as const;

describe("a zone that is updated by each change", () => {
  it("has every name between a record and the zone, until the last record below that name is deleted", () => {
    const zone = new LiveZone("example.com.", () => {});
    zone.put(recordSet("a.b.example.com."));
    const names = ["example.com.", "b.example.com.", "a.b.example.com.", "c.example.com."];
    expect(names.map(zone.hasName)).toEqual([true, true, true, false]);
    zone.remove("a.b.example.com.", "A");
    expect(names.map(zone.hasName)).toEqual([true, false, false, false]);
  });

  it("does not treat an escaped dot as the end of a label", () => {
    const zone = new LiveZone("example.com.", () => {});
    zone.put(recordSet(String.raw`john\.doe.example.com.`));
    expect(zone.hasName(String.raw`john\.doe.example.com.`)).toBe(true);
    expect(zone.hasName("doe.example.com.")).toBe(false);
    zone.remove(String.raw`john\.doe.example.com.`, "A");
    expect(zone.hasName(String.raw`john\.doe.example.com.`)).toBe(false);
  });
});
