import { ZoneChanges } from "../../../lib/cloud/cloud-dns/zone-history";
import type { ManagedZone } from "../../../lib/cloud/cloud-dns/zones";
import { openStore } from "../../../lib/cloud/state";

const zone = { id: "7" } as ManagedZone;
const now = "2026-11-21T00:00:00.000Z";
const nothing = { additions: [], deletions: [] };

describe("the changes of a zone", () => {
  it("are pending until they are done, whatever the time is", () => {
    const changes = new ZoneChanges(openStore());
    const { id, done } = changes.add(zone, now, nothing);
    const pending = { kind: "dns#change", id: "1", startTime: now, ...nothing, status: "pending" };
    expect(changes.get(zone, id)).toEqual(pending);
    done();
    expect(changes.get(zone, id)).toEqual({ ...pending, status: "done" });
  });

  it("are done in a restarted cloud, which continues their numbers", () => {
    const store = openStore();
    new ZoneChanges(store).add(zone, now, nothing);
    const changes = new ZoneChanges(store);
    expect(changes.get(zone, "1")).toMatchObject({ id: "1", status: "done" });
    expect(changes.add(zone, now, nothing).id).toBe("2");
  });

  it("are limited to the latest 10,000, and a restarted cloud does not renumber them", () => {
    const store = openStore();
    const changes = new ZoneChanges(store);
    for (let count = 0; count < 10_001; count++) changes.add(zone, now, nothing).done();
    expect(() => changes.get(zone, "1")).toThrow("The 'parameters.changeId' resource named '1' does not exist.");
    expect(changes.get(zone, "2")).toMatchObject({ id: "2", status: "done" });
    expect(new ZoneChanges(store).add(zone, now, nothing).id).toBe("10002");
  });

  it("are deleted with the zone", () => {
    const changes = new ZoneChanges(openStore());
    changes.add(zone, now, nothing);
    changes.forget(zone);
    expect(() => changes.get(zone, "1")).toThrow("does not exist");
    expect(changes.add(zone, now, nothing).id).toBe("1");
  });
});
