import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { aip, protoFile, providerFile } from "../../sources";
import { createPool, poolLocation, poolMethods, poolName } from "./fixtures";

const resources = protoFile("cloud/security/privateca/v1/resources.proto");
const service = protoFile("cloud/security/privateca/v1/service.proto");
const iam = protoFile("iam/v1/iam_policy.proto");
const provider = providerFile("services/privateca/resource_privateca_ca_pool.go");
const resourceFile = "lib/terraform-provider/resources/certificate-authority.ts";

interface Fixture {
  readonly name: string;
  readonly operation: Json;
}

const patch = (side: Side, name: string, updateMask: string, body: object) =>
  side.call(`${poolMethods}.patch`, { name, updateMask }, body);

export const pools = defineGroup<Fixture>({
  service: "private-ca",
  concept: "pools",
  needs: ["private-ca"],
  prepare: async (side) => {
    const operation = await createPool(side, "pool");
    await createPool(side, "pool-b");
    return { name: poolName(side, "pool"), operation };
  },
  behaviors: [
    {
      word: "operation",
      statement: "The operation of a creation names its target and its verb, and its response is the pool.",
      source: [service, aip(151)],
      reliedOnBy: [resourceFile],
      expected: {
        done: true,
        target: "projects/{project}/locations/us-central1/caPools/{prefix}-pool",
        verb: "create",
        type: "type.googleapis.com/google.cloud.security.privateca.v1.CaPool",
      },
      observe: async (_, { operation }) => {
        const { target, verb } = operation.metadata as Json;
        return { done: operation.done, target, verb, type: (operation.response as Json)["@type"] };
      },
    },
    {
      word: "tier",
      statement: "A pool is returned with the tier of its creation.",
      source: resources,
      reliedOnBy: ["ca-pool-devops"],
      expected: "DEVOPS",
      observe: async (side, { name }) => (await side.make(`${poolMethods}.get`, { name })).tier,
    },
    {
      word: "tier-required",
      statement: "A pool without a tier is refused with 400 INVALID_ARGUMENT.",
      source: [resources, aip(193)],
      reliedOnBy: [resourceFile],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => {
        const parameters = { parent: poolLocation(side), caPoolId: side.name("no-tier") };
        return refusalOf(await side.call(`${poolMethods}.create`, parameters, {}));
      },
    },
    {
      word: "tier-immutable",
      statement: "A change of the tier is refused with 400 INVALID_ARGUMENT.",
      source: [resources, aip(203)],
      reliedOnBy: [resourceFile],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { name }) => refusalOf(await patch(side, name, "tier", { tier: "ENTERPRISE" })),
    },
    {
      word: "policy-by-mask",
      statement: "A change with a mask sets the issuance policy and leaves the tier as it is.",
      source: [aip(134), provider],
      reliedOnBy: ["ca-pool-refuses", "ca-pool-lifetime-short"],
      expected: { tier: "DEVOPS", maximumLifetime: "2592000s" },
      observe: async (side, { name }) => {
        const body = { issuancePolicy: { maximumLifetime: "2592000s" } };
        await side.run(`${poolMethods}.patch`, { name, updateMask: "issuancePolicy.maximumLifetime" }, body);
        const { tier, issuancePolicy } = await side.make(`${poolMethods}.get`, { name });
        return { tier, maximumLifetime: (issuancePolicy as Json | undefined)?.maximumLifetime };
      },
    },
    {
      word: "duplicate-id",
      statement: "A second pool with the same name is refused with 409 ALREADY_EXISTS.",
      source: aip(133),
      reliedOnBy: ["created-twice"],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side) => {
        const parameters = { parent: poolLocation(side), caPoolId: side.name("pool") };
        return refusalOf(await side.call(`${poolMethods}.create`, parameters, { tier: "DEVOPS" }));
      },
    },
    {
      word: "missing",
      statement: "A pool that does not exist is refused with 404 NOT_FOUND.",
      source: aip(193),
      reliedOnBy: ["existing-missing", "lib/google/private-cas.ts"],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side) => refusalOf(await side.call(`${poolMethods}.get`, { name: poolName(side, "missing") })),
    },
    {
      word: "paging",
      statement: "A list with a page size of one returns one pool and a token, and the pages together have every pool.",
      source: [service, aip(158)],
      reliedOnBy: ["lib/google/pages.ts", "lib/google/private-cas.ts"],
      expected: { first: 1, hasToken: true, own: 2 },
      observe: async (side) => {
        const parameters = { parent: poolLocation(side), pageSize: 1 };
        const first = await side.make(`${poolMethods}.list`, parameters);
        const names: unknown[] = [];
        let page = first;
        for (;;) {
          names.push(...((page.caPools ?? []) as readonly Json[]).map(({ name }) => name));
          const { nextPageToken = "" } = page;
          if (nextPageToken === "") break;
          page = await side.make(`${poolMethods}.list`, { ...parameters, pageToken: String(nextPageToken) });
        }
        const own = names.filter((name) => String(name).includes(`/${side.prefix}-pool`)).length;
        return {
          first: (first.caPools as readonly unknown[]).length,
          hasToken: first.nextPageToken !== undefined,
          own,
        };
      },
    },
    {
      word: "policy-empty",
      statement: "The IAM policy of a pool without roles has no bindings.",
      source: iam,
      reliedOnBy: ["ca-pool-grant-missing"],
      expected: [],
      observe: async (side, { name }) =>
        (await side.make(`${poolMethods}.getIamPolicy`, { resource: name })).bindings ?? [],
    },
    {
      word: "permissions-held",
      statement: "`testIamPermissions` returns the permissions that the caller has on the pool.",
      source: iam,
      reliedOnBy: ["ca-pool-grant-missing"],
      expected: ["privateca.caPools.get"],
      observe: async (side, { name }) => {
        const body = { permissions: ["privateca.caPools.get"] };
        return (await side.make(`${poolMethods}.testIamPermissions`, { resource: name }, body)).permissions;
      },
    },
    {
      word: "permissions-missing-pool",
      statement: "`testIamPermissions` returns no permissions for a pool that does not exist, and is not refused.",
      source: iam,
      reliedOnBy: ["ca-pool-grant-missing"],
      expected: [],
      observe: async (side) => {
        const body = { permissions: ["privateca.caPools.get"] };
        const resource = poolName(side, "missing");
        return (await side.make(`${poolMethods}.testIamPermissions`, { resource }, body)).permissions ?? [];
      },
    },
    {
      word: "deletion",
      statement: "A pool without a CA is deleted, and is then refused with 404 NOT_FOUND.",
      source: [service, aip(135)],
      reliedOnBy: [resourceFile],
      expected: { done: true, after: { status: 404, code: "NOT_FOUND" } },
      observe: async (side) => {
        const name = poolName(side, "pool-b");
        const { done } = await side.run(`${poolMethods}.delete`, { name });
        return { done, after: refusalOf(await side.call(`${poolMethods}.get`, { name })) };
      },
    },
  ],
});
