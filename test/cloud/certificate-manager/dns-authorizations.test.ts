import {
  authorize,
  makeManaged,
  minuteMs,
  parent,
  refusalOf,
  startAt,
  startCertificateManager,
} from "../../support/certificate-manager";

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

test("a DNS authorization is returned with the absolute name of its record, and with timestamps", async () => {
  await using cloud = await startCertificateManager();
  const labels = { env: "test", empty: "" };
  await cloud.create("dnsAuthorizations", "a1", { domain: "example.com", description: "of the shop", labels });

  expect(await cloud.get(`${parent}/dnsAuthorizations/a1`)).toEqual({
    name: `${parent}/dnsAuthorizations/a1`,
    domain: "example.com",
    type: "FIXED_RECORD",
    description: "of the shop",
    labels,
    dnsResourceRecord: {
      name: "_acme-challenge.example.com.",
      type: "CNAME",
      data: expect.stringMatching(/^[0-9a-f-]{36}\.\d+\.authorize\.certificatemanager\.goog\.$/),
    },
    createTime: startAt,
    updateTime: startAt,
  });
  expect(startAt).toMatch(rfc3339);
});

test.each([
  ["global", undefined, "FIXED_RECORD", /^_acme-challenge\.example\.com\.$/],
  ["global", "TYPE_UNSPECIFIED", "FIXED_RECORD", /^_acme-challenge\.example\.com\.$/],
  ["global", "FIXED_RECORD", "FIXED_RECORD", /^_acme-challenge\.example\.com\.$/],
  ["global", "PER_PROJECT_RECORD", "PER_PROJECT_RECORD", /^_acme-challenge_[a-z]{16}\.example\.com\.$/],
  ["europe-west1", undefined, "PER_PROJECT_RECORD", /^_acme-challenge_[a-z]{16}\.example\.com\.$/],
  ["europe-west1", "PER_PROJECT_RECORD", "PER_PROJECT_RECORD", /^_acme-challenge_[a-z]{16}\.example\.com\.$/],
])(
  "a DNS authorization in %s with the requested type %s has the type %s and its record name",
  async (location, type, expected, name) => {
    await using cloud = await startCertificateManager();
    const within = `projects/p1/locations/${location}`;
    await cloud.create("dnsAuthorizations", "a1", { domain: "example.com", ...(type && { type }) }, within);
    expect(await cloud.get(`${within}/dnsAuthorizations/a1`)).toMatchObject({
      type: expected,
      dnsResourceRecord: { name: expect.stringMatching(name), type: "CNAME", data: expect.stringMatching(/\.goog\.$/) },
    });
  },
);

test("a DNS authorization of type PER_PROJECT_RECORD has a different record name in each project, so that two projects can authorize one domain", async () => {
  await using cloud = await startCertificateManager();
  const names = [];
  for (const project of ["p1", "p2"]) {
    const within = `projects/${project}/locations/global`;
    const body = { domain: "example.com", type: "PER_PROJECT_RECORD" };
    await cloud.create("dnsAuthorizations", "a1", body, within);
    const { dnsResourceRecord } = await cloud.get(`${within}/dnsAuthorizations/a1`);
    names.push((dnsResourceRecord as { readonly name: string }).name);
  }
  expect(names[0]).not.toBe(names[1]);
});

test("a DNS authorization is unique for each project, location, domain and type", async () => {
  await using cloud = await startCertificateManager();
  const make = async (id: string, body: object, within = parent) =>
    (await cloud.create("dnsAuthorizations", id, body, within)).status;
  const fixed = { domain: "example.com" };
  expect(await make("a1", fixed)).toBe(200);
  expect(await make("a1", { domain: "example.net" })).toBe(409);
  const second = refusalOf(await cloud.create("dnsAuthorizations", "a2", fixed));
  expect(second).toMatchObject({ status: 409, word: "ALREADY_EXISTS" });
  expect(second.message).toBe(
    `a DNS authorization of type FIXED_RECORD for 'example.com' already exists: '${parent}/dnsAuthorizations/a1'`,
  );
  expect(await make("a2", { ...fixed, type: "PER_PROJECT_RECORD" })).toBe(200);
  expect(await make("a3", { ...fixed, type: "PER_PROJECT_RECORD" })).toBe(409);
  expect(await make("a4", { domain: "www.example.com" })).toBe(200);
  expect(await make("a1", fixed, "projects/p2/locations/global")).toBe(200);
  expect(await make("a1", fixed, "projects/p1/locations/us-central1")).toBe(200);
  expect(await make("a2", fixed, "projects/p1/locations/us-central1")).toBe(409);
});

