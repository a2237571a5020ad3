import { defineGroup } from "../../behavior";
import { type Answer, refusalOf } from "../../side";
import { caPages, protoFile } from "../../sources";
import { anchorsOf, type CaFixture, caMethods, disabledCa, poolMethods } from "./fixtures";

const service = protoFile("cloud/security/privateca/v1/service.proto");
const resources = protoFile("cloud/security/privateca/v1/resources.proto");
const resourceFile = "lib/terraform-provider/resources/certificate-authority.ts";
const dayMs = 86_400_000;

const isRefused = ({ status }: Answer) => status >= 400;

/** Observed in this order: each behavior needs the state that the one before it leaves. */
export const caDeletion = defineGroup<CaFixture>({
  service: "private-ca",
  concept: "ca-deletion",
  needs: ["private-ca"],
  prepare: disabledCa,
  behaviors: [
    {
      word: "disabled",
      statement: "`ignoreDependentResources` disables a CA although issuance configs refer to its pool.",
      source: service,
      reliedOnBy: ["ca-pool-without-ca", "private-ca-disabled-then-enabled"],
      expected: "DISABLED",
      observe: async (side, { ca }) => (await side.make(`${caMethods}.get`, { name: ca })).state,
    },
    {
      word: "disabled-is-trusted",
      statement: "`fetchCaCerts` returns the chain of a disabled CA.",
      source: [service, caPages.states],
      reliedOnBy: ["lib/google/private-cas.ts"],
      expected: 1,
      observe: (side, { pool }) => anchorsOf(side, pool),
    },
    {
      word: "disabled-is-fixed",
      statement: "A disabled CA accepts no update.",
      source: caPages.states,
      reliedOnBy: [resourceFile],
      expected: true,
      observe: async (side, { ca }) => {
        const parameters = { name: ca, updateMask: "labels" };
        return isRefused(await side.call(`${caMethods}.patch`, parameters, { labels: { state: "disabled" } }));
      },
    },
    {
      word: "grace-period",
      statement: "A deleted CA is in the state `DELETED` and is purged 30 days after its deletion.",
      source: [caPages.deletion, resources],
      reliedOnBy: [resourceFile],
      expected: { state: "DELETED", graceDays: 30 },
      observe: async (side, { ca }) => {
        await side.run(`${caMethods}.delete`, {
          name: ca,
          ignoreActiveCertificates: true,
          ignoreDependentResources: true,
        });
        const { state, deleteTime, expireTime } = await side.make(`${caMethods}.get`, { name: ca });
        const graceMs = Date.parse(String(expireTime)) - Date.parse(String(deleteTime));
        return { state, graceDays: Math.round(graceMs / dayMs) };
      },
    },
    {
      word: "deleted-is-not-trusted",
      statement: "`fetchCaCerts` does not return the chain of a deleted CA.",
      source: [service, caPages.states],
      reliedOnBy: ["trust-pool-empty"],
      expected: 0,
      observe: (side, { pool }) => anchorsOf(side, pool),
    },
    {
      word: "deleted-can-not-be-enabled",
      statement: "A deleted CA can't be enabled: 400 FAILED_PRECONDITION.",
      source: caPages.stateChanges,
      reliedOnBy: [resourceFile],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { ca }) => refusalOf(await side.call(`${caMethods}.enable`, { name: ca }, {})),
    },
    {
      word: "pool-with-deleted-ca",
      statement: "A pool can't be deleted while one of its CAs is in the grace period.",
      source: caPages.poolDeletion,
      reliedOnBy: [resourceFile],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { pool }) =>
        refusalOf(await side.call(`${poolMethods}.delete`, { name: pool, ignoreDependentResources: true })),
    },
    {
      word: "undelete",
      statement: "A CA in the grace period is restored in the state `DISABLED`.",
      source: caPages.stateChanges,
      reliedOnBy: [resourceFile],
      expected: "DISABLED",
      observe: async (side, { ca }) => {
        await side.run(`${caMethods}.undelete`, { name: ca }, {});
        return (await side.make(`${caMethods}.get`, { name: ca })).state;
      },
    },
    {
      word: "without-grace-period",
      statement: "`skipGracePeriod` deletes a CA as soon as possible; it is then refused with 404 NOT_FOUND.",
      source: service,
      reliedOnBy: [resourceFile],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side, { ca }) => {
        await side.run(`${caMethods}.delete`, {
          name: ca,
          skipGracePeriod: true,
          ignoreActiveCertificates: true,
          ignoreDependentResources: true,
        });
        const read = () => side.call(`${caMethods}.get`, { name: ca });
        return refusalOf((await side.eventually(read, isRefused, { withinMs: 5 * 60_000 })).value);
      },
    },
  ],
});
