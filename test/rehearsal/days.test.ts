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
    failure: { name: "ca-disabled", beganDay: 0, repairedDay: 17 },
  });
  expect(renewals).toEqual([{ day: expect.any(Number), certificate: expect.stringMatching(/certificates\/private$/) }]);
  expect(plans).toBe(1);
});
