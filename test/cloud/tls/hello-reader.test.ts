import fc from "fast-check";
import { createHelloReader } from "../../../lib/cloud/tls/client-hello";
import { helloBody, message, records } from "../../support/client-hello";

const hello = message(helloBody({ serverName: "shop.example.com", versions: [0x0304] }));
const expected = expect.objectContaining({ hello: expect.objectContaining({ serverName: "shop.example.com" }) });

/** Pushes pieces until there is a result; the result must come exactly with the last piece. */
function readPieces(pieces: readonly Uint8Array[], limit = 65_536) {
  const reader = createHelloReader(limit);
  const answers = pieces.map((piece) => reader.push(piece));
  expect(answers.slice(0, -1).every((answer) => answer === undefined)).toBe(true);
  return { answer: answers.at(-1), received: reader.received() };
}

describe("a hello is reassembled", () => {
  test("from one segment with one record", () => {
    expect(readPieces([records(hello)]).answer).toEqual(expected);
  });

  test("from one segment and one record for each byte", () => {
    const bytes = records(hello, 1);

    const { answer, received } = readPieces([...bytes].map((byte) => Uint8Array.of(byte)));

    expect(answer).toEqual(expected);
    expect(received).toEqual(bytes);
  });

  test("with the following bytes left for the handshake", () => {
    const bytes = Buffer.concat([records(hello), Buffer.from("early data")]);

    const { answer, received } = readPieces([bytes]);

    expect(answer).toEqual(expected);
    expect(received).toEqual(bytes);
  });

  test("in any division into records and segments", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 20 }),
        (recordSize, cuts) => {
          const bytes = records(hello, recordSize);
          const places = [...new Set(cuts)].filter((place) => place < bytes.length).sort((a, b) => a - b);
          const pieces = [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));

          const { answer, received } = readPieces(pieces);

          expect(answer).toEqual(expected);
          expect(received).toEqual(bytes);
        },
      ),
    );
  });
});

describe("is refused as early as possible", () => {
  const header = (...bytes: readonly number[]) => Buffer.from(bytes);

  test.each([
    ["plain HTTP", Buffer.from("G"), "unexpected_message", "not-tls"],
    ["SSL 2", header(0x80), "unexpected_message", "not-tls"],
    ["a record of no known protocol", header(22, 2), "protocol_version", "not-tls"],
    ["a record that is too long", header(22, 3, 1, 0x40, 0x01), "decode_error", "record-too-long"],
    ["an empty record", header(22, 3, 1, 0, 0), "decode_error", "record-empty"],
    ["another message", records(message(Buffer.alloc(0), 2)), "unexpected_message", "not-a-client-hello"],
    ["an announced length beyond the limit", records(header(1, 0x01, 0x00, 0x01)), "decode_error", "hello-too-long"],
    ["a malformed hello", records(message(Buffer.alloc(3))), "decode_error", "hello-malformed"],
  ])("for %s", (_, bytes, alert, reason) => {
    expect(createHelloReader(65_536).push(bytes)).toEqual({ alert, reason });
  });

  test("a hello of exactly the limit is read, and a longer hello is not", () => {
    const length = hello.length - 4;

    expect(createHelloReader(length).push(records(hello))).toEqual(expected);
    expect(createHelloReader(length - 1).push(records(hello))).toEqual({
      alert: "decode_error",
      reason: "hello-too-long",
    });
  });
});

test("no prefix of a hello is answered", () => {
  const bytes = records(hello, 50);
  const answered = Array.from({ length: bytes.length }, (_, length) =>
    createHelloReader(65_536).push(bytes.subarray(0, length)),
  ).filter((answer) => answer !== undefined);

  expect(answered).toEqual([]);
});
