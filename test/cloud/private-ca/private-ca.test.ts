import { X509Certificate } from "node:crypto";
import { makeLoadBalancer, makeMap, parent, startTestCloud, type TestCloud } from "../../support/cloud";

const location = "projects/p1/locations/europe-west6";
const pool = `${location}/caPools/internal`;
const authority = `${pool}/certificateAuthorities/root`;
const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;

const rootBody = {
  type: "SELF_SIGNED",
  lifetime: "315360000s",
  keySpec: { algorithm: "EC_P256_SHA256" },
  config: {
    subjectConfig: { subject: { commonName: "Corp Root", organization: "Corp" } },
    x509Config: { caOptions: { isCa: true }, keyUsage: { baseKeyUsage: { certSign: true, crlSign: true } } },
  },
};

const configBody = {
  keyAlgorithm: "ECDSA_P256",
  lifetime: "1814400s",
  rotationWindowPercentage: 34,
  certificateAuthorityConfig: { certificateAuthorityServiceConfig: { caPool: pool } },
};

async function startWithPool(issuancePolicy?: object): Promise<TestCloud> {
  const cloud = await startTestCloud();
  await cloud.make("POST", `/v1/${location}/caPools?caPoolId=internal`, { tier: "ENTERPRISE", issuancePolicy });
  await cloud.make("POST", `/v1/${pool}/certificateAuthorities?certificateAuthorityId=root`, rootBody);
  await cloud.make("POST", `/v1/${authority}:enable`, {});
  await cloud.make("POST", configsPath("config"), configBody);
  return cloud;
}

const configsPath = (id: string) => `/v1/${parent}/certificateIssuanceConfigs?certificateIssuanceConfigId=${id}`;
const config = `${parent}/certificateIssuanceConfigs/config`;

interface Managed {
  readonly state: string;
  readonly provisioningIssue?: { readonly details: string };
  readonly authorizationAttemptInfo?: readonly { readonly state: string; readonly details?: string }[];
}

async function makeCertificate(cloud: TestCloud, managed: object, id = "c1"): Promise<string> {
  await cloud.make("POST", `/v1/${parent}/certificates?certificateId=${id}`, { managed });
  return `${parent}/certificates/${id}`;
}

async function managedOf(cloud: TestCloud, name: string): Promise<Managed> {
  return (await cloud.make("GET", `/v1/${name}`)).managed as Managed;
}

test("issues a certificate of a private CA, whose root the pool returns, and renews it after its share of the lifetime", async () => {
  await using cloud = await startWithPool();
  const name = await makeCertificate(cloud, { domains: ["status.corp.internal"], issuanceConfig: config });
  expect((await managedOf(cloud, name)).state).toBe("PROVISIONING");

  await cloud.clock.advance(10_000);

  const issued = await cloud.make("GET", `/v1/${name}`);
  const { caCerts } = await cloud.make("POST", `/v1/${pool}:fetchCaCerts`, {});
  const [chain] = caCerts as readonly { readonly certificates: readonly [string] }[];
  const root = new X509Certificate(chain?.certificates[0] ?? "");
  const leaf = new X509Certificate(String(issued.pemCertificate));
  expect((issued.managed as Managed).state).toBe("ACTIVE");
  expect(leaf.subjectAltName).toBe("DNS:status.corp.internal");
  expect(leaf.verify(root.publicKey)).toBe(true);
  expect(leaf.checkIssued(root)).toBe(true);
  expect(root.subject).toBe("O=Corp\nCN=Corp Root");
  expect(cloud.endpoints.trustBundle).toContain(chain?.certificates[0]);
  const days = (Date.parse(String(issued.expireTime)) - cloud.clock.now().getTime()) / dayMs;
  expect(Math.round(days)).toBe(21);

  await cloud.clock.advance(8 * dayMs);
  expect((await cloud.make("GET", `/v1/${name}`)).pemCertificate).not.toBe(issued.pemCertificate);
});

test("a certificate fails after an hour if its CA is disabled, and names the CA", async () => {
  await using cloud = await startWithPool();
  await cloud.make("POST", `/v1/${authority}:disable`, { ignoreDependentResources: true });
  const name = await makeCertificate(cloud, { domains: ["status.corp.internal"], issuanceConfig: config });
  await cloud.clock.advance(60_000);
  const waiting = await managedOf(cloud, name);
  expect([waiting.state, waiting.provisioningIssue?.details]).toEqual([
    "PROVISIONING",
    `the CA pool ${pool} has no enabled CA: ${authority} is DISABLED`,
  ]);

  await cloud.clock.advance(2 * hourMs);

  expect((await managedOf(cloud, name)).state).toBe("FAILED");
});

