import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { credentialsError, tokenError } from "../../lib/google/credentials";
import { makeCertificate } from "../support/make-certificate";
import { serveTls } from "../support/tls-servers";

/** Creates the error that the library throws for this answer of a token service. */
function refusal(status: number, data: unknown): Error {
  return Object.assign(new Error("refused"), { code: status, status, response: { status, data } });
}

test.each([
  [400, "invalid_grant", "credentials-refused", false],
  [401, "invalid_client", "credentials-refused", false],
  [403, "access_denied", "credentials-refused", false],
  [429, "rate_limit_exceeded", "token-unavailable", true],
  [500, "internal_failure", "token-unavailable", true],
  [503, "temporarily_unavailable", "token-unavailable", true],
])("classifies HTTP %i with %s from a token service as %s; can be retried: %s", (status, error, code, retryable) => {
  const found = tokenError(refusal(status, { error, error_description: "some\u001b[2Jwords" }));
  expect(found).toMatchObject({ code, retryable });
  expect(found?.message).toContain(`${error}: some\\u{1b}[2Jwords`);
  expect(credentialsError(refusal(status, { error }))).toMatchObject({ code, retryable });
});

test.each([
  ["another service's refusal", refusal(403, { error: { code: 403, status: "PERMISSION_DENIED" } })],
  ["a page of a proxy", refusal(502, "<html>")],
  ["a network that does not answer", Object.assign(new Error("no"), { code: "ECONNRESET" })],
])("does not read %s as an error code of a token service", (_, error) => {
  expect(tokenError(error)).toBeUndefined();
});

/**
 * Starts a proxy that redirects Google's token service to a server of the test. The server answers every token request
 * with the same response, and other requests with 404.
 */
async function startTokenService(folder: string, status: number, body: object) {
  const { certificatePem, privateKeyPem } = makeCertificate(["oauth2.googleapis.com", "localhost"]);
  writeFileSync(join(folder, "roots.pem"), certificatePem);
  let questions = 0;
  const service = await serveTls({ cert: certificatePem, key: privateKeyPem }, {}, (socket) => {
    socket.once("data", (request: Buffer) => {
      const isToken = request.toString("latin1").startsWith("POST /token");
      if (isToken) questions += 1;
      const json = JSON.stringify(isToken ? body : { error: { code: 404, message: "none", status: "NOT_FOUND" } });
      const head = `HTTP/1.1 ${isToken ? status : 404} x\r\ncontent-type: application/json\r\ncontent-length: ${json.length}`;
      socket.end(`${head}\r\nconnection: close\r\n\r\n${json}`);
    });
  });
  const proxy = createServer().on("connect", (_request, client) => {
    const server = connect(service.port, "127.0.0.1");
    for (const socket of [client, server]) socket.on("error", () => undefined);
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `https://localhost:${service.port}`,
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    questions: () => questions,
    [Symbol.asyncDispose]: async () => {
      proxy.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Runs `wait` for one certificate with the credentials of a logged-in user. */
async function wait(status: number, body: object, further: (endpoint: string) => readonly string[] = () => []) {
  const folder = mkdtempSync(join(tmpdir(), "refused-"));
  const path = join(folder, "login.json");
  const login = { type: "authorized_user", client_id: "c", client_secret: "s", refresh_token: "1//hidden" };
  writeFileSync(path, JSON.stringify(login));
  // A fake gcloud that records whether the command runs it; the command does not need its project.
  writeFileSync(join(folder, "gcloud"), `#!/bin/sh\ntouch ${folder}/asked\n`, { mode: 0o755 });
  await using service = await startTokenService(folder, status, body);
  const { CERT_MIGRATION_ENDPOINT: _, no_proxy: __, ...env } = process.env;
  const words = ["wait", "--certificate", "projects/p/locations/global/certificates/c", ...further(service.endpoint)];
  // Runs in a separate process, because Node reads the trusted roots when it starts.
  const child = spawn(process.execPath, ["--import", "tsx", "lib/cli/main.ts", ...words], {
    cwd: join(__dirname, "..", ".."),
    env: {
      ...env,
      PATH: `${folder}:${env.PATH}`,
      GOOGLE_APPLICATION_CREDENTIALS: path,
      HTTPS_PROXY: service.proxy,
      NO_PROXY: "localhost",
      NODE_EXTRA_CA_CERTS: join(folder, "roots.pem"),
      METADATA_SERVER_DETECTION: "none",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  // By the time of this message, the command has printed everything that the test expects.
  child.stderr.on("data", (chunk: Buffer) => chunk.includes("MISSING") && child.kill("SIGTERM"));
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")]);
  const othersAsked = existsSync(join(folder, "asked"));
  rmSync(folder, { recursive: true });
  return { stderr, exitCode, path, questions: service.questions(), othersAsked };
}

test("ends a wait at once when the login has expired, with a remedy", async () => {
  const over = { error: "invalid_grant", error_description: "Token has been expired or revoked." };
  const { stderr, exitCode, path, questions, othersAsked } = await wait(400, over);
  expect(stderr).toMatch(/^error: reading certificates of projects\/p\/locations\/global: .*\n$/m);
  expect(stderr).toContain(
    `GOOGLE_APPLICATION_CREDENTIALS='${path}' is no longer accepted ('invalid_grant: Token has been expired or revoked.'); name another key file, or unset the variable and run 'gcloud auth application-default login' [credentials-refused]`,
  );
  expect(stderr).not.toContain("hidden");
  expect([exitCode, questions, othersAsked]).toEqual([3, 1, false]);
}, 30_000);

test("waits over HTTPS, with credentials, for a certificate that does not exist yet", async () => {
  const token = { access_token: "ya29.hidden", expires_in: 3_600, token_type: "Bearer" };
  const { stderr, exitCode } = await wait(200, token, (endpoint) => ["--endpoint", endpoint]);
  expect(stderr).toContain("projects/p/locations/global/certificates/c: MISSING");
  expect(stderr).not.toContain("hidden");
  expect(exitCode).toBe(5);
}, 30_000);
