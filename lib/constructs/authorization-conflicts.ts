import type { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import type { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import type { TerraformProvider, TerraformResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import type { Problem } from "../errors";
import type { PlannedAuthorization, PlannedRecord, PlannedZone } from "../plan";
import { migrationPath } from "./migration-path";
import { type MigrationProviders, providerName } from "./migration-providers";
import type { IRecordPublisher } from "./record-publisher";

/** An authorization of a stack with its record, which several constructs use. */
export interface SharedAuthorization {
  readonly planned: PlannedAuthorization;
  readonly resource: CertificateManagerDnsAuthorization;
  readonly constructs: string[];
  /** Provider of the authorization. */
  readonly provider: TerraformProvider | undefined;
  /** Publication of the record, from `dns` of the first construct that has the record. */
  publication?: Publication;
  /** The record in Cloud DNS. */
  cloudDns?: CloudDnsRecord;
  /** Resources that publish the record: a record set of Cloud DNS, or the resources of a publisher. */
  recordResources: readonly TerraformResource[];
  /** Resources that depend on the record. */
  readonly dependents: TerraformResource[];
}

interface CloudDnsRecord {
  readonly record: DnsRecordSet;
  readonly zone: PlannedZone;
  readonly provider: TerraformProvider | undefined;
}

/** How the record of an authorization is published, and by which construct. */
export interface Publication {
  readonly kind: PlannedRecord["published"];
  readonly publisher: IRecordPublisher | undefined;
  readonly construct: string;
}

/** An authorization that a stack of the app creates. */
export interface ClaimedAuthorization {
  /** Key among the authorizations of the stack. */
  readonly key: string;
  readonly stack: TerraformStack;
  readonly project: string | null;
  readonly provider: TerraformProvider | undefined;
  readonly planned: PlannedAuthorization;
  readonly construct: string;
}

type ProviderUser = Pick<ClaimedAuthorization, "provider" | "construct">;

/** Returns a problem if a further construct would create a shared authorization with another provider. */
export function providersThatDiffer(
  shared: SharedAuthorization,
  owner: Construct,
  { provider }: MigrationProviders,
): readonly Problem[] {
  if (shared.provider === provider) return [];
  const known = { provider: shared.provider, construct: shared.constructs.join(", ") };
  return [providersDiffer(shared.planned.domain, known, { provider, construct: migrationPath(owner) })];
}

function providersDiffer(domain: string, first: ProviderUser, second: ProviderUser): Problem {
  const message = `'${domain}' is authorized by ${first.construct} with the provider '${providerName(first.provider)}' and by ${second.construct} with '${providerName(second.provider)}', in the same project; give both the same 'provider', or pass the id of the first authorization to the second construct as existingAuthorizations: { "${domain}": … }`;
  return { code: "authorization-providers-differ", message };
}

/** Returns the settings of a further construct that differ from those of a shared authorization. */
export function settingsThatDiffer(
  shared: SharedAuthorization,
  owner: Construct,
  { domain, name, type, labels = {} }: PlannedAuthorization,
): readonly Problem[] {
  const path = migrationPath(owner);
  const others = shared.constructs.join(", ");
  const problems: Problem[] = [];
  if (shared.planned.type !== type) {
    const message = `the authorization of '${domain}' is a ${shared.planned.type} of ${others} and a ${type} of ${path}; give both the same 'authorizationType'`;
    problems.push({ code: "authorization-types-differ", message });
  } else if (shared.planned.name !== name) {
    const message = `the authorization of '${domain}' has the name '${shared.planned.name}' from ${others} and '${name}' from ${path}; let 'naming' of both return the same name, or pass the id of the first authorization to the second construct as existingAuthorizations: { "${domain}": … }`;
    problems.push({ code: "authorization-names-differ", message });
  }
  for (const [key, value] of Object.entries(labels)) {
    const known = shared.resource.labelsInput?.[key];
    if (known === undefined || known === value) continue;
    const message = `the authorization of '${domain}' has label '${key}' = '${known}' from ${others} and '${value}' from ${path}; give both the same`;
    problems.push({ code: "authorization-labels-differ", message });
  }
  return problems;
}

/**
 * Compares two authorizations of a domain, of two stacks, or of two projects of a stack. Another stack may only refer
 * to an authorization explicitly.
 */
export function claimedTwice(first: ClaimedAuthorization, second: ClaimedAuthorization): readonly Problem[] {
  const { domain, type } = second.planned;
  const isHere = first.stack === second.stack;
  const where = `'${domain}' is authorized by ${first.construct} and by ${second.construct}`;
  if (first.project === second.project) {
    if (!isHere) {
      const message = `${where}, in two stacks; pass the first one's id to the second as existingAuthorizations: { "${domain}": … }`;
      return [{ code: "authorization-in-two-stacks", message }];
    }
    if (first.provider !== second.provider) return [providersDiffer(domain, first, second)];
    const message = `${where}, one with the provider's project and one with the same project as its 'project'; set 'project' in both, or in neither`;
    return [{ code: "authorization-repeated", message }];
  }
  if (first.planned.type !== "FIXED_RECORD" || type !== "FIXED_RECORD") return [];
  const place = isHere ? "in two projects" : "in two stacks and two projects";
  const message = `${where}, ${place}, both by the same CNAME with other data; use authorizationType PER_PROJECT_RECORD`;
  return [{ code: "fixed-record-in-two-projects", message }];
}

export function publicationBy(
  owner: Construct,
  { published }: PlannedRecord,
  { publisher }: MigrationProviders,
): Publication {
  return {
    kind: published,
    publisher: published === "custom" ? publisher : undefined,
    construct: migrationPath(owner),
  };
}

const publicationTexts = {
  cloudDns: "in Cloud DNS (cloudDns)",
  custom: "by a publisher (custom)",
  external: "manually (external)",
} as const;

/** Compares the publication of a record with the publication in another construct. */
export function publicationsThatDiffer(
  { publication: known }: SharedAuthorization,
  { domain }: PlannedRecord,
  publication: Publication,
): readonly Problem[] {
  if (known === undefined) return [];
  if (known.kind === publication.kind && known.publisher === publication.publisher) return [];
  const [first, second] = [known, publication].map(
    ({ kind, construct }) => `${publicationTexts[kind]} by ${construct}`,
  );
  const same = known.kind === publication.kind ? "the same publisher" : "the same 'dns'";
  const message = `the CNAME record of '${domain}' is published ${first} and ${second}; give both ${same}`;
  return [{ code: "authorization-publishers-differ", message }];
}
