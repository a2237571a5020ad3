import { defineGroup } from "../../behavior";
import type { Json, Side } from "../../side";
import { providerFile } from "../../sources";
import { makeUpload, type Upload } from "../../uploads";
import { create, get, patch } from "./resources";

const service = "services/certificatemanager";
const examples = providerFile(`${service}/resource_certificate_manager_certificate_generated_test.go`);
const upgrade = providerFile(`${service}/resource_certificate_manager_certificate_upgrade_test.go`);
const lists = providerFile(`${service}/data_source_google_certificate_manager_certificates_test.go`);
const form = "lib/plan/certificate-form.ts";
const writer = "lib/terraform-provider/resources/certificate-manager.ts";

const region = "us-central1";

interface Fixture {
  /** Domains with their authorizations, in this order. */
  readonly domains: readonly string[];
  readonly authorizations: readonly string[];
  readonly upload: Upload;
  /** Name of an uploaded certificate. */
  readonly uploaded: string;
}

async function managedOf(side: Side, word: string, managed: object, more: object, location?: string): Promise<Json> {
  return get(side, await create(side, "certificates", word, { managed, ...more }, location));
}

/** Returns one page of the certificates of a location. */
async function listed(side: Side, location: string, name: string): Promise<readonly Json[]> {
  const parameters = { parent: side.location(location), filter: `name:${name}` };
  const { certificates } = await side.make("certificatemanager.projects.locations.certificates.list", parameters);
  return (certificates ?? []) as readonly Json[];
}

