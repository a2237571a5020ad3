import { defineGroup } from "../../behavior";
import { providerFile } from "../../sources";

const source = [
  "https://cloud.google.com/service-usage/docs/reference/rest/v1/services",
  providerFile("services/resourcemanager/resource_google_project_service.go"),
];

export const services = defineGroup({
  service: "service-usage",
  concept: "services",
  behaviors: [
    {
      word: "state",
      statement: "An API that the project uses has the state `ENABLED`.",
      source,
      reliedOnBy: ["api-disabled"],
      expected: "ENABLED",
      observe: async (side) => {
        const name = `projects/${side.project}/services/certificatemanager.googleapis.com`;
        return (await side.make("serviceusage.services.get", { name })).state;
      },
    },
    {
      word: "batch-order",
      statement: "`batchGet` returns the services in the order of the request.",
      source,
      reliedOnBy: ["api-disabled"],
      expected: ["dns.googleapis.com", "certificatemanager.googleapis.com"],
      observe: async (side) => {
        const parent = `projects/${side.project}`;
        const names = ["dns", "certificatemanager"].map((api) => `${parent}/services/${api}.googleapis.com`);
        const { services } = await side.make("serviceusage.services.batchGet", { parent, names });
        return (services as readonly { config?: { name?: string } }[]).map(({ config }) => config?.name);
      },
    },
  ],
});
