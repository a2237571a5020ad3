import { defineGroup } from "../../behavior";
import { refusalOf, type Side } from "../../side";
import { providerFile } from "../../sources";

const resource = providerFile("services/compute/resource_compute_target_https_proxy.go");

/** Returns the parameters of a global method. */
const project = (side: Side) => ({ project: side.project });

interface Fixture {
  readonly backend: string;
  readonly urlMap: string;
}

export const targetProxies = defineGroup<Fixture>({
  service: "compute-engine",
  concept: "target-proxies",
  prepare: async (side) => {
    const backend = side.name("backend");
    const urlMap = side.name("urls");
    const loadBalancingScheme = "EXTERNAL_MANAGED";
    await side.run("compute.backendServices.insert", project(side), { name: backend, loadBalancingScheme });
    const defaultService = `global/backendServices/${backend}`;
    await side.run("compute.urlMaps.insert", project(side), { name: urlMap, defaultService });
    return { backend, urlMap };
  },
  behaviors: [
    {
      word: "operation",
      statement: "An insertion answers with a global operation of the type `insert`, which ends in the status `DONE`.",
      source: [resource, "https://cloud.google.com/compute/docs/reference/rest/v1/globalOperations"],
      reliedOnBy: ["operations-hang"],
      expected: { kind: "compute#operation", operationType: "insert", status: "DONE", progress: 100 },
      observe: async (side) => {
        const body = { name: side.name("policy"), profile: "MODERN", minTlsVersion: "TLS_1_2" };
        const { kind, operationType, status, progress } = await side.run(
          "compute.sslPolicies.insert",
          project(side),
          body,
        );
        return { kind, operationType, status, progress };
      },
    },
    {
      word: "in-use",
      statement: "The deletion of a backend service that a URL map uses is refused with 400.",
      source: "https://cloud.google.com/load-balancing/docs/backend-service",
      reliedOnBy: ["deletion-of-the-whole"],
      expected: { status: 400, reason: "resourceInUseByAnotherResource" },
      observe: async (side, { backend }) =>
        refusalOf(await side.call("compute.backendServices.delete", { ...project(side), backendService: backend })),
    },
    {
      word: "missing",
      statement: "A resource that does not exist is refused with 404 notFound.",
      source: resource,
      reliedOnBy: ["deletion-of-the-whole"],
      expected: { status: 404, reason: "notFound" },
      observe: async (side) =>
        refusalOf(await side.call("compute.urlMaps.get", { ...project(side), urlMap: side.name("missing") })),
    },
  ],
});
