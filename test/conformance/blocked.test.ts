import { groups } from "../../conformance/behaviors";
import { blockedReasonOf } from "../../conformance/blocked";
import { startRehearsalSide } from "../../conformance/rehearsal-side";
import { runSuite, select } from "../../conformance/run";

/** Refusals as the services send them. */
const refusals = [
  ["a missing permission", "permission-missing", 403, { status: "PERMISSION_DENIED", message: "Permission denied" }],
  [
    "a disabled API",
    "api-disabled",
    403,
    { status: "PERMISSION_DENIED", message: "API has not been used", details: [{ reason: "SERVICE_DISABLED" }] },
  ],
  ["an exhausted quota", "quota-exceeded", 429, { status: "RESOURCE_EXHAUSTED", message: "Quota exceeded" }],
  [
    "an exhausted quota of Compute Engine",
    "quota-exceeded",
    403,
    { message: "Quota 'URL_MAPS' exceeded", errors: [{ reason: "quotaExceeded" }] },
  ],
  [
    "an organization policy",
    "organization-policy",
    412,
    {
      message: "Constraint constraints/compute.restrictLoadBalancer violated",
      errors: [{ reason: "conditionNotMet" }],
    },
  ],
  [
    "a project without billing",
    "billing-off",
    403,
    { status: "PERMISSION_DENIED", message: "This API method requires billing to be enabled" },
  ],
] as const;

test.each(refusals)("ends with one finding for %s, and observes nothing more", async (_, reason, status, error) => {
  let sent = 0;
  await using rehearsal = await startRehearsalSide({
    around: () => async () => {
      sent += 1;
      return { status, body: { error: { code: status, ...error } } };
    },
  });
  const { blocked, observations } = await runSuite(select(groups, { only: ["certificate-manager"] }), {
    side: rehearsal.side,
  });
  expect(blocked?.message).toContain(`was refused (${reason}): ${error.message}`);
  expect(observations).toEqual([]);
  expect(sent).toBe(1);
});

test("takes a refusal of the request itself for an answer", () => {
  for (const status of [400, 404, 409, 412])
    expect(blockedReasonOf(status, { error: { code: status } })).toBeUndefined();
});