/** What the acceptance tests of the provider create. */
export const certificateKinds = defineGroup<Fixture>({
  service: "certificate-manager",
  concept: "certificate-kinds",
  prepare: async (side) => {
    const domains = [side.host("kinds-1"), side.host("kinds-2")];
    const authorizations: string[] = [];
    for (const [index, domain] of domains.entries())
      authorizations.push(await create(side, "dnsAuthorizations", `kinds-${index + 1}`, { domain }));
    const upload = await makeUpload(side, [side.host("kinds")]);
    const body = { selfManaged: upload, description: "Global cert", labels: { terraform: "true", "acc-test": "true" } };
    return { domains, authorizations, upload, uploaded: await create(side, "certificates", "kinds", body) };
  },
  behaviors: [
    {
      word: "several-authorizations",
      statement: "A managed certificate keeps its domains and authorizations in the given order.",
      source: examples,
      reliedOnBy: ["lib/plan/authorizations.ts", writer],
      expected: {
        domains: ["kinds-1.{prefix}.{domain}", "kinds-2.{prefix}.{domain}"],
        dnsAuthorizations: [1, 2].map(
          (number) => `projects/{project}/locations/global/dnsAuthorizations/{prefix}-kinds-${number}`,
        ),
      },
      observe: async (side, { domains, authorizations }) => {
        const managed = { domains, dnsAuthorizations: authorizations };
        const made = (await managedOf(side, "kinds-several", managed, {})).managed as Json;
        return { domains: made.domains, dnsAuthorizations: made.dnsAuthorizations };
      },
    },
    {
      word: "edge-cache",
      statement: "A managed certificate keeps the scope EDGE_CACHE and its labels.",
      source: [examples, lists],
      reliedOnBy: [form, writer],
      expected: { scope: "EDGE_CACHE", labels: { env: "test" } },
      observe: async (side, { domains, authorizations }) => {
        const managed = { domains, dnsAuthorizations: authorizations };
        const more = { scope: "EDGE_CACHE", labels: { env: "test" } };
        const { scope, labels } = await managedOf(side, "kinds-edge", managed, more);
        return { scope, labels };
      },
    },
    {
      word: "managed-all-regions",
      statement: "A managed certificate with authorizations of the type FIXED_RECORD may have the scope ALL_REGIONS.",
      source: examples,
      reliedOnBy: ["cross-region-internal", form],
      expected: "ALL_REGIONS",
      observe: async (side, { domains, authorizations }) => {
        const managed = { domains, dnsAuthorizations: authorizations };
        return (await managedOf(side, "kinds-all", managed, { scope: "ALL_REGIONS" })).scope;
      },
    },
    {
      word: "client-auth",
      statement: "An uploaded certificate keeps the scope CLIENT_AUTH.",
      source: examples,
      reliedOnBy: [form, writer],
      expected: "CLIENT_AUTH",
      observe: async (side, { upload }) => {
        const body = { selfManaged: upload, scope: "CLIENT_AUTH", description: "Global cert" };
        return (await get(side, await create(side, "certificates", "kinds-client", body))).scope;
      },
    },
    {
      word: "managed-regional",
      statement: "A managed certificate of a region has authorizations of the same region.",
      source: examples,
      reliedOnBy: ["regional-external"],
      expected: {
        name: "projects/{project}/locations/us-central1/certificates/{prefix}-kinds-regional",
        dnsAuthorizations: ["projects/{project}/locations/us-central1/dnsAuthorizations/{prefix}-kinds-regional"],
      },
      observe: async (side) => {
        const domain = side.host("kinds-regional");
        const authorization = await create(side, "dnsAuthorizations", "kinds-regional", { domain }, region);
        const managed = { domains: [domain], dnsAuthorizations: [authorization] };
        const made = await managedOf(side, "kinds-regional", managed, {}, region);
        return { name: made.name, dnsAuthorizations: (made.managed as Json).dnsAuthorizations };
      },
    },
    {
      word: "without-authorization",
      statement:
        "A new managed certificate without DNS authorizations is PROVISIONING, and its domain is AUTHORIZING, without a reason.",
      source: lists,
      reliedOnBy: ["domain-authorizing"],
      expected: {
        state: "PROVISIONING",
        attempts: [
          { domain: "kinds-balancer.{prefix}.{domain}", state: "AUTHORIZING", failureReason: "", details: "" },
        ],
      },
      observe: async (side) => {
        const managed = { domains: [side.host("kinds-balancer")] };
        const made = (await managedOf(side, "kinds-balancer", managed, { scope: "EDGE_CACHE" })).managed as Json;
        const attempts = ((made.authorizationAttemptInfo ?? []) as readonly Json[]).map((attempt) => {
          const { domain, state, failureReason = "", details = "" } = attempt;
          return { domain, state, failureReason, details };
        });
        return { state: made.state, attempts };
      },
    },
    {
      word: "listed-by-name",
      statement: "A list with the filter `name:NAME` has this certificate with its description and labels.",
      source: lists,
      reliedOnBy: ["lib/cloud/front/filter.ts"],
      expected: [
        {
          name: "projects/{project}/locations/global/certificates/{prefix}-kinds",
          description: "Global cert",
          labels: { terraform: "true", "acc-test": "true" },
        },
      ],
      observe: async (side, { uploaded }) => {
        const found = (await listed(side, "global", uploaded)).filter(({ name }) => name === uploaded);
        return found.map(({ name, description, labels }) => ({ name, description, labels }));
      },
    },
    {
      word: "listed-in-region",
      statement: "The list of a region has the certificates of this region.",
      source: lists,
      reliedOnBy: ["lib/google/project-lists.ts"],
      expected: ["projects/{project}/locations/us-central1/certificates/{prefix}-kinds-regional"],
      observe: async (side) => {
        const name = `${side.location(region)}/certificates/${side.name("kinds-regional")}`;
        return (await listed(side, region, name)).map((certificate) => certificate.name);
      },
    },
    {
      word: "description",
      statement: "A patch with the mask `description` changes a certificate in place.",
      source: upgrade,
      reliedOnBy: [writer],
      expected: { description: "Migrated Global cert", isSame: true },
      observe: async (side, { uploaded }) => {
        const before = await get(side, uploaded);
        await patch(side, uploaded, "description", { description: "Migrated Global cert" });
        const after = await get(side, uploaded);
        return { description: after.description, isSame: before.createTime === after.createTime };
      },
    },
  ],
});
