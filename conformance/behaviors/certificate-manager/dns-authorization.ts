import { defineGroup } from "../../behavior";
import { isRefused, refusalOf } from "../../side";
import { aip, pages, providerFile } from "../../sources";
import { create, get, nameOf, patch, tryCreate, tryPatch, tryRemove } from "./resources";

const service = "services/certificatemanager";
const resource = providerFile(`${service}/resource_certificate_manager_dns_authorization.go`);
const examples = providerFile(`${service}/resource_certificate_manager_dns_authorization_generated_test.go`);
const updates = providerFile(`${service}/resource_certificate_manager_dns_authorization_test.go`);

const region = "us-central1";

interface Fixture {
  readonly name: string;
  readonly domain: string;
  readonly regional: string;
}

export const dnsAuthorization = defineGroup<Fixture>({
  service: "certificate-manager",
  concept: "dns-authorization",
  prepare: async (side) => {
    const domain = side.host("auth");
    const description = "The default dns";
    const name = await create(side, "dnsAuthorizations", "auth", { domain, description });
    const regional = await create(
      side,
      "dnsAuthorizations",
      "auth-regional",
      { domain, type: "PER_PROJECT_RECORD" },
      region,
    );
    return { name, domain, regional };
  },
  behaviors: [
    {
      word: "resource",
      statement: "A created authorization is returned with its name, domain, description, type, record and two times.",
      source: [pages.managerProto, examples],
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: {
        name: "projects/{project}/locations/global/dnsAuthorizations/{prefix}-auth",
        domain: "auth.{prefix}.{domain}",
        description: "The default dns",
        type: "FIXED_RECORD",
        dnsResourceRecord: {
          name: "_acme-challenge.auth.{prefix}.{domain}.",
          type: "CNAME",
          data: "{token}.authorize.certificatemanager.goog.",
        },
        createTime: "{time}",
        updateTime: "{time}",
      },
      observe: (side, { name }) => get(side, name),
    },
    {
      word: "record",
      statement:
        "A global authorization requires one CNAME record, `_acme-challenge` below its domain, with final dots.",
      source: [pages.managerProto, pages.dnsAuthorizations],
      reliedOnBy: ["lib/plan/authorizations.ts", "cname-missing"],
      expected: {
        name: "_acme-challenge.auth.{prefix}.{domain}.",
        type: "CNAME",
        data: "{token}.authorize.certificatemanager.goog.",
      },
      observe: async (side, { name }) => (await get(side, name)).dnsResourceRecord,
    },
    {
      word: "type-default",
      statement: "A global authorization without a type gets `FIXED_RECORD`.",
      source: [pages.dnsAuthorizations, resource],
      reliedOnBy: ["record-per-project"],
      expected: "FIXED_RECORD",
      observe: async (side, { name }) => (await get(side, name)).type,
    },
    {
      word: "type-default-regional",
      statement: "A regional authorization without a type gets `PER_PROJECT_RECORD`.",
      source: [pages.dnsAuthorizations, resource],
      reliedOnBy: ["regional-external"],
      expected: "PER_PROJECT_RECORD",
      observe: async (side) => {
        const domain = side.host("auth-default");
        const name = await create(side, "dnsAuthorizations", "auth-default", { domain }, region);
        return (await get(side, name)).type;
      },
    },
    {
      word: "record-per-project",
      statement: "The record of a PER_PROJECT_RECORD has a token in its first label, `_acme-challenge_TOKEN`.",
      source: [pages.dnsAuthorizations, pages.domainAuthorization],
      reliedOnBy: ["record-per-project"],
      expected: { name: "_acme-challenge_{token}.auth.{prefix}.{domain}.", type: "CNAME" },
      observe: async (side, { regional }) => {
        const { name, type } = (await get(side, regional)).dnsResourceRecord as Record<"name" | "type", string>;
        return { name, type };
      },
    },
    {
      word: "fixed-record-regional",
      statement: "FIXED_RECORD is refused for a regional authorization.",
      source: [pages.dnsAuthorizations, resource],
      reliedOnBy: ["lib/plan/authorizations.ts"],
      expected: true,
      observe: async (side) => {
        const body = { domain: side.host("auth-fixed"), type: "FIXED_RECORD" };
        return isRefused(await tryCreate(side, "dnsAuthorizations", "auth-fixed", body, region));
      },
    },
    {
      word: "duplicate-id",
      statement: "A second authorization with the same name is refused with 409 ALREADY_EXISTS.",
      source: aip(133),
      reliedOnBy: ["applied-twice-at-once"],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side, { domain }) => refusalOf(await tryCreate(side, "dnsAuthorizations", "auth", { domain })),
    },
    {
      word: "duplicate-domain",
      statement: "A second authorization of the same type for a domain of a location is refused.",
      source: pages.dnsAuthorizations,
      reliedOnBy: ["two-migrations-on-one-domain"],
      expected: true,
      observe: async (side, { domain }) =>
        isRefused(await tryCreate(side, "dnsAuthorizations", "auth-again", { domain })),
    },
    {
      word: "wildcard-domain",
      statement: "An authorization for a wildcard is refused: the authorization of the parent domain covers it.",
      source: [pages.managerProto, pages.dnsAuthorizations],
      reliedOnBy: ["wildcard-only"],
      expected: true,
      observe: async (side) =>
        isRefused(await tryCreate(side, "dnsAuthorizations", "auth-wild", { domain: `*.${side.host("auth")}` })),
    },
    {
      word: "missing",
      statement: "An authorization that does not exist is refused with 404 NOT_FOUND, which Terraform takes as gone.",
      source: [aip(131), resource],
      reliedOnBy: ["lib/google/certificate-manager.ts"],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side) => {
        const name = nameOf(side, "dnsAuthorizations", "auth-missing");
        return refusalOf(await side.call("certificatemanager.projects.locations.dnsAuthorizations.get", { name }));
      },
    },
    {
      word: "update",
      statement: "A patch with the mask `description` changes the description only.",
      source: [aip(134), updates],
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: { description: "The default dnss2", domain: "auth.{prefix}.{domain}" },
      observe: async (side, { name }) => {
        await patch(side, name, "description", { description: "The default dnss2" });
        const { description, domain } = await get(side, name);
        return { description, domain };
      },
    },
    {
      word: "labels",
      statement: "A patch with the masks `description` and `labels` replaces both in place.",
      source: updates,
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: { before: { a: "a" }, after: { a: "b" }, description: "The default dnss2" },
      observe: async (side, { name }) => {
        await patch(side, name, "labels", { labels: { a: "a" } });
        const before = (await get(side, name)).labels;
        await patch(side, name, "description,labels", { description: "The default dnss2", labels: { a: "b" } });
        const { labels, description } = await get(side, name);
        return { before, after: labels, description };
      },
    },
    {
      word: "domain-immutable",
      statement: "A patch of the domain is refused with 400 INVALID_ARGUMENT.",
      source: [pages.managerProto, aip(203)],
      reliedOnBy: ["lib/plan/naming.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { name }) =>
        refusalOf(await tryPatch(side, name, "domain", { domain: side.host("other") })),
    },
    {
      word: "in-use",
      statement: "The deletion of an authorization that a certificate uses is refused with 400 FAILED_PRECONDITION.",
      source: pages.dnsAuthorizations,
      reliedOnBy: ["deletion-of-the-whole"],
      expected: true,
      observe: async (side, { name, domain }) => {
        const managed = { domains: [domain], dnsAuthorizations: [name] };
        await create(side, "certificates", "auth-user", { managed });
        return isRefused(await tryRemove(side, name));
      },
    },
  ],
});
