import { CloudDns, type ServedRecords } from "../../../lib/cloud/cloud-dns/service";
import { createRequestLog, Front } from "../../../lib/cloud/front";
import { type Clock, openStore } from "../../../lib/cloud/state";

const zones = "/dns/v1/projects/p1/managedZones";

/** Starts Cloud DNS with a clock that advances by a millisecond each time it is read. */
function startDns() {
  let lookedMs = Date.UTC(2026, 10, 21);
  const due: { readonly atMs: number; readonly task: () => unknown }[] = [];
  const clock: Clock = {
    now: () => new Date(lookedMs++),
    after: (ms, task) => {
      due.push({ atMs: lookedMs++ + ms, task });
      return () => undefined;
    },
  };
  const store = openStore();
  const served: string[] = [];
  const onServed = ({ records }: ServedRecords) =>
    void served.push(records.map(({ name, type, data }) => [name, type, ...data].join(" ")).join("; "));
  const dns = new CloudDns({ store, clock, operationMs: 500, onServed });
  const front = new Front({ services: [dns.service], store, clock, log: createRequestLog(), sleep: async () => {} });
  return {
    post: async (path: string, body: object) => {
      const { status } = await front.handle({
        httpMethod: "POST",
        target: `${zones}${path}`,
        headers: {},
        body: JSON.stringify(body),
      });
      expect(status).toBe(200);
    },
    /** Returns the records that a resolver sees after each scheduled task. */
    seeAtEachMoment: <Seen>(look: () => Seen): readonly Seen[] => {
      const seen: Seen[] = [];
      for (const atMs of [...new Set(due.map((one) => one.atMs))].sort((a, b) => a - b)) {
        for (const one of due.filter((other) => other.atMs === atMs)) one.task();
        seen.push(look());
      }
      due.length = 0;
      return seen;
    },
    served,
    typesOf: (name: string) =>
      dns.zones
        .findZone(name)
        ?.recordSets(name)
        .map(({ type, rrdatas }) => `${type} ${rrdatas.join(" ")}`),
  };
}

const set = (name: string, type: string, ...rrdatas: readonly string[]) => ({ name, type, ttl: 60, rrdatas });

describe("resolvers see a change", () => {
  it("completely or not at all: a name whose address is replaced always has an address", async () => {
    const dns = startDns();
    await dns.post("", { name: "z", dnsName: "example.com." });
    const old = [
      set("a.example.com.", "A", "192.0.2.1"),
      set("b.example.com.", "A", "192.0.2.1"),
      set("c.example.com.", "CNAME", "old.example.net."),
    ];
    await dns.post("/z/changes", { additions: old });
    dns.seeAtEachMoment(() => undefined);
    await dns.post("/z/changes", {
      deletions: old,
      additions: [
        set("a.example.com.", "A", "203.0.113.7"),
        set("b.example.com.", "A", "203.0.113.7"),
        set("c.example.com.", "A", "203.0.113.7"),
      ],
    });
    const look = () => ["a", "b", "c"].map((name) => dns.typesOf(`${name}.example.com.`)?.join());
    expect(look()).toEqual(["A 192.0.2.1", "A 192.0.2.1", "CNAME old.example.net."]);
    expect(dns.seeAtEachMoment(look)).toEqual([["A 203.0.113.7", "A 203.0.113.7", "A 203.0.113.7"]]);
  });

  it("when the cloud reports it as done, with the data of each record", async () => {
    const dns = startDns();
    await dns.post("", { name: "z", dnsName: "example.com." });
    const old = [set("a.example.com.", "A", "192.0.2.1"), set("b.example.com.", "A", "192.0.2.1")];
    await dns.post("/z/changes", { additions: old });
    dns.seeAtEachMoment(() => undefined);
    dns.served.length = 0;
    await dns.post("/z/changes", { deletions: old, additions: [set("a.example.com.", "A", "203.0.113.7")] });
    expect(dns.served).toEqual([]);
    dns.seeAtEachMoment(() => undefined);
    expect(dns.served).toEqual(["a.example.com. A 203.0.113.7; b.example.com. A"]);
  });

  it("of a new zone not before the zone has its own records", async () => {
    const dns = startDns();
    await dns.post("", { name: "z", dnsName: "example.com." });
    const look = () => dns.typesOf("example.com.")?.map((record) => record.replace(/ .*/, ""));
    expect(look()).toBeUndefined();
    expect(dns.seeAtEachMoment(look)).toEqual([["NS", "SOA"]]);
  });
});
