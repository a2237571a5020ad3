import { makeActiveCertificate, makeMap, makeZone, parent, startTestCloud, type TestCloud } from "../../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

it("the endpoints in specification 3 create a DNS authorization with dns_authorization_id, domain and type", async () => {
  const { status, body } = await cloud.call("POST", `/v1/${parent}/dnsAuthorizations?dns_authorization_id=fixed`, {
    domain: "example.com",
    type: "FIXED_RECORD",
  });
  expect([status, body]).toMatchObject([200, { name: expect.stringMatching(`^${parent}/operations/`) }]);
  await cloud.clock.advance(1_000);
  expect((await cloud.call("GET", `/v1/${String(body.name)}`)).body).toMatchObject({
    done: true,
    response: {
      "@type": "type.googleapis.com/google.cloud.certificatemanager.v1.DnsAuthorization",
      name: `${parent}/dnsAuthorizations/fixed`,
      domain: "example.com",
      type: "FIXED_RECORD",
      dnsResourceRecord: {
        name: "_acme-challenge.example.com.",
        type: "CNAME",
        data: expect.stringMatching(/^[0-9a-f-]{36}\.\d+\.authorize\.certificatemanager\.goog\.$/),
      },
    },
  });
});

it("the endpoints in specification 3 give a PER_PROJECT_RECORD authorization its own record name, and an authorization without a type FIXED_RECORD", async () => {
  const path = `/v1/${parent}/dnsAuthorizations?dns_authorization_id=`;
  await cloud.make("POST", `${path}own`, { domain: "own.example.com", type: "PER_PROJECT_RECORD" });
  await cloud.make("POST", `${path}usual`, { domain: "usual.example.com" });
  const own = await cloud.make("GET", `/v1/${parent}/dnsAuthorizations/own`);
  const usual = await cloud.make("GET", `/v1/${parent}/dnsAuthorizations/usual`);
  expect([own, usual]).toMatchObject([
    {
      type: "PER_PROJECT_RECORD",
      dnsResourceRecord: { name: expect.stringMatching(/^_acme-challenge_[a-z0-9]+\.own\.example\.com\.$/) },
    },
    { type: "FIXED_RECORD", dnsResourceRecord: { name: "_acme-challenge.usual.example.com." } },
  ]);
});

it("the endpoints in specification 3 create a managed certificate with certificate_id, domains and authorizations, which is ACTIVE after its CNAME is published", async () => {
  await makeZone(cloud, "active", "active.example.");
  await cloud.make("POST", `/v1/${parent}/dnsAuthorizations?dns_authorization_id=active`, {
    domain: "active.example",
  });
  await cloud.make("POST", `/v1/${parent}/certificates?certificate_id=active`, {
    managed: {
      domains: ["active.example", "*.active.example"],
      dnsAuthorizations: [`${parent}/dnsAuthorizations/active`],
    },
  });
  await cloud.clock.advance(10 * 60_000);
  const before = await cloud.make("GET", `/v1/${parent}/certificates/active`);
  expect(before).toMatchObject({
    managed: { state: "PROVISIONING", authorizationAttemptInfo: [{ domain: "active.example" }, {}] },
  });
  expect(Object.keys(before)).not.toContain("pemCertificate");

  const { dnsResourceRecord } = (await cloud.make("GET", `/v1/${parent}/dnsAuthorizations/active`)) as {
    dnsResourceRecord?: { name: string; type: string; data: string };
  };
  const { name, type, data } = dnsResourceRecord ?? {};
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones/active/changes", {
    additions: [{ name, type, ttl: 300, rrdatas: [data] }],
  });
  await cloud.clock.advance(60 * 60_000);
  expect(await cloud.make("GET", `/v1/${parent}/certificates/active`)).toEqual({
    name: `${parent}/certificates/active`,
    managed: {
      domains: ["active.example", "*.active.example"],
      dnsAuthorizations: [`${parent}/dnsAuthorizations/active`],
      state: "ACTIVE",
      authorizationAttemptInfo: [
        expect.objectContaining({ domain: "active.example", state: "AUTHORIZED" }),
        expect.objectContaining({ domain: "*.active.example", state: "AUTHORIZED" }),
      ],
    },
    sanDnsnames: ["active.example", "*.active.example"],
    pemCertificate: expect.stringMatching(/^-----BEGIN CERTIFICATE-----/),
    expireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    createTime: expect.stringMatching(/Z$/),
    updateTime: expect.stringMatching(/Z$/),
  });
});

it("the endpoints in specification 3 require ids and fields, and name the missing ones", async () => {
  const missing = await cloud.call("POST", `/v1/${parent}/dnsAuthorizations`, { domain: "example.org" });
  const noDomain = await cloud.call("POST", `/v1/${parent}/dnsAuthorizations?dns_authorization_id=b`, {});
  const noAuthorization = await cloud.call("POST", `/v1/${parent}/certificates?certificate_id=b`, {
    managed: { domains: ["nowhere.example"], dnsAuthorizations: [`${parent}/dnsAuthorizations/none`] },
  });
  const answers = [missing, noDomain, noAuthorization].map(({ status, body }) => [status, JSON.stringify(body)]);
  expect(answers).toEqual([
    [400, expect.stringMatching(/dns_?authorization_?id/i)],
    [400, expect.stringContaining("domain")],
    [expect.any(Number), expect.stringContaining(`${parent}/dnsAuthorizations/none`)],
  ]);
  expect(answers[2]?.[0]).toBeGreaterThanOrEqual(400);
});

it("the endpoints in specification 3 create entries for root and wildcard that become ACTIVE", async () => {
  await makeZone(cloud, "mapped", "mapped.example.");
  const certificates = [await makeActiveCertificate(cloud, "mapped", "mapped", ["mapped.example", "*.mapped.example"])];
  await makeMap(cloud, "m1", { "mapped.example": certificates, "*.mapped.example": certificates });
  const list = `/v1/${parent}/certificateMaps/m1/certificateMapEntries`;
  const states = async () =>
    (
      (await cloud.make("GET", list)) as { certificateMapEntries?: readonly { state: string }[] }
    ).certificateMapEntries?.map(({ state }) => state);
  expect(await states()).toEqual(["PENDING", "PENDING"]);
  await cloud.clock.advance(5_000);
  expect(await states()).toEqual(["ACTIVE", "ACTIVE"]);
});
