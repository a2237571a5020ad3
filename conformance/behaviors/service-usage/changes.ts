import { defineGroup } from "../../behavior";
import type { Json, Side } from "../../side";
import { protoFile, providerFile } from "../../sources";

const proto = protoFile("api/serviceusage/v1/serviceusage.proto");
const provider = providerFile("services/resourcemanager/resource_google_project_service.go");
const reader = "lib/google/projects.ts";

const parentOf = (side: Side) => `projects/${side.project}`;
const list = (side: Side, parameters: object) =>
  side.call("serviceusage.services.list", { parent: parentOf(side), ...parameters });

/** Returns names of services that do not exist and that no project has, so that a request changes nothing. */
const madeUp = (side: Side, count: number) =>
  Array.from({ length: count }, (_, index) => `${side.prefix}-${index}.googleapis.com`);

/** The behaviors leave every API as it is. */
export const changes = defineGroup({
  service: "service-usage",
  concept: "changes",
  behaviors: [
    {
      word: "enable-again",
      statement: "Enabling an API that is enabled succeeds, and the response has the state `ENABLED`.",
      source: [proto, provider],
      reliedOnBy: ["api-disabled", "lib/constructs/shared-resources.ts"],
      staysInRehearsal: true,
      expected: { done: true, state: "ENABLED" },
      observe: async (side) => {
        const name = `${parentOf(side)}/services/certificatemanager.googleapis.com`;
        const { state: before } = await side.make("serviceusage.services.get", { name });
        if (before !== "ENABLED") throw new Error("the API is not enabled, and the suite leaves it as it is");
        const answer = await side.call("serviceusage.services.enable", { name }, {}, { isOwn: true });
        const { done, response } = await side.ended("serviceusage.services.enable", { name }, answer.body);
        return { done, state: ((response as Json | undefined)?.service as Json | undefined)?.state };
      },
    },
    {
      word: "enable-too-many",
      statement: "A request to enable 21 APIs is refused as a whole: at most 20 are allowed.",
      source: proto,
      reliedOnBy: [reader],
      expected: { isRefused: true },
      observe: async (side) => {
        const body = { serviceIds: madeUp(side, 21) };
        const parameters = { parent: parentOf(side) };
        const { status } = await side.call("serviceusage.services.batchEnable", parameters, body, { isOwn: true });
        return { isRefused: status >= 400 };
      },
    },
    {
      word: "read-too-many",
      statement: "A request to read 31 APIs is refused: at most 30 are allowed.",
      source: proto,
      reliedOnBy: [reader],
      expected: { isRefused: true },
      observe: async (side) => {
        const names = madeUp(side, 31).map((id) => `${parentOf(side)}/services/${id}`);
        const { status } = await side.call("serviceusage.services.batchGet", { parent: parentOf(side), names });
        return { isRefused: status >= 400 };
      },
    },
    {
      word: "list-enabled",
      statement: "A list with the filter `state:ENABLED` has only enabled APIs.",
      source: proto,
      reliedOnBy: ["api-disabled"],
      expected: ["ENABLED"],
      observe: async (side) => {
        const { services = [] } = (await list(side, { filter: "state:ENABLED" })).body;
        return [...new Set((services as readonly Json[]).map(({ state }) => state))];
      },
    },
    {
      word: "list-filter-unknown",
      statement: "A list with another filter than `state:ENABLED` and `state:DISABLED` is refused.",
      source: proto,
      reliedOnBy: [reader],
      expected: { isRefused: true },
      observe: async (side) => ({ isRefused: (await list(side, { filter: "state:REMOVED" })).status >= 400 }),
    },
    {
      word: "paging",
      statement: "A list with a page size of two returns two APIs and the token of the next page.",
      source: proto,
      reliedOnBy: ["lib/google/pages.ts"],
      expected: { services: 2, hasToken: true },
      observe: async (side) => {
        const { services = [], nextPageToken } = (await list(side, { filter: "state:ENABLED", pageSize: 2 })).body;
        return { services: (services as readonly unknown[]).length, hasToken: nextPageToken !== undefined };
      },
    },
  ],
});
