import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { aip, protoFile, providerFile } from "../../sources";
import { checkMethods, httpsCheck, metricPolicy, policyMethods, projectName, sharedCheck } from "./fixtures";

const proto = protoFile("monitoring/v3/uptime.proto");
const service = protoFile("monitoring/v3/uptime_service.proto");
const provider = providerFile("services/monitoring/resource_monitoring_uptime_check_config.go");
const alerts = "lib/constructs/certificate-alerts/alert-resources.ts";
const stored = "lib/terraform-provider/resources/monitoring.ts";
const invalid = { status: 400, code: "INVALID_ARGUMENT" };

interface Fixture {
  readonly check: Json;
  readonly name: string;
}

async function refused(side: Side, more: Json) {
  const body = httpsCheck(side, "refused", more);
  return refusalOf(await side.call(`${checkMethods}.create`, { parent: projectName(side) }, body));
}

export const uptimeChecks = defineGroup<Fixture>({
  service: "monitoring",
  concept: "uptime-checks",
  prepare: async (side) => {
    const check = await sharedCheck(side);
    return { check, name: String(check.name) };
  },
  behaviors: [
    {
      word: "name-assigned",
      statement: "The service assigns the name of a check, below the project.",
      source: proto,
      reliedOnBy: [stored],
      expected: true,
      observe: async (_, { name }) => /^projects\/[^/]+\/uptimeCheckConfigs\/[^/]+$/.test(name),
    },
    {
      word: "request-defaults",
      statement: "A check over HTTPS requests `/` at port 443 with GET unless it sets other values.",
      source: proto,
      reliedOnBy: [alerts],
      expected: { requestMethod: "GET", path: "/", port: 443, useSsl: true, validateSsl: true },
      observe: async (side, { name }) => {
        const { requestMethod, path, port, useSsl, validateSsl } = (await side.make(`${checkMethods}.get`, { name }))
          .httpCheck as Json;
        return { requestMethod, path, port, useSsl, validateSsl };
      },
    },
    {
      word: "period-default",
      statement: "A check without a period runs every minute.",
      source: proto,
      reliedOnBy: ["alert-checks-charged", stored],
      expected: "60s",
      observe: async (_, { check }) => check.period,
    },
    {
      word: "checker-default",
      statement: "A check without a checker type runs from static addresses of the internet.",
      source: proto,
      reliedOnBy: ["alert-hostname-unchecked"],
      expected: "STATIC_IP_CHECKERS",
      observe: async (_, { check }) => check.checkerType,
    },
    {
      word: "host",
      statement: "A check is returned with the host of its monitored resource.",
      source: proto,
      reliedOnBy: ["lib/google/projects.ts", "alert-checks-above-quota"],
      expected: { type: "uptime_url", host: "check.{prefix}.{domain}" },
      observe: async (side, { name }) => {
        const { monitoredResource } = await side.make(`${checkMethods}.get`, { name });
        const { type, labels } = monitoredResource as Json;
        return { type, host: (labels as Json).host };
      },
    },
    {
      word: "period-not-supported",
      statement: "A period of two minutes is refused: 1, 5, 10 and 15 minutes are supported.",
      source: proto,
      reliedOnBy: ["alert-probe-invalid"],
      expected: invalid,
      observe: (side) => refused(side, { period: "120s" }),
    },
    {
      word: "timeout-too-long",
      statement: "A timeout of 61 seconds is refused: 1 to 60 seconds are allowed.",
      source: [proto, provider],
      reliedOnBy: [alerts],
      expected: invalid,
      observe: (side) => refused(side, { timeout: "61s" }),
    },
    {
      word: "two-locations",
      statement: "Regions with two locations are refused: at least three are needed.",
      source: proto,
      reliedOnBy: [alerts],
      expected: invalid,
      observe: (side) => refused(side, { selectedRegions: ["EUROPE", "SOUTH_AMERICA"] }),
    },
    {
      word: "update-with-mask",
      statement: "An update with a mask changes the display name and leaves the other fields as they are.",
      source: service,
      reliedOnBy: [stored],
      expected: { displayName: "{prefix}-renamed", timeout: "10s" },
      observe: async (side, { name }) => {
        const body = { displayName: side.name("renamed") };
        const after = await side.make(`${checkMethods}.patch`, { name, updateMask: "displayName" }, body);
        return { displayName: after.displayName, timeout: after.timeout };
      },
    },
    {
      word: "list",
      statement: "The list of a project has its checks, and pages of at most the requested size.",
      source: [service, aip(158)],
      reliedOnBy: ["alert-checks-above-quota", "lib/google/projects.ts"],
      expected: { checks: 1 },
      observe: async (side) => {
        const parameters = { parent: projectName(side), pageSize: 1 };
        const { uptimeCheckConfigs: found = [] } = await side.make(`${checkMethods}.list`, parameters);
        return { checks: (found as readonly unknown[]).length };
      },
    },
    {
      word: "used-by-policy",
      statement: "The deletion of a check to which an alert policy refers is refused.",
      source: service,
      reliedOnBy: [alerts],
      expected: { isDeleted: false },
      observe: async (side, { name }) => {
        const id = name.split("/").at(-1);
        const metric = "monitoring.googleapis.com/uptime_check/check_passed";
        const policy = metricPolicy(side, "uses-check", metric, ` AND metric.labels.check_id="${id}"`);
        await side.make(`${policyMethods}.create`, { name: projectName(side) }, policy);
        return { isDeleted: (await side.call(`${checkMethods}.delete`, { name })).status < 300 };
      },
    },
    {
      word: "missing",
      statement: "A check that does not exist is refused with 404 NOT_FOUND.",
      source: aip(193),
      reliedOnBy: [stored],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side) => {
        const name = `${projectName(side)}/uptimeCheckConfigs/${side.name("missing")}`;
        return refusalOf(await side.call(`${checkMethods}.get`, { name }));
      },
    },
  ],
});
