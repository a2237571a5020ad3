import { defined } from "../json/defined";
import { type MigrationPlan, type PlannedCertificate, plannedIssuer } from "../plan";
import { authorizationKey, type MigrationResources } from "./migration-resources";
import type { AuthorizationOutput, CertificateOutput, MigrationOutput, RecordOutput } from "./output";
import { referTo } from "./reference";
import type { SharedResources } from "./shared-resources";
import type { TargetProxies } from "./target-proxies";

/** A migration in the stack's output; empty lists are omitted. */
export function describeMigration(
  plan: MigrationPlan,
  resources: MigrationResources,
  attachment: TargetProxies,
  shared: SharedResources,
): MigrationOutput {
  const { addresses } = plan.attachment;
  const map = plan.phase === "serve" ? resources.mapId : undefined;
  const known = {
    ...list("ipv4", addresses.ipv4),
    ...list("ipv6", addresses.ipv6),
  };
  return {
    name: plan.name,
    phase: plan.phase,
    gate: plan.gate,
    loadBalancer: plan.attachment.loadBalancer,
    certificates: plan.certificates.map((certificate) => ({
      name: certificate.id,
      kind: certificate.kind,
      id: resources.certificateId(certificate.id),
      ...list("domains", certificate.domains),
      location: certificate.location,
      scope: certificate.scope,
      ...issuerOf(certificate, plan),
    })),
    ...list(
      "entries",
      plan.entries.flatMap(({ hostname, certificates }) => {
        const entry = resources.entries.get(hostname);
        if (entry === undefined) return [];
        return [
          { hostname, id: referTo(entry, "id"), certificates: certificates.map((id) => resources.certificateId(id)) },
        ];
      }),
    ),
    ...list("authorizations", describeAuthorizations(plan, resources)),
    ...list("records", describeRecords(plan, resources, shared)),
    ...defined({ map }),
    ...list(
      "proxies",
      [...attachment.proxies.values()].map((proxy) => referTo(proxy, "id")),
    ),
    ...list(
      "servingProxies",
      (plan.attachment.servingProxies ?? []).map(({ id, addresses: proxyAddresses, certificates }) => ({
        proxy: id,
        addresses: proxyAddresses,
        ...list("certificates", certificates),
      })),
    ),
    ...(Object.keys(known).length === 0 ? {} : { addresses: known }),
    ...describeTraffic(plan),
  };
}

function issuerOf(
  certificate: PlannedCertificate,
  plan: MigrationPlan,
): Pick<CertificateOutput, "isPrivatelyIssued" | "issuedBy"> {
  const issuedBy = plannedIssuer(certificate, plan);
  return issuedBy === undefined ? {} : { isPrivatelyIssued: true, issuedBy };
}

/** Returns the CNAMEs that no construct of the stack publishes. */
export function recordsToPublish(
  plan: MigrationPlan,
  resources: MigrationResources,
  shared: SharedResources,
): readonly { readonly name: string; readonly type: "CNAME"; readonly data: string }[] {
  return describeRecords(plan, resources, shared)
    .filter(({ published }) => published === "external")
    .map(({ name, type, data }) => ({ name, type, data }));
}

function describeAuthorizations(plan: MigrationPlan, resources: MigrationResources): readonly AuthorizationOutput[] {
  const found = new Map<string, AuthorizationOutput>();
  for (const certificate of plan.certificates) {
    if (certificate.kind !== "managed") continue;
    for (const authorization of certificate.authorizations) {
      const id = resources.authorizationId(authorization, certificate.project);
      found.set(id, { domain: authorization.domain, id });
    }
  }
  return [...found.values()].sort((a, b) => (`${a.domain} ${a.id}` < `${b.domain} ${b.id}` ? -1 : 1));
}

function describeRecords(
  plan: MigrationPlan,
  resources: MigrationResources,
  shared: SharedResources,
): readonly RecordOutput[] {
  return plan.records.flatMap((planned): RecordOutput[] => {
    const authorization = resources.authorizations.get(authorizationKey(planned.domain, planned.project));
    if (authorization === undefined) return [];
    return [
      {
        domain: planned.domain,
        name: referTo(authorization, "dns_resource_record[0].name"),
        type: "CNAME",
        data: referTo(authorization, "dns_resource_record[0].data"),
        published: shared.authorizations.publicationOf(planned, resources.providers),
      },
    ];
  });
}

function describeTraffic({ traffic }: MigrationPlan): Pick<MigrationOutput, "traffic"> {
  if (traffic === undefined) return {};
  const manualRecords = traffic.records.filter(({ zone }) => zone === undefined);
  return {
    traffic: {
      to: traffic.to,
      hostnames: traffic.hostnames,
      ...(Object.keys(traffic.previous).length === 0 ? {} : { previous: traffic.previous }),
      ...list(
        "records",
        manualRecords.map(({ hostname, type, data }) => ({ name: `${hostname}.`, type, data })),
      ),
    },
  };
}

function list<Key extends string, Item>(key: Key, items: readonly Item[]): { readonly [K in Key]?: readonly Item[] } {
  return (items.length === 0 ? {} : { [key]: items }) as { readonly [K in Key]?: readonly Item[] };
}
