import { defineGroup } from "../../behavior";
import { isRefused, refusalOf } from "../../side";
import { issue, pages, providerFile } from "../../sources";
import { change, get, insert, linkTo, sharedUrlMap, tryChange, tryInsert } from "./resources";

const resource = providerFile("services/compute/resource_compute_url_map.go");
const root = "{root}compute/v1/projects/{project}/global";

export const urlMaps = defineGroup<undefined>({
  service: "compute-engine",
  concept: "url-maps",
  prepare: async (side) => {
    await sharedUrlMap(side);
    await insert(side, "urlMaps", "routes", { defaultService: linkTo(side, "backendServices", "backend") });
    return undefined;
  },
  behaviors: [
    {
      word: "links",
      statement: "A URL map is returned with the full link of its backend service and a fingerprint.",
      source: resource,
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: {
        kind: "compute#urlMap",
        defaultService: `${root}/backendServices/{prefix}-backend`,
        fingerprint: "{fingerprint}",
      },
      observe: async (side) => {
        const { kind, defaultService, fingerprint } = await get(side, "urlMaps", "routes");
        return { kind, defaultService, fingerprint };
      },
    },
    {
      word: "backend-in-use",
      statement: "A backend service that a URL map uses can't be deleted: 400 resourceInUseByAnotherResource.",
      source: issue("terraform-google-modules/terraform-google-lb-http/159"),
      reliedOnBy: ["deletion-of-the-whole"],
      expected: { status: 400, reason: "resourceInUseByAnotherResource" },
      observe: async (side) => refusalOf(await tryChange(side, "backendServices", "backend", "delete")),
    },
    {
      word: "missing",
      statement: "A URL map that does not exist is refused with 404 notFound.",
      source: resource,
      reliedOnBy: ["deletion-of-the-whole"],
      expected: { status: 404, reason: "notFound" },
      observe: async (side) => refusalOf(await tryChange(side, "urlMaps", "missing", "get")),
    },
    {
      word: "missing-backend",
      statement: "A URL map to a backend service that does not exist is refused.",
      source: resource,
      reliedOnBy: ["references-not-in-outputs"],
      expected: true,
      observe: async (side) => {
        const defaultService = linkTo(side, "backendServices", "missing");
        return isRefused(await tryInsert(side, "urlMaps", "broken", { defaultService }));
      },
    },
    {
      word: "update-without-fingerprint",
      statement: "The update of a URL map without a fingerprint is refused with 400 required.",
      source: "https://github.com/GoogleCloudPlatform/k8s-multicluster-ingress/pull/70",
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 400, reason: "required" },
      observe: async (side) => {
        const defaultService = linkTo(side, "backendServices", "backend");
        const body = { name: side.name("routes"), defaultService };
        return refusalOf(await tryChange(side, "urlMaps", "routes", "update", body));
      },
    },
    {
      word: "backend-update-without-fingerprint",
      statement: "The update of a backend service without a fingerprint is refused with 400 required.",
      source: issue("ansible-collections/google.cloud/342"),
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 400, reason: "required" },
      observe: async (side) => {
        const body = { name: side.name("backend"), loadBalancingScheme: "EXTERNAL_MANAGED", timeoutSec: 60 };
        return refusalOf(await tryChange(side, "backendServices", "backend", "update", body));
      },
    },
    {
      word: "stale-fingerprint",
      statement: "The update of a backend service with an outdated fingerprint is refused with 412 conditionNotMet.",
      source: ["https://github.com/ansible-collections/google.cloud/pull/327", pages.backendServiceRest],
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 412, reason: "conditionNotMet" },
      observe: async (side) => {
        const body = {
          name: side.name("backend"),
          loadBalancingScheme: "EXTERNAL_MANAGED",
          fingerprint: "AAAAAAAAAAA=",
        };
        return refusalOf(await tryChange(side, "backendServices", "backend", "update", body));
      },
    },
    {
      word: "fingerprint-changes",
      statement: "An update with the present fingerprint succeeds and changes the fingerprint.",
      source: resource,
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { description: "new", isChanged: true },
      observe: async (side) => {
        const { fingerprint, defaultService, name } = await get(side, "urlMaps", "routes");
        const body = { name, defaultService, description: "new", fingerprint };
        const after = await change(side, "urlMaps", "routes", "update", body);
        return { description: after.description, isChanged: after.fingerprint !== fingerprint };
      },
    },
    {
      word: "unknown-path-matcher",
      statement: "A host rule that leads to an unknown path matcher is refused.",
      source: resource,
      reliedOnBy: ["lib/cloud/compute/url-maps.ts"],
      expected: true,
      observe: async (side) => {
        const { fingerprint, defaultService, name } = await get(side, "urlMaps", "routes");
        const hostRules = [{ hosts: [side.host()], pathMatcher: "unknown" }];
        const body = { name, defaultService, hostRules, fingerprint };
        return isRefused(await tryChange(side, "urlMaps", "routes", "update", body));
      },
    },
  ],
});
