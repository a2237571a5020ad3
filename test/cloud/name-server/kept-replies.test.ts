import fc from "fast-check";
import type { ServedRecordSet, ZoneSource } from "../../../lib/cloud/name-server/answer";
import { type AnswerFault, createResponder, respond } from "../../../lib/cloud/name-server/respond";
import { createZone, createZoneSource } from "../../support/zones";
import { exampleZones } from "./example-zones";
import { query, read } from "./packets";

const address = (name: string, value: string): ServedRecordSet => ({ name, type: "A", ttl: 60, rrdatas: [value] });

/** Creates a zone source whose records can change with a new version; it counts the zone look-ups. */
function changingZones(records: readonly ServedRecordSet[]) {
  let source = createZoneSource([createZone("example.com.", records)]);
  let [version, looked] = [0, 0];
  const zones: ZoneSource = {
    findZone: (name) => {
      looked += 1;
      return source.findZone(name);
    },
    version: () => version,
  };
  return {
    zones,
    looked: () => looked,
    change: (changed: readonly ServedRecordSet[]) => {
      source = createZoneSource([createZone("example.com.", changed)]);
      version += 1;
    },
  };
}

const addresses = (message: Buffer | undefined) =>
  read(message!).answers?.map((answer) => "data" in answer && answer.data);

test("a repeated query gets the cached answer with its own id, without a look-up in the zones", () => {
  const { zones, looked } = changingZones([address("www.example.com.", "192.0.2.1")]);
  const answer = createResponder({ zones });

  const first = answer(query({ id: 1 }), "udp");
  const before = looked();
  const second = answer(query({ id: 0xbeef }), "udp");

  expect([read(first.message!).id, read(second.message!).id]).toEqual([1, 0xbeef]);
  expect(second).toEqual({ ...first, message: second.message });
  expect(second.message!.subarray(2)).toEqual(first.message!.subarray(2));
  expect(looked()).toBe(before);
});

test("a repeated query is answered over UDP and TCP, truncated as each requires", () => {
  const rrdatas = Array.from({ length: 40 }, (_, number) => `192.0.2.${number}`);
  const { zones } = changingZones([{ ...address("www.example.com.", ""), rrdatas }]);
  const answer = createResponder({ zones });
  for (const transport of ["udp", "tcp", "udp", "tcp"] as const) {
    const { message, truncated } = answer(query(), transport);
    expect([truncated, read(message!).answers?.length]).toEqual(transport === "udp" ? [true, 0] : [false, 40]);
  }
});

test("a repeated query gets another answer after a zone has changed", () => {
  const { zones, change } = changingZones([address("www.example.com.", "192.0.2.1")]);
  const answer = createResponder({ zones });

  expect(addresses(answer(query(), "udp").message)).toEqual(["192.0.2.1"]);
  change([address("www.example.com.", "192.0.2.2")]);
  expect(addresses(answer(query(), "udp").message)).toEqual(["192.0.2.2"]);
});

test("a repeated query is looked up each time if the zones do not report changes", () => {
  const { zones, looked } = changingZones([address("www.example.com.", "192.0.2.1")]);
  const answer = createResponder({ zones: { findZone: zones.findZone } });

  answer(query(), "udp");
  const before = looked();
  answer(query(), "udp");
  expect(looked()).toBe(2 * before);
});

test("a repeated query is looked up each time while its zone is invalid", () => {
  const { zones, looked } = changingZones([{ ...address("www.example.com.", "192.0.2.1"), type: "A", rrdatas: ["x"] }]);
  const answer = createResponder({ zones });

  expect(answer(query(), "udp")).toMatchObject({ rcode: "SERVFAIL", error: expect.anything() });
  const before = looked();
  expect(answer(query(), "udp")).toMatchObject({ rcode: "SERVFAIL", error: expect.anything() });
  expect(looked()).toBe(2 * before);
});

test("a repeated query fails exactly while the fault plan has a fault", () => {
  const { zones } = changingZones([address("www.example.com.", "192.0.2.1")]);
  const plan: (AnswerFault | undefined)[] = [
    { rcode: "SERVFAIL" },
    undefined,
    { answers: [address("www.example.com.", "192.0.2.9")] },
    undefined,
    { drop: true },
    { delayMs: 7 },
    undefined,
  ];
  const asked: string[] = [];
  const answer = createResponder({
    zones,
    fault: ({ name }) => {
      asked.push(name);
      return plan[asked.length - 1];
    },
  });

  const seen = plan.map(() => {
    const { message, rcode, delayMs } = answer(query(), "udp");
    return message === undefined ? "nothing" : `${rcode} ${addresses(message)} ${delayMs}`;
  });
  expect(seen).toEqual([
    "SERVFAIL  0",
    "NOERROR 192.0.2.1 0",
    "NOERROR 192.0.2.9 0",
    "NOERROR 192.0.2.1 0",
    "nothing",
    "NOERROR 192.0.2.1 7",
    "NOERROR 192.0.2.1 0",
  ]);
  expect(asked).toEqual(plan.map(() => "www.example.com."));
});

test("a repeated query fails without ending the server if the fault plan throws", () => {
  const { zones } = changingZones([address("www.example.com.", "192.0.2.1")]);
  const broken = new Error("a plan without a name");
  let isBroken = false;
  const answer = createResponder({
    zones,
    fault: () => {
      if (isBroken) throw broken;
      return undefined;
    },
  });

  expect(answer(query(), "udp")).toMatchObject({ rcode: "NOERROR" });
  isBroken = true;
  expect(answer(query(), "udp")).toMatchObject({ rcode: "SERVFAIL", error: broken });
});

test("queries beyond the cache's size are answered correctly", () => {
  const { zones } = changingZones([address("*.example.com.", "192.0.2.1")]);
  const answer = createResponder({ zones });
  const packetOf = (number: number) => query({ name: `n${number}.example.com` });
  for (let number = 0; number < 10_500; number++) answer(packetOf(number), "udp");
  for (const number of [0, 9_999, 10_000, 10_499]) {
    expect(answer(packetOf(number), "udp")).toEqual(respond(packetOf(number), "udp", { zones }));
  }
});

test("every packet gets the same answer as without the cache, in any order and over any transport", () => {
  const zones: ZoneSource = { ...exampleZones, version: () => 0 };
  const answer = createResponder({ zones });
  const packets = fc.record(
    {
      id: fc.nat({ max: 0xffff }),
      name: fc.constantFrom(
        "www.example.com",
        "WWW.example.com",
        "example.com",
        "gone.example.com",
        "elsewhere.test",
        "",
      ),
      type: fc.constantFrom("A", "AAAA", "TXT", "SOA", "ANY", "AXFR"),
      flags: fc.constantFrom(0, 0x0100, 0x0110),
      payloadOctets: fc.constantFrom(0, 512, 1232, 4096),
      ednsVersion: fc.constantFrom(0, 1),
      dnssecOk: fc.boolean(),
    },
    { requiredKeys: ["id", "name", "type"] },
  );
  const broken = fc.uint8Array({ maxLength: 400 }).map((octets) => Buffer.from(octets));
  fc.assert(
    fc.property(fc.oneof(packets.map(query), broken), fc.constantFrom("udp", "tcp"), (packet, transport) => {
      const fresh = respond(packet, transport, { zones: exampleZones });
      expect(answer(packet, transport)).toEqual(fresh);
      expect(answer(packet, transport)).toEqual(fresh);
    }),
    { numRuns: 400 },
  );
});
