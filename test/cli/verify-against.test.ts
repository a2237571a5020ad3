import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TlsOptions } from "node:tls";
import { type Authority, createAuthority } from "../../lib/cloud/certificate-authority";
import { type NameServer, startNameServer } from "../../lib/cloud/name-server";
import { runCli } from "../support/io";
import { serveTcp, serveTls, type TestServer } from "../support/tls-servers";
import { createZone, createZoneSource } from "../support/zones";

const [oldAddress, newAddress] = ["127.0.0.1", "127.0.0.2"];
type KeyAlgorithm = "rsa-2048" | "ecdsa-p256";

let authority: Authority;
let folder: string;
let nameServer: NameServer;
const started: TestServer[] = [];

beforeAll(async () => {
  authority = await createAuthority({ commonName: "Test", now: () => new Date(Date.now() - 60_000) });
  folder = mkdtempSync(join(tmpdir(), "verify-against-"));
  writeFileSync(join(folder, "roots.pem"), authority.trustBundlePem);
  const records = [
    ["example.com.", "A", newAddress],
    ["www.example.com.", "CNAME", "example.com."],
    ["old-cdn.example.com.", "A", oldAddress],
    ["today.example.com.", "A", oldAddress],
  ] as const;
  const zone = createZone(
    "example.com.",
    records.map(([name, type, data]) => ({ name, type, ttl: 1, rrdatas: [data] })),
  );
  nameServer = await startNameServer({ zones: createZoneSource([zone]) });
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server[Symbol.asyncDispose]()));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await nameServer.close();
});

const made = new Map<string, ReturnType<Authority["issue"]>>();

/** Issues certificates with shared keys, because generating a key is the slowest part of these tests. */
function issue(names: readonly string[], publicKeyAlgorithm: KeyAlgorithm): ReturnType<Authority["issue"]> {
  const which = [publicKeyAlgorithm, ...names].join();
  const known = made.get(which) ?? authority.issue({ names, publicKeyAlgorithm, validDays: 30 });
  made.set(which, known);
  return known;
}

async function side(
  address: string,
  port: number,
  names: readonly string[],
  algorithms: readonly KeyAlgorithm[],
  options: TlsOptions = {},
): Promise<number> {
  const issued = await Promise.all(algorithms.map((algorithm) => issue(names, algorithm)));
  const cert = issued.map(({ chainPem }) => chainPem);
  const key = issued.map(({ privateKeyPem }) => privateKeyPem);
  const server = await serveTls({ cert, key, ...options }, { address, port });
  started.push(server);
  return server.port;
}

function verify(port: number, words: readonly string[], stdin = "", timeout = "5s") {
  const line = ["verify", ...words, "--port", String(port), "--ca", join(folder, "roots.pem"), "--no-exact"];
  const limits = ["--repeat", "1", "--timeout", timeout];
  const dns = ["--dns-server", `127.0.0.1:${nameServer.port}`];
  return runCli([...line, ...limits, ...dns], { now: () => new Date(), stdin });
}

const named = ["--hostname", "example.com", "--address", newAddress, "--against", oldAddress];

/** Returns the code and subject of each finding. */
function findingsOf(stdout: string): readonly string[] {
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly code: string; readonly subject: string; readonly severity: string }[];
  };
  return findings.map(({ code, subject, severity }) => `${severity} ${subject} ${code}`).sort();
}

test("compares a previous provider with TLS 1.2 and more names with a modern load balancer: only these names are lost", async () => {
  const names = ["example.com", "shop.example.net"];
  const port = await side(oldAddress, 0, names, ["rsa-2048"], { maxVersion: "TLSv1.2" });
  await side(newAddress, port, ["example.com"], ["ecdsa-p256", "rsa-2048"]);
  const { exitCode, stdout } = await verify(port, [...named, "--json"]);
  expect(JSON.parse(stdout).comparisons).toEqual([
    {
      hostname: "example.com",
      previous: { address: oldAddress, protocols: ["TLSv1.2"], keyTypes: ["rsa"], alpn: [], withoutSni: true },
      previousFrom: "given",
      loadBalancer: {
        address: newAddress,
        protocols: ["TLSv1.2", "TLSv1.3"],
        keyTypes: ["rsa", "ecdsa"],
        alpn: [],
        withoutSni: true,
      },
    },
  ]);
  expect(findingsOf(stdout)).toEqual(["warning shop.example.net name-not-planned"]);
  expect(exitCode).toBe(0);
});

