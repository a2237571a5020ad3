import type { Code } from "../findings/codes";
import type { CodedFinding } from "../findings/finding";
import { defined } from "../json/defined";
import { compareVersions } from "../text/version";
import { planAlerts } from "./alerts";
import { planAttachment } from "./attachment";
import { planAuthorizations } from "./authorizations";
import { planCertificate, planIssuanceConfigs, readCertificates } from "./certificates";
import { checkMustServe, planEntries, planMap, servedNames } from "./entries";
import { Findings, sortFindings } from "./findings";
import { checkGeneralFields, readLocation } from "./general";
import { defaultLoadBalancerKind } from "./load-balancer-kinds";
import type { MigrationPlan, PlannedAttachment } from "./model";
import { checkNamesDiffer, Namer, namesInPlan } from "./naming";
import type { Planning, PlanOptions } from "./planning";
import { withoutMistakes } from "./repair";
import { type ShapeMistake, shapeMistakes } from "./shape/mistakes";
import { isReference } from "./shape/reference";
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
  const mistakes = shapeMistakes(spec, options.readToken);
  if (mistakes.length === 0 && (options.refused ?? []).length === 0) return planShaped(spec, options);
  const plan = planAround(spec, mistakes, options);
  return { ...plan, findings: sortFindings([...explained(mistakes), ...plan.findings]) };
}

/**
 * Plans a spec without the values that have mistakes. Findings that may follow from a mistake are left out, and so are
 * the mistakes.
 */
export function planAround(data: unknown, mistakes: readonly ShapeMistake[], options: PlanOptions = {}): MigrationPlan {
  const { spec, keep } = withoutMistakes(data, mistakes, options);
  const plan = planShaped(spec, options);
  return { ...plan, findings: plan.findings.flatMap((finding) => keep(finding) ?? []) };
}

/** The most mistakes of one spec that are explained. */
const mostMistakes = 100;

function explained(mistakes: readonly ShapeMistake[]): readonly CodedFinding<Code>[] {
  const listed = mistakes.slice(0, mostMistakes).map(({ pointer, explain }): CodedFinding<Code> => {
    return { severity: "error", subject: pointer, remedy: "", ...explain() };
  });
  const more = mistakes.length - listed.length;
  if (more === 0) return listed;
  const message = `${more} more ${more === 1 ? "mistake is" : "mistakes are"} not shown: fix these first`;
  return [...listed, { code: "document-more-problems", severity: "error", subject: "", message, remedy: "" }];
}

/** Returns whether data has the types of a spec. {@link planMigration} also reports all other errors. */
export function isMigrationSpec(data: unknown, readToken?: PlanOptions["readToken"]): data is MigrationSpec {
  return shapeMistakes(data, readToken).length === 0;
}

/** Plans a spec whose values have the types of the description. */
function planShaped(spec: MigrationSpec, options: PlanOptions): MigrationPlan {
  const findings = new Findings();
  const loadBalancer = spec.loadBalancer?.kind ?? defaultLoadBalancerKind;
  const { providerVersion } = options;
  const identityOfReference = options.identityOf ?? ((reference: string) => reference);
  const namer = new Namer(options.naming, findings);
  const planning: Planning = {
    spec,
    findings,
    nameOf: (kind, suggested) => namer.nameOf(kind, suggested),
    loadBalancer,
    location: readLocation(loadBalancer, spec.loadBalancer?.region, findings),
    uploads: { now: options.now, publicRoots: options.publicRoots },
    provider: {
      hasWriteOnlyKeys: compareVersions(providerVersion ?? "7.45.0", "7.45.0") >= 0,
      sslProxyHoldsBoth: providerVersion !== undefined && compareVersions(providerVersion, "7.19.0") >= 0,
    },
    identityOf: (value) => (value === undefined ? null : isReference(value) ? identityOfReference(value) : value),
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
  const served = servedNames(planning, certificates);
  checkMustServe(planning, served);
  const traffic = planTraffic(planning, served, attachment.addresses, zones);
  zones.reportUnused();
  const planned = certificates.map((certificate) => planCertificate(planning, certificate, authorizationOf));
  const { location, identityOf } = planning;
  const named = { location, authorizations, certificates: planned, issuanceConfigs, entries, attachment };
  checkNamesDiffer(namesInPlan({ ...named, ...defined({ map }) }), identityOf, findings);
  const plan = {
    name: spec.name,
    phase,
    gate: spec.gate ?? "wait",
    location: planning.location,
    ...defined({ project: spec.project }),
    authorizations,
    records,
    certificates: planned,
    ...(issuanceConfigs.length === 0 ? {} : { issuanceConfigs }),
    ...(phase === "serve" && map !== undefined ? { map } : {}),
    entries: phase === "serve" ? entries : [],
    attachment: phase === "serve" ? attachment : withoutProxies(attachment),
    ...defined({ traffic }),
  };
  const alerts = spec.alerts && planAlerts(spec.alerts, [plan], findings, "/alerts", options.publicRoots);
  return { ...plan, ...defined({ alerts }), findings: findings.sorted() };
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
const places: ReadonlySet<string> = new Set(["at", "specIndex", "subject"]);

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, item]) => !places.has(key) && !isEmpty(item));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, canonical(item)]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
