/**
 * Defects that `verify`, `watch`, `records --check` and `status` must report, and harmless inputs that they must not.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNameServer } from "../../lib/cloud/name-server";
import type { Answer } from "../../lib/dns";
import { type ChallengeRecord, checkRecord } from "../../lib/live/records";
import { assessStatus, type Observed, type StatusVerification } from "../../lib/live/status";
import { sourceFromSpec } from "../../lib/source";
import {
  asksClient,
  authority,
  hostname,
  onlyTls12,
  plain,
  serve,
  serveLate,
  serveOpenssl,
  serveResets,
  serveStapled,
  staple,
  stapledError,
  stapling,
  staplingRsa,
  wantsClient,
} from "../support/defect-servers";
import { runCli, withUsual } from "../support/io";
import type { TestServer } from "../support/tls-servers";
import { createZone, createZoneSource } from "../support/zones";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "defects-verify-"));
  writeFileSync(join(folder, "roots.pem"), authority.pem);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What `verify --json` makes of one server. */
async function verify(server: TestServer, ...words: readonly string[]) {
  const { exitCode, stdout } = await runCli(
    [
      ...["verify", "--hostname", hostname, "--address", server.address, "--port", String(server.port)],
      ...["--ca", join(folder, "roots.pem"), "--within", "1s", "--repeat", "1", "--json"],
      ...withUsual({ "--timeout": "5s" }, words),
    ],
    { now: () => new Date() },
  );
  const { results, findings } = JSON.parse(stdout);
  const found = findings as readonly { readonly code: string }[];
  return { exitCode, result: results[0], findings: found.map(({ code }) => code) };
}

type Make = () => Promise<TestServer>;