test("compares a previous provider with TLS 1.2 and both kinds of keys with TLS 1.3 and ECDSA: TLS 1.2 and RSA-only clients are lost", async () => {
  const port = await side(oldAddress, 0, ["example.com"], ["ecdsa-p256", "rsa-2048"], { maxVersion: "TLSv1.2" });
  await side(newAddress, port, ["example.com"], ["ecdsa-p256"], { minVersion: "TLSv1.3" });
  const { exitCode, stdout } = await verify(port, [...named, "--json"]);
  expect(findingsOf(stdout)).toEqual(["error example.com protocol-lost", "warning example.com key-type-lost"]);
  expect(exitCode).toBe(4);
});

test.each([
  ["rsa", ["ecdsa-p256"], "300ms", 4],
  ["ecdsa", ["rsa-2048"], "300ms", 4],
  ["rsa", ["ecdsa-p256", "rsa-2048"], "10s", 0],
  ["ecdsa", ["ecdsa-p256", "rsa-2048"], "10s", 0],
] as const)(
  "clients that accept %s only meet a server of %j within %s: exit code %i",
  async (family, algorithms, within, expected) => {
    const port = await side(newAddress, 0, ["example.com"], algorithms);
    const words = ["--hostname", "example.com", "--address", newAddress, "--key-type", family, "--within", within];
    const { exitCode, stdout } = await verify(port, words);
    expect(exitCode).toBe(expected);
    expect(stdout).toMatch(
      new RegExp(
        `^example\\.com at ${newAddress} with ${family}: ${expected === 0 ? "ok" : ".* \\[key-type-missing\\]$"}`,
        "m",
      ),
    );
  },
);

/** Returns outputs of a stack whose DNS records already point to the load balancer. */
function outputs(hostname: string, previous: object): string {
  const migration = {
    name: "shop",
    phase: "serve",
    gate: "wait",
    loadBalancer: "globalExternal",
    certificates: [],
    entries: [{ hostname, id: "projects/p/locations/global/certificateMaps/m/certificateMapEntries/e" }],
    addresses: { ipv4: [newAddress] },
    traffic: { to: "loadBalancer", hostnames: [hostname], ...previous },
  };
  return JSON.stringify({ version: 1, migrations: { shop: migration } });
}

test.each([
  ["example.com", { previous: { "example.com": { a: [oldAddress] } } }, "plan", "according to the plan"],
  ["www.example.com", { previous: { "www.example.com": { cname: "old-cdn.example.com." } } }, "alias", "plan's alias"],
  ["today.example.com", {}, "dns", "according to DNS"],
])(
  "prints that the previous provider of %s, with outputs %j, comes from %s",
  async (hostname, previous, from, words) => {
    const port = await side(oldAddress, 0, [hostname], ["ecdsa-p256"]);
    await side(newAddress, port, [hostname], ["ecdsa-p256"]);
    const line = ["--outputs", "-", "--against", "previous"];
    const { exitCode, stdout } = await verify(port, [...line, "--json"], outputs(hostname, previous));
    expect(JSON.parse(stdout).comparisons).toEqual([
      expect.objectContaining({
        hostname,
        previous: expect.objectContaining({ address: oldAddress }),
        previousFrom: from,
      }),
    ]);
    expect(exitCode).toBe(0);
    const result = await verify(port, line, outputs(hostname, previous));
    expect(result.stdout).toMatch(
      new RegExp(`^${hostname}: previous provider \\(.*${words}\\) at ${oldAddress}: `, "m"),
    );
  },
);

