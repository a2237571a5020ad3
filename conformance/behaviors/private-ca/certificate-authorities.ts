import { X509Certificate } from "node:crypto";
import { defineGroup } from "../../behavior";
import { type Json, refusalOf } from "../../side";
import { caPages, protoFile, providerFile } from "../../sources";
import { anchorsOf, type CaFixture, caLifetimeDays, caMethods, enabledCa, poolMethods, sharedCa } from "./fixtures";

const resources = protoFile("cloud/security/privateca/v1/resources.proto");
const service = protoFile("cloud/security/privateca/v1/service.proto");
const provider = providerFile("services/privateca/resource_privateca_certificate_authority.go");
const resourceFile = "lib/terraform-provider/resources/certificate-authority.ts";
const dayMs = 86_400_000;

export const certificateAuthorities = defineGroup<CaFixture>({
  service: "private-ca",
  concept: "certificate-authorities",
  needs: ["private-ca"],
  prepare: sharedCa,
  behaviors: [
    {
      word: "created-staged",
      statement: "A root CA is created in the state `STAGED`.",
      source: [caPages.states, provider],
      reliedOnBy: ["ca-pool-without-ca", resourceFile],
      expected: "STAGED",
      observe: async (_, { created }) => created.state,
    },
    {
      word: "tier",
      statement: "A CA has the tier of its pool.",
      source: resources,
      reliedOnBy: ["ca-pool-devops"],
      expected: "DEVOPS",
      observe: async (_, { created }) => created.tier,
    },
    {
      word: "chain",
      statement: "The chain of a root CA consists of its own certificate.",
      source: resources,
      reliedOnBy: ["lib/google/private-cas.ts", "ca-expires-early"],
      expected: ["{pem}"],
      observe: async (side, { ca }) => (await side.make(`${caMethods}.get`, { name: ca })).pemCaCertificates,
    },
    {
      word: "lifetime",
      statement: "The certificate of a root CA ends at the CA's lifetime after its creation.",
      source: resources,
      reliedOnBy: ["ca-expires-early"],
      expected: { lifetimeDays: caLifetimeDays },
      observe: async (side, { ca }) => {
        const { pemCaCertificates, createTime } = await side.make(`${caMethods}.get`, { name: ca });
        const [pem = ""] = pemCaCertificates as readonly string[];
        const leftMs = Date.parse(new X509Certificate(pem).validTo) - Date.parse(String(createTime));
        return { lifetimeDays: Math.round(leftMs / dayMs) };
      },
    },
    {
      word: "staged-is-trusted",
      statement: "`fetchCaCerts` returns the chain of a CA in the state `STAGED`.",
      source: [service, caPages.states],
      reliedOnBy: ["trust-pool-empty", "lib/google/private-cas.ts"],
      expected: 1,
      observe: (side, { pool }) => anchorsOf(side, pool),
    },
    {
      word: "duplicate-id",
      statement: "A second CA with the same name is refused with 409 ALREADY_EXISTS.",
      source: "https://google.aip.dev/133",
      reliedOnBy: [resourceFile],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side, { pool, created }) => {
        const { type, lifetime, keySpec, config } = created;
        const parameters = { parent: pool, certificateAuthorityId: side.name("root") };
        return refusalOf(await side.call(`${caMethods}.create`, parameters, { type, lifetime, keySpec, config }));
      },
    },
    {
      word: "list",
      statement: "The list of a pool has its CA with the state.",
      source: service,
      reliedOnBy: ["ca-pool-without-ca"],
      expected: ["STAGED"],
      observe: async (side, { pool }) => {
        const { certificateAuthorities: found = [] } = await side.make(`${caMethods}.list`, { parent: pool });
        return (found as readonly Json[]).map(({ state }) => state);
      },
    },
    {
      word: "enable",
      statement: "A CA in the state `STAGED` is enabled, and the operation returns it as `ENABLED`.",
      source: caPages.stateChanges,
      reliedOnBy: [resourceFile],
      expected: "ENABLED",
      observe: async (side) => {
        const { ca } = await enabledCa(side);
        return (await side.make(`${caMethods}.get`, { name: ca })).state;
      },
    },
    {
      word: "enable-twice",
      statement: "A CA in the state `ENABLED` can't be enabled: 400 FAILED_PRECONDITION.",
      source: [caPages.stateChanges, "https://google.aip.dev/193"],
      reliedOnBy: [resourceFile],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { ca }) => refusalOf(await side.call(`${caMethods}.enable`, { name: ca }, {})),
    },
    {
      word: "delete-enabled",
      statement: "A CA in the state `ENABLED` can't be deleted: 400 FAILED_PRECONDITION.",
      source: caPages.deletion,
      reliedOnBy: [resourceFile],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { ca }) => {
        const parameters = { name: ca, ignoreActiveCertificates: true, skipGracePeriod: true };
        return refusalOf(await side.call(`${caMethods}.delete`, parameters));
      },
    },
    {
      word: "pool-with-ca",
      statement: "A pool with a CA can't be deleted: 400 FAILED_PRECONDITION.",
      source: caPages.poolDeletion,
      reliedOnBy: ["lib/terraform-provider/resources/certificate-authority.ts"],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { pool }) => refusalOf(await side.call(`${poolMethods}.delete`, { name: pool })),
    },
  ],
});
