import { makeThirdPartyCertificates } from "../../../lib/cloud";
import { defineGroup } from "../../behavior";
import { type Answer, type Json, refusalOf, type Side } from "../../side";
import { aip, protoFile, providerFile } from "../../sources";

const collection = "networksecurity.projects.locations.serverTlsPolicies";
const proto = protoFile("cloud/networksecurity/v1/server_tls_policy.proto");
const provider = providerFile("services/networksecurity/resource_network_security_server_tls_policy.go");
const reader = "lib/google/load-balancers.ts";

interface Fixture {
  readonly name: string;
  readonly trustConfig: string;
  readonly operation: Json;
}

/** Creates a trust config with a CA that exists only for the run. */
async function makeTrustConfig(side: Side): Promise<string> {
  const { authority } = await makeThirdPartyCertificates([], { now: side.now });
  const [pemCertificate = ""] = authority.trustBundlePem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n?/) ?? [];
  const trustStores = [{ trustAnchors: [{ pemCertificate }] }];
  const parameters = { parent: side.location(), trustConfigId: side.name("client-trust") };
  await side.run("certificatemanager.projects.locations.trustConfigs.create", parameters, { trustStores });
  return `${side.location()}/trustConfigs/${side.name("client-trust")}`;
}

function create(side: Side, word: string, mtlsPolicy: object, more: object = {}): Promise<Answer> {
  const parameters = { parent: side.location(), serverTlsPolicyId: side.name(word) };
  return side.call(`${collection}.create`, parameters, { mtlsPolicy, ...more });
}

const rejecting = (clientValidationTrustConfig: string) => ({
  clientValidationMode: "REJECT_INVALID",
  clientValidationTrustConfig,
});

export const serverTlsPolicies = defineGroup<Fixture>({
  service: "network-security",
  concept: "server-tls-policies",
  prepare: async (side) => {
    const trustConfig = await makeTrustConfig(side);
    const parameters = { parent: side.location(), serverTlsPolicyId: side.name("clients") };
    const operation = await side.run(`${collection}.create`, parameters, { mtlsPolicy: rejecting(trustConfig) });
    const optional = { clientValidationMode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" };
    const others = { parent: side.location(), serverTlsPolicyId: side.name("optional") };
    await side.run(`${collection}.create`, others, { mtlsPolicy: optional });
    return { name: `${side.location()}/serverTlsPolicies/${side.name("clients")}`, trustConfig, operation };
  },
  behaviors: [
    {
      word: "operation",
      statement: "The operation of a creation names its target and its verb, and its response is the policy.",
      source: [protoFile("cloud/networksecurity/v1/common.proto"), aip(151)],
      reliedOnBy: ["mutual-tls-required"],
      expected: {
        done: true,
        target: "projects/{project}/locations/global/serverTlsPolicies/{prefix}-clients",
        verb: "create",
        type: "type.googleapis.com/google.cloud.networksecurity.v1.ServerTlsPolicy",
      },
      observe: async (_, { operation }) => {
        const { target, verb } = operation.metadata as Json;
        return { done: operation.done, target, verb, type: (operation.response as Json)["@type"] };
      },
    },
    {
      word: "stored",
      statement: "A policy is returned with its mode and its trust config.",
      source: [proto, provider],
      reliedOnBy: ["mutual-tls-required", reader],
      expected: {
        clientValidationMode: "REJECT_INVALID",
        trustConfig: "locations/global/trustConfigs/{prefix}-client-trust",
      },
      observe: async (side, { name }) => {
        const { mtlsPolicy } = await side.make(`${collection}.get`, { name });
        const { clientValidationMode, clientValidationTrustConfig } = mtlsPolicy as Json;
        // The project is returned as its number.
        return {
          clientValidationMode,
          trustConfig: String(clientValidationTrustConfig).replace(/^projects\/[^/]+\//, ""),
        };
      },
    },
    {
      word: "optional-without-trust-config",
      statement: "A policy that allows missing and invalid certificates needs no trust config.",
      source: proto,
      reliedOnBy: ["mutual-tls-optional"],
      expected: { clientValidationMode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" },
      observe: async (side) => {
        const name = `${side.location()}/serverTlsPolicies/${side.name("optional")}`;
        return (await side.make(`${collection}.get`, { name })).mtlsPolicy;
      },
    },
    {
      word: "rejecting-needs-trust-config",
      statement: "A policy that rejects invalid certificates is refused without a trust config.",
      source: proto,
      reliedOnBy: ["client-authentication-without-anchors"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => refusalOf(await create(side, "refused", { clientValidationMode: "REJECT_INVALID" })),
    },
    {
      word: "plain-text",
      statement: "A policy for load balancers is refused if it allows plain text.",
      source: [proto, provider],
      reliedOnBy: ["client-policy-rejects"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { trustConfig }) =>
        refusalOf(await create(side, "refused", rejecting(trustConfig), { allowOpen: true })),
    },
    {
      word: "trust-config-missing",
      statement: "A policy is not created if its trust config does not exist.",
      source: proto,
      reliedOnBy: ["trust-config-deleted"],
      expected: { isCreated: false },
      observe: async (side) => {
        const answer = await create(side, "refused", rejecting(`${side.location()}/trustConfigs/${side.name("none")}`));
        if (answer.status >= 400) return { isCreated: false };
        const parameters = { parent: side.location(), serverTlsPolicyId: side.name("refused") };
        const { error } = await side.ended(`${collection}.create`, parameters, answer.body);
        return { isCreated: error === undefined };
      },
    },
    {
      word: "duplicate-id",
      statement: "A second policy with the same name is refused with 409 ALREADY_EXISTS.",
      source: aip(133),
      reliedOnBy: ["created-twice"],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side, { trustConfig }) => refusalOf(await create(side, "clients", rejecting(trustConfig))),
    },
    {
      word: "missing",
      statement: "A policy that does not exist is refused with 404 NOT_FOUND.",
      source: aip(193),
      reliedOnBy: ["server-tls-policy-mismatch", reader],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side) => {
        const name = `${side.location()}/serverTlsPolicies/${side.name("missing")}`;
        return refusalOf(await side.call(`${collection}.get`, { name }));
      },
    },
    {
      word: "paging",
      statement: "A list with a page size of one returns one policy and the token of the next page.",
      source: [proto, aip(158)],
      reliedOnBy: ["lib/google/pages.ts"],
      expected: { policies: 1, hasToken: true },
      observe: async (side) => {
        const page = await side.make(`${collection}.list`, { parent: side.location(), pageSize: 1 });
        const { serverTlsPolicies = [], nextPageToken } = page;
        return { policies: (serverTlsPolicies as readonly unknown[]).length, hasToken: nextPageToken !== undefined };
      },
    },
    {
      word: "trust-config-etag",
      statement: "The deletion of a trust config with another etag is refused with 409 ABORTED.",
      source:
        "https://docs.cloud.google.com/certificate-manager/docs/reference/certificate-manager/rest/v1/projects.locations.trustConfigs/delete",
      reliedOnBy: ["trust-config-deleted"],
      expected: { status: 409, code: "ABORTED" },
      observe: async (side, { trustConfig }) => {
        const method = "certificatemanager.projects.locations.trustConfigs.delete";
        return refusalOf(await side.call(method, { name: trustConfig, etag: "another" }));
      },
    },
  ],
});
