import {
  makeActiveCertificate,
  makeLoadBalancer,
  makeMap,
  makeZone,
  startTestCloud,
  type TestCloud,
} from "../support/cloud";

const dayMs = 86_400_000;
const minuteMs = 60_000;
const zone = "/dns/v1/projects/p1/managedZones/example-com";
const proofName = "_acme-challenge.example.com.";
const metric = "monitoring.googleapis.com/uptime_check";

/** Starts a cloud in which a load balancer serves example.com, and its DNS record leads there. */
async function startServing(): Promise<TestCloud> {
  const cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.");
  const certificate = await makeActiveCertificate(cloud, "shop", "example-com", ["example.com"]);
  const certificateMap = await makeMap(cloud, "shop", { "example.com": [certificate] });
  await makeLoadBalancer(cloud, "shop", { certificateMap });
  await cloud.clock.advance(minuteMs);
  await changeRecord(cloud, "additions", "example.com.", "A", [cloud.loadBalancers.listeners()[0]?.ipAddress ?? ""]);
  return cloud;
}

async function changeRecord(
  cloud: TestCloud,
  kind: "additions" | "deletions",
  name: string,
  type: string,
  rrdatas: readonly string[],
): Promise<void> {
  await cloud.make("POST", `${zone}/changes`, { [kind]: [{ name, type, ttl: 300, rrdatas }] });
  await cloud.clock.advance(10_000);
}

/** Deletes the CNAME record of the authorization. @returns its data */
async function deleteProof(cloud: TestCloud): Promise<readonly string[]> {
  const { rrsets } = await cloud.make("GET", `${zone}/rrsets?name=${proofName}`);
  const [{ rrdatas }] = rrsets as readonly [{ readonly rrdatas: readonly string[] }];
  await changeRecord(cloud, "deletions", proofName, "CNAME", rrdatas);
  return rrdatas;
}

const uptimeCheck = {
  displayName: "Certificate of example.com",
  timeout: "10s",
  period: "900s",
  httpCheck: { useSsl: true, validateSsl: true },
  monitoredResource: { type: "uptime_url", labels: { host: "example.com" } },
};

async function makeCheck(cloud: TestCloud, change: object = {}): Promise<string> {
  const made = await cloud.make("POST", "/v3/projects/p1/uptimeCheckConfigs", { ...uptimeCheck, ...change });
  return String(made.name).split("/").at(-1) ?? "";
}

function policyOn(condition: object, more: object = {}): object {
  return { displayName: "shop", combiner: "OR", conditions: [{ displayName: "c", ...condition }], ...more };
}

/** A policy that opens an incident when the certificate of a check ends in less than 25 days. */
function daysPolicy(checkId: string): object {
  const filter = `resource.type="uptime_url" AND metric.type="${metric}/time_until_ssl_cert_expires" AND metric.labels.check_id="${checkId}"`;
  const threshold = { filter, comparison: "COMPARISON_LT", thresholdValue: 25, duration: "600s" };
  return policyOn({ conditionThreshold: threshold });
}

function failedPolicy(checkId: string): object {
  const filter = `resource.type="uptime_url" AND metric.type="${metric}/check_passed" AND metric.labels.check_id="${checkId}"`;
  const aggregations = [{ alignmentPeriod: "1200s", crossSeriesReducer: "REDUCE_COUNT_FALSE" }];
  const threshold = { filter, comparison: "COMPARISON_GT", thresholdValue: 1, duration: "60s", aggregations };
  return policyOn({ conditionThreshold: threshold });
}

function logPolicy(state: string): object {
  const filter = `log_id("certificatemanager.googleapis.com/certificates_expiry") AND jsonPayload.state="${state}"`;
  const strategy = { notificationRateLimit: { period: "86400s" }, autoClose: "604800s" };
  const labelExtractors = { count: "EXTRACT(jsonPayload.count)" };
  return policyOn({ conditionMatchedLog: { filter, labelExtractors } }, { alertStrategy: strategy });
}

const makePolicy = async (cloud: TestCloud, policy: object) =>
  String((await cloud.make("POST", "/v3/projects/p1/alertPolicies", policy)).name);

interface Incident {
  readonly state: string;
  readonly openTime: string;
  readonly closeTime?: string;
  readonly policy: { readonly name: string };
}

async function incidentsOf(cloud: TestCloud, policy: string): Promise<readonly Incident[]> {
  const { alerts = [] } = await cloud.make("GET", "/v3/projects/p1/alerts");
  return (alerts as readonly Incident[]).filter((incident) => incident.policy.name === policy);
}

