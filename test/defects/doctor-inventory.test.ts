import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeZone, startTestCloud, type TestCloud } from "../support/cloud";
import { der } from "../support/der";
import { runCli } from "../support/io";
import { type LoopbackServer, serve } from "../support/loopback";
import { makeCertificate } from "../support/make-certificate";
import { makeOddCertificate } from "../support/odd-certificates";
import { serveTcp, serveTls } from "../support/tls-servers";

/** Defects of the surroundings of a migration, and harmless ones beside them: what `doctor` and `inventory` have to report, and what not. */
jest.setTimeout(30_000);

let folder: string;
let cloud: TestCloud;
/** The same cloud, with what it does not emulate: kinds of resources that are only listed. */
let whole: LoopbackServer | Omit<LoopbackServer, "requests">;
const path = (name: string) => join(folder, name);

/** Resources of kinds that the cloud does not emulate, by the end of the path of their list. */
const further: Readonly<Record<string, object>> = {
  "global/sslPolicies": { items: [{ name: "modern" }] },
  "global/networks": { items: [{ name: "default" }] },
  "regions/europe-west1/subnetworks": { items: [{ name: "proxies" }] },
  "locations/global/serverTlsPolicies": {
    serverTlsPolicies: [{ name: "projects/1/locations/global/serverTlsPolicies/mutual" }],
  },
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "defects-doctor-inventory-"));
  cloud = await startTestCloud();
  whole = await serve(async (request, response) => {
    const [at = ""] = (request.url ?? "").split("?");
    const listed = Object.entries(further).find(([end]) => at.endsWith(`/projects/p1/${end}`));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET" } = request;
    const body = method === "GET" ? {} : { body: Buffer.concat(chunks) };
    const headers = { "content-type": "application/json" };
    const answer =
      listed === undefined
        ? await fetch(new URL(request.url ?? "", cloud.endpoints.http), { method, headers, ...body })
        : Response.json(listed[1]);
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  await makeZone(cloud, "example-com", "example.com.");
  const additions = ["example.com.", "www.example.com."].map((name) => ({
    name,
    type: "A",
    ttl: 60,
    rrdatas: ["198.51.100.1"],
  }));
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones/example-com/changes", { additions });
  const compute = "/compute/v1/projects/p1";
  for (const scope of ["global", "regions/europe-west1"]) {
    const service = { name: "web", loadBalancingScheme: "EXTERNAL_MANAGED" };
    await cloud.make("POST", `${compute}/${scope}/backendServices`, service);
    await cloud.make("POST", `${compute}/${scope}/urlMaps`, {
      name: "web",
      defaultService: `${scope}/backendServices/web`,
    });
  }
  const reserve = (scope: string, name: string, address: string) =>
    cloud.make("POST", `${compute}/${scope}/addresses`, { name, address });
  await reserve("global", "shop", "203.0.113.7");
  await reserve("global", "shop6", "2001:db8::7");
  await reserve("regions/europe-west1", "local", "203.0.113.8");
  await reserve("regions/us-central1", "far", "203.0.113.9");
  await cloud.clock.advance(1_000);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await whole[Symbol.asyncDispose]();
  await cloud.stop();
});

type Body = Readonly<Record<string, unknown>>;

const rules = { ipv4Address: "203.0.113.7" };
const https = (more: object = {}) => ({
  loadBalancer: {
    kind: "globalExternal",
    newTargetHttpsProxy: { urlMap: "global/urlMaps/web", forwardingRules: rules, ...more },
  },
});
const ruled = (forwardingRules: object) => ({
  loadBalancer: {
    kind: "globalExternal",
    addresses: ["203.0.113.7"],
    newTargetHttpsProxy: { urlMap: "global/urlMaps/web", forwardingRules },
  },
});
const ssl = (more: object) => ({
  loadBalancer: {
    kind: "globalExternal",
    newTargetSslProxy: { backendService: "global/backendServices/web", forwardingRules: rules, ...more },
  },
});
const unset = { sslCertificates: null, sslPolicy: null, description: null };
const adopted = (more: object) => ({
  loadBalancer: {
    kind: "globalExternal",
    addresses: ["203.0.113.7"],
    adoptTargetHttpsProxies: [
      {
        name: "there",
        urlMap: "global/urlMaps/web",
        ...unset,
        quicOverride: null,
        tlsEarlyData: null,
        httpKeepAliveTimeoutSeconds: null,
        serverTlsPolicy: null,
        ...more,
      },
    ],
  },
});
const adoptedSsl = (more: object) => ({
  loadBalancer: {
    kind: "globalExternal",
    addresses: ["203.0.113.7"],
    adoptTargetSslProxies: [
      { name: "there", backendService: "global/backendServices/web", ...unset, proxyHeader: null, ...more },
    ],
  },
});
const regional = (kind: string, more: object, region = "europe-west1") => ({
  certificates: [{ domains: ["example.com", "www.example.com"] }],
  loadBalancer: { kind, region, newTargetHttpsProxy: { urlMap: `regions/${region}/urlMaps/web`, ...more } },
});

