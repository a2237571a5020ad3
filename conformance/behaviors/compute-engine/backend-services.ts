import { defineGroup } from "../../behavior";
import type { Json, Side } from "../../side";
import { providerFile } from "../../sources";
import { change, get, insert, linkTo } from "./resources";

const tests = providerFile("services/compute/resource_compute_backend_service_test.go");
const examples = providerFile("services/compute/resource_compute_backend_service_generated_test.go");
const dataSource = providerFile("services/compute/data_source_google_compute_backend_service_test.go");
const cloud = "lib/cloud/compute/backends.ts";

/** Updates a backend service as the provider does: with all its members. */
async function update(side: Side, word: string, more: Json): Promise<Json> {
  return change(side, "backendServices", word, "update", { ...(await get(side, "backendServices", word)), ...more });
}

export const backendServices = defineGroup<undefined>({
  service: "compute-engine",
  concept: "backend-services",
  prepare: async (side) => {
    const body = { loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "HTTP", description: "initial" };
    await insert(side, "backendServices", "updated", body);
    return undefined;
  },
  behaviors: [
    {
      word: "defaults",
      statement: "A backend service without settings has the protocol HTTP, 30 seconds and no affinity or CDN.",
      source: [dataSource, tests],
      reliedOnBy: [cloud],
      expected: { protocol: "HTTP", timeoutSec: 30, sessionAffinity: "NONE", enableCDN: false, hasFingerprint: true },
      observe: async (side) => {
        await insert(side, "backendServices", "bare", { loadBalancingScheme: "EXTERNAL_MANAGED" });
        const found = await get(side, "backendServices", "bare");
        const { protocol, timeoutSec, sessionAffinity, enableCDN = false, fingerprint } = found;
        return { protocol, timeoutSec, sessionAffinity, enableCDN, hasFingerprint: typeof fingerprint === "string" };
      },
    },
    {
      word: "health-check",
      statement: "An update replaces the health check of a backend service in place, by its full link.",
      source: tests,
      reliedOnBy: [cloud],
      expected: [1, 2].map((number) => [
        `{root}compute/v1/projects/{project}/global/healthChecks/{prefix}-health-${number}`,
      ]),
      observe: async (side) => {
        const checked = async (word: string) => {
          await insert(side, "healthChecks", word, { type: "TCP", tcpHealthCheck: { port: 443 } });
          return (await update(side, "updated", { healthChecks: [linkTo(side, "healthChecks", word)] })).healthChecks;
        };
        return [await checked("health-1"), await checked("health-2")];
      },
    },
    {
      word: "timeout",
      statement: "An update replaces the timeout of a backend service in place.",
      source: tests,
      reliedOnBy: [cloud],
      expected: [10, 20],
      observe: async (side) => [
        (await update(side, "updated", { timeoutSec: 10 })).timeoutSec,
        (await update(side, "updated", { timeoutSec: 20 })).timeoutSec,
      ],
    },
    {
      word: "other-settings-kept",
      statement: "An update of the description keeps the session affinity.",
      source: tests,
      reliedOnBy: [cloud],
      expected: { description: "updated", sessionAffinity: "GENERATED_COOKIE" },
      observe: async (side) => {
        await update(side, "updated", { sessionAffinity: "GENERATED_COOKIE" });
        const { description, sessionAffinity } = await update(side, "updated", { description: "updated" });
        return { description, sessionAffinity };
      },
    },
    {
      word: "affinity",
      statement: "An update replaces the session affinity and the time to live of its cookie.",
      source: tests,
      reliedOnBy: [cloud],
      expected: [
        { sessionAffinity: "CLIENT_IP", affinityCookieTtlSec: 0 },
        { sessionAffinity: "GENERATED_COOKIE", affinityCookieTtlSec: 300 },
      ],
      observe: async (side) => {
        const set = async (sessionAffinity: string, seconds: number) => {
          const found = await update(side, "updated", { sessionAffinity, affinityCookieTtlSec: seconds });
          return { sessionAffinity: found.sessionAffinity, affinityCookieTtlSec: found.affinityCookieTtlSec ?? 0 };
        };
        return [await set("CLIENT_IP", 0), await set("GENERATED_COOKIE", 300)];
      },
    },
    {
      word: "draining",
      statement: "An update replaces the time for draining connections in place.",
      source: tests,
      reliedOnBy: [cloud],
      expected: [10, 300],
      observe: async (side) => {
        const drain = async (drainingTimeoutSec: number) => {
          const { connectionDraining } = await update(side, "updated", { connectionDraining: { drainingTimeoutSec } });
          return (connectionDraining as Json).drainingTimeoutSec;
        };
        return [await drain(10), await drain(300)];
      },
    },
    {
      word: "headers",
      statement: "An update sets and removes custom headers of requests and responses.",
      source: tests,
      reliedOnBy: [cloud],
      expected: [
        { request: ["Client-Region: {client_region}"], response: ["X-Cache-Hit: {cdn_cache_status}"] },
        { request: [], response: [] },
      ],
      observe: async (side) => {
        const set = async (customRequestHeaders: readonly string[], customResponseHeaders: readonly string[]) => {
          const found = await update(side, "updated", { customRequestHeaders, customResponseHeaders });
          return { request: found.customRequestHeaders ?? [], response: found.customResponseHeaders ?? [] };
        };
        return [await set(["Client-Region: {client_region}"], ["X-Cache-Hit: {cdn_cache_status}"]), await set([], [])];
      },
    },
    {
      word: "logging",
      statement: "An update switches the logging of requests on, with a rate, and off.",
      source: tests,
      reliedOnBy: [cloud],
      expected: [
        { enable: true, sampleRate: 0.7 },
        { enable: true, sampleRate: 0.4 },
        { enable: false, sampleRate: undefined },
      ],
      observe: async (side) => {
        const log = async (logConfig: Json) => {
          const found = await update(side, "updated", { logConfig });
          const { enable = false, sampleRate } = (found.logConfig ?? {}) as Json;
          return { enable, sampleRate: enable === true ? sampleRate : undefined };
        };
        return [
          await log({ enable: true, sampleRate: 0.7 }),
          await log({ enable: true, sampleRate: 0.4 }),
          await log({ enable: false }),
        ];
      },
    },
    {
      word: "protocol",
      statement: "A backend service keeps the protocols HTTPS and H2C.",
      source: [tests, examples],
      reliedOnBy: [cloud],
      expected: ["HTTPS", "H2C"],
      observe: async (side) => {
        const made = async (word: string, protocol: string) => {
          await insert(side, "backendServices", word, { loadBalancingScheme: "EXTERNAL_MANAGED", protocol });
          return (await get(side, "backendServices", word)).protocol;
        };
        return [await made("https", "HTTPS"), await made("h2c", "H2C")];
      },
    },
  ],
});
