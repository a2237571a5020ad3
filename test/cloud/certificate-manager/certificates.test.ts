import {
  authorize,
  makeManaged,
  minuteMs,
  parent,
  refusalOf,
  startAt,
  startCertificateManager,
} from "../../support/certificate-manager";

const authorization = (id: string) => `${parent}/dnsAuthorizations/${id}`;

/** A manager that has authorizations for example.com and example.net. */
async function startWithAuthorizations() {
  const cloud = await startCertificateManager();
  await authorize(cloud, "example.com", "com");
  await authorize(cloud, "example.net", "net");
  return cloud;
}

const managed = { domains: ["example.com"], dnsAuthorizations: [authorization("com")] };

test("a managed certificate is created as PROVISIONING, with its domains as names and no authorization attempted yet", async () => {
  await using cloud = await startWithAuthorizations();
  const domains = ["example.com", "*.example.com", "example.net"];
  const dnsAuthorizations = [authorization("com"), authorization("net")];
  await cloud.create("certificates", "c1", { description: "d", managed: { domains, dnsAuthorizations } });
  expect(await cloud.get(`${parent}/certificates/c1`)).toEqual({
    name: `${parent}/certificates/c1`,
    description: "d",
    managed: {
      domains,
      dnsAuthorizations,
      state: "PROVISIONING",
      authorizationAttemptInfo: domains.map((domain) => ({ domain, state: "AUTHORIZING" })),
    },
    sanDnsnames: domains,
    createTime: startAt,
    updateTime: startAt,
  });
});

const domainsField = "certificate.managed.domains";
const authorizationsField = "certificate.managed.dns_authorizations";
const manyDomains = (count: number) => Array.from({ length: count }, (_, n) => `*.example.com`.replace("*", `n${n}`));
test.each<[string, object, string]>([
  ["no kind", {}, "certificate"],
  ["two kinds", { managed, selfManaged: { pemCertificate: "x", pemPrivateKey: "y" } }, "certificate"],
  ["no domain", { managed: { ...managed, domains: [] } }, domainsField],
  ["101 domains", { managed: { ...managed, domains: manyDomains(101) } }, domainsField],
  ["a domain twice", { managed: { ...managed, domains: ["example.com", "example.com"] } }, domainsField],
  ["a trailing period", { managed: { ...managed, domains: ["example.com."] } }, domainsField],
  ["upper case", { managed: { ...managed, domains: ["Example.com"] } }, domainsField],
  ["a wildcard in the middle", { managed: { ...managed, domains: ["a.*.example.com"] } }, domainsField],
  ["a wildcard of a wildcard", { managed: { ...managed, domains: ["*.*.example.com"] } }, domainsField],
  ["a wildcard of a top-level domain", { managed: { ...managed, domains: ["*.com"] } }, domainsField],
  ["an IP address", { managed: { ...managed, domains: ["192.0.2.10"] } }, domainsField],
  [
    "an authorization that is not there",
    { managed: { ...managed, dnsAuthorizations: [authorization("no")] } },
    authorizationsField,
  ],
  ["a bare authorization id", { managed: { ...managed, dnsAuthorizations: ["com"] } }, authorizationsField],
  [
    "an authorization of another project",
    { managed: { ...managed, dnsAuthorizations: ["projects/p2/locations/global/dnsAuthorizations/com"] } },
    authorizationsField,
  ],
  [
    "an authorization of another location",
    { managed: { ...managed, dnsAuthorizations: ["projects/p1/locations/us-central1/dnsAuthorizations/com"] } },
    authorizationsField,
  ],
  [
    "an authorization twice",
    { managed: { ...managed, dnsAuthorizations: [authorization("com"), authorization("com")] } },
    authorizationsField,
  ],
  [
    "a domain that is not authorized",
    { managed: { ...managed, domains: ["example.com", "example.net"] } },
    authorizationsField,
  ],
  [
    "a subdomain that is not authorized",
    { managed: { ...managed, domains: ["www.example.com"] } },
    authorizationsField,
  ],
  [
    "a wildcard below an authorized domain",
    { managed: { ...managed, domains: ["*.www.example.com"] } },
    authorizationsField,
  ],
  [
    "both kinds of authorization",
    { managed: { ...managed, issuanceConfig: "projects/p1/locations/global/certificateIssuanceConfigs/i" } },
    "certificate.managed",
  ],
  ["an unknown scope", { managed, scope: "NOWHERE" }, "scope"],
  ["a label key that starts with a digit", { managed, labels: { "1a": "x" } }, "labels"],
])("a managed certificate is refused with %s", async (_, body, at) => {
  await using cloud = await startWithAuthorizations();
  const refusal = refusalOf(await cloud.create("certificates", "c1", body));
  expect(refusal).toMatchObject({ status: 400, word: "INVALID_ARGUMENT", field: at });
  expect((await cloud.call("GET", `v1/${parent}/certificates`)).body).toEqual({ certificates: [] });
});

