import { InputError, type Problem } from "../errors";
import { canonicalAddress } from "../hostnames";
import {
  documentProblems,
  isReference,
  type MigrationPlan,
  type PlannedCertificate,
  type PlannedProxy,
  parseMigrationDocument,
  planMigration,
} from "../plan";
import { certificateBlocksOf } from "../x509";
import { type MigrationSource, resourceId, resourceOf, type SourceMigration, type SourceResource } from "./model";
import { previousOf } from "./previous";

export interface SpecOptions {
  /** What problems call the document, usually its path. */
  readonly source: string;
  /** Project where the spec names none. @default - ids stay unknown there */
  readonly project?: string;
  /** Reads a file that the document names; the path is as written. It throws where there is none. */
  readonly readFile?: (path: string) => string;
  /** Against which certificates in files are held. @default - expiry is not checked */
  readonly now?: Date;
}

/**
 * Reads a migration spec and plans it.
 *
 * @throws InputError with every mistake of the document, each with its place
 */
export function sourceFromSpec(text: string, options: SpecOptions): MigrationSource {
  const { source, project, readFile, now } = options;
  const read = parseMigrationDocument(text, { source, ...(readFile === undefined ? {} : { readFile }) });
  if ("problems" in read) throw new InputError(read.problems.map(withPlace));
  const plan = planMigration(read.spec, now === undefined ? {} : { now });
  const errors = plan.findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new InputError(documentProblems(read.document, errors).map(withPlace));
  return {
    kind: "spec",
    migrations: [{ ...sourceFromPlan(plan, project), ...(read.spec.enableApis === true ? { enablesApis: true } : {}) }],
    plan,
    warnings: plan.findings.filter(({ severity }) => severity === "warning"),
  };
}

/** What the commands see of a plan. */
function sourceFromPlan(plan: MigrationPlan, defaultProject: string | undefined): SourceMigration {
  const project = (own: string | undefined) => literal(own ?? plan.project ?? defaultProject);
  const map = plan.map === undefined ? undefined : mapOf(plan.map, project(plan.map.project));
  return {
    path: plan.name,
    name: plan.name,
    phase: plan.phase,
    gate: plan.gate,
    loadBalancer: plan.attachment.loadBalancer,
    certificates: plan.certificates.map((certificate) => ({
      ...certificateResource(certificate, project(certificate.project)),
      name: certificate.id,
      kind: certificate.kind,
      domains: certificate.domains,
      location: certificate.location,
      scope: certificate.scope,
      ...(certificate.kind !== "selfManaged" || isReference(certificate.certificatePem)
        ? {}
        : { uploadedPem: certificateBlocksOf(certificate.certificatePem) }),
    })),
    entries: plan.entries.map(({ hostname, name, certificates }) => ({
      resourceName: name,
      ...(map?.id === undefined ? {} : { id: `${map.id}/certificateMapEntries/${name}` }),
      hostname,
      certificates,
    })),
    authorizations: authorizationsOf(plan, project),
    records: plan.records.map(({ domain, zone, location, project: own }) => {
      const authorization = plan.authorizations.find(
        (one) => one.domain === domain && one.project === own && one.location === location,
      );
      return {
        domain,
        // The record of a project has a name of its own, which the service makes up.
        ...(authorization?.type === "FIXED_RECORD" ? { name: `_acme-challenge.${domain}.` } : {}),
        published: zone === undefined ? "external" : "cloudDns",
        ...(zone === undefined ? {} : { zone: zone.domain }),
      };
    }),
    ...(map === undefined ? {} : { map }),
    proxies: plan.attachment.proxies.map((proxy) => proxyResource(proxy, plan, project(plan.attachment.project))),
    addresses: {
      ipv4: plan.attachment.addresses.ipv4.filter((address) => !isReference(address)),
      ipv6: plan.attachment.addresses.ipv6.filter((address) => !isReference(address)).map(canonicalAddress),
    },
    ...(plan.traffic === undefined
      ? {}
      : {
          traffic: {
            to: plan.traffic.to,
            hostnames: plan.traffic.hostnames,
            records: plan.traffic.records.map(({ hostname, type, data }) => ({ name: `${hostname}.`, type, data })),
            ...previousOf(plan.traffic.previous, literal),
          },
        }),
  };
}

function literal(text: string | undefined): string | undefined {
  return text === undefined || isReference(text) ? undefined : text;
}

function certificateResource(certificate: PlannedCertificate, project: string | undefined): SourceResource {
  if (certificate.kind !== "existing") {
    return resourceId(project, certificate.location, "certificates", certificate.name);
  }
  return isReference(certificate.existingId) ? {} : resourceOf(certificate.existingId);
}

function mapOf(map: NonNullable<MigrationPlan["map"]>, project: string | undefined): SourceResource {
  if (map.kind === "new") return resourceId(project, "global", "certificateMaps", map.name);
  return isReference(map.existingId) ? {} : resourceOf(map.existingId);
}

function authorizationsOf(
  plan: MigrationPlan,
  project: (own: string | undefined) => string | undefined,
): SourceMigration["authorizations"] {
  const made = plan.authorizations.map(({ domain, name, location, project: own }) => ({
    ...resourceId(project(own), location, "dnsAuthorizations", name),
    domain,
    location,
  }));
  const existing = new Map<string, SourceMigration["authorizations"][number]>();
  for (const certificate of plan.certificates) {
    if (certificate.kind !== "managed") continue;
    for (const authorization of certificate.authorizations) {
      if (!("existingId" in authorization)) continue;
      const { domain, existingId } = authorization;
      const resource = isReference(existingId) ? {} : resourceOf(existingId);
      existing.set(`${domain} ${existingId}`, { ...resource, domain, location: certificate.location });
    }
  }
  return [...made, ...existing.values()];
}

function proxyResource(proxy: PlannedProxy, plan: MigrationPlan, project: string | undefined): SourceResource {
  const own = "project" in proxy.spec ? (literal(proxy.spec.project) ?? project) : project;
  if (own === undefined) return { resourceName: proxy.name };
  const { region } = plan.attachment;
  const collection = proxy.kind.endsWith("Ssl") ? "targetSslProxies" : "targetHttpsProxies";
  const place = region === undefined ? "global" : `regions/${region}`;
  return { resourceName: proxy.name, id: `projects/${own}/${place}/${collection}/${proxy.name}` };
}

function withPlace(
  problem: Problem & { readonly source: string; readonly line: number; readonly column: number },
): Problem {
  const { source, line, column, code, message } = problem;
  return { code, message: `${source}:${line}:${column}: ${message}` };
}
