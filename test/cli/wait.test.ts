import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { runCommandLine } from "../../lib/cli/program";
import { testIo } from "../support/io";

const name = "projects/p/locations/global/certificates/shop";

/** A service that speaks the Certificate Manager's REST as far as reading goes; plain HTTP on loopback. */
let server: Server;
let endpoint: string;
let answer: { readonly status: number; readonly body: unknown };
let requests: { readonly url: string; readonly authorization: string | undefined }[];

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push({ url: request.url ?? "", authorization: request.headers.authorization });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const managed = (state: string, more: object = {}) => ({ name, managed: { domains: ["example.com"], state, ...more } });

async function run(...words: readonly string[]) {
  const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: endpoint } });
  const exitCode = await runCommandLine(["wait", ...words], io, "0.0.0");
  return { exitCode, out: io.out(), err: io.err() };
}

test("an active certificate is exit code 0, found by one request without a credential", async () => {
  answer = { status: 200, body: managed("ACTIVE") };
  const { exitCode, out } = await run("--certificate", name, "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toEqual({ verdict: "active", standings: [{ name, state: "ACTIVE", reasons: [] }] });
  expect(requests.map(({ url }) => url.split("?")[0])).toEqual([`/v1/${name}`]);
  expect(requests[0]?.authorization).toBeUndefined();
});

test("a self-managed certificate is active as soon as it is there", async () => {
  answer = { status: 200, body: { name, selfManaged: {}, sanDnsnames: ["example.com"] } };
  expect((await run("--certificate", name)).exitCode).toBe(0);
});

test("a failed certificate is exit code 4, with its reasons", async () => {
  const attempts = [{ domain: "example.com", state: "FAILED", failureReason: "CONFIG", details: "no CNAME\u001b[2J" }];
  answer = { status: 200, body: managed("FAILED", { authorizationAttemptInfo: attempts }) };
  const { exitCode, err } = await run("--certificate", name);
  expect(exitCode).toBe(4);
  expect(err).toContain("example.com is FAILED (CONFIG): its CNAME is missing or wrong");
  expect(err).toContain("1 of 1 certificates failed; nothing was changed");
  expect(err).not.toContain("\u001b");
});

test("a certificate that is not there yet is waited for until the time is over: exit code 5", async () => {
  answer = { status: 404, body: { error: { code: 404, status: "NOT_FOUND", message: "not found" } } };
  const { exitCode, err } = await run("--certificate", name, "--timeout", "1s");
  expect(exitCode).toBe(5);
  expect(err).toContain(`${name}: MISSING - there is no such certificate yet`);
});

test("a refusal is exit code 3 and says which role is needed", async () => {
  answer = { status: 403, body: { error: { code: 403, status: "PERMISSION_DENIED", message: "no" } } };
  const { exitCode, err } = await run("--certificate", name);
  expect(exitCode).toBe(3);
  expect(err).toContain("roles/certificatemanager.viewer");
});

test("several certificates of a location are read by one list", async () => {
  answer = { status: 200, body: { certificates: [managed("ACTIVE"), { ...managed("ACTIVE"), name: `${name}-2` }] } };
  expect((await run("--certificate", name, "--certificate", `${name}-2`)).exitCode).toBe(0);
  expect(requests.map(({ url }) => url.split("?")[0])).toEqual(["/v1/projects/p/locations/global/certificates"]);
});

test.each([
  [[], "certificate-missing"],
  [["--certificate", "shop"], "certificate-name-malformed"],
  [["--certificate", name, "--timeout", "soon"], "duration-malformed"],
])("%j is refused with exit code 2 and %s", async (words, code) => {
  const { exitCode, err } = await run(...words);
  expect(exitCode).toBe(2);
  expect(err).toContain(`[${code}]`);
});
