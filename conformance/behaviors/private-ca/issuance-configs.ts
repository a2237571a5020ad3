import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { aip, caPages, protoFile, providerFile } from "../../sources";
import { caMethods, enabledCa, poolMethods } from "./fixtures";

const collection = "certificatemanager.projects.locations.certificateIssuanceConfigs";
const proto = protoFile("cloud/certificatemanager/v1/certificate_issuance_config.proto");
const provider = providerFile(
  "services/certificatemanager/resource_certificate_manager_certificate_issuance_config.go",
);
const service = "services/certificatemanager";
const tests = providerFile(`${service}/resource_certificate_manager_certificate_issuance_config_generated_test.go`);
const certificates = providerFile(`${service}/resource_certificate_manager_certificate_generated_test.go`);
const lists = providerFile(`${service}/data_source_google_certificate_manager_certificates_test.go`);
const daySeconds = 86_400;

interface Fixture {
  readonly name: string;
  readonly pool: string;
  readonly ca: string;
}

interface Settings {
  readonly lifetimeDays?: number;
  readonly rotationWindowPercentage?: number;
  readonly pool: string;
}

function bodyOf({ lifetimeDays = 21, rotationWindowPercentage = 50, pool }: Settings) {
  return {
    keyAlgorithm: "ECDSA_P256",
    lifetime: `${lifetimeDays * daySeconds}s`,
    rotationWindowPercentage,
    certificateAuthorityConfig: { certificateAuthorityServiceConfig: { caPool: pool } },
  };
}

/** Creates the issuance config of a run, once. @returns its name */
export function sharedConfig(side: Side): Promise<Fixture> {
  return side.once("issuance config", async () => {
    const { pool, ca } = await enabledCa(side);
    const parameters = { parent: side.location(), certificateIssuanceConfigId: side.name("config") };
    await side.run(`${collection}.create`, parameters, bodyOf({ pool }));
    return { name: `${side.location()}/certificateIssuanceConfigs/${side.name("config")}`, pool, ca };
  });
}

/** Returns the refusal of a config with other settings. */
async function refused(side: Side, settings: Settings) {
  const parameters = { parent: side.location(), certificateIssuanceConfigId: side.name("refused") };
  return refusalOf(await side.call(`${collection}.create`, parameters, bodyOf(settings)));
}

/** Requests a certificate with the config of the labels. @returns its `managed`, with an issue if one appears soon */
async function issued(side: Side, word: string, scope: string): Promise<Json> {
  const methods = "certificatemanager.projects.locations.certificates";
  const issuanceConfig = `${side.location()}/certificateIssuanceConfigs/${side.name("labeled")}`;
  const managed = { domains: [side.host(word)], issuanceConfig };
  const parameters = { parent: side.location(), certificateId: side.name(word) };
  await side.run(`${methods}.create`, parameters, { managed, scope });
  const name = `${side.location()}/certificates/${side.name(word)}`;
  const read = async () => (await side.make(`${methods}.get`, { name })).managed as Json;
  return (await side.eventually(read, (made) => "provisioningIssue" in made, { withinMs: 60_000 })).value;
}

const invalid = { status: 400, code: "INVALID_ARGUMENT" };

