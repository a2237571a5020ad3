import type { InjectedFailure, IssuedCertificate } from "../../../lib/cloud/certificate-manager";
import { type Clock, createCloudClock } from "../../../lib/cloud/state";
import { InputError } from "../../../lib/errors";
import {
  authorize,
  dayMs,
  hourMs,
  makeManaged,
  managedPartOf,
  minuteMs,
  parent,
  type StartedManager,
  secondMs,
  startAt,
  startCertificateManager,
} from "../../support/certificate-manager";

const name = `${parent}/certificates/c1`;
const managedOf = (cloud: StartedManager) => managedPartOf(cloud, name);
const stateOf = async (cloud: StartedManager) => (await managedOf(cloud)).state;

describe("a managed certificate becomes ACTIVE", () => {
  test("when the record of each authorization is published, and then has its issued certificate", async () => {
    await using cloud = await startCertificateManager();
    await makeManaged(cloud, "c1", ["example.com", "*.example.com"]);
    await cloud.clock.advance(5 * secondMs - 1);
    expect(await stateOf(cloud)).toBe("PROVISIONING");
    await cloud.clock.advance(1);
    const now = "2026-11-21T00:00:05.000Z";
    const domains = ["example.com", "*.example.com"];
    expect(await cloud.get(name)).toEqual({
      name,
      managed: {
        domains,
        dnsAuthorizations: [`${parent}/dnsAuthorizations/example-com`],
        state: "ACTIVE",
        authorizationAttemptInfo: domains.map((domain) => ({ domain, state: "AUTHORIZED", attemptTime: now })),
      },
      pemCertificate: `certificate for example.com, *.example.com of ${now}`,
      sanDnsnames: domains,
      expireTime: "2027-02-19T00:00:05.000Z",
      createTime: startAt,
      updateTime: now,
    });
    expect(cloud.manager.keyMaterial(name)?.privateKeyPem).toBe("key");
  });

  test("when the last record is published, and not earlier", async () => {
    await using cloud = await startCertificateManager();
    const { records } = await makeManaged(cloud, "c1", ["a.example.com", "b.example.com"], { published: false });
    await cloud.clock.advance(10 * minuteMs);
    const [first, second] = records;
    cloud.publish(first?.name ?? "", first?.data ?? "");
    await cloud.clock.advance(20 * minuteMs);
    expect(await managedOf(cloud)).toMatchObject({
      state: "PROVISIONING",
      authorizationAttemptInfo: [
        { domain: "a.example.com", state: "AUTHORIZED" },
        { domain: "b.example.com", state: "FAILED", failureReason: "CONFIG" },
      ],
      provisioningIssue: {
        reason: "AUTHORIZATION_ISSUE",
        details: expect.stringMatching(/^b\.example\.com: CONFIG: /),
      },
    });
    cloud.publish(second?.name ?? "", second?.data ?? "");
    await cloud.clock.advance(10 * minuteMs);
    const managed = await managedOf(cloud);
    expect(managed.state).toBe("ACTIVE");
    expect(managed).not.toHaveProperty("provisioningIssue");
  });

  test("with a record in upper case, because DNS ignores case", async () => {
    await using cloud = await startCertificateManager();
    const { records } = await makeManaged(cloud, "c1", ["example.com"], { published: false });
    cloud.publish(records[0]?.name ?? "", (records[0]?.data ?? "").toUpperCase());
    await cloud.clock.advance(minuteMs);
    expect(await stateOf(cloud)).toBe("ACTIVE");
  });
});

const record = "_acme-challenge.example.com.";
test.each<[string, (cloud: StartedManager) => void, RegExp, readonly string[]]>([
  [
    "without a record",
    () => undefined,
    /^the CNAME record _acme-challenge\.example\.com\. does not exist; it has to lead to \S+\.goog\.$/,
    [],
  ],
  [
    "with a record of another target",
    (cloud) => cloud.publish(record, "elsewhere.example."),
    /^the CNAME record \S+ leads to elsewhere\.example\., and has to lead to \S+\.goog\.$/,
    ["elsewhere.example."],
  ],
  [
    "without a zone",
    (cloud) => cloud.failLookUp("CNAME", record, "REFUSED"),
    /^no DNS zone answers for \S+; publish a CNAME record to \S+ in the zone of the domain$/,
    [],
  ],
  [
    "with a failing name server",
    (cloud) => cloud.failLookUp("CNAME", record, "SERVFAIL"),
    /^the CNAME record \S+ could not be looked up \(SERVFAIL\); it has to lead to \S+$/,
    [],
  ],
  [
    "with a silent name server",
    (cloud) => cloud.failLookUp("CNAME", record, "TIMEOUT"),
    /could not be looked up \(TIMEOUT\)/,
    [],
  ],
  ["with a name that has no CNAME", (cloud) => cloud.failLookUp("CNAME", record, "NOERROR"), / does not exist; /, []],
])(
  "a domain authorization fails with CONFIG %s, and reports the records that were found",
  async (_, prepare, details, resolvedData) => {
    await using cloud = await startCertificateManager();
    const { records } = await makeManaged(cloud, "c1", ["example.com"], { published: false });
    prepare(cloud);
    await cloud.clock.advance(5 * secondMs);
    expect((await managedOf(cloud)).authorizationAttemptInfo).toEqual([
      {
        domain: "example.com",
        state: "FAILED",
        failureReason: "CONFIG",
        details: expect.stringMatching(details),
        attemptTime: "2026-11-21T00:00:05.000Z",
        troubleshooting: {
          cname: { name: record, expectedData: records[0]?.data, resolvedData },
          issues: ["CNAME_MISMATCH"],
        },
      },
    ]);
  },
);

