import { daysTroubles } from "../../lib/rehearsal/days/troubles";
import { daysPolicyOf, serveForDays } from "../support/served-days";

jest.setTimeout(240_000);

/** When the first alert begins and the first handshake fails, and after how many days both are seen. */
const troubles: Readonly<
  Record<string, { readonly alert: number; readonly policy: string; readonly failure: number; readonly days: number }>
> = {
  "cname-deleted": { alert: 66, policy: daysPolicyOf("managed"), failure: 91, days: 94 },
  "caa-added": { alert: 66, policy: daysPolicyOf("managed"), failure: 91, days: 94 },
  "zone-moved": { alert: 66, policy: daysPolicyOf("managed"), failure: 91, days: 94 },
  "rate-limited": { alert: 66, policy: daysPolicyOf("managed"), failure: 91, days: 94 },
  "api-disabled": { alert: 66, policy: daysPolicyOf("managed"), failure: 91, days: 94 },
  "ca-disabled": { alert: 17, policy: "CLOSE_TO_EXPIRY", failure: 21, days: 24 },
  "upload-forgotten": { alert: 35, policy: daysPolicyOf("uploaded"), failure: 60, days: 63 },
};

test("the table has every trouble", () => {
  expect(Object.keys(troubles).sort()).toEqual(daysTroubles.map(({ name }) => name).sort());
});

describe.each(Object.entries(troubles))("%s", (trouble, { alert, policy, failure, days }) => {
  test(`raises an alert on day ${alert}, and the first handshake fails on day ${failure}`, async () => {
    const { ok, incidents, firstFailureDay = 0 } = await serveForDays({ days, trouble });
    expect(ok).toBe(false);
    expect(incidents[0]?.policy).toBe(policy);
    expect(incidents[0]?.day).toBeCloseTo(alert, -0.3);
    expect(firstFailureDay).toBeCloseTo(failure, -0.3);
  });

  test("loses no handshake if it is repaired when the alert begins", async () => {
    const { ok, failedHandshakes, trouble: result } = await serveForDays({ days, trouble, repairs: true });
    expect({ ok, failedHandshakes }).toEqual({ ok: true, failedHandshakes: 0 });
    expect(result?.repairedDay).toBeCloseTo(alert, -0.3);
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