/** What doctor says of a migration of `example.com`, by code and subject, errors first. */
async function examine(change: Body, endpoint = whole.url) {
  const spec = {
    name: "shop",
    certificates: [{ domains: ["example.com", "www.example.com"], primary: true }],
    dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
    ...https(),
    ...change,
  };
  writeFileSync(path("migration.yaml"), JSON.stringify(spec));
  const places = ["--endpoint", endpoint, "--dns-server", cloud.endpoints.dns];
  const words = ["doctor", "--spec", path("migration.yaml"), "--project", "p1", ...places, "--json"];
  const { exitCode, stdout, stderr } = await runCli(words);
  if (stdout === "") throw new Error(stderr);
  const { findings } = JSON.parse(stdout) as { findings: readonly Readonly<Record<string, string>>[] };
  return {
    exitCode,
    found: findings.map(({ code, subject }) => `${code} ${subject}`),
    text: JSON.stringify(findings),
  };
}

const id = (rest: string) => `projects/p1/${rest}`;

describe("doctor", () => {
  test.each<readonly [string, Body, string]>([
    [
      "a URL map by a link to a name that is none",
      https({ urlMap: "https://www.googleapis.com/compute/v1/projects/p1/global/urlMaps/web2" }),
      `existing-missing ${id("global/urlMaps/web2")}`,
    ],
    [
      "a URL map by a name that is none",
      https({ urlMap: "frontend" }),
      `existing-missing ${id("global/urlMaps/frontend")}`,
    ],
    [
      "a URL map of another project, which has none",
      https({ urlMap: "projects/p2/global/urlMaps/web" }),
      "existing-missing projects/p2/global/urlMaps/web",
    ],
    [
      "a URL map that is in another region",
      regional("regionalExternal", { forwardingRules: { ipv4Address: "203.0.113.9" } }, "us-central1"),
      `existing-missing ${id("regions/us-central1/urlMaps/web")}`,
    ],
    [
      "the URL map of an adopted proxy",
      adopted({ urlMap: "global/urlMaps/wbe" }),
      `existing-missing ${id("global/urlMaps/wbe")}`,
    ],
    ["a proxy to adopt", adopted({ name: "gone" }), `proxy-missing ${id("global/targetHttpsProxies/gone")}`],
    ["an SSL proxy to adopt", adoptedSsl({ name: "gone" }), `proxy-missing ${id("global/targetSslProxies/gone")}`],
    [
      "the backend service of a new SSL proxy",
      ssl({ backendService: "global/backendServices/tcp" }),
      `existing-missing ${id("global/backendServices/tcp")}`,
    ],
    [
      "the backend service of an adopted SSL proxy",
      adoptedSsl({ backendService: "global/backendServices/wob" }),
      `existing-missing ${id("global/backendServices/wob")}`,
    ],
    [
      "an SSL certificate that an adopted proxy is stated to hold",
      adopted({ sslCertificates: ["global/sslCertificates/old"] }),
      `existing-missing ${id("global/sslCertificates/old")}`,
    ],
    [
      "the SSL policy of a new proxy",
      https({ sslPolicy: "global/sslPolicies/modren" }),
      `existing-missing ${id("global/sslPolicies/modren")}`,
    ],
    [
      "the SSL policy of a new SSL proxy",
      ssl({ sslPolicy: "strict" }),
      `existing-missing ${id("global/sslPolicies/strict")}`,
    ],
    [
      "the server TLS policy of an adopted proxy",
      adopted({ serverTlsPolicy: "projects/p1/locations/global/serverTlsPolicies/mtls" }),
      `existing-missing ${id("locations/global/serverTlsPolicies/mtls")}`,
    ],
    [
      "an IPv4 address that is not reserved",
      ruled({ ipv4Address: "203.0.113.70" }),
      "address-not-reserved 203.0.113.70",
    ],
    [
      "an IPv6 address that is not reserved",
      ruled({ ipv6Address: "2001:DB8::70" }),
      "address-not-reserved 2001:db8::70",
    ],
    [
      "a reserved address by a misspelled link",
      ruled({ ipv4Address: "projects/p1/global/addresses/sohp" }),
      `existing-missing ${id("global/addresses/sohp")}`,
    ],
    [
      "a reserved address by a misspelled name",
      ruled({ ipv4Address: "shopp" }),
      `existing-missing ${id("global/addresses/shopp")}`,
    ],
    [
      "a reserved address by a name that only a region has",
      ruled({ ipv4Address: "local" }),
      `existing-missing ${id("global/addresses/local")}`,
    ],
    [
      "a link to an address of a region, for a global rule",
      ruled({ ipv4Address: "regions/europe-west1/addresses/local" }),
      "address-scope-mismatch 203.0.113.8",
    ],
    [
      "an address of another region",
      regional("regionalExternal", { forwardingRules: { ipv4Address: "203.0.113.9" } }),
      "address-scope-mismatch 203.0.113.9",
    ],
    [
      "the network of a regional rule",
      regional("regionalExternal", { forwardingRules: { ipv4Address: "203.0.113.8", network: "defualt" } }),
      `existing-missing ${id("global/networks/defualt")}`,
    ],
    [
      "the subnetwork of an internal rule",
      regional("regionalInternal", { forwardingRules: { ipv4Address: "10.0.0.9", subnetwork: "proxy" } }),
      `existing-missing ${id("regions/europe-west1/subnetworks/proxy")}`,
    ],
    [
      "a zone of another project",
      { dns: { kind: "cloudDns", zones: { "example.com": { name: "example-com", project: "dns-project" } } } },
      "zone-missing example-com",
    ],
    [
      "a certificate beside the migration's own in an entry",
      {
        certificates: [
          {
            domains: ["example.com", "www.example.com"],
            alternatives: ["projects/p1/locations/global/certificates/rsa"],
            primary: true,
          },
        ],
      },
      `existing-missing ${id("locations/global/certificates/rsa")}`,
    ],
    [
      "a certificate in another project",
      {
        certificates: [
          {
            domains: ["example.com"],
            existingCertificateId: "projects/p3/locations/global/certificates/shop",
            primary: true,
          },
        ],
      },
      "existing-missing projects/p3/locations/global/certificates/shop",
    ],
    [
      "an authorization in another project",
      { existingAuthorizations: { "example.com": "projects/p3/locations/global/dnsAuthorizations/shop" } },
      "existing-missing projects/p3/locations/global/dnsAuthorizations/shop",
    ],
    [
      "a certificate map by its full name",
      {
        existingCertificateMap: "//certificatemanager.googleapis.com/projects/p1/locations/global/certificateMaps/all",
      },
      `existing-missing ${id("locations/global/certificateMaps/all")}`,
    ],
  ])("finds that there is no such thing: %s", async (_, change, wanted) => {
    const { exitCode, found } = await examine(change);
    expect([exitCode, found]).toEqual([4, expect.arrayContaining([wanted])]);
  });

  test.each<readonly [string, string, string]>([
    ["a project that does not exist", "cloudresourcemanager.projects.get", "existing-missing p1"],
    ["a region that does not exist", "compute.regions.get", `existing-missing ${id("regions/europe-west1")}`],
  ])("finds %s", async (_, method, wanted) => {
    cloud.faults.set({ requests: [{ method, status: "NOT_FOUND" }] });
    const forwardingRules = { ipv4Address: "203.0.113.8" };
    const { exitCode, found } = await examine(regional("regionalExternal", { forwardingRules }));
    cloud.faults.set({});
    expect([exitCode, found]).toEqual([4, expect.arrayContaining([wanted])]);
  });

  test.each(["compute.urlMaps.list", "dns.*", "*"])("finds credentials that %s refuses", async (method) => {
    cloud.faults.set({ requests: [{ method, status: "UNAUTHENTICATED" }] });
    const { exitCode, found, text } = await examine({});
    cloud.faults.set({});
    expect([exitCode, found]).toEqual([4, expect.arrayContaining(["credentials-refused credentials"])]);
    expect(text).not.toMatch(/viewer role|needs roles/);
  });

  test.each<readonly [string, Body]>([
    ["everything where it is named", {}],
    [
      "a URL map by its link",
      https({ urlMap: "https://compute.googleapis.com/compute/v1/projects/p1/global/urlMaps/web" }),
    ],
    ["a URL map by its name alone", https({ urlMap: "web" })],
    ["a URL map that only Terraform knows", https({ urlMap: "${google_compute_url_map.web.id}" })],
    ["an SSL policy that is there", https({ sslPolicy: "projects/p1/global/sslPolicies/modern" })],
    ["a reserved address by its name", ruled({ ipv4Address: "shop" })],
    [
      "a reserved address by its link",
      ruled({ ipv4Address: "https://www.googleapis.com/compute/v1/projects/p1/global/addresses/shop" }),
    ],
    ["a reserved IPv6 address in another spelling", ruled({ ipv6Address: "2001:0DB8:0:0::0007" })],
    [
      "a reserved address of the load balancer's region",
      regional("regionalExternal", { forwardingRules: { ipv4Address: "local" } }),
    ],
    [
      "an internal address, which need not be reserved",
      regional("regionalInternal", {
        forwardingRules: { ipv4Address: "10.0.0.9", subnetwork: "proxies", network: "default" },
      }),
    ],
  ])("accepts %s", async (_, change) => {
    const { exitCode, found } = await examine(change);
    expect([exitCode, found.filter((one) => /^(existing|address|zone|proxy)-/.test(one))]).toEqual([0, []]);
  });

  test("accepts a kind of resource that the service does not have", async () => {
    const internal = regional("regionalInternal", {
      forwardingRules: { ipv4Address: "10.0.0.9", subnetwork: "proxies", network: "default" },
    });
    const { exitCode, found } = await examine(internal, cloud.endpoints.http);
    expect([exitCode, found]).toEqual([0, []]);
  });
});

