import { daysFailures } from "../../lib/rehearsal/days/failures";
import measured from "../fixtures/days/failures.json";
import { daysPolicyOf, serveForDays } from "../support/served-days";

jest.setTimeout(600_000);

interface Expected {
  /** Day on which the first alert begins. */
  readonly alert: number;
  /** What the alert watches: the days of a hostname, or the expiry log. */
  readonly kind: string;
  /** Day of the first failed handshake. */
  readonly firstFailure: number;
  /** Days after which both are seen. */
  readonly days: number;
}

/** The table in docs/rehearsal.md has the same numbers. */
const failures: Readonly<Record<string, Expected>> = measured;

const policyOf = (kind: string) => (kind === "managed" || kind === "uploaded" ? daysPolicyOf(kind) : "CLOSE_TO_EXPIRY");

test("the table has every failure", () => {
  expect(Object.keys(failures).sort()).toEqual(daysFailures.map(({ name }) => name).sort());
});

describe.each(Object.entries(failures))("%s", (failure, { alert, kind, firstFailure, days }) => {
  test(`raises an alert on day ${alert}, and the first handshake fails on day ${firstFailure}`, async () => {
    const { ok, incidents, firstFailureDay = 0 } = await serveForDays({ days, failure });
    expect(ok).toBe(false);
    expect(incidents[0]?.policy).toBe(policyOf(kind));
    expect(incidents[0]?.day).toBeCloseTo(alert, -0.3);
    expect(firstFailureDay).toBeCloseTo(firstFailure, -0.3);
  });

  test("loses no handshake if it is repaired when the alert begins", async () => {
    const { ok, failedHandshakes, failure: result } = await serveForDays({ days, failure, repairs: true });
    expect({ ok, failedHandshakes }).toEqual({ ok: true, failedHandshakes: 0 });
    expect(result?.repairedDay).toBeCloseTo(alert, -0.3);
  });
});

test.each([
  ["ca-disabled", 13, 15],
  ["api-disabled", 13, 15],
  ["cname-deleted", 59, 61],
  ["upload-forgotten", 39, 41],
])("%s has no effect within %i days, and an effect within %i", async (failure, few, enough) => {
  const effects = [];
  for (const days of [few, enough]) effects.push((await serveForDays({ days, failure })).failure?.hadEffect);
  expect(effects).toEqual([false, true]);
});

test.each([
  [39, false],
  [41, true],
])(
  "a disabled API has an effect within %i days if an uploaded certificate is due then: %s",
  async (days, hadEffect) => {
    const { ok, failure } = await serveForDays({ days, failure: "api-disabled", kinds: ["uploaded"] });
    expect({ ok, failure }).toEqual({ ok: hadEffect, failure: { name: "api-disabled", beganDay: 0, hadEffect } });
  },
);

test("an uploaded certificate that was due while the API was disabled is replaced after the repair", async () => {
  const { ok, replacements, failure } = await serveForDays({
    days: 63,
    failure: "api-disabled",
    repairs: true,
    kinds: ["uploaded"],
  });
  expect(failure).toMatchObject({ repairedDay: 45.5, hadEffect: true });
  expect({ ok, replacements: replacements.map(({ day }) => day > 45 && day < 47) }).toEqual({
    ok: true,
    replacements: [true],
  });
});

test("400 days lose no handshake, with every certificate renewed or replaced when it is due", async () => {
  const { ok, failedHandshakes, incidents, renewals, replacements, expiries } = await serveForDays({ days: 400 });
  expect({ ok, failedHandshakes, incidents, expiries }).toEqual({
    ok: true,
    failedHandshakes: 0,
    incidents: [],
    expiries: [],
  });
  expect(renewals.filter(({ certificate }) => certificate.endsWith("/managed"))).toHaveLength(6);
  expect(renewals.filter(({ certificate }) => certificate.endsWith("/private")).length).toBeGreaterThan(25);
  expect(replacements).toHaveLength(1);
});