describe("verify", () => {
  const isRejection = /^(?:client-certificate-required|rejected-after-handshake)$/;
  const isWanted = /^client-certificate-required$/;
  const isRevoked = /^certificate-revoked$/;
  const noStaple = /^staple-missing$/;

  it.concurrent.each<[string, Make, RegExp, ...string[]]>([
    ["a server that requires a client certificate over TLS 1.3", () => serve(wantsClient), isWanted],
    [
      "a server that requires a client certificate over TLS 1.2",
      () => serve({ ...wantsClient, ...onlyTls12 }),
      isWanted,
    ],
    ["OpenSSL that requires a client certificate over TLS 1.3", () => serveOpenssl(["-Verify", "1"]), isWanted],
    ["OpenSSL that requires one over TLS 1.2", () => serveOpenssl(["-Verify", "1", "-tls1_2"]), isWanted],
    [
      "OpenSSL that requires one and sends no tickets",
      () => serveOpenssl(["-Verify", "1", "-num_tickets", "0"]),
      isWanted,
    ],
    ["a rejection that arrives 100 ms later", async () => serveLate(await serve(wantsClient), 100), isWanted],
    ["a rejection that arrives 300 ms later", async () => serveLate(await serve(wantsClient), 300), isWanted],
    ["a rejection of a client that takes only ECDSA keys", () => serve(wantsClient), isWanted, "--key-type", "ecdsa"],
    [
      "a server of HTTP/2 that requires a client certificate",
      () => serve({ ...wantsClient, ALPNProtocols: ["h2", "http/1.1"] }),
      isWanted,
    ],
    ["a server that requires a client certificate, asked for HTTP", () => serve(wantsClient), isWanted, "--http"],
    [
      "a server of TLS 1.2 that requires a client certificate, asked for HTTP",
      () => serve({ ...wantsClient, ...onlyTls12 }),
      isWanted,
      "--http",
    ],
    [
      "a server that requires a client certificate 100 ms later, asked for HTTP",
      async () => serveLate(await serve(wantsClient), 100),
      isWanted,
      "--http",
    ],
    [
      "OpenSSL that requires a client certificate, asked for HTTP",
      () => serveOpenssl(["-Verify", "1"]),
      isWanted,
      "--http",
    ],
    [
      "a server that requests a client certificate and closes without an alert, asked for HTTP",
      () => serve(asksClient, (one) => one.end()),
      isWanted,
      "--http",
    ],
    [
      "a server that requests a client certificate and resets without an alert, asked for HTTP",
      () => serve(asksClient, (one) => one.destroy()),
      isWanted,
      "--http",
    ],
    [
      "a server that requests no client certificate and closes, asked for HTTP",
      () => serve({}, (one) => one.end()),
      /^rejected-after-handshake$/,
      "--http",
    ],
    [
      "a server that hangs up when it is asked for HTTP, whether or not it requests a client certificate",
      () => serve(asksClient, (one) => one.once("data", () => one.end())),
      /^http-no-answer$/,
      "--http",
    ],
    [
      "a server that destroys the connection right after the handshake",
      () => serve({}, (one) => one.destroy()),
      isRejection,
    ],
    ["a server that ends the connection right after the handshake", () => serve({}, (one) => one.end()), isRejection],
    ["a server that resets the connection right after the handshake", serveResets, isRejection],
    ["a must-staple certificate without a staple over TLS 1.3", () => serve({}, undefined, stapling), noStaple],
    ["a must-staple certificate without a staple over TLS 1.2", () => serve(onlyTls12, undefined, stapling), noStaple],
    ["a must-staple certificate with an RSA key", () => serve({}, undefined, staplingRsa), noStaple],
    ["a staple that is the error tryLater", () => serveStapled(stapledError(3)), noStaple],
    ["a staple that is the error unauthorized", () => serveStapled(stapledError(6), stapling, onlyTls12), noStaple],
    ["a staple for another certificate", () => serveStapled(staple({ leaf: plain })), noStaple],
    ["a staple that has expired", () => serveStapled(staple({ from: -9, until: -2 })), noStaple],
    ["a staple that is not valid yet", () => serveStapled(staple({ from: 2, until: 9 })), noStaple],
    ["a staple that reports the certificate as revoked", () => serveStapled(staple({ verdict: "revoked" })), isRevoked],
    ["a staple that does not know the certificate", () => serveStapled(staple({ verdict: "unknown" })), noStaple],
    ["a staple that can't be read", () => serveStapled(Buffer.from("30820102deadbeef", "hex")), noStaple],
  ])("finds %s", async (_, make, code, ...words) => {
    await using server = await make();
    const { exitCode, result } = await verify(server, ...words);
    expect(result).toMatchObject({ ok: false, code: expect.stringMatching(code), message: expect.stringMatching(/./) });
    expect(exitCode).toBe(4);
  });

  it.concurrent.each<[string, Make, ...string[]]>([
    ["a server of TLS 1.3 with session tickets", () => serve()],
    ["a server of TLS 1.2", () => serve(onlyTls12)],
    ["OpenSSL with TLS 1.2 and without tickets", () => serveOpenssl(["-tls1_2", "-no_ticket"])],
    ["a server that asks for a client certificate and does without", () => serve(asksClient)],
    ["the same over TLS 1.2", () => serve({ ...asksClient, ...onlyTls12 })],
    ["OpenSSL that asks for a client certificate and does without", () => serveOpenssl(["-verify", "1"])],
    ["a server that speaks first", () => serve({}, (socket) => socket.write("220 ready\r\n"))],
    ["OpenSSL with stateful tickets", () => serveOpenssl(["-no_ticket"])],
    ["tickets that arrive 300 ms later", async () => serveLate(await serve(), 300)],
    ["a server that speaks and ends the connection", () => serve({}, (socket) => socket.end("bye\r\n"))],
    ["a must-staple certificate with a staple", () => serveStapled(staple())],
    ["the same over TLS 1.2", () => serveStapled(staple(), stapling, onlyTls12)],
    ["a staple without an expiry", () => serveStapled(staple({ until: null }))],
    ["an error as the staple of a certificate that needs none", () => serveStapled(stapledError(3), plain)],
    [
      "a server of HTTP that asks for a client certificate and does without",
      () => serve(asksClient, (socket) => socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\n\r\n"))),
      "--http",
    ],
  ])("accepts %s", async (_, make, ...words) => {
    await using server = await make();
    const { exitCode, result, findings } = await verify(server, ...words);
    expect(result).toMatchObject({ ok: true });
    expect(result).not.toMatchObject({ confirmed: false });
    expect(findings).not.toContain("not-confirmed");
    expect(exitCode).toBe(0);
  });

  it.concurrent.each<[string, Make, ...string[]]>([
    ["a TCP service that waits for the client and sends no tickets", () => serveOpenssl(["-num_tickets", "0"])],
    ["tickets that arrive 800 ms later", async () => serveLate(await serve(), 800)],
    ["silence that a short --timeout cuts off", () => serveOpenssl(["-num_tickets", "0"]), "--timeout", "450ms"],
  ])("reports as unconfirmed, and accepts, %s", async (_, make, ...words) => {
    await using server = await make();
    const { exitCode, result, findings } = await verify(server, ...words);
    expect(result).toMatchObject({ ok: true, confirmed: false });
    expect(findings).toEqual(["not-confirmed"]);
    expect(exitCode).toBe(0);
  });
});

describe("watch", () => {
  /** What `watch --json` makes of a name server and of one server of TLS; both sides are that one. */
  async function watch(
    server: TestServer,
    records: Readonly<Record<string, string>>,
    { hostnames = [hostname], words = [] }: { hostnames?: readonly string[]; words?: readonly string[] } = {},
  ) {
    const recordSets = Object.entries(records).map(([name, data]) => ({ name, type: "A", ttl: 1, rrdatas: [data] }));
    const zone = createZoneSource([createZone("example.com.", recordSets)]);
    const nameServer = await startNameServer({ zones: { findZone: (name) => zone.findZone(name) } });
    try {
      const { exitCode, stdout, stderr } = await runCli(
        [
          ...["watch", ...hostnames.flatMap((name) => ["--hostname", name]), "--address", "127.0.0.1"],
          ...["--port", String(server.port), "--ca", join(folder, "roots.pem"), "--every", "200ms", "--timeout", "2s"],
          ...["--dns-server", `127.0.0.1:${nameServer.port}`, "--within", "2s", "--until", "moved", "--json", ...words],
        ],
        { now: () => new Date() },
      );
      return { exitCode, stderr, summary: JSON.parse(stdout) };
    } finally {
      await nameServer.close();
    }
  }
  const there = { [`${hostname}.`]: "127.0.0.1" };
  const soon = { words: ["--fail-after", "0s"] };
  const beside = { words: ["--fail-after", "0s", "--previous", "127.0.0.9"] };

  it.concurrent.each<[string, Make, string]>([
    ["a load balancer that requires a client certificate", () => serve(wantsClient), "client-certificate-required"],
    [
      "a load balancer that closes after the handshake",
      () => serve({}, (one) => one.end()),
      "rejected-after-handshake",
    ],
  ])("finds %s", async (_, make, code) => {
    await using server = await make();
    const { exitCode, summary } = await watch(server, there, soon);
    expect(summary).toMatchObject({ verdict: "failures", hostnames: [{ codes: { [code]: expect.any(Number) } }] });
    expect(exitCode).toBe(4);
  });

  it("reports as unconfirmed, and accepts, a silent load balancer", async () => {
    await using server = await serveOpenssl(["-num_tickets", "0"]);
    const { exitCode, stderr, summary } = await watch(server, there, soon);
    expect(summary).toMatchObject({ verdict: "moved", failures: 0, unconfirmed: 1, hostnames: [{ unconfirmed: 1 }] });
    expect(stderr).toContain("not confirmed");
    expect(exitCode).toBe(0);
  });

  it("finds a hostname that no longer has the address of --old", async () => {
    await using server = await serve();
    expect((await watch(server, {}, beside)).exitCode).toBe(4);
  });

  it.concurrent.each<[string, readonly string[], readonly string[]]>([
    ["a hostname that never had an address, beside others with --old", [hostname, "new.example.com"], beside.words],
    ["a hostname in a zone that no name server has yet", [hostname, "shop.example.org"], soon.words],
    ["the same with --old", [hostname, "shop.example.org"], beside.words],
    ["a hostname that never had an address", [hostname, "new.example.com"], soon.words],
  ])("accepts %s, and continues", async (_, hostnames, words) => {
    await using server = await serve();
    const { exitCode, summary } = await watch(server, there, { hostnames, words });
    expect(summary).toMatchObject({ verdict: "not-moved", failures: 0, stopped: true });
    expect(exitCode).toBe(5);
  });
});

describe("records --check", () => {
  const data = "7.3.authorize.certificatemanager.goog.";
  const record: ChallengeRecord = {
    domain: "eu.shop.example.net",
    name: "_acme-challenge.eu.shop.example.net.",
    type: "CNAME",
    data,
    published: "external",
    zone: "example.net",
    relativeName: "_acme-challenge.eu.shop",
  };
  const { name } = record;
  type Aliases = Readonly<Record<string, string | readonly string[]>>;
  const check = (aliases: Aliases) =>
    checkRecord(record, async (asked, type): Promise<Answer> => {
      return { ok: true, data: type === "CNAME" ? [aliases[asked] ?? []].flat() : [] };
    });

  it.concurrent.each<[string, Aliases, string]>([
    ["a target with the zone appended", { [name]: `${data}example.net.` }, "record-target-relative"],
    ["a target with a zone below appended", { [name]: `${data}shop.example.net.` }, "record-target-relative"],
    ["a target with the domain appended", { [name]: `${data}eu.shop.example.net.` }, "record-target-relative"],
    [
      "a target with the zone appended, where the name was delegated to",
      { [name]: "shop.acme.example.org.", "shop.acme.example.org.": `${data}acme.example.org.` },
      "record-target-relative",
    ],
    [
      "a name that is doubled, with a target that has the zone appended",
      { [`${name}example.net.`]: `${data}example.net.` },
      "record-doubled",
    ],
    [
      "another authorization's target with the zone appended",
      { [name]: "8.8.authorize.certificatemanager.goog.example.net." },
      "record-wrong",
    ],
    ["the right target and another at one name", { [name]: [data, "x.example.org."] }, "record-several-cnames"],
    [
      "the right target beside a CNAME of another authorization",
      { [name]: ["8.8.authorize.certificatemanager.goog.", data] },
      "record-several-cnames",
    ],
    [
      "two CNAMEs where the name is delegated to",
      { [name]: "a.example.org.", "a.example.org.": [data, "b.example.org."] },
      "record-several-cnames",
    ],
  ])("finds %s", async (_, aliases, verdict) => {
    const { verdict: found, fix } = await check(aliases);
    expect(found).toBe(verdict);
    expect(fix).toMatch(/./);
  });

  it("finds a target without its trailing dot at another name, and suggests no command that would remove the delegation", async () => {
    const { commands, fix } = await check({ [name]: "a.example.org.", "a.example.org.": `${data}example.org.` });
    expect(fix).toContain("a.example.org. lacks its trailing dot");
    expect(commands).toEqual([]);
  });

  it.concurrent.each<[string, Aliases, string]>([
    ["the right target", { [name]: data }, "published"],
    ["a delegation that leads to it", { [name]: "a.example.org.", "a.example.org.": data }, "published"],
    [
      "a foreign name that begins like it as foreign",
      { [name]: `${data}attacker.example.` },
      "record-conflicting-cname",
    ],
    ["another target of Google's as wrong", { [name]: "8.8.authorize.certificatemanager.goog." }, "record-wrong"],
    ["nothing as missing", {}, "record-missing"],
    ["the right target twice in one answer", { [name]: [data, data] }, "published"],
  ])("accepts %s", async (_, aliases, verdict) => {
    expect((await check(aliases)).verdict).toBe(verdict);
  });
});

describe("status", () => {
  const spec = `name: shop
certificates:
  - domains: [${hostname}]
dns: { kind: external }
loadBalancer: { kind: globalExternal, newTargetHttpsProxy: { urlMap: global/urlMaps/web }, addresses: [203.0.113.7] }
`;
  const [migration] = sourceFromSpec(spec, { source: "spec", project: "p1" }).migrations;
  const nothing: Observed = {
    certificates: [],
    records: new Map(),
    entries: [],
    addresses: new Map(),
  };
  const name = `_acme-challenge.${hostname}.`;
  const record = (verdict: string, ...found: readonly string[]) =>
    new Map([[hostname, { record: { name }, verdict, found, commands: [] } as never]]);
  const verified = (change: Partial<StatusVerification["results"][number]>): StatusVerification => ({
    results: [{ hostname, address: "203.0.113.7", ok: false, ...change }],
  });
  const leads = (...data: readonly string[]) => new Map([[hostname, { ok: true as const, data }]]);

  it.concurrent.each<[string, number, Partial<Observed>, StatusVerification | undefined, string]>([
    ["a missing CNAME", 2, { records: record("record-missing") }, undefined, name.slice(0, -1)],
    [
      "a foreign CNAME",
      2,
      { records: record("record-conflicting-cname", "x.example.org.") },
      undefined,
      "x.example.org",
    ],
    ["a TXT record in the way", 2, { records: record("record-conflicting-txt", "token") }, undefined, "token"],
    [
      "a target with the zone appended",
      2,
      { records: record("record-target-relative", "t.goog.example.com.") },
      undefined,
      "t.goog",
    ],
    ["a rejection of clients", 7, {}, verified({ code: "client-certificate-required", message: "alert" }), "client"],
    ["an unknown code of verify", 7, {}, verified({ code: "of-a-later-version" }), "of-a-later-version"],
    ["a result without a code", 7, {}, verified({}), "203.0.113.7"],
    ["traffic elsewhere", 8, { addresses: leads("198.51.100.9") }, undefined, "198.51.100.9"],
    ["a hostname without an address", 8, { addresses: leads() }, undefined, "no address"],
  ])("finds %s, and prints a sentence about it", (_, step, change, verification, part) => {
    if (migration === undefined) throw new Error("the spec has no migration");
    const [status] = assessStatus(migration, { ...nothing, ...change }, verification);
    const { reason = "", code } = status?.steps[step - 1] ?? {};
    expect(reason).toMatch(/^[A-Z][^:]* .+\.$/);
    expect(reason).toContain(part);
    expect(reason.startsWith(code ?? "")).toBe(false);
  });
});
