import { get, request } from "node:http";
import { heldToReading, isReading } from "./held-to-reading";
import { startServer } from "./loopback";

test.each([
  ["GET", "/v1/projects/p1/locations/global/certificates?pageSize=1000", true],
  ["HEAD", "/", true],
  ["POST", "/v1/projects/p1:testIamPermissions", true],
  ["POST", "/v3/projects/p1:testIamPermissions?alt=json", true],
  ["POST", "/dns/v1/projects/p1/managedZones/z:testIamPermissions", true],
  ["POST", "/compute/v1/projects/p1/global/backendServices/b/testIamPermissions", true],
  ["POST", "/v1/projects/p1/locations/global/certificates?certificateId=testIamPermissions", false],
  ["POST", "/v1/projects/p1/locations/global/certificates?x=/testIamPermissions", false],
  ["PATCH", "/v1/projects/p1/locations/global/certificates/c", false],
  ["DELETE", "/v1/projects/p1:testIamPermissions", false],
])("%s %s is read-only: %s", (httpMethod, target, expected) => {
  expect(isReading({ httpMethod, target })).toBe(expected);
});

describe("a read-only check of a command", () => {
  const asks = {
    "a POST by fetch": (url: string) => fetch(url, { method: "POST", body: "{}" }),
    "a DELETE by node:http": (url: string) =>
      new Promise((resolve) =>
        request(url, { method: "DELETE" }, (answer) => answer.resume().on("end", () => resolve("gone"))).end(),
      ),
  };

  test.each(Object.entries(asks))("fails for %s, whatever was answered", async (_, ask) => {
    await using server = await startServer((__, response) => response.writeHead(404).end());
    await expect(heldToReading(["status"], async () => ask(server.url))).rejects.toThrow("httpMethod");
    await expect(heldToReading(["rehearse"], async () => ask(server.url))).resolves.toBeDefined();
  });

  test("passes for read requests, and for requests of the test itself", async () => {
    await using server = await startServer((_, response) => response.end());
    const look = heldToReading(["status"], async () => {
      await fetch(server.url);
      await new Promise((resolve) => get(server.url, (answer) => answer.resume().on("end", resolve)));
      return "seen";
    });
    await fetch(server.url, { method: "POST" });
    expect(await look).toBe("seen");
    expect(server.requests).toHaveLength(3);
  });
});
