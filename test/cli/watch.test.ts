import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../lib/cli/command";
import { readFailAfter } from "../../lib/cli/commands/watch";
import { type NameServer, startNameServer } from "../../lib/cloud/name-server";
import type { WatchLine } from "../../lib/live/watch";
import { runCli, withUsual } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { serveTls, type TestServer } from "../support/tls-servers";
import { createZone, createZoneSource } from "../support/zones";

const certificate = makeCertificate(["example.com", "www.example.com"]);
const [oldAddress, newAddress] = ["127.0.0.1", "127.0.0.2"];
let folder: string;
let oldSide: TestServer;
let newSide: TestServer;
let nameServer: NameServer;
let records: Map<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "watch-"));
  writeFileSync(join(folder, "roots.pem"), certificate.certificatePem);
  const served = { cert: certificate.certificatePem, key: certificate.privateKeyPem };
  oldSide = await serveTls(served, { address: oldAddress });
  newSide = await serveTls(served, { address: newAddress, port: oldSide.port });
  records = new Map([
    ["example.com.", newAddress],
    ["www.example.com.", newAddress],
  ]);
  const recordSets = () => [...records].map(([name, address]) => ({ name, type: "A", ttl: 1, rrdatas: [address] }));
  nameServer = await startNameServer({
    zones: { findZone: (name) => createZoneSource([createZone("example.com.", recordSets())]).findZone(name) },
  });
});