test("a managed certificate is refused with an error that names each base domain without an authorization once", async () => {
  await using cloud = await startWithAuthorizations();
  const domains = ["example.com", "example.org", "*.example.org", "example.edu"];
  const refusal = refusalOf(await cloud.create("certificates", "c1", { managed: { ...managed, domains } }));
  expect(refusal.message).toBe(
    "certificate.managed.dns_authorizations: no authorization is for example.org, example.edu",
  );
});

test.each<[string, object]>([["a managed identity", { managedIdentity: { identity: "spiffe://x" } }]])(
  "a managed certificate is answered with 501 if it requests %s",
  async (_, body) => {
    await using cloud = await startWithAuthorizations();
    expect(refusalOf(await cloud.create("certificates", "c1", body))).toMatchObject({
      status: 501,
      word: "UNIMPLEMENTED",
      message: expect.stringContaining("does not emulate"),
    });
  },
);

test.each([
  ["does not exist", "projects/p1/locations/global/certificateIssuanceConfigs/i"],
  ["is in another location", "projects/p1/locations/europe-west6/certificateIssuanceConfigs/i"],
  ["is another resource", "projects/p1/locations/global/certificateMaps/i"],
])("a managed certificate is refused with an issuance config that %s", async (_, issuanceConfig) => {
  await using cloud = await startCertificateManager();
  const body = { managed: { domains: ["example.com"], issuanceConfig } };
  expect(refusalOf(await cloud.create("certificates", "c1", body))).toMatchObject({
    status: 400,
    field: "certificate.managed.issuance_config",
  });
});

test("a managed certificate may have 100 domains", async () => {
  await using cloud = await startCertificateManager();
  const domains = manyDomains(100);
  const dnsAuthorizations = [];
  for (const domain of domains) dnsAuthorizations.push((await authorize(cloud, domain)).name);
  expect((await cloud.create("certificates", "c1", { managed: { domains, dnsAuthorizations } })).status).toBe(200);
});

test.each([
  ["global", "DEFAULT", undefined],
  ["global", "EDGE_CACHE", "EDGE_CACHE"],
  ["global", "ALL_REGIONS", "ALL_REGIONS"],
  ["global", "CLIENT_AUTH", "CLIENT_AUTH"],
  ["us-central1", "DEFAULT", undefined],
])("a managed certificate in %s may have the scope %s", async (location, scope, served) => {
  await using cloud = await startCertificateManager();
  const within = `projects/p1/locations/${location}`;
  await cloud.create("dnsAuthorizations", "com", { domain: "example.com" }, within);
  const dnsAuthorizations = [`${within}/dnsAuthorizations/com`];
  const body = { scope, managed: { domains: ["example.com"], dnsAuthorizations } };
  expect((await cloud.create("certificates", "c1", body, within)).status).toBe(200);
  expect((await cloud.get(`${within}/certificates/c1`)).scope).toBe(served);
});

test.each(["EDGE_CACHE", "ALL_REGIONS", "CLIENT_AUTH"])(
  "a managed certificate can't have the scope %s in a region",
  async (scope) => {
    await using cloud = await startCertificateManager();
    const within = "projects/p1/locations/us-central1";
    await cloud.create("dnsAuthorizations", "com", { domain: "example.com" }, within);
    const dnsAuthorizations = [`${within}/dnsAuthorizations/com`];
    const body = { scope, managed: { domains: ["example.com"], dnsAuthorizations } };
    expect(refusalOf(await cloud.create("certificates", "c1", body, within))).toMatchObject({
      status: 400,
      field: "certificate.scope",
    });
  },
);

test("a managed certificate is refused if its name is in use, and nothing changes", async () => {
  await using cloud = await startWithAuthorizations();
  await cloud.create("certificates", "c1", { managed });
  const before = await cloud.get(`${parent}/certificates/c1`);
  const answer = await cloud.create("certificates", "c1", { managed, description: "second" });
  expect(answer).toMatchObject({
    status: 409,
    body: {
      error: {
        code: 409,
        status: "ALREADY_EXISTS",
        message: `Resource '${parent}/certificates/c1' already exists`,
        details: [{ resourceName: `${parent}/certificates/c1` }],
      },
    },
  });
  expect(await cloud.get(`${parent}/certificates/c1`)).toEqual(before);
});

