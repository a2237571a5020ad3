import {
  dayMs,
  hourMs,
  makeManaged,
  managedPartOf,
  minuteMs,
  parent,
  type StartedManager,
  secondMs,
  startCertificateManager,
} from "../../support/certificate-manager";

const name = `${parent}/certificates/c1`;
const managedOf = (cloud: StartedManager) => managedPartOf(cloud, name);
const stateOf = async (cloud: StartedManager) => (await managedOf(cloud)).state;

const firstEnd = "2027-02-19T00:00:05.000Z";

test("renewal begins 30 days before expiry, keeps the present certificate until then, and extends the expiry date", async () => {
  await using cloud = await startCertificateManager();
  await makeManaged(cloud, "c1", ["example.com"]);
  await cloud.clock.advance(5 * secondMs + 60 * dayMs - 1);
  const before = await cloud.get(name);
  expect(before).toMatchObject({ expireTime: firstEnd, managed: { state: "ACTIVE" } });
  await cloud.clock.advance(1);
  const after = await cloud.get(name);
  expect(after).toMatchObject({ expireTime: "2027-04-20T00:00:05.000Z", managed: { state: "ACTIVE" } });
  expect(cloud.manager.keyMaterial(name)?.chainPem).toBe(after.pemCertificate);
  expect(after.pemCertificate).not.toBe(before.pemCertificate);
});

test("renewal repeats for years", async () => {
  await using cloud = await startCertificateManager();
  await makeManaged(cloud, "c1", ["example.com"]);
  await cloud.clock.advance(2 * 365 * dayMs);
  const { expireTime } = await cloud.get(name);
  expect(Date.parse(String(expireTime))).toBeGreaterThan(cloud.clock.now().getTime() + 30 * dayMs);
});

test("renewal leaves the certificate ACTIVE with the reason while it fails, until it succeeds again", async () => {
  await using cloud = await startCertificateManager();
  const { records } = await makeManaged(cloud, "c1", ["example.com"]);
  await cloud.clock.advance(50 * dayMs);
  cloud.publish(records[0]?.name ?? "");
  await cloud.clock.advance(35 * dayMs);
  expect(await cloud.get(name)).toMatchObject({
    expireTime: firstEnd,
    managed: {
      state: "ACTIVE",
      authorizationAttemptInfo: [{ state: "FAILED", failureReason: "CONFIG" }],
      provisioningIssue: { reason: "AUTHORIZATION_ISSUE" },
    },
  });
  expect(cloud.manager.keyMaterial(name)).toBeDefined();
  cloud.publish(records[0]?.name ?? "", records[0]?.data ?? "");
  await cloud.clock.advance(6 * hourMs);
  const managed = await managedOf(cloud);
  expect(managed).toMatchObject({ state: "ACTIVE", authorizationAttemptInfo: [{ state: "AUTHORIZED" }] });
  expect(managed).not.toHaveProperty("provisioningIssue");
});

test("renewal that fails may show the certificate as PROVISIONING while its present certificate is still served", async () => {
  await using cloud = await startCertificateManager({ renewingState: "PROVISIONING" });
  const { records } = await makeManaged(cloud, "c1", ["example.com"]);
  await cloud.clock.advance(minuteMs);
  cloud.publish(records[0]?.name ?? "");
  await cloud.clock.advance(61 * dayMs);
  expect(await stateOf(cloud)).toBe("PROVISIONING");
  expect(cloud.manager.keyMaterial(name)).toBeDefined();
  cloud.publish(records[0]?.name ?? "", records[0]?.data ?? "");
  await cloud.clock.advance(dayMs);
  expect(await stateOf(cloud)).toBe("ACTIVE");
});

test("renewal that fails until expiry makes the certificate FAILED, and it is no longer presented", async () => {
  await using cloud = await startCertificateManager();
  const { records } = await makeManaged(cloud, "c1", ["example.com"]);
  await cloud.clock.advance(minuteMs);
  cloud.publish(records[0]?.name ?? "");
  const left = Date.parse(firstEnd) - cloud.clock.now().getTime();
  await cloud.clock.advance(left - 1);
  expect(await stateOf(cloud)).toBe("ACTIVE");
  expect(cloud.manager.keyMaterial(name)).toBeDefined();
  await cloud.clock.advance(1);
  expect(await stateOf(cloud)).toBe("FAILED");
  expect(cloud.manager.keyMaterial(name)).toBeUndefined();
});

test("renewal of a certificate with a lifetime below 30 days begins after two thirds of it", async () => {
  const issued: string[] = [];
  await using cloud = await startCertificateManager({
    issue: async () => {
      const now = cloud.clock.now();
      issued.push(now.toISOString());
      return { chainPem: `${issued.length}`, privateKeyPem: "key", notAfter: new Date(now.getTime() + 9 * dayMs) };
    },
  });
  await makeManaged(cloud, "c1", ["example.com"]);
  await cloud.clock.advance(13 * dayMs);
  expect(issued).toEqual(["2026-11-21T00:00:05.000Z", "2026-11-27T00:00:05.000Z", "2026-12-03T00:00:05.000Z"]);
});

describe("after a restart", () => {
  const later = "2026-11-21T00:30:00.000Z";

  /** Starts a manager with the stored resources of another manager. */
  async function restart(before: StartedManager, at: string) {
    before.clock.stop();
    const cloud = await startCertificateManager({ store: before.store, startAt: at });
    cloud.manager.resume(Date.parse(at) - before.clock.now().getTime());
    return cloud;
  }

  test("a PROVISIONING certificate is issued", async () => {
    await using before = await startCertificateManager();
    const { records } = await makeManaged(before, "c1", ["example.com"], { published: false });
    await before.clock.advance(minuteMs);
    await using cloud = await restart(before, later);
    await cloud.clock.advance(29 * minuteMs);
    expect(await stateOf(cloud)).toBe("PROVISIONING");
    for (const record of records) cloud.publish(record.name, record.data);
    await cloud.clock.advance(10 * minuteMs);
    expect(await stateOf(cloud)).toBe("ACTIVE");
  });

  test("a certificate without authorization is FAILED after its hour, which excludes the time that the cloud was off", async () => {
    await using before = await startCertificateManager();
    await makeManaged(before, "c1", ["example.com"], { published: false });
    await before.clock.advance(minuteMs);
    await using cloud = await restart(before, later);
    await cloud.clock.advance(30 * minuteMs);
    await using again = await restart(cloud, "2026-12-21T00:00:00.000Z");
    await again.clock.advance(29 * minuteMs - 1);
    expect(await stateOf(again)).toBe("PROVISIONING");
    await again.clock.advance(1);
    expect(await stateOf(again)).toBe("FAILED");
  });

  test.each([
    ["when it is due", "2026-11-22T00:00:00.000Z", 70 * dayMs],
    ["at once if the renewal is overdue", "2027-02-10T00:00:00.000Z", secondMs],
  ])("an ACTIVE certificate is renewed %s", async (_, at, waitMs) => {
    await using before = await startCertificateManager();
    const { records } = await makeManaged(before, "c1", ["example.com"]);
    await before.clock.advance(minuteMs);
    const { expireTime } = await before.get(name);
    await using cloud = await restart(before, at);
    for (const record of records) cloud.publish(record.name, record.data);
    expect((await cloud.get(name)).expireTime).toBe(expireTime);
    await cloud.clock.advance(waitMs);
    const renewed = await cloud.get(name);
    expect(renewed).toMatchObject({ managed: { state: "ACTIVE" } });
    expect(Date.parse(String(renewed.expireTime))).toBeGreaterThan(Date.parse(String(expireTime)));
  });
});
