import { request } from "node:http";
import { startTestCloud, type TestCloud } from "../../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

/** Sends a request with these headers, which `fetch` would not allow. */
function send(
  path: string,
  { method = "GET", body = "", ...headers }: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(cloud.endpoints.http);
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

const port = () => new URL(cloud.endpoints.http).port;
const places = ["/_cloud/requests", "/discovery/v1/apis", "/v1/projects/p1/locations/global/certificates"];
const audit = "/admin/reports/v1/activity/users/all/applications/admin?access_token=t";

describe.each([...places, audit])("a request for %s", (path) => {
  it.each([
    ["attacker.example", "the Host header 'attacker.example' is not a loopback address"],
    ["attacker.example:80", "the Host header"],
    ["127.0.0.1.attacker.example", "the Host header"],
    ["localhost.attacker.example", "the Host header"],
    ["10.0.0.1", "the Host header"],
    ["[2001:db8::1]", "the Host header"],
    ["127.0.0.1@attacker.example", "the Host header"],
  ])("is refused with the host %j", async (host, message) => {
    const { status, text } = await send(path, { host });
    expect(status).toBe(403);
    expect(text).toContain(message);
  });

  it.each(["127.0.0.1", "127.1.2.3:8080", "localhost", "LOCALHOST:1", "api.localhost", "[::1]", "[::1]:8080"])(
    "is answered with the host %j",
    async (host) => {
      expect((await send(path, { host })).status).toBe(200);
    },
  );

  it.each(["https://attacker.example", "http://127.0.0.1:1", "http://localhost", "null", "file://"])(
    "is refused with the origin %j",
    async (origin) => {
      const { status, text } = await send(path, { host: `127.0.0.1:${port()}`, origin });
      expect(status).toBe(403);
      expect(text).toContain("requests of the origin");
    },
  );

  it("is refused with an origin and a host whose port does not exist", async () => {
    expect((await send(path, { host: "127.0.0.1:99999", origin: "http://127.0.0.1" })).status).toBe(403);
  });

  it("is answered with the origin of the cloud itself", async () => {
    const host = `127.0.0.1:${port()}`;
    expect((await send(path, { host, origin: `http://${host}` })).status).toBe(200);
  });
});

it("does nothing for a cross-site POST", async () => {
  const before = cloud.clock.now();
  const headers = { host: `127.0.0.1:${port()}`, origin: "https://attacker.example", "content-type": "text/plain" };
  expect((await send("/_cloud/clock", { ...headers, method: "POST", body: '{"advanceMs":60000}' })).status).toBe(403);
  expect(cloud.clock.now().getTime() - before.getTime()).toBeLessThan(60_000);
  const zone = JSON.stringify({ name: "z", dnsName: "example.com.", description: "" });
  const zones = "/dns/v1/projects/p1/managedZones";
  expect((await send(zones, { ...headers, method: "POST", body: zone })).status).toBe(403);
  expect((await cloud.call("GET", `${zones}/z`)).status).toBe(404);
});