test("the fault plan disables an enabled CA, and the certificate is issued when the fault ends", async () => {
  await using cloud = await startWithPool();
  cloud.faults.set({ authorities: [{ authority: `${pool}/*` }] });
  expect((await cloud.make("GET", `/v1/${authority}`)).state).toBe("DISABLED");
  const name = await makeCertificate(cloud, { domains: ["status.corp.internal"], issuanceConfig: config });
  await cloud.clock.advance(60_000);
  expect((await managedOf(cloud, name)).state).toBe("PROVISIONING");
  expect(cloud.faults.counts().map(({ list, count }) => [list, count > 0])).toEqual([["authorities", true]]);

  cloud.faults.set({});
  await cloud.clock.advance(10 * 60_000);

  expect((await managedOf(cloud, name)).state).toBe("ACTIVE");
});

test("refuses names that the issuance policy of the pool does not allow", async () => {
  const expression = 'subject_alt_names.all(san, san.value.endsWith(".corp.internal"))';
  await using cloud = await startWithPool({
    identityConstraints: { allowSubjectAltNamesPassthrough: true, celExpression: { expression } },
  });
  const refused = await makeCertificate(cloud, { domains: ["shop.example.com"], issuanceConfig: config });
  const allowed = await makeCertificate(cloud, { domains: ["a.corp.internal"], issuanceConfig: config }, "c2");

  await cloud.clock.advance(10_000);

  expect((await managedOf(cloud, refused)).provisioningIssue?.details).toContain("refuses shop.example.com");
  expect((await managedOf(cloud, allowed)).state).toBe("ACTIVE");
});

test("issues only with a role of the service agent if the IAM policy of the project is stated", async () => {
  await using cloud = await startWithPool();
  await cloud.make("PUT", "/_cloud/project", { project: location.split("/")[1], iamBindings: [] });
  const refused = await makeCertificate(cloud, { domains: ["a.corp.internal"], issuanceConfig: config });
  await cloud.clock.advance(10_000);
  expect((await managedOf(cloud, refused)).provisioningIssue?.details).toContain("may not request certificates");

  const members = ["serviceAccount:service-1@gcp-sa-certificatemanager.iam.gserviceaccount.com"];
  const bindings = [{ role: "roles/privateca.certificateRequester", members }];
  await cloud.make("POST", `/v1/${pool}:setIamPolicy`, { policy: { bindings } });
  const allowed = await makeCertificate(cloud, { domains: ["b.corp.internal"], issuanceConfig: config }, "c2");
  await cloud.clock.advance(10_000);

  expect((await managedOf(cloud, allowed)).state).toBe("ACTIVE");
});

test.each([
  ["a lifetime of 20 days", { lifetime: "1728000s" }, "lifetime"],
  ["a lifetime of 31 days", { lifetime: "2678400s" }, "lifetime"],
  ["a renewal too soon after the issuance", { rotationWindowPercentage: 30 }, "rotation_window_percentage"],
  ["a renewal too late before the expiry", { rotationWindowPercentage: 70 }, "rotation_window_percentage"],
  ["no key algorithm", { keyAlgorithm: undefined }, "key_algorithm"],
  [
    "a pool that does not exist",
    { certificateAuthorityConfig: { certificateAuthorityServiceConfig: { caPool: `${location}/caPools/other` } } },
    "ca_pool",
  ],
])("refuses an issuance config with %s", async (_, change, field) => {
  await using cloud = await startWithPool();

  const { status, body } = await cloud.call("POST", configsPath("c2"), { ...configBody, ...change });

  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(field);
});

test("an issuance config in use, an enabled CA and a pool with CAs can't be deleted", async () => {
  await using cloud = await startWithPool();
  const name = await makeCertificate(cloud, { domains: ["a.corp.internal"], issuanceConfig: config });
  const statusOf = async (path: string) => (await cloud.call("DELETE", path)).status;
  expect(await statusOf(`/v1/${config}`)).toBe(400);
  expect(await statusOf(`/v1/${authority}`)).toBe(400);
  expect(await statusOf(`/v1/${pool}`)).toBe(400);

  await cloud.make("DELETE", `/v1/${name}`);
  await cloud.make("DELETE", `/v1/${config}`);
  await cloud.make("POST", `/v1/${authority}:disable`, {});
  await cloud.make("DELETE", `/v1/${authority}`);

  expect((await cloud.make("GET", `/v1/${authority}`)).state).toBe("DELETED");
  expect(await statusOf(`/v1/${pool}`)).toBe(400);
  await cloud.make("POST", `/v1/${authority}:undelete`, {});
  expect((await cloud.make("GET", `/v1/${authority}`)).state).toBe("DISABLED");
  await cloud.make("DELETE", `/v1/${authority}?skipGracePeriod=true`);
  expect((await cloud.call("GET", `/v1/${authority}`)).status).toBe(404);
  await cloud.make("DELETE", `/v1/${pool}`);
  expect((await cloud.make("GET", `/v1/${location}/caPools`)).caPools).toEqual([]);
});

