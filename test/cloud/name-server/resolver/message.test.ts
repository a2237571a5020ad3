import { encode } from "dns-packet";
import fc from "fast-check";
import { UnreadableMessage } from "../../../../lib/cloud/name-server/cursor";
import { type ReceivedAnswer, readAnswer } from "../../../../lib/cloud/name-server/resolver/message";
import { mutatedPackets, read } from "../packets";
import { good, RCODE } from "./answers";

describe("octets that come back", () => {
  const query = { id: 0x1234, name: "www.example.com.", type: 1, edns: true };
  const readOrRefuse = (packet: Buffer): ReceivedAnswer | undefined => {
    try {
      return readAnswer(packet, query);
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableMessage);
      return undefined;
    }
  };

  test("are read or refused, whatever they are", () => {
    const start = encode(
      good({ ...read(encode({ type: "query", id: query.id, questions: [{ name: "www.example.com", type: "A" }] })) }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(start.length - 1), fc.nat(255)), { maxLength: 6 }),
        fc.uint8Array(),
        (changes, tail) => {
          const packet = Buffer.concat([start, tail]);
          for (const [at, octet] of changes) packet[at] = octet;
          const answer = readOrRefuse(packet);
          for (const record of answer?.answers ?? []) expect(record.data).toMatch(/^[ -~]*$/);
        },
      ),
    );
    for (const packet of mutatedPackets(500, 1)) expect(readOrRefuse(packet)).toBeUndefined();
  });

  test("of a long message that points back and back again are refused soon", () => {
    const packet = Buffer.alloc(0xffff);
    encode({ type: "response", id: query.id, questions: [{ name: "www.example.com", type: "A" }] }).copy(packet);
    packet.writeUInt16BE(0xffff, 6);
    for (let at = 34; at + 1 < 0x4000; at += 2) packet.writeUInt16BE(0xc000 | (at - 2), at);
    // Not the time of a clock, as the machine may be busy with something else.
    const before = process.cpuUsage();

    expect(readOrRefuse(packet)).toBeUndefined();
    expect(process.cpuUsage(before).user / 1e3).toBeLessThan(500);
  });

  test("with a time of more than 31 bits may not be kept", () => {
    const questions = [{ name: "www.example.com", type: "A" as const }];
    const packet = encode({
      type: "response",
      id: query.id,
      questions,
      answers: [{ name: "www.example.com", type: "A", ttl: 0x80000000, data: "192.0.2.1" }],
    });

    expect(readAnswer(packet, query)?.answers).toEqual([
      { name: "www.example.com.", type: "A", ttl: 0, data: "192.0.2.1" },
    ]);
  });

  test("with a response code beyond four bits tell it in the OPT record", () => {
    const opt = {
      type: "OPT",
      name: ".",
      udpPayloadSize: 1232,
      extendedRcode: 1,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [],
    } as const;
    const questions = [{ name: "www.example.com", type: "A" as const }];
    const packet = encode({ type: "response", id: query.id, questions, additionals: [{ ...opt, options: [] }] });

    expect(readAnswer(packet, query)?.rcode).toBe("BADVERS");
  });

  test("with a response code that has no name give its number", () => {
    const packet = encode({ type: "response", id: query.id, flags: RCODE.RCODE11, questions: [] });

    expect(readAnswer(packet, query)?.rcode).toBe("RCODE11");
  });
});