afterEach(async () => {
  await nameServer.close();
  await oldSide[Symbol.asyncDispose]();
  await newSide[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function watch(
  words: readonly string[],
  {
    hostnames = ["example.com", "www.example.com"],
    ...change
  }: { readonly hostnames?: readonly string[] } & Partial<Pick<Io, "signal" | "stderr">> = {},
) {
  const server = `127.0.0.1:${nameServer.port}`;
  const line = [
    "watch",
    ...hostnames.flatMap((hostname) => ["--hostname", hostname]),
    ...["--address", newAddress, "--port", String(oldSide.port), "--ca", join(folder, "roots.pem")],
  ];
  const usual = { "--dns-server": server, "--every": "200ms", "--timeout": "2s", "--within": "5s" };
  return runCli([...line, ...withUsual(usual, words)], { now: () => new Date(), ...change });
}

const logged = (): readonly WatchLine[] =>
  readFileSync(join(folder, "log.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as WatchLine);

test("exits with 0 for traffic that has moved and is served correctly, and logs each line", async () => {
  const words = ["--until", "moved", "--log", join(folder, "log.jsonl"), "--json"];
  const { exitCode, stdout, stderr } = await watch(words);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    schemaVersion: 1,
    kind: "summary",
    verdict: "moved",
    failures: 0,
    attempts: 2,
  });
  expect(stderr).toContain("example.com leads to the load balancer everywhere\n");
  expect(stderr).toMatch(
    /moved: all traffic has moved to the load balancer, without a failure; 2 attempts, 0 failed, in \d+ s\n$/,
  );
  expect(logged().map(({ kind }) => kind)).toEqual(["start", "sample", "sample", "summary"]);
  expect(logged()[1]).toMatchObject({ resolver: "authoritative", address: newAddress, side: "loadBalancer", ok: true });
});

test("watches each hostname in one part of --shard, and an empty part ends at once", async () => {
  const words = (shard: string) => ["--until", "moved", "--shard", shard, "--json"];
  const parts = await Promise.all([1, 2, 3, 4].map((index) => watch(words(`${index}/4`))));
  expect(parts.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  const watched = parts.map(({ stdout }) =>
    JSON.parse(stdout).hostnames.map(({ hostname }: { hostname: string }) => hostname),
  );
  expect(watched.flat().sort()).toEqual(["example.com", "www.example.com"]);
  expect(watched.filter(({ length }) => length === 0).length).toBeGreaterThanOrEqual(2);
});

test("watches a hostname that only a wildcard serves in one part of --shard as well", async () => {
  const hostnames = ["example.com", "www.example.com"];
  const shop = {
    name: "shop",
    phase: "serve",
    gate: "wait",
    loadBalancer: "globalExternal",
    certificates: [],
    entries: [
      {
        hostname: "*.example.net",
        id: "projects/p/locations/global/certificateMaps/shop/certificateMapEntries/e",
        certificates: [],
      },
    ],
    traffic: { to: "loadBalancer", hostnames },
    addresses: { ipv4: [newAddress] },
  };
  const outputs = join(folder, "outputs.json");
  const value = { version: 1, migrations: { shop } };
  writeFileSync(outputs, JSON.stringify({ cert_migration: { value } }));
  const words = ["--until", "moved", "--json", "--outputs", outputs, "--shard"];
  const parts = await Promise.all([1, 2, 3, 4].map((index) => watch([...words, `${index}/4`], { hostnames: [] })));
  const watched = parts.flatMap(({ stdout }) => JSON.parse(stdout).hostnames as readonly { hostname: string }[]);
  expect(watched.map(({ hostname }) => hostname).sort()).toEqual(hostnames);
});

test("refuses a part of which nothing can be watched, as it refuses the whole", async () => {
  const words = ["--dns-server", "127.0.0.1:1", "--until", "moved", "--shard"];
  const parts = await Promise.all(
    [1, 2].map((index) => watch([...words, `${index}/2`], { hostnames: ["*.example.net"] })),
  );
  expect(parts.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2]);
  expect(parts.map(({ stderr }) => stderr).join("")).toContain("nothing is left to watch");
});

test("names the part of the hostnames in the log, so that a report misses the others", async () => {
  const log = join(folder, "shard.jsonl");
  await watch(["--until", "moved", "--shard", "2/4", "--log", log]);
  const [start = ""] = readFileSync(log, "utf8").split("\n");
  expect(JSON.parse(start)).toMatchObject({ kind: "start", shard: "2/4" });
});

test("ends when traffic is served correctly for the time of --for", async () => {
  const { exitCode, stdout } = await watch(["--for", "300ms", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "good", stopped: false });
  expect(exitCode).toBe(0);
});

test("exits with 4 for a hostname that fails, with its remedy", async () => {
  await newSide[Symbol.asyncDispose]();
  const { exitCode, stdout, stderr } = await watch(["--until", "moved"], { hostnames: ["example.com"] });
  expect(exitCode).toBe(4);
  expect(stderr).toContain(`example.com at ${newAddress}: ECONNREFUSED [connection-refused]\n`);
  expect(stdout).toMatch(
    /^hostname +moved +since +attempts +failures +codes\nexample.com +1 of 1 .* connection-refused 1\n/,
  );
  expect(stdout).toContain(
    "connection-refused: the address refuses connections at the port - check the forwarding rule",
  );
});

test("ends with exit code 4 when a hostname fails at every check for the time of --fail-after", async () => {
  await newSide[Symbol.asyncDispose]();
  const words = ["--until", "stopped", "--fail-after", "500ms", "--json"];
  const { exitCode, stdout } = await watch(words, { hostnames: ["example.com"] });
  expect(exitCode).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "failures", stopped: false });
});

test.each([
  [{ until: "good", failAfter: undefined }, { failedMs: 120_000 }],
  [{ until: "moved", failAfter: undefined }, { failedMs: 120_000 }],
  [{ until: "stopped", failAfter: undefined }, {}],
  [{ until: "stopped", failAfter: 30_000 }, { failedMs: 30_000 }],
  [{ until: "good", failAfter: 0 }, { failedMs: 0 }],
] as const)("ends for %j after failures as in %j", (options, ends) => {
  expect(readFailAfter(options)).toEqual(ends);
});

test("exits with 5 if it is stopped before traffic has moved, with a summary", async () => {
  records.set("example.com.", oldAddress);
  const stopping = new AbortController();
  const path = join(folder, "log.jsonl");
  const looking = setInterval(() => {
    if (existsSync(path) && readFileSync(path, "utf8").includes('"sample"')) stopping.abort();
  }, 20);
  const { exitCode, stdout, stderr } = await watch(["--log", path], { signal: stopping.signal });
  clearInterval(looking);
  expect(exitCode).toBe(5);
  expect(stdout).toMatch(/example.com +0 of 1 +-/);
  expect(stderr).toMatch(/not-moved: 1 answer still leads elsewhere; \d+ attempts, 0 failed/);
  expect(logged().at(-1)).toMatchObject({ kind: "summary", verdict: "not-moved", stopped: true });
});

test("waits for a hostname that is not in DNS yet, without a failure", async () => {
  records.delete("www.example.com.");
  const written: string[] = [];
  const stderr = {
    write: (text: string) => {
      written.push(text);
      if (text.includes("is new")) records.set("www.example.com.", newAddress);
    },
  };
  const words = ["--until", "moved", "--fail-after", "0s", "--log", join(folder, "log.jsonl")];
  expect((await watch(words, { stderr })).exitCode).toBe(0);
  expect(written.filter((text) => text.includes("is new"))).toEqual([
    "www.example.com is new: authoritative has no address yet (NXDOMAIN), which is not a failure\n",
  ]);
  expect(logged().find(({ kind }) => kind === "absent")).toEqual({
    kind: "absent",
    time: expect.stringMatching(/^\d{4}-.+Z$/),
    hostname: "www.example.com",
    resolver: "authoritative",
    detail: "NXDOMAIN",
    ms: expect.any(Number),
  });
});

test.each([
  ["--previous", ["--hostname", "www.example.com", "--previous", oldAddress], ""],
  ["the plan's addresses", [], `{ www.example.com: { a: [${oldAddress}] } }`],
  ["the plan's alias", [], "{ www.example.com: { cname: old.example.net. } }"],
])("reports a hostname that had an address before by %s and lost it", async (_, words, previous) => {
  records.delete("www.example.com.");
  writeFileSync(
    join(folder, "migration.yaml"),
    `name: shop
certificates:
  - domains: [www.example.com]
dns: { kind: external }
loadBalancer: { kind: globalExternal, newTargetHttpsProxy: { urlMap: global/urlMaps/web }, addresses: [${newAddress}] }
traffic: { to: loadBalancer, previous: ${previous} }
`,
  );
  const source = previous === "" ? words : ["--spec", join(folder, "migration.yaml")];
  const { exitCode, stderr } = await watch([...source, "--fail-after", "0s"], { hostnames: [] });
  expect(exitCode).toBe(4);
  expect(stderr).toContain("www.example.com at authoritative: NXDOMAIN [dns-no-address]\n");
});

test("reads hostnames and addresses from a plan, with the records before the move as previous provider", async () => {
  writeFileSync(
    join(folder, "migration.yaml"),
    `name: shop
certificates:
  - domains: [example.com, "*.example.com"]
dns: { kind: external }
loadBalancer: { kind: globalExternal, newTargetHttpsProxy: { urlMap: global/urlMaps/web }, addresses: [${newAddress}] }
traffic: { to: loadBalancer, previous: { example.com: { a: [${oldAddress}] } } }
`,
  );
  records.set("example.com.", oldAddress);
  const words = ["--spec", join(folder, "migration.yaml"), "--until", "stopped", "--within", "1s"];
  const log = ["--log", join(folder, "log.jsonl")];
  const { exitCode } = await watch([...words, ...log], { hostnames: [] });
  expect(exitCode).toBe(5);
  expect(logged()[0]).toMatchObject({
    hostnames: ["example.com"],
    previousAddresses: [oldAddress],
    loadBalancerAddresses: [newAddress],
  });
  expect(logged()[1]).toMatchObject({ side: "previous", ok: true });
});

const withWildcard = `name: shop
certificates:
  - domains: [example.com, "*.example.com"]
dns: { kind: external }
loadBalancer: { kind: globalExternal, newTargetHttpsProxy: { urlMap: global/urlMaps/web }, addresses: [${newAddress}] }
`;

test.each([
  ["that does not exist", [], /^probe-[0-9a-z]{8}\.example\.com$/],
  ["that is given", ["--wildcard-label", "Shop"], /^shop\.example\.com$/],
])("watches a wildcard of a plan by a label %s, and marks it", async (_, label, name) => {
  writeFileSync(join(folder, "migration.yaml"), withWildcard);
  records.set("*.example.com.", newAddress);
  await newSide[Symbol.asyncDispose]();
  const { certificatePem, privateKeyPem } = makeCertificate(["example.com", "*.example.com"]);
  writeFileSync(join(folder, "roots.pem"), certificatePem);
  newSide = await serveTls({ cert: certificatePem, key: privateKeyPem }, { address: newAddress, port: oldSide.port });
  const log = ["--log", join(folder, "log.jsonl")];
  const words = ["--spec", join(folder, "migration.yaml"), "--until", "moved", ...label, ...log];
  const { exitCode, stdout, stderr } = await watch(words, { hostnames: [] });
  expect(exitCode).toBe(0);
  const [start] = logged();
  const [asked] = start?.kind === "start" ? Object.keys(start.wildcards ?? {}) : [];
  expect(asked).toMatch(name);
  expect(start).toMatchObject({ hostnames: ["example.com", asked], wildcards: { [`${asked}`]: "*.example.com" } });
  expect(logged().at(-1)).toMatchObject({
    verdict: "moved",
    hostnames: [{ hostname: "example.com" }, { hostname: asked, wildcard: "*.example.com", attempts: 1, failures: 0 }],
  });
  expect(stderr).toContain(`${asked} is watched for *.example.com\n`);
  expect(stdout).toMatch(new RegExp(`^\\*\\.example\\.com as ${asked} +1 of 1`, "m"));
});

test("reports a wildcard without DNS records as not watched, without a failure", async () => {
  writeFileSync(join(folder, "migration.yaml"), withWildcard);
  const words = ["--spec", join(folder, "migration.yaml"), "--until", "moved", "--json"];
  const { exitCode, stdout, stderr } = await watch(words, { hostnames: [] });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "moved", attempts: 1, notWatched: ["*.example.com"] });
  expect(stderr).toContain(
    "not watched: *.example.com: DNS has no address for a name that only the wildcard covers; give --hostname for names",
  );
  expect(stderr).toMatch(/moved: all traffic has moved to the load balancer, .*; without \*\.example\.com\n$/);
});

