import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { account, credentialFiles, startTokenService } from "../google/token-service";
import { runWith, testIo } from "../support/io";
import { startServer } from "../support/loopback";

/**
 * Faults of the token service and of IAM Credentials during `cert-migration audit`, and harmless answers beside them.
 */

// Keys are made.
jest.setTimeout(30_000);

const subject = "root@example.org";
const keyless = ["--impersonate", subject, "--service-account", account];
const folder = mkdtempSync(join(tmpdir(), "audit-token-service-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command against a log without events. Requests whose path matches get the faulty answer. */
async function run(
  credentials: "key" | "login",
  words: readonly string[],
  isFaulty: RegExp,
  fault: (response: ServerResponse) => unknown,
) {
  const tokens = await startTokenService();
  await using front = await startServer(async ({ method, target, headers, body }, response) => {
    if (isFaulty.test(target)) return fault(response);
    const { authorization = "", "content-type": type = "" } = headers;
    const answer = await fetch(`${tokens.url}${target}`, {
      method,
      body,
      headers: { authorization, "content-type": type },
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    return undefined;
  });
  await using log = await startServer((_, response) => response.end('{"kind":"admin#reports#activities"}'));
  const io = testIo({
    env: {
      CERT_MIGRATION_ENDPOINT: log.url,
      GOOGLE_APPLICATION_CREDENTIALS: credentialFiles(folder)[credentials],
      CLOUDSDK_AUTH_TOKEN_HOST: `${front.url}token`,
      CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS: front.url.replace(/\/$/, ""),
    },
    now: () => new Date(),
  });
  try {
    const beganMs = performance.now();
    const exitCode = await runWith(["audit", ...words], io);
    return { exitCode, out: io.out(), err: io.err(), tookMs: performance.now() - beganMs, front };
  } finally {
    await tokens.close();
  }
}

describe("a token service that never answers", () => {
  const hang = () => undefined;
  const freeze = join(folder, "freeze.json");
  const startMs = Date.now() - 3_600_000;
  const times = { start: new Date(startMs).toISOString(), end: new Date(startMs + 7_200_000).toISOString() };
  writeFileSync(freeze, JSON.stringify(times));

  it.concurrent.each<[string, "key" | "login", readonly string[], RegExp]>([
    ["finds it for the key of a service account", "key", ["--impersonate", subject], /^\/token/],
    ["finds it for the caller of IAM Credentials", "login", keyless, /^\/token/],
    ["finds that IAM Credentials never signs", "login", keyless, /:signJwt$/],
    [
      "finds that IAM Credentials never gives a token",
      "login",
      ["--service-account", account],
      /:generateAccessToken$/,
    ],
  ])("%s within --timeout", async (_, credentials, words, isFaulty) => {
    const guard = ["guard", "--freeze", freeze, "--timeout", "1s", "--json", ...words];
    const { exitCode, out, tookMs, front } = await run(credentials, guard, isFaulty, hang);
    expect(front.requests.some(({ target }) => isFaulty.test(target))).toBe(true);
    expect(exitCode).toBe(5);
    expect(JSON.parse(out)).toMatchObject({ verdict: "unknown" });
    expect(out).toContain("did not list the whole log within 1 s");
    expect(tookMs).toBeLessThan(5_000);
  });

  test("accepts a token service that answers", async () => {
    const guard = ["guard", "--freeze", freeze, "--timeout", "10s", "--json", ...keyless];
    const { out } = await run("login", guard, /never/, hang);
    expect(out).not.toContain("did not list");
  });
});

describe("a token service with an invalid answer", () => {
  const page = (status: number) => (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "text/html" }).end("<html>secret page</html>");
  const json = (status: number, body: object) => (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const cut = (response: ServerResponse) => response.socket?.destroy();

  it.concurrent.each<[string, (response: ServerResponse) => unknown, string]>([
    ["finds an outage with a page of a gateway", page(503), "token-unavailable"],
    ["finds an outage without an answer in terms of OAuth", json(500, {}), "token-unavailable"],
    ["finds an outage with an answer in terms of OAuth", json(503, { error: "unavailable" }), "token-unavailable"],
    ["finds the page of a proxy", page(403), "token-unavailable"],
    ["finds another service at the address", page(404), "token-unavailable"],
    ["finds a page in place of a token", page(200), "token-unavailable"],
    ["finds a connection that is cut", cut, "token-unavailable"],
    ["finds a login that is over", json(400, { error: "invalid_grant" }), "credentials-refused"],
  ])("%s", async (_, fault, code) => {
    const runs = await Promise.all([
      run("key", ["list", "--impersonate", subject], /^\/token/, fault),
      run("login", ["list", ...keyless], /^\/token/, fault),
    ]);
    for (const { exitCode, err } of runs) {
      expect(err).toContain(`[${code}]`);
      expect(err).not.toContain("secret page");
      expect(exitCode).toBe(3);
    }
  });
});
