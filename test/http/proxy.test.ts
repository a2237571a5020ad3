import { createHttpClient } from "../../lib/http";
import { proxyFor } from "../../lib/http/proxy";
import { onlyProxy } from "../support/proxy-variables";
import { serveTcp } from "../support/tls-servers";

const service = "https://certificatemanager.googleapis.com/v1/projects/p";
const proxy = "http://user:secret@proxy.example:3128";

test.each([
  [service, {}, undefined],
  [service, { HTTPS_PROXY: "" }, undefined],
  [service, { HTTPS_PROXY: proxy }, "HTTPS_PROXY"],
  [service, { https_proxy: proxy, HTTP_PROXY: "http://other.example" }, "https_proxy"],
  [service, { HTTP_PROXY: proxy }, "HTTP_PROXY"],
  [service, { HTTPS_PROXY: proxy, NO_PROXY: "example.com, internal" }, "HTTPS_PROXY"],
  [service, { HTTPS_PROXY: proxy, NO_PROXY: "*" }, undefined],
  [service, { HTTPS_PROXY: proxy, NO_PROXY: "example.com,GoogleAPIs.com" }, undefined],
  [service, { HTTPS_PROXY: proxy, no_proxy: ".googleapis.com" }, undefined],
  [service, { HTTPS_PROXY: proxy, NO_PROXY: "*.googleapis.com:443" }, undefined],
  [service, { HTTPS_PROXY: proxy, NO_PROXY: "googleapis.com:8443" }, "HTTPS_PROXY"],
  [service, { HTTPS_PROXY: proxy, NO_PROXY: "apis.com" }, "HTTPS_PROXY"],
  ["https://[2001:db8::1]/", { HTTPS_PROXY: proxy, NO_PROXY: "2001:db8::1" }, undefined],
  ["https://[2001:db8::1]:8443/", { HTTPS_PROXY: proxy, NO_PROXY: "[2001:db8::1]:8443" }, undefined],
  ["https://[2001:db8::1]/", { HTTPS_PROXY: proxy, NO_PROXY: "[2001:db8::1]:8443" }, "HTTPS_PROXY"],
  ["https://127.0.0.2:8443/", { HTTPS_PROXY: proxy }, undefined],
  ["https://[::1]/", { HTTPS_PROXY: proxy }, undefined],
  ["https://localhost/", { HTTPS_PROXY: proxy }, undefined],
  ["http://10.0.0.1:8080/", { HTTPS_PROXY: proxy, HTTP_PROXY: proxy }, undefined],
])("sends a request to %s with %j through the proxy %s", (url, env, variable) => {
  const found = proxyFor(new URL(url), env);
  expect(found?.variable).toBe(variable);
  expect(found?.url.href).toBe(variable === undefined ? undefined : `${proxy}/`);
});

test.each(["proxy.example:3128", "socks5://user:secret@proxy.example", "user:secret@proxy.example", "http://"])(
  "refuses the proxy %j, lists the allowed values and hides the password",
  (named) => {
    const refused = () => proxyFor(new URL(service), { HTTPS_PROXY: named });
    expect(refused).toThrow(expect.objectContaining({ code: "proxy-malformed" }));
    expect(refused).toThrow(/^HTTPS_PROXY '[^']*' is not a proxy; use http:\/\/HOST:PORT, or unset it$/);
    expect(refused).not.toThrow(/secret/);
  },
);

test("sends HTTPS requests through the proxy, and names the proxy without its password if it refuses them", async () => {
  const lines: string[] = [];
  await using gate = await serveTcp((socket) => {
    socket.on("data", (bytes) => {
      lines.push(bytes.toString().split("\r\n")[0] ?? "");
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
  });
  using _ = onlyProxy(`http://user:secret@127.0.0.1:${gate.port}`);
  const http = createHttpClient({ retry: { maxAttempts: 1 } });
  const where = `${service} could not be reached through the proxy of HTTPS_PROXY, http://127.0.0.1:${gate.port}`;
  await expect(http.send({ method: "GET", url: service, purpose: "listing" })).rejects.toMatchObject({
    message: expect.stringMatching(new RegExp(`^listing: ${where}: .*407`)),
  });
  expect(lines).toEqual(["CONNECT certificatemanager.googleapis.com:443 HTTP/1.1"]);
});

test("leaves the environment unchanged after the tests with a proxy", () => {
  using _ = onlyProxy("http://outer.example:3128");
  process.env.NO_PROXY = "example.com";
  {
    using __ = onlyProxy("http://inner.example:3128");
    expect([process.env.HTTPS_PROXY, process.env.NO_PROXY]).toEqual(["http://inner.example:3128", undefined]);
  }
  expect([process.env.HTTPS_PROXY, process.env.NO_PROXY]).toEqual(["http://outer.example:3128", "example.com"]);
});