test("refuses to watch only wildcards without DNS records", async () => {
  const { exitCode, stderr } = await watch([], { hostnames: ["*.example.com"] });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("[hostname-missing]");
});

test("reports within 5 s that no resolver answers, shows since when, and exits with 5", async () => {
  await nameServer.close();
  const startedAt = Date.now();
  const written: { readonly afterMs: number; readonly text: string }[] = [];
  const stderr = { write: (text: string) => void written.push({ afterMs: Date.now() - startedAt, text }) };
  const log = ["--log", join(folder, "log.jsonl")];
  const words = ["--blind-after", "3s", "--within", "60s", "--json", ...log];
  const { exitCode, stdout } = await watch(words, { stderr });
  expect(exitCode).toBe(5);
  const [first, ...others] = written.filter(({ text }) => text.includes("failures do not count"));
  expect(others).toEqual([]);
  expect(first?.text).toMatch(/^no server has answered since \d{4}-.*Z: neither a resolver nor an address;/);
  expect(first?.afterMs).toBeLessThan(5_000);
  expect(written.some(({ text }) => /^no server has answered since \S+Z, the watch ends in [12] s\n$/.test(text))).toBe(
    true,
  );
  expect(logged().map(({ kind }) => kind)).toEqual(["start", "gap-begin", "gap", "summary"]);
  const [start, begin] = logged();
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "blind", stopped: false, blindSince: begin?.time });
  expect(begin?.time).toBe(start?.time);
});

test("names the missing answers as the reason for wildcards alone and no resolver that answers", async () => {
  await nameServer.close();
  const { exitCode, stderr } = await watch([], { hostnames: ["*.example.com"] });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("no resolver answered for names under the wildcards; check the network of this machine");
});

test.each([
  [["--blind-after", "0s"], "duration-out-of-range"],
  [["--wildcard-label", "a.b"], "label-malformed"],
  [["--previous", "old.example.com"], "address-malformed"],
  [["--resolver", "dns.example.com", "--every", "1s"], "dns-server-malformed"],
  [["--for", "soon"], "duration-malformed"],
  [["--every", "0s"], "duration-out-of-range"],
  [["--every", "999ms", "--resolver", "127.0.0.1"], "duration-out-of-range"],
])("refuses %j with exit code 2 and %s", async (words, code) => {
  const { exitCode, stderr } = await watch(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`[${code}]`);
});

test("does not overwrite an existing log", async () => {
  const path = join(folder, "log.jsonl");
  writeFileSync(path, "earlier\n");
  const { exitCode, stderr } = await watch(["--log", path]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("[file-exists]");
  expect(readFileSync(path, "utf8")).toBe("earlier\n");
  expect(existsSync(path)).toBe(true);
});