interface Told {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Of everything that is an error: the code, and what to do. */
  readonly errors: readonly { readonly code: string; readonly remedy?: string; readonly message: string }[];
}

async function take(...words: readonly string[]): Promise<Told> {
  const text = await runCli(["inventory", ...words, "--timeout", "2s"], {
    now: () => new Date("2026-11-21T12:00:00Z"),
  });
  const json = JSON.parse(
    (
      await runCli(["inventory", ...words, "--timeout", "2s", "--json"], {
        now: () => new Date("2026-11-21T12:00:00Z"),
      })
    ).stdout,
  );
  type Item = { code: string; severity?: string; remedy?: string; message: string };
  const all = [
    ...(json.findings as Item[]),
    ...(json.certificates as { problems: Item[] }[]).flatMap(({ problems }) => problems),
  ].filter(({ severity }) => severity === "error");
  return { ...text, errors: [...all, ...(json.errors as Item[])] };
}

const expired = () =>
  makeCertificate(["old.example.com"], {
    notAfter: new Date("2026-11-20T00:00:00Z"),
    notBefore: new Date("2025-01-01T00:00:00Z"),
  });
const toDer = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
const toPem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
const malformed = (...octets: readonly number[]) =>
  makeOddCertificate({
    notBefore: der(0x17, Buffer.from("250101000000Z")),
    notAfter: der(0x17, Buffer.from("350101000000Z")),
    commonName: der(0x0c, Buffer.from(octets)),
  });

