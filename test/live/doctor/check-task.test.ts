import { BugError, ServiceError } from "../../../lib/errors";
import { type CheckTask, runCheckTask } from "../../../lib/live/doctor/check-task";

const never = new AbortController().signal;
const look = (work: CheckTask["work"]): CheckTask => ({ check: "billing", subject: "p1", work });
const failing = (error: Error) =>
  look(async () => {
    throw error;
  });
const refusal = (details: Partial<ConstructorParameters<typeof ServiceError>[1]>, message = "reading x: no") =>
  new ServiceError(message, { code: "service-refused", retryable: false, ...details });

test.each<readonly [string, ServiceError, string]>([
  ["a refusal by REST", refusal({ status: 403, reason: "forbidden" }), "check-denied"],
  ["credentials that an API does not accept", refusal({ status: 401 }), "credentials-refused"],
  ["a refusal by Certificate Manager's client", refusal({ cause: { code: 7 } }), "check-denied"],
  ["an API that is off, by REST", refusal({ status: 403, reason: "accessNotConfigured" }), "check-needs-api"],
  ["an API that is off, by its details", refusal({ status: 403, reason: "SERVICE_DISABLED" }), "check-needs-api"],
  [
    "an API that is off, by its message alone",
    refusal({ cause: { code: 7 } }, "7 PERMISSION_DENIED: dns.googleapis.com has not been used in project p1 before"),
    "check-needs-api",
  ],
  ["no credentials", refusal({ code: "credentials-missing" }), "credentials-missing"],
  ["a login that is over", refusal({ code: "credentials-refused" }), "credentials-refused"],
  ["a key file that holds no key", refusal({ code: "credentials-unreadable" }), "credentials-unreadable"],
  ["a token service that is out of order", refusal({ code: "token-unavailable" }), "check-unanswered"],
  ["an outage", refusal({ status: 503, retryable: true }), "check-unanswered"],
  ["a service that is not there", refusal({ code: "service-unreachable" }), "check-unanswered"],
])("reports %s as a finding", async (_, error, code) => {
  const { check, findings } = await runCheckTask(failing(error), never, 1_000);
  expect(findings).toMatchObject([{ code }]);
  expect(check).toEqual({ check: "billing", subject: "p1", outcome: "unknown", notes: [error.message] });
});

test.each(["credentials-missing", "credentials-refused", "credentials-unreadable"] as const)(
  "reports %s once, with how to log in, whatever was requested",
  async (code) => {
    const looked = await Promise.all(
      ["listing zones: no", "reading maps: no"].map((message) =>
        runCheckTask(failing(refusal({ code }, message)), never, 1_000),
      ),
    );
    const [one, other] = looked.map(({ findings }) => findings);
    expect(one).toMatchObject([
      { code, severity: "error", subject: "credentials", command: "gcloud auth application-default login" },
    ]);
    expect(other).toEqual(one);
  },
);

test("reports a check that takes too long as a finding", async () => {
  const { check, findings } = await runCheckTask(
    look(() => new Promise(() => undefined)),
    never,
    10,
  );
  expect(findings).toMatchObject([{ code: "check-unanswered", message: "billing of p1: it took longer than 0.01 s" }]);
  expect(check.outcome).toBe("unknown");
});

test("reports no finding for an aborted check, however it ends", async () => {
  const stopping = new AbortController();
  const looked = runCheckTask(
    look(() => new Promise(() => undefined)),
    stopping.signal,
    60_000,
  );
  stopping.abort(new Error("stopped"));
  expect(await looked).toEqual({
    check: { check: "billing", subject: "p1", outcome: "stopped", notes: [] },
    findings: [],
  });
});

test("reports a bug of this program as its own, not as a failure of a service", async () => {
  await expect(runCheckTask(failing(new BugError("x")), never, 1_000)).rejects.toThrow(BugError);
});
