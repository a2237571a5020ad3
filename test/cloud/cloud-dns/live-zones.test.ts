import { LiveZones, ServedZone } from "../../../lib/cloud/cloud-dns/live-zones";
import type { ManagedZone } from "../../../lib/cloud/cloud-dns/zones";

const zone = { id: "1", dnsName: "example.com.", visibility: "public" } as ManagedZone;
const recordSet = { name: "www.example.com.", type: "A", ttl: 300, rrdatas: ["192.0.2.1"] };

const changes: readonly [string, (zones: LiveZones) => void][] = [
  ["a zone that is opened", (zones) => zones.open({ ...zone, id: "2", dnsName: "example.net." })],
  ["a zone that is delegated", (zones) => zones.delegate(zone)],
  ["a record set that is put in", (zones) => zones.get(zone)?.put({ ...recordSet, type: "TXT" })],
  ["a record set that is taken out", (zones) => zones.get(zone)?.remove(recordSet.name, "A")],
  ["a zone that is closed", (zones) => zones.close(zone)],
];

test.each(changes)("%s creates another version", (_what, change) => {
  const zones = new LiveZones();
  zones.open(zone);
  zones.get(zone)?.put(recordSet);
  const before = zones.version();
  change(zones);
  expect(zones.version()).not.toBe(before);
});

test("a query of a zone creates no version", () => {
  const zones = new LiveZones();
  zones.open(zone);
  zones.delegate(zone);
  const before = zones.version();
  expect(zones.findZone("www.example.com.")).toBe(zones.get(zone));
  expect(zones.version()).toBe(before);
});

const addressOf = (name: string) => ({ name, type: "A", ttl: 300, rrdatas: ["192.0.2.1"] }) as const;

describe("a zone that is updated by each change", () => {
  it("has every name between a record and the zone, until the last record below that name is deleted", () => {
    const zone = new ServedZone("example.com.", () => {});
    zone.put(addressOf("a.b.example.com."));
    const names = ["example.com.", "b.example.com.", "a.b.example.com.", "c.example.com."];
    expect(names.map(zone.hasName)).toEqual([true, true, true, false]);
    zone.remove("a.b.example.com.", "A");
    expect(names.map(zone.hasName)).toEqual([true, false, false, false]);
  });

  it("does not treat an escaped dot as the end of a label", () => {
    const zone = new ServedZone("example.com.", () => {});
    zone.put(addressOf(String.raw`john\.doe.example.com.`));
    expect(zone.hasName(String.raw`john\.doe.example.com.`)).toBe(true);
    expect(zone.hasName("doe.example.com.")).toBe(false);
    zone.remove(String.raw`john\.doe.example.com.`, "A");
    expect(zone.hasName(String.raw`john\.doe.example.com.`)).toBe(false);
  });
});