describe("inventory", () => {
  test.each<readonly [string, string, () => string | Buffer]>([
    ["in PEM", "expired.pem", () => expired().certificatePem],
    ["in DER", "expired.der", () => toDer(expired().certificatePem)],
    [
      "beside one that is valid",
      "both.pem",
      () => expired().certificatePem + makeCertificate(["new.example.com"], { key: 1 }).certificatePem,
    ],
    [
      "since a second ago",
      "just.pem",
      () => makeCertificate(["just.example.com"], { notAfter: new Date("2026-11-21T11:59:59Z") }).certificatePem,
    ],
  ])("finds an expired certificate %s, with what to do", async (_, name, content) => {
    writeFileSync(path(name), content());
    const { exitCode, stdout, errors } = await take(path(name));
    expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, ["expired"]]);
    expect(stdout).toMatch(/what to do\n {2}expired: \S/);
    expect(errors[0]?.remedy).toMatch(/renew/);
  });

  test("finds an expired certificate that a server presents", async () => {
    const { certificatePem, privateKeyPem } = expired();
    await using server = await serveTls({ cert: certificatePem, key: privateKeyPem });
    const { exitCode, errors } = await take(`127.0.0.1:${server.port}`);
    expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, expect.arrayContaining(["expired"])]);
  });

  test.each<readonly [string, string]>([
    ["SMTP, which greets first", "220 mail.example.com ESMTP\r\n"],
    ["IMAP, which greets first", "* OK IMAP4rev1 ready\r\n"],
    ["POP3, which greets first", "+OK ready\r\n"],
    ["HTTP without TLS", "HTTP/1.1 400 Bad Request\r\n\r\n"],
  ])("finds a server of %s", async (_, greeting) => {
    await using server = await serveTcp((socket) => socket.write(greeting));
    const { exitCode, errors } = await take(`127.0.0.1:${server.port}`);
    expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, ["plaintext-answer"]]);
  });

  test.each(["[::1]", "127.0.0.1"])("finds that nothing listens at %s, without advice about DNS", async (host) => {
    const { exitCode, stdout, errors } = await take(`${host}:1`);
    expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, ["connection-refused"]]);
    expect(stdout).toContain(host === "[::1]" ? "[2001:db8::1]:8443" : "192.0.2.1:8443");
    expect(stdout).not.toMatch(/out of DNS|provider/);
  });

  test.each<readonly [string, string, string | Buffer | undefined]>([
    ["file-missing", "none.pem", undefined],
    ["certificate-file-unknown", "notes.bin", Buffer.from([0, 1, 2, 3])],
    ["certificate-file-pem-unfinished", "cut.pem", "-----BEGIN CERTIFICATE-----\nMIIB"],
    ["certificate-file-without-leaf", "key.pem", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n"],
  ])("finds %s, and says so by code in JSON and on the terminal", async (code, name, content) => {
    if (content !== undefined) writeFileSync(path(name), content);
    const { exitCode, stderr, errors } = await take(path(name));
    expect([exitCode, errors.map((one) => one.code)]).toEqual([4, [code]]);
    expect(stderr).toContain(`[${code}]`);
  });

  test.each<readonly [string, string, () => string | Buffer]>([
    ["a stray continuation octet, in PEM", "utf8.pem", () => toPem(malformed(0x41, 0x80))],
    ["an octet of Latin-1, in DER", "latin1.der", () => malformed(0x4d, 0xfc, 0x6c)],
    ["an overlong form, in PEM", "overlong.pem", () => toPem(malformed(0xc0, 0x80))],
  ])(
    "finds a common name that is invalid UTF-8, by %s, and does not deny the certificate",
    async (_, name, content) => {
      writeFileSync(path(name), content());
      const { exitCode, errors } = await take(path(name));
      expect([exitCode, errors.map(({ code }) => code)]).toEqual([4, ["certificate-file-unreadable"]]);
      expect(errors[0]?.message).not.toMatch(/is not an X\.509|neither PEM/);
      expect(errors[0]?.message).toMatch(/utf8/i);
      // It is one for OpenSSL's own parser of ASN.1.
      const bytes = name.endsWith(".der") ? (content() as Buffer) : toDer(content() as string);
      expect(execFileSync("openssl", ["asn1parse", "-inform", "DER"], { input: bytes }).toString()).toContain(
        "UTF8STRING",
      );
    },
  );

  test.each<readonly [string, string, () => string | Buffer]>([
    ["a certificate that is valid", "valid.pem", () => makeCertificate(["valid.example.com"]).certificatePem],
    [
      "a certificate that is valid, in DER",
      "valid.der",
      () => toDer(makeCertificate(["valid.example.com"]).certificatePem),
    ],
    [
      "a certificate that expires in a week",
      "soon.pem",
      () => makeCertificate(["soon.example.com"], { notAfter: new Date("2026-11-28T00:00:00Z") }).certificatePem,
    ],
    ["a common name in valid UTF-8", "umlaut.der", () => malformed(0x4d, 0xc3, 0xbc, 0x6c)],
  ])("accepts %s", async (_, name, content) => {
    writeFileSync(path(name), content());
    const { exitCode, errors } = await take(path(name));
    expect([exitCode, errors]).toEqual([0, []]);
  });

  test("accepts a server of TLS", async () => {
    const { certificatePem, privateKeyPem } = makeCertificate(["valid.example.com"]);
    await using server = await serveTls({ cert: certificatePem, key: privateKeyPem });
    const { errors } = await take(`127.0.0.1:${server.port}`);
    expect(errors).toEqual([]);
  });
});
