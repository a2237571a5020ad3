import fc from "fast-check";
import { decodeBatch, decodeBatchResponse, encodeBatch, encodeBatchResponse } from "../../../lib/discovery";
import { cpuTimeOf } from "../../support/cpu-time";
import { codesOf, problemsOf, withRoutes } from "../../support/descriptions";

const api = withRoutes({ get: "GET v1/{x}", put: "PUT v1/{x}" }, { x: { type: "string", location: "path" } });
const get = (x: string) => api.request("zoo.get", { parameters: { x } });
const post = (body: string, headers = {}) => ({
  ...get("a"),
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body,
});
const contentTypeOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) =>
  headers["content-type"] ?? "";

test("reads a batch of requests unchanged", () => {
  const batch = encodeBatch([get("a b"), post('{"name":"lion"}')]);

  expect(contentTypeOf(batch)).toMatch(/^multipart\/mixed; boundary=part_[0-9a-f]{32}$/);
  expect(decodeBatch(contentTypeOf(batch), batch.body)).toEqual([
    {
      contentId: "1",
      method: "GET",
      target: "/v1/a%20b",
      headers: new Map([["accept", "application/json"]]),
      body: "",
    },
    {
      contentId: "2",
      method: "POST",
      target: "/v1/a",
      headers: new Map([["content-type", "application/json"]]),
      body: '{"name":"lion"}',
    },
  ]);
});

test("matches the target of a part to its method", () => {
  const [part] = decodeBatch(contentTypeOf(encodeBatch([get("é/%?")])), encodeBatch([get("é/%?")]).body);

  expect(api.match(part?.method ?? "", part?.target ?? "")?.parameters).toEqual({ x: "é/%?" });
});

test("reads answers unchanged, in any order", () => {
  const answers = [
    { contentId: "2", status: 404, headers: new Map([["content-type", "application/json"]]), body: '{"error":{}}' },
    { contentId: "1", status: 200, headers: new Map(), body: "" },
  ];
  const batch = encodeBatchResponse(answers);

  expect(decodeBatchResponse(contentTypeOf(batch), batch.body)).toEqual(answers);
});