test("compares every address of both providers: the names of all previous addresses with what any new address lacks", async () => {
  const [secondOld, secondNew] = ["127.0.0.3", "127.0.0.4"];
  const port = await side(oldAddress, 0, ["example.com"], ["ecdsa-p256"]);
  await side(secondOld, port, ["example.com", "second.example.net"], ["rsa-2048", "ecdsa-p256"]);
  await side(newAddress, port, ["example.com"], ["ecdsa-p256", "rsa-2048"]);
  await side(secondNew, port, ["example.com"], ["ecdsa-p256"], { minVersion: "TLSv1.3" });
  const { exitCode, stdout } = await verify(port, [...named, "--address", secondNew, "--against", secondOld, "--json"]);
  const { comparisons, findings } = JSON.parse(stdout);
  expect(comparisons).toEqual([
    {
      hostname: "example.com",
      previous: expect.objectContaining({ address: oldAddress }),
      previousFrom: "given",
      furtherPrevious: [expect.objectContaining({ address: secondOld, keyTypes: ["rsa", "ecdsa"] })],
      loadBalancer: expect.objectContaining({ address: newAddress }),
      furtherLoadBalancer: [expect.objectContaining({ address: secondNew, protocols: ["TLSv1.3"] })],
    },
  ]);
  const details = (findings as readonly { readonly code: string; readonly message: string }[]).map(
    ({ code, message }) => `${code}: ${message}`,
  );
  expect(details).toEqual([
    `protocol-lost: TLSv1.2 at ${oldAddress}, ${secondOld}, and not at ${secondNew}`,
    `key-type-lost: rsa at ${secondOld}, and not at ${secondNew}`,
    expect.stringMatching(/^name-not-planned: /),
  ]);
  expect(exitCode).toBe(4);
  const result = await verify(port, [...named, "--address", secondNew, "--against", secondOld]);
  expect(result.stdout).toContain(`example.com: previous provider at ${secondOld}: `);
  expect(result.stdout).toContain(`example.com: load balancer at ${secondNew}: `);
});

test("limits a comparison with a silent previous provider to --within", async () => {
  const tarPit = await serveTcp(() => {}, { address: oldAddress });
  started.push(tarPit);
  await side(newAddress, tarPit.port, ["example.com"], ["ecdsa-p256"]);
  const words = [...named, "--within", "900ms", "--json"];
  const { exitCode, stdout } = await verify(tarPit.port, words, "", "1s");
  expect(findingsOf(stdout)).toEqual(["error example.com comparison-unfinished"]);
  expect(exitCode).toBe(4);
});

test("reports that nothing was compared if the previous provider is unknown", async () => {
  const port = await side(newAddress, 0, ["example.com"], ["ecdsa-p256"]);
  const line = ["--outputs", "-", "--against", "previous", "--json"];
  const { stdout } = await verify(port, line, outputs("example.com", {}));
  expect(findingsOf(stdout)).toEqual([expect.stringMatching(/ example\.com previous-provider-unseen$/)]);
});

test.each([
  ["while clients without SNI are asked for", 2, `${newAddress}: clients without SNI get no certificate: unreachable`],
  ["in the middle of the comparison", 8, "[comparison-unfinished]"],
])(
  "keeps the results of a rehearsal whose cloud stops %s, and reports what was not compared",
  async (_, answered, expected) => {
    const port = await side(newAddress, 0, ["example.com"], ["ecdsa-p256"]);
    await side(oldAddress, port, ["example.com"], ["ecdsa-p256"]);
    let left = answered;
    const endpoints = { trustBundle: authority.trustBundlePem, dns: `127.0.0.1:${nameServer.port}` };
    const control = createServer((request, response) => {
      if (request.url === "/listeners") left -= 1;
      response.statusCode = left < 0 ? 404 : 200;
      response.end(request.url === "/endpoints" ? JSON.stringify(endpoints) : "[]");
    });
    await once(control.listen(0, "127.0.0.1"), "listening");
    let seconds = 0;
    try {
      const { exitCode, stdout } = await runCli(
        ["verify", ...named, "--port", String(port), "--no-exact", "--repeat", "1"],
        {
          env: { CERT_MIGRATION_REHEARSAL: `http://127.0.0.1:${(control.address() as AddressInfo).port}/` },
          // Advances the clock, so that each poll requests the listeners again.
          now: () => {
            seconds += 1;
            return new Date(Date.now() + seconds * 1_000);
          },
        },
      );
      expect(stdout).toMatch(new RegExp(`^example\\.com at ${newAddress}: ok`));
      expect(stdout).toContain(expected);
      expect(stdout).toContain("asking the rehearsal cloud");
      expect(exitCode).toBe(4);
    } finally {
      control.close();
    }
  },
);