test("a renewal that fails opens incidents in order: days left, expiry log, expired, failed check", async () => {
  await using cloud = await startServing();
  const startMs = cloud.clock.now().getTime();
  const checkId = await makeCheck(cloud);
  const policies = {
    days: await makePolicy(cloud, daysPolicy(checkId)),
    close: await makePolicy(cloud, logPolicy("CLOSE_TO_EXPIRY")),
    expired: await makePolicy(cloud, logPolicy("EXPIRED")),
    failed: await makePolicy(cloud, failedPolicy(checkId)),
  };
  await deleteProof(cloud);
  await cloud.clock.advance(100 * dayMs);
  const days = async (policy: string) =>
    (await incidentsOf(cloud, policy)).map(({ openTime, state }) => [
      Math.round((Date.parse(openTime) - startMs) / dayMs),
      state,
    ]);
  expect({
    days: await days(policies.days),
    close: await days(policies.close),
    expired: await days(policies.expired),
    failed: await days(policies.failed),
  }).toEqual({
    // An expired certificate is presented no longer, so that nothing is left to end.
    days: [[66, "CLOSED"]],
    close: [[81, "CLOSED"]],
    expired: [[91, "OPEN"]],
    failed: [[91, "OPEN"]],
  });
});

test("an incident closes when the renewal succeeds after all", async () => {
  await using cloud = await startServing();
  const policy = await makePolicy(cloud, daysPolicy(await makeCheck(cloud)));
  const proof = await deleteProof(cloud);
  await cloud.clock.advance(70 * dayMs);
  expect(await incidentsOf(cloud, policy)).toMatchObject([{ state: "OPEN" }]);
  await changeRecord(cloud, "additions", proofName, "CNAME", proof);
  await cloud.clock.advance(dayMs);
  expect(await incidentsOf(cloud, policy)).toMatchObject([{ state: "CLOSED", closeTime: expect.any(String) }]);
  await cloud.clock.advance(60 * dayMs);
  expect(await incidentsOf(cloud, policy)).toHaveLength(1);
});

test("130 days in which both renewals succeed open no incident", async () => {
  await using cloud = await startServing();
  const checkId = await makeCheck(cloud);
  const made = [daysPolicy(checkId), failedPolicy(checkId), logPolicy("CLOSE_TO_EXPIRY"), logPolicy("EXPIRED")];
  for (const policy of made) await makePolicy(cloud, policy);
  await cloud.clock.advance(130 * dayMs);
  expect((await cloud.make("GET", "/v3/projects/p1/alerts")).alerts).toEqual([]);
  const entries = await cloud.make("POST", "/v2/entries:list", { resourceNames: ["projects/p1"] });
  expect(entries.entries).toEqual([]);
});

test("the expiry log names the certificates, their state and their end", async () => {
  await using cloud = await startServing();
  await deleteProof(cloud);
  await cloud.clock.advance(82 * dayMs);
  const filter =
    'log_id("certificatemanager.googleapis.com/certificates_expiry") AND jsonPayload.state="CLOSE_TO_EXPIRY"';
  const { entries } = await cloud.make("POST", "/v2/entries:list", { resourceNames: ["projects/p1"], filter });
  expect(entries).toHaveLength(2);
  expect((entries as readonly object[])[0]).toEqual({
    logName: "projects/p1/logs/certificatemanager.googleapis.com%2Fcertificates_expiry",
    resource: {
      type: "certificatemanager.googleapis.com/Project",
      labels: { location: "global", resource_container: expect.stringMatching(/^projects\/\d+$/) },
    },
    severity: "WARNING",
    timestamp: expect.any(String),
    receiveTimestamp: expect.any(String),
    insertId: "000000000001",
    jsonPayload: {
      "@type": "type.googleapis.com/google.cloud.certificatemanager.logging.v1.CertificatesExpiry",
      state: "CLOSE_TO_EXPIRY",
      count: "1",
      certificates: ["projects/p1/locations/global/certificates/shop"],
      expireTime: expect.any(String),
    },
  });
  const others = await cloud.make("POST", "/v2/entries:list", { resourceNames: ["projects/p2"], filter });
  expect(others.entries).toEqual([]);
});

test("a check fails while the hostname has no address, and has no result for an unknown server", async () => {
  await using cloud = await startServing();
  const absent = { filter: `metric.type="${metric}/check_passed"`, duration: "3600s" };
  const failed = await makePolicy(cloud, failedPolicy(await makeCheck(cloud)));
  const noResult = await makePolicy(cloud, policyOn({ conditionAbsent: absent }));
  const address = cloud.loadBalancers.listeners()[0]?.ipAddress ?? "";
  await changeRecord(cloud, "deletions", "example.com.", "A", [address]);
  await cloud.clock.advance(31 * minuteMs);
  expect(await incidentsOf(cloud, failed)).toMatchObject([{ state: "OPEN" }]);
  await changeRecord(cloud, "additions", "example.com.", "A", ["198.51.100.77"]);
  await cloud.clock.advance(90 * minuteMs);
  expect(await incidentsOf(cloud, noResult)).toMatchObject([{ state: "OPEN" }]);
});

