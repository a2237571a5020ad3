import { defineGroup } from "../../behavior";
import { isRefused, type Json, refusalOf, type Side } from "../../side";
import { pages, providerFile } from "../../sources";
import { create, get, tryCreate, tryPatch } from "./resources";

const service = "services/certificatemanager";
const resource = providerFile(`${service}/resource_certificate_manager_certificate.go`);
const lists = providerFile(`${service}/data_source_google_certificate_manager_certificates_test.go`);

/** Google documents up to an hour; minutes are usual. */
const issuanceMs = 60 * 60_000;

interface Fixture {
  /** Without its record in DNS, so that it stays in PROVISIONING. */
  readonly waiting: string;
  readonly authorization: string;
  readonly domain: string;
}

async function managedOf(side: Side, name: string): Promise<Json> {
  return ((await get(side, name)).managed ?? {}) as Json;
}

export const managed = defineGroup<Fixture>({
  service: "certificate-manager",
  concept: "managed",
  prepare: async (side) => {
    const domain = side.host("managed");
    const authorization = await create(side, "dnsAuthorizations", "managed", { domain });
    const domains = [domain, `*.${domain}`];
    const body = { managed: { domains, dnsAuthorizations: [authorization] } };
    return { waiting: await create(side, "certificates", "managed", body), authorization, domain };
  },
  behaviors: [
    {
      word: "first-state",
      statement: "The operation of a creation ends while the certificate is still in the state PROVISIONING.",
      source: [pages.managerProto, lists],
      reliedOnBy: ["certificate-provisioning", "without-the-constructs-rotation"],
      expected: "PROVISIONING",
      observe: async (side, { waiting }) => (await managedOf(side, waiting)).state,
    },
    {
      word: "first-attempts",
      statement:
        "Each domain has an attempt in the state AUTHORIZING or FAILED before its record exists, in the given order.",
      source: [pages.managerProto, lists],
      reliedOnBy: ["domain-authorizing"],
      expected: [
        { domain: "managed.{prefix}.{domain}", isAuthorized: false },
        { domain: "*.managed.{prefix}.{domain}", isAuthorized: false },
      ],
      observe: async (side, { waiting }) => {
        const attempts = ((await managedOf(side, waiting)).authorizationAttemptInfo ?? []) as readonly Json[];
        return attempts.map(({ domain, state }) => ({ domain, isAuthorized: state === "AUTHORIZED" }));
      },
    },
    {
      word: "names-before-issuance",
      statement: "`sanDnsnames` has the requested domains before anything is issued, so it is no evidence of issuance.",
      source: pages.managerProto,
      reliedOnBy: ["lib/google/live-certificate.ts"],
      expected: ["managed.{prefix}.{domain}", "*.managed.{prefix}.{domain}"],
      observe: async (side, { waiting }) => (await get(side, waiting)).sanDnsnames,
    },
    {
      word: "chain-before-issuance",
      statement: "`pemCertificate` and `expireTime` are missing before the first issuance.",
      source: pages.managerProto,
      reliedOnBy: ["lib/google/live-certificate.ts"],
      expected: { hasChain: false, hasExpiry: false },
      observe: async (side, { waiting }) => {
        const certificate = await get(side, waiting);
        return { hasChain: "pemCertificate" in certificate, hasExpiry: "expireTime" in certificate };
      },
    },
    {
      word: "authorizations-returned",
      statement: "The authorizations are returned by their names.",
      source: [resource, lists],
      reliedOnBy: ["lib/google/live-certificate.ts"],
      expected: ["projects/{project}/locations/global/dnsAuthorizations/{prefix}-managed"],
      observe: async (side, { waiting }) => (await managedOf(side, waiting)).dnsAuthorizations,
    },
    {
      word: "missing-record",
      statement:
        "Without its record, an attempt fails with the reason CONFIG, and the certificate stays in PROVISIONING.",
      source: pages.managerProto,
      reliedOnBy: ["domain-config", "issuance-authorization"],
      expected: { isReached: true, state: "PROVISIONING", failureReason: "CONFIG" },
      observe: async (side, { waiting }) => {
        const firstOf = (live: Json) => (live.authorizationAttemptInfo as readonly Json[] | undefined)?.[0] ?? {};
        const { value, isReached } = await side.eventually(
          () => managedOf(side, waiting),
          (live) => firstOf(live).state === "FAILED",
          { withinMs: 20 * 60_000, everyMs: 15_000 },
        );
        return { isReached, state: value.state, failureReason: firstOf(value).failureReason };
      },
    },
    {
      word: "provisioning-issue",
      statement: "A certificate with a failed domain has the provisioning issue AUTHORIZATION_ISSUE.",
      source: [pages.managerProto, lists],
      reliedOnBy: ["issuance-authorization"],
      expected: "AUTHORIZATION_ISSUE",
      observe: async (side, { waiting }) => {
        const { provisioningIssue } = await managedOf(side, waiting);
        return (provisioningIssue as Json | undefined)?.reason;
      },
    },
    {
      word: "domains-immutable",
      statement: "A patch of the domains is refused with 400 INVALID_ARGUMENT.",
      source: [pages.managerProto, resource],
      reliedOnBy: ["lib/plan/naming.ts", "certificate-renamed"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { waiting, domain }) =>
        refusalOf(await tryPatch(side, waiting, "managed", { managed: { domains: [domain] } })),
    },
    {
      word: "uncovered-domain",
      statement: "A domain without an authorization in the list is refused.",
      source: [pages.domainAuthorization, pages.dnsAuthorizations],
      reliedOnBy: ["lib/plan/authorizations.ts"],
      expected: true,
      observe: async (side, { authorization, domain }) => {
        const managed = { domains: [domain, side.host("other")], dnsAuthorizations: [authorization] };
        return isRefused(await tryCreate(side, "certificates", "uncovered", { managed }));
      },
    },
    {
      word: "subdomain-uncovered",
      statement: "An authorization does not cover a subdomain of its domain.",
      source: [pages.managerProto, pages.domainAuthorization],
      reliedOnBy: ["lib/plan/authorizations.ts"],
      expected: true,
      observe: async (side, { authorization, domain }) => {
        const managed = { domains: [`www.${domain}`], dnsAuthorizations: [authorization] };
        return isRefused(await tryCreate(side, "certificates", "subdomain", { managed }));
      },
    },
    {
      word: "missing-authorization",
      statement: "A certificate with an authorization that does not exist is refused.",
      source: pages.certificates,
      reliedOnBy: ["existing-missing", "lib/plan/authorizations.ts"],
      expected: true,
      observe: async (side, { domain }) => {
        const missing = `${side.location()}/dnsAuthorizations/${side.name("never")}`;
        const managed = { domains: [domain], dnsAuthorizations: [missing] };
        return isRefused(await tryCreate(side, "certificates", "dangling", { managed }));
      },
    },
    {
      word: "short-authorization",
      statement: "An authorization by its bare id, without `projects/`, is refused with 400 INVALID_ARGUMENT.",
      source: "https://github.com/GoogleCloudPlatform/cloud-foundation-fabric/issues/2832",
      reliedOnBy: ["lib/constructs/migration-resources.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { domain }) => {
        const managed = { domains: [domain], dnsAuthorizations: [side.name("managed")] };
        return refusalOf(await tryCreate(side, "certificates", "bare-id", { managed }));
      },
    },
    {
      word: "wildcard-without-authorization",
      statement: "A wildcard without a DNS authorization is refused.",
      source: [pages.managerProto, pages.domainAuthorization],
      reliedOnBy: ["wildcard-only"],
      expected: true,
      observe: async (side, { domain }) =>
        isRefused(await tryCreate(side, "certificates", "wild", { managed: { domains: [`*.${domain}`] } })),
    },
    {
      word: "neither-kind",
      statement: "A certificate without `managed` and `selfManaged` is refused with 400 INVALID_ARGUMENT.",
      source: [pages.managerProto, resource],
      reliedOnBy: ["lib/plan/certificate-form.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => refusalOf(await tryCreate(side, "certificates", "neither", {})),
    },
  ],
});

interface Issued {
  readonly name: string;
}

export const issuance = defineGroup<Issued>({
  service: "certificate-manager",
  concept: "issuance",
  needs: ["issuance"],
  prepare: async (side) => ({ name: await issuedCertificate(side) }),
  behaviors: [
    {
      word: "active",
      statement: "A certificate becomes ACTIVE within an hour after the records of its authorizations exist.",
      source: [pages.managerProto, pages.domainAuthorization],
      reliedOnBy: ["plain-sailing", "one-deploy"],
      expected: true,
      observe: async (side, { name }) => {
        const isActive = ({ state }: Json) => state === "ACTIVE";
        const bound = { withinMs: issuanceMs, everyMs: side.kind === "rehearsal" ? 5_000 : 15_000 };
        return (await side.eventually(() => managedOf(side, name), isActive, bound)).isReached;
      },
    },
    {
      word: "attempts",
      statement: "Every domain of an ACTIVE certificate is AUTHORIZED, and the certificate has no provisioning issue.",
      source: pages.managerProto,
      reliedOnBy: ["domain-authorizing"],
      expected: { states: ["AUTHORIZED", "AUTHORIZED"], hasIssue: false },
      observe: async (side, { name }) => {
        const { authorizationAttemptInfo, provisioningIssue } = await managedOf(side, name);
        const states = ((authorizationAttemptInfo ?? []) as readonly Json[]).map(({ state }) => state);
        return { states, hasIssue: provisioningIssue !== undefined };
      },
    },
    {
      word: "chain",
      statement: "An ACTIVE certificate has its chain in PEM, the leaf first, and the time of its end.",
      source: pages.managerProto,
      reliedOnBy: ["lib/google/live-certificate.ts"],
      expected: { beginsWithPem: true, expireTime: "{time}" },
      observe: async (side, { name }) => {
        const { pemCertificate, expireTime } = await get(side, name);
        return { beginsWithPem: String(pemCertificate).startsWith("-----BEGIN CERTIFICATE-----"), expireTime };
      },
    },
  ],
});

/** Creates a certificate with its records, once in a run; it may still be in PROVISIONING. */
function issuedCertificate(side: Side): Promise<string> {
  return side.once("issued certificate", async () => {
    const domain = side.host("issued");
    const authorization = await create(side, "dnsAuthorizations", "issued", { domain });
    const { name, type, data } = (await get(side, authorization)).dnsResourceRecord as Record<string, string>;
    const additions = [{ name, type, ttl: 60, rrdatas: [data] }];
    await side.run("dns.changes.create", { project: side.project, managedZone: side.zone }, { additions });
    const managed = { domains: [domain, `*.${domain}`], dnsAuthorizations: [authorization] };
    return create(side, "certificates", "issued", { managed });
  });
}
