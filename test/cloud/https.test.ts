import type { X509Certificate } from "node:crypto";
import { request } from "node:https";
import { networkInterfaces } from "node:os";
import { connect } from "node:tls";
import { type Cloud, startCloud } from "../../lib/cloud";

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startCloud({ servers: { https: true } });
});
afterAll(() => cloud.stop());

/** Sends a request over HTTPS. @param ca the trusted CA; the system's CAs by default */
function ask(path: string, ca?: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const url = `${cloud.endpoints.https}${path}`;
    const asked = request(url, { ...(ca === undefined ? {} : { ca }) }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.once("error", reject);
    asked.end();
  });
}

test("answers the same services over HTTPS to clients that trust its CA", async () => {
  const body = JSON.stringify({ name: "z1", dnsName: "example.com.", description: "" });
  await fetch(`${cloud.endpoints.http}dns/v1/projects/p1/managedZones`, { method: "POST", body });
  const { status, text } = await ask("dns/v1/projects/p1/managedZones/z1", cloud.endpoints.httpsTrustBundle);
  expect([status, JSON.parse(text).dnsName]).toEqual([200, "example.com."]);
});

test("is not trusted by a client that has only the system's CAs", async () => {
  await expect(ask("dns/v1/projects/p1/managedZones")).rejects.toMatchObject({
    code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  });
});

test("presents a certificate that is valid for loopback names only and is not a CA", async () => {
  const { port } = new URL(cloud.endpoints.https ?? "");
  const presented = await new Promise<X509Certificate | undefined>((resolve, reject) => {
    const socket = connect(
      { host: "127.0.0.1", port: Number(port), ca: cloud.endpoints.httpsTrustBundle ?? "" },
      () => {
        resolve(socket.getPeerX509Certificate());
        socket.destroy();
      },
    );
    socket.once("error", reject);
  });
  expect(presented?.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
  expect(presented?.ca).toBe(false);
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = own.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address);
  expect([...outside, "192.0.2.1"].map((address) => presented?.checkIP(address))).not.toContain(expect.any(String));
});

test("never returns the CA's private key in any answer", () => {
  expect(JSON.stringify(cloud.endpoints)).not.toContain("PRIVATE KEY");
});

test("does not answer over HTTPS by default", async () => {
  const plain = await startCloud();
  try {
    expect(plain.endpoints).not.toHaveProperty("https");
    expect(plain.endpoints).not.toHaveProperty("httpsTrustBundle");
  } finally {
    await plain.stop();
  }
});
