import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { get } from "node:https";
import { connect } from "node:tls";
import { hostname, makeCertificates, startListener, type TestCertificates } from "../../support/tls-front-end";

let certificates: TestCertificates;

beforeAll(async () => {
  certificates = await makeCertificates();
});

/** Starts a listener that serves the ECDSA certificate. */
const start = (options?: Parameters<typeof startListener>[2]) =>
  startListener(certificates, [certificates.ecdsa], options);

const trustBundle = () => certificates.authority.trustBundlePem;

const httpsBody = (port: number, path: string) =>
  new Promise<string>((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      path,
      servername: hostname,
      ca: trustBundle(),
      agent: false,
    };
    get(options, async (response) => {
      let body = "";
      for await (const chunk of response) body += String(chunk);
      resolve(`${response.statusCode} ${body}`);
    }).once("error", reject);
  });

test("requests of clients are answered with the details of the handshake", async () => {
  await using listener = await start();
  const { port } = listener;
  const handshake = { serverName: hostname, certificateName: certificates.ecdsa.name, version: "TLSv1.3" };

  expect(await httpsBody(port, "/x?y")).toBe(`200 ${JSON.stringify({ method: "GET", url: "/x?y", ...handshake })}`);
});

test("requests of clients are answered with a custom response", async () => {
  await using listener = await start({
    respond: ({ url, serverName }) => JSON.stringify({ rule: "web", url, serverName }),
  });
  const { port } = listener;

  expect(await httpsBody(port, "/")).toBe(`200 {"rule":"web","url":"/","serverName":"${hostname}"}`);
});

test("requests of clients are answered over HTTP/2", async () => {
  await using listener = await start();
  const { port } = listener;
  const session = connectHttp2(`https://${hostname}`, {
    createConnection: () =>
      connect({
        host: "127.0.0.1",
        port,
        servername: hostname,
        ca: trustBundle(),
        ALPNProtocols: ["h2"],
      }),
  });
  const ask = async (method: string) => {
    const stream = session.request({ ":method": method, ":path": "/x" });
    const [headers] = (await once(stream, "response")) as [{ readonly ":status": number }];
    let body = "";
    for await (const chunk of stream) body += String(chunk);
    return { status: headers[":status"], body };
  };

  const answers = [await ask("GET"), await ask("HEAD")];
  session.destroy();

  expect(answers).toEqual([
    {
      status: 200,
      body: JSON.stringify({
        method: "GET",
        url: "/x",
        serverName: hostname,
        certificateName: certificates.ecdsa.name,
        version: "TLSv1.3",
        alpn: "h2",
      }),
    },
    { status: 200, body: "" },
  ]);
});
