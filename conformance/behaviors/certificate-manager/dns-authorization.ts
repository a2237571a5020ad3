import { defineGroup } from "../../behavior";
import { refusalOf, type Side } from "../../side";
import { aip, pages, providerFile } from "../../sources";

const collection = "certificatemanager.projects.locations.dnsAuthorizations";
const resource = providerFile("services/certificatemanager/resource_certificate_manager_dns_authorization.go");

interface Fixture {
  readonly name: string;
  readonly domain: string;
}

async function create(side: Side, word: string, body: object, location = "global") {
  const parent = side.location(location);
  const parameters = { parent, dnsAuthorizationId: side.name(word) };
  return { answer: await side.call(`${collection}.create`, parameters, body), parameters };
}

export const dnsAuthorization = defineGroup<Fixture>({
  service: "certificate-manager",
  concept: "dns-authorization",
  prepare: async (side) => {
    const domain = side.host("auth");
    const parameters = { parent: side.location(), dnsAuthorizationId: side.name("auth") };
    await side.run(`${collection}.create`, parameters, { domain, description: "of the conformance suite" });
    return { name: `${side.location()}/dnsAuthorizations/${side.name("auth")}`, domain };
  },
  behaviors: [
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
      observe: async (side, { name }) => (await side.make(`${collection}.get`, { name })).dnsResourceRecord,
    },
    {
      word: "type-default",
      statement: "A global authorization without a type gets `FIXED_RECORD`.",
      source: [pages.dnsAuthorizations, resource],
      reliedOnBy: ["record-per-project"],
      expected: "FIXED_RECORD",
      observe: async (side, { name }) => (await side.make(`${collection}.get`, { name })).type,
    },
    {
      word: "duplicate-id",
      statement: "A second authorization with the same name is refused with 409 ALREADY_EXISTS.",
      source: aip(133),
      reliedOnBy: ["applied-twice-at-once"],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side, { domain }) => refusalOf((await create(side, "auth", { domain })).answer),
    },
  ],
});
