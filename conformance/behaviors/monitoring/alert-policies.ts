import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { aip, protoFile, providerFile } from "../../sources";
import { logPolicy, metricPolicy, policyMethods, projectName, sharedCheck } from "./fixtures";

const proto = protoFile("monitoring/v3/alert.proto");
const service = protoFile("monitoring/v3/alert_service.proto");
const provider = providerFile("services/monitoring/resource_monitoring_alert_policy.go");
const alerts = "lib/constructs/certificate-alerts/alert-resources.ts";
const stored = "lib/terraform-provider/resources/monitoring.ts";
const invalid = { status: 400, code: "INVALID_ARGUMENT" };
const expiryMetric = "monitoring.googleapis.com/uptime_check/time_until_ssl_cert_expires";

const create = (side: Side, policy: Json) => side.call(`${policyMethods}.create`, { name: projectName(side) }, policy);
const refused = async (side: Side, policy: Json) => refusalOf(await create(side, policy));

interface Fixture {
  readonly policy: Json;
  readonly name: string;
}

export const alertPolicies = defineGroup<Fixture>({
  service: "monitoring",
  concept: "alert-policies",
  prepare: async (side) => {
    const userLabels = { suite: "conformance" };
    const policy = await side.make(
      `${policyMethods}.create`,
      { name: projectName(side) },
      logPolicy(side, "policy", { userLabels }),
    );
    return { policy, name: String(policy.name) };
  },
  behaviors: [
    {
      word: "name-assigned",
      statement: "The service assigns a number as the name of a policy.",
      source: proto,
      reliedOnBy: [stored],
      expected: true,
      observe: async (_, { name }) => /^projects\/[^/]+\/alertPolicies\/\d+$/.test(name),
    },
    {
      word: "condition-name-assigned",
      statement: "The service assigns a name below the policy to each condition.",
      source: proto,
      reliedOnBy: [stored],
      expected: [true],
      observe: async (_, { policy, name }) =>
        (policy.conditions as readonly Json[]).map((condition) =>
          String(condition.name).startsWith(`${name}/conditions/`),
        ),
    },
    {
      word: "enabled-default",
      statement: "A policy that does not set `enabled` is enabled.",
      source: proto,
      reliedOnBy: [alerts],
      expected: true,
      observe: async (side, { name }) => (await side.make(`${policyMethods}.get`, { name })).enabled,
    },
    {
      word: "log-condition-alone",
      statement: "A policy with a condition on log entries can only have a single condition.",
      source: [provider, "https://github.com/chainguard-dev/terraform-infra-common/pull/384"],
      reliedOnBy: [alerts],
      expected: invalid,
      observe: (side) => {
        const policy = logPolicy(side, "refused");
        const conditions = policy.conditions as readonly Json[];
        return refused(side, { ...policy, conditions: [...conditions, ...conditions] });
      },
    },
    {
      word: "rate-limit-required",
      statement: "A policy with a condition on log entries is refused without a notification rate limit.",
      source: [proto, provider],
      reliedOnBy: [alerts],
      expected: invalid,
      observe: (side) => refused(side, logPolicy(side, "refused", { alertStrategy: {} })),
    },
    {
      word: "rate-limit-of-metric",
      statement: "A policy on a metric is refused with a notification rate limit.",
      source: "https://github.com/chainguard-dev/terraform-infra-common/pull/352",
      reliedOnBy: [alerts],
      expected: invalid,
      observe: (side) => {
        const alertStrategy = { notificationRateLimit: { period: "3600s" } };
        return refused(side, { ...metricPolicy(side, "refused", expiryMetric), alertStrategy });
      },
    },
    {
      word: "no-condition",
      statement: "A policy without a condition is refused: one to six are allowed.",
      source: proto,
      reliedOnBy: [alerts],
      expected: invalid,
      observe: (side) => refused(side, { ...metricPolicy(side, "refused", expiryMetric), conditions: [] }),
    },
    {
      word: "seven-conditions",
      statement: "A policy with seven conditions is refused: one to six are allowed.",
      source: proto,
      reliedOnBy: [alerts],
      expected: invalid,
      observe: (side) => {
        const policy = metricPolicy(side, "refused", expiryMetric);
        const [condition] = policy.conditions as readonly Json[];
        return refused(side, { ...policy, conditions: Array.from({ length: 7 }, () => condition) });
      },
    },
    {
      word: "metric-unknown",
      statement: "A policy on a metric of a user that has no value yet is refused with 404 NOT_FOUND.",
      source: "https://github.com/hashicorp/terraform-provider-google/issues/11102",
      reliedOnBy: [alerts],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: (side) => refused(side, metricPolicy(side, "refused", `logging.googleapis.com/user/${side.prefix}`)),
    },
    {
      word: "metric-of-check",
      statement: "A policy on the metrics of an uptime check is accepted before the check has a result.",
      source: providerFile("services/monitoring/resource_monitoring_uptime_check_config.go"),
      reliedOnBy: [alerts],
      expected: 200,
      observe: async (side) => {
        const id = String((await sharedCheck(side)).name)
          .split("/")
          .at(-1);
        const policy = metricPolicy(side, "of-check", expiryMetric, ` AND metric.labels.check_id="${id}"`);
        return (await create(side, policy)).status;
      },
    },
    {
      word: "update-with-mask",
      statement: "An update with a mask leaves the other fields as they are.",
      source: service,
      reliedOnBy: [stored],
      expected: { displayName: "{prefix}-renamed", userLabels: { suite: "conformance" } },
      observe: async (side, { name }) => {
        const body = { displayName: side.name("renamed") };
        await side.make(`${policyMethods}.patch`, { name, updateMask: "displayName" }, body);
        const { displayName, userLabels } = await side.make(`${policyMethods}.get`, { name });
        return { displayName, userLabels };
      },
    },
    {
      word: "update-without-mask",
      statement: "An update without a mask replaces the policy; the name stays, and omitted fields are removed.",
      source: service,
      reliedOnBy: [stored],
      expected: { isSameName: true, displayName: "{prefix}-replaced", userLabels: {} },
      observe: async (side, { name }) => {
        const after = await side.make(`${policyMethods}.patch`, { name }, logPolicy(side, "replaced"));
        const { displayName, userLabels = {} } = after;
        return { isSameName: after.name === name, displayName, userLabels };
      },
    },
    {
      word: "creation-record",
      statement: "A creation record in an update is ignored.",
      source: proto,
      reliedOnBy: [stored],
      expected: true,
      observe: async (side, { name, policy }) => {
        const mutateTime = (record: unknown) => (record as Json | undefined)?.mutateTime;
        const creationRecord = { mutateTime: "2001-01-01T00:00:00Z", mutatedBy: side.prefix };
        const body = { ...logPolicy(side, "replaced"), creationRecord };
        const after = await side.make(`${policyMethods}.patch`, { name }, body);
        return mutateTime(after.creationRecord) === mutateTime(policy.creationRecord);
      },
    },
    {
      word: "list-filter",
      statement: "A list with a filter has only the policies with that display name.",
      source: [service, aip(160)],
      reliedOnBy: ["alert-removed"],
      expected: ["{prefix}-replaced"],
      observe: async (side) => {
        const filter = `display_name="${side.name("replaced")}"`;
        const { alertPolicies: found = [] } = await side.make(`${policyMethods}.list`, {
          name: projectName(side),
          filter,
        });
        return (found as readonly Json[]).map(({ displayName }) => displayName);
      },
    },
    {
      word: "paging",
      statement: "A list with a page size of one returns one policy and the token of the next page.",
      source: [service, aip(158)],
      reliedOnBy: ["lib/google/pages.ts"],
      expected: { policies: 1, hasToken: true },
      observe: async (side) => {
        const parameters = { name: projectName(side), pageSize: 1 };
        const { alertPolicies: found = [], nextPageToken } = await side.make(`${policyMethods}.list`, parameters);
        return { policies: (found as readonly unknown[]).length, hasToken: nextPageToken !== undefined };
      },
    },
    {
      word: "deletion",
      statement: "A deleted policy is refused with 404 NOT_FOUND at once.",
      source: [service, aip(135)],
      reliedOnBy: [stored],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side, { name }) => {
        await side.make(`${policyMethods}.delete`, { name });
        return refusalOf(await side.call(`${policyMethods}.get`, { name }));
      },
    },
  ],
});
