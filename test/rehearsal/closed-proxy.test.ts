import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { proxyFor } from "../../lib/http";
import { startClosedProxy, throughProxy } from "../../lib/rehearsal/closed-proxy";

/** Returns the proxy's response to a CONNECT request for a host. */
function tunnel(proxy: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(proxy).port), "127.0.0.1", () =>
      socket.write(`CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
    );
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.once("end", () => resolve(text));
    socket.once("error", reject);
  });
}

test("refuses to connect to any host, and reports the host", async () => {
  const refused: string[] = [];
  const proxy = await startClosedProxy((host) => refused.push(host));
  try {
    expect(await tunnel(proxy.url, "pubsub.googleapis.com:443")).toMatch(
      /^HTTP\/1\.1 403 a rehearsal does not leave this machine: 'pubsub\.googleapis\.com:443' is refused\r\n/,
    );
    const answer = await fetch(`${proxy.url}/computeMetadata/v1/`);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("does not leave this machine")]);
    expect(refused).toEqual(["pubsub.googleapis.com:443", "/computeMetadata/v1/"]);
  } finally {
    await proxy.close();
  }
});

test("opens no connection for a client, not even to this machine", async () => {
  let connections = 0;
  const target = createServer(() => undefined);
  target.on("connection", () => {
    connections++;
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", () => resolve()));
  const proxy = await startClosedProxy(() => undefined);
  try {
    const { port } = target.address() as AddressInfo;
    expect(await tunnel(proxy.url, `127.0.0.1:${port}`)).toContain("403");
    expect(connections).toBe(0);
  } finally {
    await proxy.close();
    await new Promise((resolve) => target.close(resolve));
  }
});

test("sends requests for services without a configured endpoint to the closed proxy, whatever NO_PROXY is", () => {
  const env = { NO_PROXY: "*", no_proxy: ".googleapis.com", ...throughProxy("http://127.0.0.1:1") };
  const proxied = (url: string) => proxyFor(new URL(url), env)?.url.href;
  expect(proxied("https://service-of-tomorrow.googleapis.com/v1/things")).toBe("http://127.0.0.1:1/");
  expect(proxied("https://openidconnect.googleapis.com/v1/userinfo")).toBe("http://127.0.0.1:1/");
  expect(proxied("https://127.0.0.1:8443/dns/v1/")).toBeUndefined();
  expect(env.NO_PROXY).toBe(env.no_proxy);
});
