import { defineGroup } from "../../behavior";
import { type Json, refusalOf } from "../../side";
import { pages, providerFile } from "../../sources";
import { at, get, insert, project, regional, tryChange, tryInsert } from "./resources";

const waiter = providerFile("services/compute/compute_operation.go");
const states = ["PENDING", "RUNNING", "DONE"];

interface Fixture {
  /** States of an insertion in the order in which they were seen. */
  readonly seen: readonly unknown[];
  readonly operation: Json;
}

const policy = { profile: "MODERN", minTlsVersion: "TLS_1_2" };

export const operations = defineGroup<Fixture>({
  service: "compute-engine",
  concept: "operations",
  prepare: async (side) => {
    const { body } = await tryInsert(side, "sslPolicies", "operation", policy);
    const seen = [body.status];
    const ask = async () => {
      const parameters = { ...project(side), operation: String(body.name) };
      const operation = await side.make("compute.globalOperations.get", parameters);
      seen.push(operation.status);
      return operation;
    };
    const isDone = ({ status }: Json) => status === "DONE";
    const { value } = await side.eventually(ask, isDone, { withinMs: 10 * 60_000, everyMs: 200 }, body);
    return { seen, operation: value };
  },
  behaviors: [
    {
      word: "end",
      statement: "An insertion answers with a global operation of the type `insert`, which ends in the status `DONE`.",
      source: [waiter, pages.globalOperationWait],
      reliedOnBy: ["operations-hang", "lib/terraform-provider/resources/compute-ssl.ts"],
      expected: { kind: "compute#operation", operationType: "insert", status: "DONE", progress: 100 },
      observe: async (_, { operation: { kind, operationType, status, progress } }) => {
        return { kind, operationType, status, progress };
      },
    },
    {
      word: "order-of-states",
      statement:
        "The states of an operation follow in the order `PENDING`, `RUNNING`, `DONE`, and others do not occur.",
      source: waiter,
      reliedOnBy: ["operations-slow"],
      expected: true,
      observe: async (_, { seen }) => {
        const places = seen.map((status) => states.indexOf(String(status)));
        return places.every((place, index) => place >= 0 && place >= (places[index - 1] ?? 0));
      },
    },
    {
      word: "target",
      statement: "An operation has the full link of its resource and its own full link.",
      source: pages.regionOperationWait,
      reliedOnBy: ["lib/terraform-provider/resources/compute-ssl.ts"],
      expected: {
        targetLink: "{root}compute/v1/projects/{project}/global/sslPolicies/{prefix}-operation",
        selfLink: "{root}compute/v1/projects/{project}/global/operations/{operation}",
      },
      observe: async (_, { operation: { targetLink, selfLink } }) => ({ targetLink, selfLink }),
    },
    {
      word: "times",
      statement: "An operation that is done has the times of its request, its start and its end.",
      source: pages.regionOperationWait,
      reliedOnBy: ["operations-slow"],
      expected: { insertTime: "{time}", startTime: "{time}", endTime: "{time}" },
      observe: async (_, { operation: { insertTime, startTime, endTime } }) => ({ insertTime, startTime, endTime }),
    },
    {
      word: "resource-after-end",
      statement: "The resource exists when the operation of its insertion is done.",
      source: waiter,
      reliedOnBy: ["lib/terraform-provider/resources/compute-ssl.ts"],
      expected: "{prefix}-operation",
      observe: async (side) => (await get(side, "sslPolicies", "operation")).name,
    },
    {
      word: "regional",
      statement: "The operation of a regional resource has the link of the region, and is read by the region.",
      source: [waiter, pages.regionOperationWait],
      reliedOnBy: ["regional-external"],
      expected: { region: "{root}compute/v1/projects/{project}/regions/us-central1", status: "DONE" },
      observe: async (side) => {
        const body = { name: side.name("operation"), ...policy };
        const { region, status } = await side.run("compute.regionSslPolicies.insert", regional(side), body);
        return { region, status };
      },
    },
    {
      word: "wait",
      statement: "`wait` answers with the operation when it is done, or after two minutes at most.",
      source: [pages.globalOperationWait, pages.regionOperationWait],
      reliedOnBy: ["lib/cloud/compute/operations.ts"],
      expected: "DONE",
      observe: async (side, { operation }) => {
        const parameters = { ...project(side), operation: String(operation.name) };
        return (await side.make("compute.globalOperations.wait", parameters)).status;
      },
    },
    {
      word: "unknown",
      statement: "An operation that does not exist is refused with 404 notFound.",
      source: providerFile("transport/error_retry_predicates.go"),
      reliedOnBy: ["operations-hang"],
      expected: { status: 404, reason: "notFound" },
      observe: async (side) => {
        const parameters = { ...project(side), operation: "operation-0-missing" };
        return refusalOf(await side.call("compute.globalOperations.get", parameters));
      },
    },
    {
      word: "exists",
      statement:
        "An insertion with the name of a resource that exists is refused with 409 alreadyExists, without an operation.",
      source: providerFile("services/compute/resource_compute_ssl_policy.go"),
      reliedOnBy: ["applied-twice-at-once"],
      expected: { status: 409, reason: "alreadyExists" },
      observe: async (side) => refusalOf(await tryInsert(side, "sslPolicies", "operation", policy)),
    },
    {
      word: "deletion",
      statement:
        "A deletion answers with an operation of the type `delete`; the resource is then refused with 404 notFound.",
      source: [waiter, providerFile("services/compute/resource_compute_ssl_policy.go")],
      reliedOnBy: ["deletion-of-the-whole"],
      expected: { operationType: "delete", after: { status: 404, reason: "notFound" } },
      observe: async (side) => {
        await insert(side, "sslPolicies", "deleted", policy);
        const { body } = await tryChange(side, "sslPolicies", "deleted", "delete");
        await side.ended("compute.sslPolicies.delete", project(side), body);
        const after = refusalOf(await side.call("compute.sslPolicies.get", at(side, "sslPolicies", "deleted")));
        return { operationType: body.operationType, after };
      },
    },
  ],
});
