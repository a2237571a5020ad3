import { defined } from "../json/defined";
import { compareVersions } from "../text/version";
import { planAttachment } from "./attachment";
import { planAuthorizations } from "./authorizations";
import { planCertificate, planIssuanceConfigs, readCertificates } from "./certificates";
import { checkMustServe, planEntries, planMap, servedNames } from "./entries";
import { Findings } from "./findings";
import { checkGeneralFields, readLocation } from "./general";
import { defaultLoadBalancerKind, traitsOf } from "./load-balancer-kinds";
import type { MigrationPlan, PlannedAttachment } from "./model";
import type { Planning, PlanOptions } from "./planning";
import { isReference } from "./reference";
import type { MigrationSpec } from "./spec";
import { planTraffic } from "./traffic";
import { readZones } from "./zones";

/**
 * Returns the plan of a migration: names, authorizations, records, certificates, entries and proxies. The function is
 * pure: the result depends only on the spec, not on the order of its lists. Errors and warnings are findings of the
 * plan, all at once. A plan with a finding of severity `error` is incomplete; don't apply it.
 *
 * @example
 * ```ts
 * const { certificates, findings } = planMigration({
 *   name: "shop",
 *   certificates: [{ domains: ["shop.example.com"] }],
 *   dns: { kind: "external" },
 * });
 * if (findings.length > 0 || certificates.length !== 1) throw new Error("the plan has findings");
 * ```
 */
export function planMigration(spec: MigrationSpec, options: PlanOptions = {}): MigrationPlan {
  const findings = new Findings();
  const loadBalancer = spec.loadBalancer?.kind ?? defaultLoadBalancerKind;
  const identityOf = options.identityOf ?? ((reference: string) => reference);
  const planning: Planning = {
    spec,
    findings,
    loadBalancer,
    location: readLocation(loadBalancer, spec.loadBalancer?.region, findings),
    usesMap: traitsOf(loadBalancer).presents === "map",
    now: options.now,
    hasWriteOnlyKeys: compareVersions(options.providerVersion ?? "7.45.0", "7.45.0") >= 0,
    sslProxyHoldsBoth: options.providerVersion !== undefined && compareVersions(options.providerVersion, "7.19.0") >= 0,
    identityOf: (value) => (value === undefined ? null : isReference(value) ? identityOf(value) : value),
  };
  checkGeneralFields(planning);
  const phase = spec.phase ?? "serve";
  const certificates = readCertificates(planning);
  const zones = readZones(planning);
  const { authorizations, records, authorizationOf } = planAuthorizations(planning, certificates, zones);
  const issuanceConfigs = planIssuanceConfigs(certificates);
  const map = planMap(planning);
  const entries = planEntries(planning, certificates);
  const attachment = planAttachment(planning, certificates.length);
  const served = servedNames(certificates, planning.usesMap);
  checkMustServe(planning, served);
  const traffic = planTraffic(planning, served, attachment.addresses, zones);
  zones.reportUnused();
  return {
    name: spec.name,
    phase,
    gate: spec.gate ?? "wait",
    location: planning.location,
    ...defined({ project: spec.project }),
    authorizations,
    records,
    certificates: certificates.map((certificate) => planCertificate(planning, certificate, authorizationOf)),
    ...(issuanceConfigs.length === 0 ? {} : { issuanceConfigs }),
    ...(phase === "serve" && map !== undefined ? { map } : {}),
    entries: phase === "serve" ? entries : [],
    attachment: phase === "serve" ? attachment : withoutProxies(attachment),
    ...defined({ traffic }),
    findings: findings.sorted(),
  };
}

function withoutProxies({ clientAuthentications: _, ...attachment }: PlannedAttachment): PlannedAttachment {
  return { ...attachment, proxies: [], forwardingRules: [] };
}

/**
 * Serializes the plan as text. The same spec gives the same bytes in any order: keys are sorted and empty lists are
 * left out. The places of findings and certificates in the spec are also left out.
 */
export function serializePlan(plan: MigrationPlan): string {
  return `${JSON.stringify(canonical(plan), undefined, 2)}\n`;
}

/** The place of a certificate, and of a finding. */
const places: ReadonlySet<string> = new Set(["at", "subject"]);

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, item]) => !places.has(key) && !isEmpty(item));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, canonical(item)]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
