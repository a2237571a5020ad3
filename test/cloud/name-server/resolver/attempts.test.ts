import { type DecodedPacket, encode, type Packet } from "dns-packet";
import type { QueryRecord } from "../../../../lib/cloud/name-server";
import { good, RCODE } from "./answers";
import { resolverOf, scripted, startScripted } from "./scripted-servers";

describe("attempts", () => {
  test("a lost datagram is sent again, under another number", async () => {
    const ids: (number | undefined)[] = [];
    const port = await startScripted((query, count) => {
      ids.push(query.id);
      return count < 3 ? [] : [good(query)];
    });
    let next = 7;
    const resolver = scripted(port, { attempts: 20, timeoutMs: 40, randomId: () => next++ });

    expect((await resolver.resolve("a.example.org", "A")).answers).toHaveLength(1);
    expect(ids.slice(0, 3)).toEqual([7, 8, 9]);
  });

  test("an answer that can't be read is asked for again", async () => {
    const port = await startScripted((query, count) => [
      count === 1 ? encode(good(query)).subarray(0, -2) : good(query),
    ]);

    expect((await scripted(port).resolve("a.example.org", "A")).answers).toHaveLength(1);
  });

  test.each([RCODE.FORMERR, 4])(
    "a server that does not know EDNS (response code %d) is asked without",
    async (rcode) => {
      const seen: number[] = [];
      const port = await startScripted((query) => {
        seen.push(query.additionals?.length ?? 0);
        return [seen.length === 1 ? { type: "response", id: query.id ?? 0, flags: rcode } : good(query)];
      });

      expect((await scripted(port).resolve("a.example.org", "A")).answers).toHaveLength(1);
      expect(seen).toEqual([1, 0]);
    },
  );

  test.each<[string, (query: DecodedPacket) => Packet | Buffer]>([
    ["has another number", (query) => ({ ...good(query, "203.0.113.66"), id: (query.id ?? 0) ^ 1 })],
    [
      "has another name",
      (query) => ({ ...good(query, "203.0.113.66"), questions: [{ name: "b.example.org", type: "A" }] }),
    ],
    [
      "has another type",
      (query) => ({ ...good(query, "203.0.113.66"), questions: [{ name: "a.example.org", type: "AAAA" }] }),
    ],
    [
      "has another class",
      (query) => ({ ...good(query, "203.0.113.66"), questions: [{ name: "a.example.org", type: "A", class: "CH" }] }),
    ],
    ["has no question", (query) => ({ ...good(query, "203.0.113.66"), questions: [] })],
    ["is itself a query", (query) => ({ ...good(query, "203.0.113.66"), type: "query" })],
    ["is too short", () => Buffer.alloc(5)],
  ])("an answer that %s is passed over for the true one", async (_, forged) => {
    const port = await startScripted((query) => [forged(query), good(query)]);

    expect((await scripted(port).resolve("a.example.org", "A")).answers).toMatchObject([{ data: "192.0.2.1" }]);
  });

  test("numbers of queries differ", async () => {
    const ids = new Set<number | undefined>();
    const port = await startScripted((query) => {
      ids.add(query.id);
      return [good(query)];
    });
    const resolver = scripted(port);
    for (let count = 0; count < 20; count++) await resolver.resolve("a.example.org", "A");

    expect(ids.size).toBeGreaterThan(15);
  });

  test("many look-ups at a time each get their own answer", async () => {
    const resolver = await resolverOf();
    const names = Array.from({ length: 200 }, (_, index) => `host-${index}.wild.example.com.`);
    const found = await Promise.all(names.map((name) => resolver.resolve(name, "A")));

    expect(found.map(({ answers }) => answers[0]?.name)).toEqual(names);
  });
});

describe("being told to stop", () => {
  test("ends the waiting", async () => {
    const resolver = await resolverOf({ fault: () => ({ drop: true }) }, { timeoutMs: 60_000 });
    const controller = new AbortController();
    const resolution = resolver.resolve("www.example.com", "A", { signal: controller.signal });
    controller.abort(new Error("enough"));

    await expect(resolution).rejects.toThrow("enough");
  });

  test("before it began asks nobody", async () => {
    const records: QueryRecord[] = [];
    const resolver = await resolverOf({ onQuery: (record) => records.push(record) });

    await expect(
      resolver.resolve("www.example.com", "A", { signal: AbortSignal.abort(new Error("enough")) }),
    ).rejects.toThrow("enough");
    expect(records).toEqual([]);
  });
});
