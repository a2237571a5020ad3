import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy, type Server } from "node:http";
import { createServer as createService } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { certificateReader } from "../../lib/google";
import { makeCertificate } from "../support/make-certificate";
import { onlyProxy } from "../support/proxy-variables";

const certificate = "projects/p/locations/global/certificates/c";
const services = ["oauth2.googleapis.com", "certificatemanager.googleapis.com"];
let folder: string;
let service: ReturnType<typeof createService>;
let proxy: Server;
/** What the proxy was asked to connect to. */
const asked: { readonly authority: string | undefined; readonly credentials: string | undefined }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "proxy-"));
  const { certificatePem, privateKeyPem } = makeCertificate(services);
  writeFileSync(join(folder, "roots.pem"), certificatePem);
  const login = { type: "authorized_user", client_id: "c", client_secret: "s", refresh_token: "r" };
  writeFileSync(join(folder, "credentials.json"), JSON.stringify(login));
  service = createService({ cert: certificatePem, key: privateKeyPem }, (request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    const answers: Readonly<Record<string, object>> = {
      "/token": { access_token: "ya29.token", expires_in: 3600, token_type: "Bearer" },
      [`/v1/${certificate}`]: { name: certificate, managed: { domains: ["example.com"], state: "ACTIVE" } },
    };
    const path = (request.url ?? "").split("?")[0] ?? "";
    response.statusCode = Object.hasOwn(answers, path) ? 200 : 404;
    response.end(JSON.stringify(answers[path] ?? {}));
  });
  proxy = createProxy();
  proxy.on("connect", (request, client) => {
    asked.push({ authority: request.url, credentials: request.headers["proxy-authorization"] });
    client.on("error", () => {});
    const through = connect((service.address() as AddressInfo).port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      through.pipe(client).pipe(through);
    });
    through.on("error", () => client.destroy());
  });
  for (const server of [service, proxy]) await once(server.listen(0, "127.0.0.1"), "listening");
});

afterAll(() => {
  for (const server of [service, proxy]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command in an environment in which Google's hostnames are reachable only through the proxy. */
async function run(...words: readonly string[]) {
  const { CERT_MIGRATION_ENDPOINT: _, NO_PROXY: __, no_proxy: ___, ...env } = process.env;
  const child = spawn(process.execPath, ["--require", "tsx/cjs", "lib/cli/main.ts", ...words], {
    cwd: join(__dirname, "..", ".."),
    env: {
      ...env,
      HOME: folder,
      GOOGLE_APPLICATION_CREDENTIALS: join(folder, "credentials.json"),
      METADATA_SERVER_DETECTION: "none",
      NODE_EXTRA_CA_CERTS: join(folder, "roots.pem"),
      NODE_NO_WARNINGS: "1",
      HTTPS_PROXY: `http://user:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { exitCode, stdout, stderr };
}

test("sends requests to Certificate Manager through the proxy that the credentials use", async () => {
  const { exitCode, stderr } = await run("wait", "--certificate", certificate);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("ACTIVE")]);
  const credentials = `Basic ${Buffer.from("user:secret").toString("base64")}`;
  expect(asked.map(({ authority }) => authority)).toContain("oauth2.googleapis.com:443");
  expect(asked).toContainEqual({ authority: "certificatemanager.googleapis.com:443", credentials });
}, 30_000);

test("refuses an invalid proxy before it sends a request", () => {
  using _ = onlyProxy("proxy.example:3128");
  expect(() => certificateReader()).toThrow(expect.objectContaining({ code: "proxy-malformed" }));
  expect(() => certificateReader("http://127.0.0.1:1")).not.toThrow();
});
