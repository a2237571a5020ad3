import { daysFailures, lackedCertificates } from "../../lib/rehearsal";
import type { TestCloud } from "../support/cloud";
import { serveForDays } from "../support/served-days";

jest.setTimeout(60_000);

test("certificates of a private CA run out while it is disabled, and the alert begins five days before", async () => {
  const { ok, firstFailureDay, incidents, expiries } = await serveForDays({ days: 24, failure: "ca-disabled" });
  expect({ ok, firstFailureDay, expiries }).toEqual({
    ok: false,
    firstFailureDay: 21,
    expiries: [{ day: 21, certificate: expect.stringMatching(/certificates\/private$/) }],
  });
  expect(incidents).toEqual([
    { day: 17, policy: "CLOSE_TO_EXPIRY" },
    { day: 22, policy: "EXPIRED" },
  ]);
});

test("a repair at the first alert comes in time: no handshake fails, and the certificate is renewed", async () => {
  const { ok, failedHandshakes, renewals, failure, plans } = await serveForDays({
    days: 24,
    failure: "ca-disabled",
    repairs: true,
  });
  expect({ ok, failedHandshakes, failure }).toEqual({
    ok: true,
    failedHandshakes: 0,
    failure: { name: "ca-disabled", beganDay: 0, repairedDay: 17, hadEffect: true },
  });
  expect(renewals).toEqual([{ day: expect.any(Number), certificate: expect.stringMatching(/certificates\/private$/) }]);
  expect(plans).toBe(1);
});

test("an alert that begins at once for another reason begins no repair", async () => {
  const check = "projects/p1/uptimeCheckConfigs";
  const prepare = async (cloud: TestCloud) => {
    const { name } = await cloud.make("POST", `/v3/${check}`, {
      displayName: "a name without an address",
      period: "900s",
      timeout: "10s",
      httpCheck: { useSsl: true, validateSsl: true },
      monitoredResource: { type: "uptime_url", labels: { host: "nowhere.example.com" } },
    });
    const metric = "monitoring.googleapis.com/uptime_check/check_passed";
    const conditionThreshold = {
      filter: `metric.type="${metric}" AND metric.labels.check_id="${String(name).slice(check.length + 1)}"`,
      comparison: "COMPARISON_GT",
      thresholdValue: 1,
      duration: "60s",
      aggregations: [{ alignmentPeriod: "1200s", crossSeriesReducer: "REDUCE_COUNT_FALSE" }],
    };
    const conditions = [{ displayName: "failed", conditionThreshold }];
    await cloud.make("POST", "/v3/projects/p1/alertPolicies", { displayName: "nowhere", combiner: "OR", conditions });
  };
  const { ok, incidents, failure } = await serveForDays({
    ...{ days: 24, failure: "ca-disabled", repairs: true, prepare },
    kinds: ["privateCa"],
  });
  expect(incidents[0]).toEqual({ day: expect.closeTo(0, 0), policy: "nowhere" });
  expect({ ok, failure }).toEqual({
    ok: true,
    failure: { name: "ca-disabled", beganDay: 0, repairedDay: 17, hadEffect: true },
  });
});

test("days in which nothing is due show nothing of a failure, and fail", async () => {
  const { ok, failedHandshakes, failure } = await serveForDays({ days: 10, failure: "ca-disabled", repairs: true });
  expect({ ok, failedHandshakes, failure }).toEqual({
    ok: false,
    failedHandshakes: 0,
    failure: { name: "ca-disabled", beganDay: 0, hadEffect: false },
  });
});

/** Certificates as constructs write them, and in lists, as other programs do. */
const certificates = {
  managed: { managed: { domains: ["example.com"], dns_authorizations: ["a"] } },
  managedInList: { managed: [{ domains: ["example.com"], dns_authorizations: ["a"] }] },
  withoutAuthorization: { managed: { domains: ["example.com"] } },
  privateCa: { managed: { domains: ["example.com"], issuance_config: "c" } },
  uploaded: { self_managed: { pem_certificate: "p" } },
};

test.each<[keyof typeof certificates | "none", readonly string[]]>([
  ["managed", ["cname-deleted", "caa-added", "zone-moved", "rate-limited", "api-disabled"]],
  ["managedInList", ["cname-deleted", "caa-added", "zone-moved", "rate-limited", "api-disabled"]],
  ["withoutAuthorization", ["caa-added", "rate-limited", "api-disabled"]],
  ["privateCa", ["ca-disabled", "api-disabled"]],
  ["uploaded", ["upload-forgotten", "api-disabled"]],
  ["none", []],
])("a migration with a certificate of the kind %s is affected by %j", (kind, expected) => {
  const created = kind === "none" ? {} : { only: certificates[kind] };
  const stack = { resource: { google_certificate_manager_certificate: created } };
  const affecting = daysFailures.filter(({ affects }) => lackedCertificates(affects, stack) === undefined);
  expect(affecting.map(({ name }) => name)).toEqual(expected);
});