test("a domain authorization fails temporarily with RATE_LIMITED by a fault, which the certificate reports as its issue", async () => {
  let failure: InjectedFailure | undefined = { failureReason: "RATE_LIMITED", details: "too many for example.com" };
  await using cloud = await startCertificateManager({
    fault: (domain) => (domain === "*.example.com" ? failure : undefined),
  });
  await makeManaged(cloud, "c1", ["example.com", "*.example.com"]);
  await cloud.clock.advance(minuteMs);
  expect(await managedOf(cloud)).toMatchObject({
    state: "PROVISIONING",
    authorizationAttemptInfo: [
      { domain: "example.com", state: "AUTHORIZED" },
      {
        domain: "*.example.com",
        state: "FAILED",
        failureReason: "RATE_LIMITED",
        details: "too many for example.com",
      },
    ],
    provisioningIssue: { reason: "RATE_LIMITED", details: "*.example.com: RATE_LIMITED: too many for example.com" },
  });
  failure = undefined;
  await cloud.clock.advance(10 * minuteMs);
  expect(await stateOf(cloud)).toBe("ACTIVE");
});

describe("a certificate whose authorizations keep failing", () => {
  test("is FAILED exactly when an hour has passed, with the latest reason", async () => {
    await using cloud = await startCertificateManager();
    await makeManaged(cloud, "c1", ["example.com"], { published: false });
    await cloud.clock.advance(hourMs - 1);
    expect(await stateOf(cloud)).toBe("PROVISIONING");
    await cloud.clock.advance(1);
    expect(await managedOf(cloud)).toMatchObject({
      state: "FAILED",
      authorizationAttemptInfo: [{ state: "FAILED", failureReason: "CONFIG", attemptTime: "2026-11-21T01:00:00.000Z" }],
      provisioningIssue: { reason: "AUTHORIZATION_ISSUE" },
    });
    expect(cloud.manager.keyMaterial(name)).toBeUndefined();
  });

  test("stays FAILED until it is recreated, even after the record is published", async () => {
    await using cloud = await startCertificateManager();
    const { records } = await makeManaged(cloud, "c1", ["example.com"], { published: false });
    await cloud.clock.advance(hourMs);
    for (const record of records) cloud.publish(record.name, record.data);
    await cloud.clock.advance(30 * dayMs);
    const { managed } = (await cloud.get(name)) as { managed: { domains: string[]; dnsAuthorizations: string[] } };
    expect(managed).toMatchObject({ state: "FAILED" });
    await cloud.call("DELETE", `v1/${name}`);
    const { domains, dnsAuthorizations } = managed;
    await cloud.create("certificates", "c1", { managed: { domains, dnsAuthorizations } });
    await cloud.clock.advance(minuteMs);
    expect(await stateOf(cloud)).toBe("ACTIVE");
  });

  test("still becomes ACTIVE if the record is published at the last moment", async () => {
    await using cloud = await startCertificateManager();
    const { records } = await makeManaged(cloud, "c1", ["example.com"], { published: false });
    await cloud.clock.advance(hourMs - 1);
    for (const record of records) cloud.publish(record.name, record.data);
    await cloud.clock.advance(1);
    expect(await stateOf(cloud)).toBe("ACTIVE");
  });
});

/** Starts a manager whose next signature waits until the test releases it. */
async function startHeld() {
  const held: { readonly domains: readonly string[]; readonly release: () => void }[] = [];
  let isHolding = true;
  const cloud = await startCertificateManager({
    issue: (domains) =>
      new Promise<IssuedCertificate>((resolve) => {
        const notAfter = new Date(Date.parse(startAt) + 90 * dayMs);
        const release = () => resolve({ chainPem: `chain of ${domains.join(" ")}`, privateKeyPem: "key", notAfter });
        if (isHolding) held.push({ domains, release });
        else release();
      }),
  });
  const untilHeld = async () => {
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    isHolding = false;
  };
  return Object.assign(cloud, { held, untilHeld });
}