export const issuanceConfigs = defineGroup<Fixture>({
  service: "private-ca",
  concept: "issuance-configs",
  needs: ["private-ca"],
  prepare: sharedConfig,
  behaviors: [
    {
      word: "stored",
      statement: "An issuance config is returned with its pool, key algorithm, lifetime and rotation window.",
      source: proto,
      reliedOnBy: ["lib/google/private-cas.ts", "issuance-config-malformed"],
      expected: {
        keyAlgorithm: "ECDSA_P256",
        lifetime: "1814400s",
        rotationWindowPercentage: 50,
        caPool: "projects/{project}/locations/us-central1/caPools/{prefix}-ca-pool",
      },
      observe: async (side, { name }) => {
        const { keyAlgorithm, lifetime, rotationWindowPercentage, certificateAuthorityConfig } = await side.make(
          `${collection}.get`,
          { name },
        );
        const { certificateAuthorityServiceConfig } = certificateAuthorityConfig as Json;
        const { caPool } = certificateAuthorityServiceConfig as Json;
        return { keyAlgorithm, lifetime, rotationWindowPercentage, caPool };
      },
    },
    {
      word: "labels",
      statement: "An issuance config is returned with its description and labels.",
      source: tests,
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: { description: "labeled", labels: { name: "wrench", count: "3" } },
      observe: async (side, { pool }) => {
        const parameters = { parent: side.location(), certificateIssuanceConfigId: side.name("labeled") };
        const more = { description: "labeled", labels: { name: "wrench", count: "3" } };
        await side.run(`${collection}.create`, parameters, {
          ...bodyOf({ pool, rotationWindowPercentage: 34 }),
          ...more,
        });
        const name = `${side.location()}/certificateIssuanceConfigs/${side.name("labeled")}`;
        const { description, labels } = await side.make(`${collection}.get`, { name });
        return { description, labels };
      },
    },
    {
      word: "certificate-without-role",
      statement:
        "A certificate has a provisioning issue while the service agent has no role on the pool of its config.",
      source: lists,
      reliedOnBy: ["lib/plan/issuance.ts"],
      expected: {
        issuanceConfig: "projects/{project}/locations/global/certificateIssuanceConfigs/{prefix}-labeled",
        hasReason: true,
      },
      observe: async (side) => {
        const managed = await issued(side, "without-role", "EDGE_CACHE");
        const { reason = "" } = (managed.provisioningIssue ?? {}) as { readonly reason?: string };
        return { issuanceConfig: managed.issuanceConfig, hasReason: reason !== "" };
      },
    },
    {
      word: "certificate-all-regions",
      statement: "A certificate of an issuance config may have the scope ALL_REGIONS.",
      source: certificates,
      reliedOnBy: ["lib/plan/issuance.ts", "cross-region-internal"],
      expected: "projects/{project}/locations/global/certificateIssuanceConfigs/{prefix}-labeled",
      observe: async (side) => (await issued(side, "all-regions", "ALL_REGIONS")).issuanceConfig,
    },
    {
      word: "lifetime-too-short",
      statement: "A lifetime of 20 days is refused: the shortest is 21 days.",
      source: caPages.issuanceConfigs,
      reliedOnBy: ["issuance-lifetime-invalid"],
      expected: invalid,
      observe: (side, { pool }) => refused(side, { pool, lifetimeDays: 20 }),
    },
    {
      word: "lifetime-too-long",
      statement: "A lifetime of 31 days is refused: the longest is 30 days.",
      source: caPages.issuanceConfigs,
      reliedOnBy: ["issuance-lifetime-invalid"],
      expected: invalid,
      observe: (side, { pool }) => refused(side, { pool, lifetimeDays: 31 }),
    },
    {
      word: "rotation-100",
      statement: "A rotation window of 100 percent is refused: 1 to 99 are allowed.",
      source: proto,
      reliedOnBy: ["issuance-rotation-invalid"],
      expected: invalid,
      observe: (side, { pool }) => refused(side, { pool, rotationWindowPercentage: 100 }),
    },
    {
      word: "renewal-too-early",
      statement: "A renewal less than 7 days after the issuance is refused.",
      source: provider,
      reliedOnBy: ["issuance-rotation-invalid"],
      expected: invalid,
      observe: (side, { pool }) => refused(side, { pool, lifetimeDays: 30, rotationWindowPercentage: 20 }),
    },
    {
      word: "renewal-too-late",
      statement: "A renewal less than 7 days before the expiry is refused.",
      source: provider,
      reliedOnBy: ["issuance-rotation-invalid"],
      expected: invalid,
      observe: (side, { pool }) => refused(side, { pool, lifetimeDays: 21, rotationWindowPercentage: 70 }),
    },
    {
      word: "duplicate-id",
      statement: "A second issuance config with the same name is refused with 409 ALREADY_EXISTS.",
      source: aip(133),
      reliedOnBy: ["created-twice"],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side, { pool }) => {
        const parameters = { parent: side.location(), certificateIssuanceConfigId: side.name("config") };
        return refusalOf(await side.call(`${collection}.create`, parameters, bodyOf({ pool })));
      },
    },
    {
      word: "last-ca",
      statement: "The last enabled CA of a pool can't be disabled while an issuance config refers to the pool.",
      source: [caPages.issuanceConfigs, protoFile("cloud/security/privateca/v1/service.proto")],
      reliedOnBy: ["ca-pool-without-ca", "issuance-config-deleted"],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { ca }) => refusalOf(await side.call(`${caMethods}.disable`, { name: ca }, {})),
    },
    {
      word: "pool-in-use",
      statement: "The pool of an issuance config can't be deleted.",
      source: caPages.issuanceConfigs,
      reliedOnBy: ["issuance-config-deleted"],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { pool }) => refusalOf(await side.call(`${poolMethods}.delete`, { name: pool })),
    },
  ],
});