test("a check that an alert policy uses can't be deleted", async () => {
  await using cloud = await startServing();
  const checkId = await makeCheck(cloud);
  const policy = await makePolicy(cloud, daysPolicy(checkId));
  const path = `/v3/projects/p1/uptimeCheckConfigs/${checkId}`;
  const refused = await cloud.call("DELETE", path);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("alerting policies")]);
  await cloud.make("DELETE", `/v3/${policy}`);
  await cloud.make("DELETE", path);
  expect((await cloud.call("GET", path)).status).toBe(404);
});

test.each([
  ["no condition", { displayName: "a", combiner: "OR", conditions: [] }],
  ["no combiner", { displayName: "a", conditions: [{ conditionMatchedLog: { filter: "a=b" } }] }],
  ["a log condition without a limit of notifications", policyOn({ conditionMatchedLog: { filter: "a=b" } })],
  [
    "a limit of notifications without a log condition",
    policyOn(
      { conditionAbsent: { filter: "x", duration: "3600s" } },
      { alertStrategy: { notificationRateLimit: { period: "60s" } } },
    ),
  ],
  [
    "incidents that stay open longer than a week",
    policyOn({ conditionAbsent: { filter: "x", duration: "3600s" } }, { alertStrategy: { autoClose: "604801s" } }),
  ],
  ["absence for less than two minutes", policyOn({ conditionAbsent: { filter: "x", duration: "60s" } })],
])("an alert policy with %s is refused", async (_, policy) => {
  await using cloud = await startTestCloud();
  expect((await cloud.call("POST", "/v3/projects/p1/alertPolicies", policy)).status).toBe(400);
});

test.each([
  ["a period of 20 minutes", { period: "1200s" }],
  ["a time-out of 61 seconds", { timeout: "61s" }],
  ["two places", { selectedRegions: ["EUROPE", "ASIA_PACIFIC"] }],
  ["no name", { displayName: "" }],
])("an uptime check with %s is refused", async (_, change) => {
  await using cloud = await startTestCloud();
  expect((await cloud.call("POST", "/v3/projects/p1/uptimeCheckConfigs", { ...uptimeCheck, ...change })).status).toBe(
    400,
  );
});

test("a dashboard that another client has changed is not overwritten", async () => {
  await using cloud = await startTestCloud();
  const made = await cloud.make("POST", "/v1/projects/p1/dashboards", {
    displayName: "a",
    gridLayout: { columns: "2" },
  });
  const path = `/v1/${String(made.name)}`;
  const changed = await cloud.make("PATCH", path, { displayName: "b", etag: made.etag });
  expect(changed).toEqual({ name: made.name, displayName: "b", etag: expect.not.stringMatching(String(made.etag)) });
  expect((await cloud.call("PATCH", path, { displayName: "c", etag: made.etag })).status).toBe(409);
});

test("an update without a mask replaces an alert policy, and an update with a mask keeps the other fields", async () => {
  await using cloud = await startTestCloud();
  const policy = { ...policyOn({ conditionAbsent: { filter: "x", duration: "3600s" } }), userLabels: { a: "b" } };
  const made = await cloud.make("POST", "/v3/projects/p1/alertPolicies", policy);
  const path = `/v3/${String(made.name)}`;
  const renamed = await cloud.make("PATCH", `${path}?updateMask=displayName`, { displayName: "renamed" });
  expect(renamed).toMatchObject({ displayName: "renamed", userLabels: { a: "b" } });
  const creationRecord = { mutateTime: "2001-01-01T00:00:00Z" };
  const replaced = await cloud.make("PATCH", path, { ...policy, userLabels: undefined, creationRecord });
  expect(replaced).toMatchObject({ name: made.name, creationRecord: made.creationRecord });
  expect(replaced.userLabels).toBeUndefined();
});

test("an uptime check without a period runs every minute", async () => {
  await using cloud = await startTestCloud();
  const check = await cloud.make("POST", "/v3/projects/p1/uptimeCheckConfigs", { ...uptimeCheck, period: undefined });
  expect(check.period).toBe("60s");
});

test.each([
  ["a page of 1,001", { pageSize: 1_001 }],
  ["a negative page size", { pageSize: -1 }],
  ["an order by severity", { orderBy: "severity" }],
  ["101 resources", { resourceNames: Array.from({ length: 101 }, () => "projects/p1") }],
  ["a filter of more than 20,000 characters", { filter: `logName="${"x".repeat(20_000)}"` }],
])("a list of log entries with %s is refused", async (_, change) => {
  await using cloud = await startTestCloud();
  const body = { resourceNames: ["projects/p1"], ...change };
  expect((await cloud.call("POST", "/v2/entries:list", body)).status).toBe(400);
});