test("during an attempt, a deleted certificate does not reappear", async () => {
  await using cloud = await startHeld();
  await makeManaged(cloud, "c1", ["example.com"]);
  const advanced = cloud.clock.advance(minuteMs);
  await cloud.untilHeld();
  await cloud.call("DELETE", `v1/${name}`);
  cloud.held[0]?.release();
  await advanced;
  expect((await cloud.call("GET", `v1/${name}`)).status).toBe(404);
  expect(cloud.manager.keyMaterial(name)).toBeUndefined();
});

test("during an attempt, a recreated certificate gets nothing from the earlier attempt, and is issued in its own time", async () => {
  await using cloud = await startHeld();
  await makeManaged(cloud, "c1", ["example.com"]);
  const other = await authorize(cloud, "example.net");
  const advanced = cloud.clock.advance(6 * secondMs);
  await cloud.untilHeld();
  await cloud.call("DELETE", `v1/${name}`);
  const managed = { domains: ["example.net"], dnsAuthorizations: [other.name] };
  await cloud.create("certificates", "c1", { managed });
  cloud.held[0]?.release();
  await advanced;
  expect(await managedOf(cloud)).toMatchObject({
    state: "PROVISIONING",
    authorizationAttemptInfo: [{ domain: "example.net", state: "AUTHORIZING" }],
  });
  cloud.publish(other.record.name, other.record.data);
  await cloud.clock.advance(minuteMs);
  expect(await cloud.get(name)).toMatchObject({
    pemCertificate: "chain of example.net",
    managed: { state: "ACTIVE" },
  });
});

test("during an attempt, a patched certificate keeps the patch, and becomes ACTIVE", async () => {
  await using cloud = await startHeld();
  await makeManaged(cloud, "c1", ["example.com"]);
  const advanced = cloud.clock.advance(minuteMs);
  await cloud.untilHeld();
  await cloud.call("PATCH", `v1/${name}?updateMask=description`, { description: "patched" });
  cloud.held[0]?.release();
  await advanced;
  expect(await cloud.get(name)).toMatchObject({ description: "patched", managed: { state: "ACTIVE" } });
});

test("during an attempt, a certificate that was deleted and recreated at the same moment is checked by one attempt at a time", async () => {
  const looks: string[] = [];
  await using cloud = await startCertificateManager({
    lookUp: async (asked, type) => {
      if (type === "CNAME") looks.push(asked);
      return { rcode: "NXDOMAIN", data: [] };
    },
  });
  await makeManaged(cloud, "c1", ["example.com"]);
  await cloud.call("DELETE", `v1/${name}`);
  const managed = { domains: ["example.com"], dnsAuthorizations: [`${parent}/dnsAuthorizations/example-com`] };
  await cloud.create("certificates", "c1", { managed });
  await cloud.clock.advance(6 * secondMs);
  expect(looks).toEqual(["_acme-challenge.example.com."]);
});

test("a deleted certificate leaves no timer behind", async () => {
  const inner = createCloudClock({ startAt: new Date(startAt), speed: 0 });
  const waiting = new Set<() => unknown>();
  const clock: Clock = {
    now: inner.now,
    after(ms, task) {
      const end = () => waiting.delete(task);
      waiting.add(task);
      const takeBack = inner.after(ms, () => {
        end();
        return task();
      });
      return () => {
        end();
        takeBack();
      };
    },
  };
  await using cloud = await startCertificateManager({ clock });
  await makeManaged(cloud, "active", ["example.com"]);
  await makeManaged(cloud, "provisioning", ["example.net"], { published: false });
  await inner.advance(minuteMs);
  expect(waiting.size).toBe(2);
  for (const id of ["active", "provisioning"]) await cloud.call("DELETE", `v1/${parent}/certificates/${id}`);
  expect(waiting.size).toBe(0);
  expect([...cloud.store.collection("certificatemanager.begun").entries()]).toEqual([]);
});

describe("a CA that can't sign", () => {
  test("leaves a certificate PROVISIONING, with the reason, until it can sign again", async () => {
    let signs = false;
    await using cloud = await startCertificateManager({
      issue: async () => {
        if (!signs) throw new InputError("authority-outlived", "the CA does not live that long");
        return {
          chainPem: "chain",
          privateKeyPem: "key",
          notAfter: new Date(cloud.clock.now().getTime() + 90 * dayMs),
        };
      },
    });
    await makeManaged(cloud, "c1", ["example.com"]);
    await cloud.clock.advance(minuteMs);
    expect(await cloud.get(name)).toMatchObject({
      managed: { state: "PROVISIONING", provisioningIssue: { details: "the CA does not live that long" } },
    });
    signs = true;
    await cloud.clock.advance(minuteMs);
    expect(await stateOf(cloud)).toBe("ACTIVE");
  });
});
