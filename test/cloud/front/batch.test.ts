import { makeZone, parent, startTestCloud, type TestCloud } from "../../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "z1", "example.com.");
});
afterAll(() => cloud.stop());

/** Sends a batch of requests, each as head and body; returns the head and body of each answer. */
async function batch(path: string, parts: readonly (readonly [id: string, request: string])[], boundary = "batch_x") {
  const encoded = parts.map(
    ([id, request]) =>
      `--${boundary}\r\nContent-Type: application/http\r\nContent-ID: <${id}>\r\n\r\n${request.replaceAll("\n", "\r\n")}\r\n`,
  );
  const response = await fetch(`${cloud.endpoints.http}${path}`, {
    method: "POST",
    headers: { "content-type": `multipart/mixed; boundary="${boundary}"` },
    body: `${encoded.join("")}--${boundary}--`,
  });
  const text = await response.text();
  const answered =
    /boundary=(\S+)/.exec(response.headers.get("content-type") ?? "")?.[1]?.replaceAll('"', "") ?? "none";
  const pieces = text.split(`--${answered}`).slice(1, -1);
  return {
    status: response.status,
    text,
    parts: pieces.map((piece) => ({
      contentId: /content-id: (\S+)/i.exec(piece)?.[1],
      status: Number(/HTTP\/1\.1 (\d{3})/.exec(piece)?.[1]),
      body: /\{.*\}/s.exec(piece)?.[0],
    })),
  };
}

const maps = `/v1/${parent}/certificateMaps`;
const zones = "/dns/v1/projects/p1/managedZones";

it("a batch is answered part by part, in order, each with its id and its status, even if some fail", async () => {
  const { status, parts } = await batch("batch", [
    [
      "uuid + 1",
      `POST ${maps}?certificateMapId=b1 HTTP/1.1\nContent-Type: application/json\n\n{"description":"first"}`,
    ],
    ["uuid + 2", `GET ${maps}/none HTTP/1.1\n\n`],
    ["uuid + 3", `GET ${zones}/z1?fields=name HTTP/1.1\n\n`],
    ["uuid + 4", `GET ${zones}/none HTTP/1.1\n\n`],
    ["uuid + 5", `GET ${maps}/b1?fields=description HTTP/1.1\n\n`],
    ["uuid + 6", "GET /nowhere HTTP/1.1\n\n"],
  ]);
  expect([status, parts.map((part) => [part.status, part.body && Object.keys(JSON.parse(part.body))])]).toEqual([
    200,
    [
      [200, ["name", "metadata"]],
      [404, ["error"]],
      [200, ["name"]],
      [404, ["error"]],
      [200, ["description"]],
      [501, ["error"]],
    ],
  ]);
  expect(parts[4]?.body).toBe('{"description":"first"}');
});

it("a batch is answered with the ids of the requests, in the form that clients expect", async () => {
  const { text } = await batch("batch/compute/v1", [
    ["4f6c + 1", "GET /compute/v1/projects/p1/global/addresses HTTP/1.1\n\n"],
    ["4f6c + 2", "GET /compute/v1/projects/p1/global/addresses/none HTTP/1.1\n\n"],
  ]);
  expect(text.toLowerCase().match(/^content-id: .*$/gm)).toEqual([
    "content-id: <response-4f6c + 1>",
    "content-id: <response-4f6c + 2>",
  ]);
});

it("a batch logs each of its parts", async () => {
  const before = cloud.requests().length;
  await batch("batch/dns/v1", [
    ["1", `GET ${zones} HTTP/1.1\n\n`],
    ["2", `GET ${zones}/z1 HTTP/1.1\n\n`],
  ]);
  expect(cloud.requests().slice(before)).toMatchObject([
    { target: zones, method: "dns.managedZones.list" },
    { target: `${zones}/z1`, method: "dns.managedZones.get" },
  ]);
});

it("a batch is cut off completely if a fault cuts off one of its parts", async () => {
  cloud.faults.set({ requests: [{ method: "dns.managedZones.get", cut: true }] });
  await expect(
    batch("batch", [
      ["1", `GET ${zones} HTTP/1.1\n\n`],
      ["2", `GET ${zones}/z1 HTTP/1.1\n\n`],
    ]),
  ).rejects.toThrow("fetch failed");
  cloud.faults.set({});
});

it("a batch can't be nested in a batch", async () => {
  const { parts } = await batch("batch", [
    ["1", "POST /batch HTTP/1.1\nContent-Type: multipart/mixed; boundary=y\n\n--y--"],
  ]);
  expect(parts).toMatchObject([{ status: 501 }]);
});

test.each([
  ["no boundary", "application/json", "{}"],
  ["a closing boundary that is missing", "multipart/mixed; boundary=x", "--x\r\n\r\nGET / HTTP/1.1\r\n\r\n"],
  ["a part without a request", "multipart/mixed; boundary=x", "--x\r\n\r\nnonsense\r\n--x--"],
  [
    "more parts than 1,000",
    "multipart/mixed; boundary=x",
    `${"--x\r\n\r\nGET /a HTTP/1.1\r\n\r\n\r\n".repeat(1_001)}--x--`,
  ],
])("a batch fails completely for %s", async (_what, contentType, body) => {
  const { status, body: answer } = await cloud.call("POST", "/batch", body, { "content-type": contentType });
  expect([status, answer]).toMatchObject([400, { error: { errors: [{ reason: "invalid" }] } }]);
});