test("returns bodies of any content exactly", () => {
  const body = fc.string({
    unit: fc.oneof(
      fc.constantFrom("\r\n", "\n", "\r", "--", "--part_", ": ", " ", "é", "🦁"),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  });

  fc.assert(
    // A body of line breaks alone looks like no body.
    fc.property(
      fc.array(
        body.filter((text) => !/^[\r\n]+$/.test(text)),
        { minLength: 1, maxLength: 5 },
      ),
      (bodies) => {
        const batch = encodeBatch(bodies.map((text) => post(text)));
        expect(decodeBatch(contentTypeOf(batch), batch.body).map((part) => part.body)).toEqual(bodies);
      },
    ),
    { numRuns: 500 },
  );
});

describe("reads what real clients send:", () => {
  const part = (lines: readonly string[], end = "\n") => ["--b", ...lines].join(end);

  test("line feeds alone, a quoted boundary, a preamble, spaces after boundaries, a missing version", () => {
    const body = [
      "ignored",
      "--b c  ",
      "Content-Type: application/http",
      "Content-ID: <u + 1>",
      "",
      "get /v1/a",
      "",
      "--b c--",
      "ignored",
    ].join("\n");

    expect(decodeBatch('Multipart/Mixed; charset=utf-8; boundary="b c"', body)).toEqual([
      { contentId: "u + 1", method: "GET", target: "/v1/a", headers: new Map(), body: "" },
    ]);
  });

  test("a line break after the body according to content-length", () => {
    const with_ = (length: string) =>
      `${part(["Content-Type: application/http", "", "POST /v1/a HTTP/1.1", `Content-Length: ${length}`, "", '{"a":"é"}', ""])}\n--b--\n`;

    expect(decodeBatch("multipart/mixed; boundary=b", with_("10")).map(({ body }) => body)).toEqual(['{"a":"é"}']);
    expect(decodeBatch("multipart/mixed; boundary=b", with_("11")).map(({ body }) => body)).toEqual(['{"a":"é"}\n']);
    expect(decodeBatch("multipart/mixed; boundary=b", with_("3")).map(({ body }) => body)).toEqual(['{"a":"é"}\n']);
  });

  test("a line that only begins like the boundary as content", () => {
    const body = `${part(["", "POST /v1/a HTTP/1.1", "", "x", "--bc", "--b-", "y --b"])}\n--b--`;

    expect(decodeBatch("multipart/mixed; boundary=b", body).map((one) => one.body)).toEqual(["x\n--bc\n--b-\ny --b"]);
  });

  test("names of headers in any case, and names such as __proto__", () => {
    const body = `${part(["", "GET /v1/a", "X-ID: 1", "__proto__: x", "no colon"], "\r\n")}\r\n--b--`;

    expect(decodeBatch("multipart/mixed; boundary=b", body)[0]?.headers).toEqual(
      new Map([
        ["x-id", "1"],
        ["__proto__", "x"],
      ]),
    );
  });
});

const whole = "--b\n\nGET /v1/a\n\n\n--b--";

test.each([
  [
    "another content type",
    "application/json",
    whole,
    "batch-malformed",
    /content type must be multipart\/mixed with a boundary/,
  ],
  ["no boundary", "multipart/mixed", whole, "batch-malformed", /with a boundary/],
  [
    "a boundary too long",
    `multipart/mixed; boundary=${"b".repeat(71)}`,
    whole,
    "batch-malformed",
    /at most 70 characters/,
  ],
  [
    "a body that is cut",
    "multipart/mixed; boundary=b",
    whole.slice(0, -2),
    "batch-malformed",
    /closing boundary is missing/,
  ],
  ["an empty body", "multipart/mixed; boundary=b", "", "batch-malformed", /closing boundary is missing/],
  [
    "a part of another type",
    "multipart/mixed; boundary=b",
    "--b\nContent-Type: text/html\n\nx\n--b--",
    "batch-malformed",
    /^this is not a batch: part 1 is not application\/http$/,
  ],
  [
    "a part without request line",
    "multipart/mixed; boundary=b",
    "--b\n\n\n--b--",
    "batch-malformed",
    /part 1 has no request line such as 'GET \/path HTTP\/1\.1'$/,
  ],
  [
    "a request line with a space too many",
    "multipart/mixed; boundary=b",
    "--b\n\nGET /a b HTTP/1.1\n--b--",
    "batch-malformed",
    /no request line/,
  ],
  [
    "more parts than services take",
    "multipart/mixed; boundary=b",
    `${"--b\n\nGET /a\n\n".repeat(1_001)}--b--`,
    "batch-size",
    /at most 1000 parts/,
  ],
])("refuses an invalid batch: %s", (_, contentType, body, code, message) => {
  expect(problemsOf(() => decodeBatch(contentType, body))).toEqual([{ code, message: expect.stringMatching(message) }]);
});

test("refuses an invalid batch: an answer without a status line", () => {
  expect(codesOf(() => decodeBatchResponse("multipart/mixed; boundary=b", whole))).toEqual(["batch-malformed"]);
});

describe("refuses to send as a batch:", () => {
  test.each([
    ["nothing", [], "batch-size"],
    ["more requests than services take", Array.from({ length: 1_001 }, () => get("a")), "batch-size"],
    ["media", [get("a"), { ...get("a"), body: new Uint8Array(3) }], "batch-media"],
  ])("%s", (_, requests, code) => {
    expect(codesOf(() => encodeBatch(requests))).toEqual([code]);
  });

  test("and a header that injects another header", () => {
    const batch = encodeBatch([post("{}", { "x-a": "1\r\nx-evil: 1" })]);

    expect([...(decodeBatch(contentTypeOf(batch), batch.body)[0]?.headers.keys() ?? [])]).toEqual([
      "content-type",
      "x-a",
    ]);
  });
});

test("chooses the same boundary for the same requests, and never text of their content", () => {
  const first = encodeBatch([post("a")]);
  const boundary = contentTypeOf(first).replace(/^.*=/, "");

  expect(encodeBatch([post("a")])).toEqual(first);
  expect(contentTypeOf(encodeBatch([post(boundary)]))).not.toBe(contentTypeOf(first));
});

test("terminates for nested boundaries", () => {
  const takenMs = cpuTimeOf(() => {
    for (const body of [
      "--b".repeat(1_000_000),
      "\n--b".repeat(1_000_000),
      `--b\n${"\r\n".repeat(1_000_000)}--b--`,
      `--b\n${"a: b\n".repeat(200_000)}--b--`,
    ]) {
      expect(codesOf(() => decodeBatch("multipart/mixed; boundary=b", body))).toHaveLength(1);
    }
    expect(codesOf(() => decodeBatch(`multipart/mixed${";".repeat(1_000_000)}`, ""))).toHaveLength(1);
  });
  expect(takenMs).toBeLessThan(2_000);
});
