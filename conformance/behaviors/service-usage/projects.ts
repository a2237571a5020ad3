import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { protoFile, providerFile } from "../../sources";

const proto = protoFile("cloud/resourcemanager/v3/projects.proto");
const iam = protoFile("iam/v1/iam_policy.proto");
const reader = "lib/google/projects.ts";

const test = (side: Side, permissions: readonly string[]) => {
  const resource = `projects/${side.project}`;
  return side.call("cloudresourcemanager.projects.testIamPermissions", { resource }, { permissions });
};

interface Fixture {
  readonly project: Json;
}

/** Only questions: nothing is created. */
export const projects = defineGroup<Fixture>({
  service: "service-usage",
  concept: "projects",
  prepare: async (side) => ({
    project: await side.make("cloudresourcemanager.projects.get", { name: `projects/${side.project}` }),
  }),
  behaviors: [
    {
      word: "name-is-number",
      statement: "A project has a number in its name, an id and the state `ACTIVE`.",
      source: proto,
      reliedOnBy: [reader, "lib/google/private-cas.ts"],
      expected: { isNumber: true, projectId: "{project}", state: "ACTIVE" },
      observe: async (_, { project: { name, projectId, state } }) => {
        return { isNumber: /^projects\/\d+$/.test(String(name)), projectId, state };
      },
    },
    {
      word: "permissions-held",
      statement: "`testIamPermissions` returns the permissions that the caller has on the project.",
      source: iam,
      reliedOnBy: ["permission-missing", reader],
      expected: ["resourcemanager.projects.get"],
      observe: async (side) => (await test(side, ["resourcemanager.projects.get"])).body.permissions,
    },
    {
      word: "permissions-wildcard",
      statement: "`testIamPermissions` refuses a permission with a wildcard.",
      source: iam,
      reliedOnBy: ["permission-missing"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => refusalOf(await test(side, ["resourcemanager.*"])),
    },
    {
      word: "quotas",
      statement: "The project of Compute Engine has limit and usage of the quotas, by metric.",
      source: "https://cloud.google.com/compute/docs/reference/rest/v1/projects",
      reliedOnBy: ["quota-tight", "quota-exceeded"],
      expected: [
        { metric: "SSL_CERTIFICATES", limit: "number", usage: "number" },
        { metric: "TARGET_HTTPS_PROXIES", limit: "number", usage: "number" },
      ],
      observe: async (side) => {
        const { quotas = [] } = await side.make("compute.projects.get", { project: side.project });
        return (quotas as readonly Json[])
          .filter(({ metric }) => metric === "TARGET_HTTPS_PROXIES" || metric === "SSL_CERTIFICATES")
          .map(({ metric, limit, usage }) => ({ metric, limit: typeof limit, usage: typeof usage }))
          .sort((one, other) => (String(one.metric) < String(other.metric) ? -1 : 1));
      },
    },
    {
      word: "unknown",
      statement: "A project that does not exist is refused with 403, as a project without access.",
      source: providerFile("services/resourcemanager/resource_google_project.go"),
      reliedOnBy: ["project-unknown", reader],
      expected: { status: 403, code: "PERMISSION_DENIED" },
      observe: async (side) => {
        const name = "projects/00000000000/services/serviceusage.googleapis.com";
        return refusalOf(await side.call("serviceusage.services.get", { name }, undefined, { mayBeBlocked: true }));
      },
    },
  ],
});