test("the last enabled CA and the pool of an issuance config stay, unless dependents are ignored", async () => {
  await using cloud = await startWithPool();
  const disable = (body: object) => cloud.call("POST", `/v1/${authority}:disable`, body);
  expect(await disable({})).toMatchObject({
    status: 400,
    body: { error: { status: "FAILED_PRECONDITION", message: expect.stringContaining(config) } },
  });

  await cloud.make("POST", `/v1/${pool}/certificateAuthorities?certificateAuthorityId=next`, rootBody);
  await cloud.make("POST", `/v1/${pool}/certificateAuthorities/next:enable`, {});
  expect((await disable({})).status).toBe(200);
  const labels = await cloud.call("PATCH", `/v1/${authority}?updateMask=labels`, { labels: { a: "b" } });
  expect([labels.status, JSON.stringify(labels.body)]).toEqual([400, expect.stringContaining("can't be updated")]);

  for (const ca of [authority, `${pool}/certificateAuthorities/next`]) {
    await cloud.call("POST", `/v1/${ca}:disable`, { ignoreDependentResources: true });
    await cloud.make("DELETE", `/v1/${ca}?skipGracePeriod=true`);
  }
  expect((await cloud.call("DELETE", `/v1/${pool}`)).status).toBe(400);
  await cloud.make("DELETE", `/v1/${pool}?ignoreDependentResources=true`);
});

test("testIamPermissions returns nothing for a pool that does not exist, and refuses wildcards", async () => {
  await using cloud = await startWithPool();
  const permissions = ["privateca.caPools.get"];
  const test = (name: string, body: object) => cloud.call("POST", `/v1/${name}:testIamPermissions`, body);
  expect(await test(pool, { permissions })).toMatchObject({ status: 200, body: { permissions } });
  expect(await test(`${pool}x`, { permissions })).toMatchObject({ status: 200, body: { permissions: [] } });
  expect((await test(pool, { permissions: ["privateca.*"] })).status).toBe(400);
});

test("operations of CA Service are read like operations of Certificate Manager", async () => {
  await using cloud = await startWithPool();
  const started = await cloud.make("PATCH", `/v1/${pool}?updateMask=labels`, { labels: { team: "a" } });

  await cloud.clock.advance(1_000);

  expect(await cloud.make("GET", `/v1/${started.name}`)).toMatchObject({
    done: true,
    response: { "@type": "type.googleapis.com/google.cloud.security.privateca.v1.CaPool", labels: { team: "a" } },
  });
});

describe("load balancer authorization", () => {
  const domains = ["shop.example.com"];

  test("a certificate becomes ACTIVE when its names lead to a proxy that has it on port 443", async () => {
    await using cloud = await startTestCloud();
    await cloud.make("POST", "/dns/v1/projects/p1/managedZones", {
      name: "zone",
      dnsName: "example.com.",
      description: "",
    });
    const name = await makeCertificate(cloud, { domains });
    const certificateMap = await makeMap(cloud, "m1", { "shop.example.com": [name] });
    await makeLoadBalancer(cloud, "lb", { certificateMap });
    const { IPAddress } = await cloud.make("GET", "/compute/v1/projects/p1/global/forwardingRules/lb");
    const record = (address: unknown) => ({ name: "shop.example.com.", type: "A", ttl: 60, rrdatas: [address] });
    const changes = "/dns/v1/projects/p1/managedZones/zone/changes";
    await cloud.make("POST", changes, { additions: [record("192.0.2.1")] });
    // Far beyond the hour after which a certificate with DNS authorizations fails.
    await cloud.clock.advance(5 * hourMs);
    const waiting = await managedOf(cloud, name);
    expect([waiting.state, waiting.authorizationAttemptInfo?.[0]]).toMatchObject([
      "PROVISIONING",
      { state: "AUTHORIZING", details: expect.stringContaining("leads to 192.0.2.1") },
    ]);

    await cloud.make("POST", changes, { deletions: [record("192.0.2.1")], additions: [record(IPAddress)] });
    await cloud.clock.advance(15 * 60_000);

    expect(await managedOf(cloud, name)).toMatchObject({
      state: "ACTIVE",
      authorizationAttemptInfo: [{ state: "AUTHORIZED" }],
    });
  });

  test.each([
    ["a wildcard", parent, { domains: ["*.example.com"] }, "needs a DNS authorization"],
    ["a regional certificate", location, { domains }, "is for global certificates"],
  ])("is refused for %s", async (_, where, managed, reason) => {
    await using cloud = await startTestCloud();

    const { status, body } = await cloud.call("POST", `/v1/${where}/certificates?certificateId=c1`, { managed });

    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(reason);
  });
});