test.each([
  ["managed", "managed"],
  ["managed.domains", "managed"],
  ["managed.dns_authorizations", "managed"],
  ["scope", "scope"],
  ["description,managed", "managed"],
  ["expire_time", "expireTime"],
  ["usedBy", "usedBy"],
])("a managed certificate can't be patched with the mask %s, and the refusal names the field", async (mask, named) => {
  await using cloud = await startWithAuthorizations();
  await cloud.create("certificates", "c1", { managed });
  const before = await cloud.get(`${parent}/certificates/c1`);
  const body = { description: "new", scope: "EDGE_CACHE", managed: { domains: ["example.net"] } };
  const refusal = refusalOf(await cloud.call("PATCH", `v1/${parent}/certificates/c1?updateMask=${mask}`, body));
  expect(refusal).toMatchObject({ status: 400, word: "INVALID_ARGUMENT", field: "update_mask" });
  expect(refusal.message).toContain(`the field ${named} can't be updated`);
  expect(await cloud.get(`${parent}/certificates/c1`)).toEqual(before);
});

test("a managed certificate can be patched in one label without the others", async () => {
  await using cloud = await startWithAuthorizations();
  await cloud.create("certificates", "c1", { managed, labels: { a: "1", b: "2" } });
  await cloud.clock.advance(minuteMs);
  await cloud.call("PATCH", `v1/${parent}/certificates/c1?updateMask=labels.a`, { labels: { a: "3" } });
  expect((await cloud.get(`${parent}/certificates/c1`)).labels).toEqual({ a: "3", b: "2" });
});

test("a managed certificate can't be patched into a self-managed certificate", async () => {
  await using cloud = await startWithAuthorizations();
  await cloud.create("certificates", "c1", { managed });
  const body = { selfManaged: { pemCertificate: "x", pemPrivateKey: "y" } };
  const refusal = refusalOf(await cloud.call("PATCH", `v1/${parent}/certificates/c1?updateMask=selfManaged`, body));
  expect(refusal).toMatchObject({
    status: 400,
    message: expect.stringContaining("a managed certificate can't become"),
  });
});

test("a managed certificate can't be deleted while entries and proxies use it, names them in the refusal, and lists them in usedBy", async () => {
  const proxy = "//compute.googleapis.com/projects/p1/global/targetHttpsProxies/x";
  await using cloud = await startCertificateManager({
    users: { ofCertificate: (name) => (name.endsWith("/c1") ? [proxy] : []) },
  });
  const { name } = await makeManaged(cloud, "c1", ["example.com"]);
  await cloud.create("certificateMaps", "m1", {});
  const map = `${parent}/certificateMaps/m1`;
  await cloud.create("certificateMapEntries", "e1", { hostname: "example.com", certificates: [name] }, map);
  const entry = `${map}/certificateMapEntries/e1`;
  expect((await cloud.get(name)).usedBy).toEqual([{ name: entry }, { name: proxy }]);
  const refusal = refusalOf(await cloud.call("DELETE", `v1/${name}`));
  expect(refusal).toMatchObject({ status: 400, word: "FAILED_PRECONDITION" });
  expect(refusal.message).toBe(
    `can't delete resource '${name}' that is referenced by other resources: ${entry}, ${proxy}`,
  );
  await cloud.call("DELETE", `v1/${entry}`);
  expect(refusalOf(await cloud.call("DELETE", `v1/${name}`)).message).toContain(proxy);
  expect((await cloud.get(name)).usedBy).toEqual([{ name: proxy }]);
});

test.each(["GET", "DELETE", "PATCH"])(
  "%s of a missing resource is answered with 404 and its name",
  async (httpMethod) => {
    await using cloud = await startCertificateManager();
    for (const path of [
      "certificates/x",
      "dnsAuthorizations/x",
      "certificateMaps/x",
      "certificateMaps/x/certificateMapEntries/y",
    ]) {
      const answer = await cloud.call(httpMethod, `v1/${parent}/${path}`, httpMethod === "PATCH" ? {} : undefined);
      expect(refusalOf(answer)).toMatchObject({
        status: 404,
        word: "NOT_FOUND",
        message: `Resource '${parent}/${path}' was not found`,
      });
    }
  },
);

test.each([
  ["projects/Not%20a%20project/locations/global", 403],
  ["projects/p1/locations/Mars", 400],
  ["projects/p1/locations/mars", 400],
])("a list request in %s is answered with %i", async (within, status) => {
  await using cloud = await startCertificateManager();
  expect((await cloud.call("GET", `v1/${within}/certificates`)).status).toBe(status);
});
