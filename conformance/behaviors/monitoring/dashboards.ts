import { defineGroup } from "../../behavior";
import { type Json, refusalOf } from "../../side";
import { aip, protoFile, providerFile } from "../../sources";
import { projectName } from "./fixtures";

const methods = "monitoring.projects.dashboards";
const proto = protoFile("monitoring/dashboard/v1/dashboard.proto");
const service = protoFile("monitoring/dashboard/v1/dashboards_service.proto");
const provider = providerFile("services/monitoring/resource_monitoring_dashboard.go");
const alerts = "lib/constructs/certificate-alerts/alert-resources.ts";
const stored = "lib/terraform-provider/resources/monitoring.ts";

interface Fixture {
  readonly dashboard: Json;
  readonly name: string;
}

export const dashboards = defineGroup<Fixture>({
  service: "monitoring",
  concept: "dashboards",
  prepare: async (side) => {
    const body = { displayName: side.name("dashboard"), gridLayout: { columns: "2" } };
    const dashboard = await side.make(`${methods}.create`, { parent: projectName(side) }, body);
    return { dashboard, name: String(dashboard.name) };
  },
  behaviors: [
    {
      word: "name-and-etag",
      statement: "The service assigns a name below the project and an etag.",
      source: proto,
      reliedOnBy: [stored],
      expected: { hasName: true, hasEtag: true },
      observe: async (_, { name, dashboard }) => ({
        hasName: /^projects\/[^/]+\/dashboards\/[^/]+$/.test(name),
        hasEtag: typeof dashboard.etag === "string" && dashboard.etag !== "",
      }),
    },
    {
      word: "display-name-required",
      statement: "A dashboard without a display name is refused with 400 INVALID_ARGUMENT.",
      source: [proto, aip(193)],
      reliedOnBy: [alerts],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => {
        const body = { name: `${projectName(side)}/dashboards/${side.name("refused")}`, gridLayout: {} };
        return refusalOf(await side.call(`${methods}.create`, { parent: projectName(side) }, body));
      },
    },
    {
      word: "validate-only",
      statement: "A creation with `validateOnly` stores nothing.",
      source: service,
      reliedOnBy: [stored],
      expected: { stored: 0 },
      observe: async (side) => {
        const displayName = side.name("validated");
        const parameters = { parent: projectName(side), validateOnly: true };
        await side.make(`${methods}.create`, parameters, { displayName, gridLayout: {} });
        const { dashboards: found = [] } = await side.make(`${methods}.list`, { parent: projectName(side) });
        return {
          stored: (found as readonly Json[]).filter((dashboard) => dashboard.displayName === displayName).length,
        };
      },
    },
    {
      word: "update-replaces",
      statement: "An update replaces the whole dashboard and changes its etag.",
      source: service,
      reliedOnBy: [stored],
      expected: { displayName: "{prefix}-replaced", layouts: ["mosaicLayout"], isSameEtag: false },
      observe: async (side, { name, dashboard }) => {
        const body = { displayName: side.name("replaced"), etag: dashboard.etag, mosaicLayout: { columns: 12 } };
        const after = await side.make(`${methods}.patch`, { name }, body);
        const layouts = Object.keys(after).filter((field) => field.endsWith("Layout"));
        return { displayName: after.displayName, layouts, isSameEtag: after.etag === dashboard.etag };
      },
    },
    {
      word: "stale-etag",
      statement: "An update with the etag of an earlier version is refused with 409 ABORTED.",
      source: [proto, provider, aip(154)],
      reliedOnBy: [stored],
      expected: { status: 409, code: "ABORTED" },
      observe: async (side, { name, dashboard }) => {
        const body = { displayName: side.name("stale"), etag: dashboard.etag, gridLayout: {} };
        return refusalOf(await side.call(`${methods}.patch`, { name }, body));
      },
    },
    {
      word: "deletion",
      statement: "A deleted dashboard is refused with 404 NOT_FOUND.",
      source: [service, aip(135)],
      reliedOnBy: [stored],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side, { name }) => {
        await side.make(`${methods}.delete`, { name });
        return refusalOf(await side.call(`${methods}.get`, { name }));
      },
    },
  ],
});