test("a DNS authorization can be created again after its deletion, with other data", async () => {
  await using cloud = await startCertificateManager();
  const first = await authorize(cloud, "example.com", "a1");
  expect((await cloud.call("DELETE", `v1/${first.name}`)).status).toBe(200);
  const again = await authorize(cloud, "example.com", "a1");
  expect(again.record.name).toBe(first.record.name);
  expect(again.record.data).not.toBe(first.record.data);
});

test.each([
  ["no domain", {}, "dns_authorization.domain"],
  ["an empty domain", { domain: "" }, "dns_authorization.domain"],
  ["a wildcard", { domain: "*.example.com" }, "dns_authorization.domain"],
  ["one label", { domain: "localhost" }, "dns_authorization.domain"],
  ["a trailing period", { domain: "example.com." }, "dns_authorization.domain"],
  ["upper case", { domain: "Example.com" }, "dns_authorization.domain"],
  ["an underscore", { domain: "a_b.example.com" }, "dns_authorization.domain"],
  ["an empty label", { domain: "a..example.com" }, "dns_authorization.domain"],
  ["a hyphen at an end", { domain: "-a.example.com" }, "dns_authorization.domain"],
  ["an IP address", { domain: "192.0.2.10" }, "dns_authorization.domain"],
  ["a label of 64", { domain: `${"a".repeat(64)}.example.com` }, "dns_authorization.domain"],
  ["254 characters", { domain: `${"abcdefghi.".repeat(25)}abcd` }, "dns_authorization.domain"],
  ["a type that there is not", { domain: "example.com", type: "FLOATING" }, "type"],
  ["a field that there is not", { domain: "example.com", zone: "z" }, "zone"],
  ["a label key in upper case", { domain: "example.com", labels: { Env: "x" } }, "labels"],
  ["a label value in upper case", { domain: "example.com", labels: { env: "X" } }, "labels"],
  [
    "65 labels",
    { domain: "example.com", labels: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, "v"])) },
    "labels",
  ],
])("a DNS authorization is refused with %s", async (_, body, field) => {
  await using cloud = await startCertificateManager();
  const refusal = refusalOf(await cloud.create("dnsAuthorizations", "a1", body));
  expect(refusal).toMatchObject({ status: 400, word: "INVALID_ARGUMENT", field });
  expect((await cloud.call("GET", `v1/${parent}/dnsAuthorizations`)).body).toEqual({ dnsAuthorizations: [] });
});

/** 237 characters: with `_acme-challenge.` before them, as many as a name can have. */
const longest = `${"abcdefghi.".repeat(23)}abc.com`;

test.each([
  ["FIXED_RECORD", `a${longest}`],
  ["PER_PROJECT_RECORD", longest],
  ["FIXED_RECORD", `${"abcdefghi.".repeat(24)}abcdefgh.com`],
])(
  "a DNS authorization of type %s is refused for a domain whose record name would be too long: %s",
  async (type, domain) => {
    await using cloud = await startCertificateManager();
    const refusal = refusalOf(await cloud.create("dnsAuthorizations", "a1", { domain, type }));
    expect(refusal).toMatchObject({ status: 400, field: "dns_authorization.domain" });
    expect(refusal.message).toMatch(/is too long for an authorization record: domain name '_acme-challenge.* octets: /);
    expect((await cloud.call("GET", `v1/${parent}/dnsAuthorizations/a1`)).status).toBe(404);
  },
);

test.each(["xn--p1ai.xn--p1ai", longest, "1.example.com"])("a DNS authorization is created for %s", async (domain) => {
  await using cloud = await startCertificateManager();
  expect((await cloud.create("dnsAuthorizations", "a1", { domain })).status).toBe(200);
});

test("a DNS authorization of type FIXED_RECORD is refused in a region", async () => {
  await using cloud = await startCertificateManager();
  const body = { domain: "example.com", type: "FIXED_RECORD" };
  const refusal = refusalOf(await cloud.create("dnsAuthorizations", "a1", body, "projects/p1/locations/us-central1"));
  expect(refusal).toEqual({
    status: 400,
    word: "INVALID_ARGUMENT",
    field: "dns_authorization.type",
    message:
      "dns_authorization.type: FIXED_RECORD is for global authorizations; leave the type out, or use PER_PROJECT_RECORD",
  });
});

test.each(["", "1a", "-a", "a.b", "a%20b", "a".repeat(65), "ä"])(
  "a DNS authorization is refused with the id '%s'",
  async (id) => {
    await using cloud = await startCertificateManager();
    const refusal = refusalOf(await cloud.create("dnsAuthorizations", id, { domain: "example.com" }));
    expect(refusal).toMatchObject({ status: 400, field: "dns_authorization_id" });
  },
);

test.each(["a", "A", "a-_9", "a".repeat(64)])("a DNS authorization is created with the id '%s'", async (id) => {
  await using cloud = await startCertificateManager();
  expect((await cloud.create("dnsAuthorizations", id, { domain: "example.com" })).status).toBe(200);
});

test.each(["domain", "type", "dnsResourceRecord", "createTime", "name", "bogus"])(
  "a DNS authorization can't be patched in its %s",
  async (field) => {
    await using cloud = await startCertificateManager();
    const { name } = await authorize(cloud, "example.com");
    const before = await cloud.get(name);
    const refusal = refusalOf(await cloud.call("PATCH", `v1/${name}?updateMask=${field}`, { domain: "example.net" }));
    expect(refusal).toMatchObject({ status: 400, word: "INVALID_ARGUMENT", field: "update_mask" });
    expect(refusal.message).toContain(field);
    expect(await cloud.get(name)).toEqual(before);
  },
);

test("a DNS authorization can be patched in description and labels, which changes its updateTime", async () => {
  await using cloud = await startCertificateManager();
  const { name } = await authorize(cloud, "example.com");
  await cloud.clock.advance(minuteMs);
  const body = { description: "new", labels: { env: "x" }, domain: "ignored.example" };
  await cloud.call("PATCH", `v1/${name}?updateMask=description,labels`, body);
  expect(await cloud.get(name)).toMatchObject({
    domain: "example.com",
    description: "new",
    labels: { env: "x" },
    createTime: "2026-11-21T00:00:00.000Z",
    updateTime: "2026-11-21T00:01:00.000Z",
  });
  await cloud.call("PATCH", `v1/${name}?updateMask=description`, {});
  expect(await cloud.get(name)).not.toHaveProperty("description");
});

test("a DNS authorization can't be deleted while a certificate refers to it, and the refusal names the certificate", async () => {
  await using cloud = await startCertificateManager();
  const certificate = await makeManaged(cloud, "c1", ["example.com"]);
  const name = `${parent}/dnsAuthorizations/example-com`;
  const answer = await cloud.call("DELETE", `v1/${name}`);
  expect(answer).toEqual({
    status: 400,
    body: {
      error: {
        code: 400,
        status: "FAILED_PRECONDITION",
        message: `can't delete resource '${name}' that is referenced by other resources: ${certificate.name}`,
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.PreconditionFailure",
            violations: [{ type: "RESOURCE_STILL_IN_USE", subject: certificate.name, description: name }],
          },
        ],
      },
    },
  });
  expect((await cloud.call("DELETE", `v1/${certificate.name}`)).status).toBe(200);
  expect((await cloud.call("DELETE", `v1/${name}`)).status).toBe(200);
  expect((await cloud.call("GET", `v1/${name}`)).status).toBe(404);
});
