import { pointerTo } from "../json/pointer";
import { isProjectId } from "../resource-names";
import { formOf } from "./certificate-form";
import type { Findings } from "./findings";
import { checkDescription, checkLabels } from "./labels";
import { traitsOf } from "./load-balancer-kinds";
import type { Planning } from "./planning";
import { isReference } from "./shape/reference";
import type { LoadBalancerKind, MigrationSpec } from "./spec";

/** Checks the fields of the spec as a whole. */
export function checkGeneralFields({ spec, findings }: Planning): void {
  if (spec.name.trim() === "" || /\p{Cc}|[$%]\{/u.test(spec.name)) {
    const what = "the migration's name is empty, or contains control characters, '${' or '%{'";
    findings.report("name-invalid", "/name", what, "set a name without them");
  }
  const prefix = spec.namePrefix;
  const isPrefix = /^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/;
  // The value of a variable is known only to Terraform.
  if (prefix !== undefined && !isPrefix.test(prefix.replace(/\$\{[^}]*\}/g, "a"))) {
    findings.report("name-prefix-invalid", "/namePrefix", `'${prefix}' can't begin a resource name`);
  }
  for (const [at, project] of projectsIn(spec)) {
    if (isReference(project) || isProjectId(project)) continue;
    findings.report("project-invalid", at, `'${project}' is not a project id`);
  }
  const command = spec.gateCommand;
  if (command !== undefined && (command.trim() === "" || /\p{Cc}/u.test(command))) {
    findings.report("gate-command-invalid", "/gateCommand", "'gateCommand' is empty or holds control characters");
  }
  if (spec.labels !== undefined) checkLabels(spec.labels, "/labels", findings);
  if (spec.description !== undefined) checkDescription(spec.description, "/description", findings);
}

/** Returns the region of the load balancer, or `global`, and checks it against the kind. */
export function readLocation(kind: LoadBalancerKind, region: string | undefined, findings: Findings): string {
  const at = "/loadBalancer/region";
  if (!traitsOf(kind).isRegional) {
    if (region === undefined) return "global";
    findings.report("region-not-allowed", at, `a ${kind} load balancer has no region, got '${region}'`);
    return "global";
  }
  if (region === undefined) {
    findings.report("region-missing", at, `a ${kind} load balancer needs a region`);
    return "global";
  }
  if (!/^[a-z]+-[a-z]+[0-9]+$/.test(region)) findings.report("region-missing", at, `'${region}' is not a region`);
  return region;
}

/** Returns every project of a spec with its JSON pointer. */
function projectsIn({
  project,
  certificates,
  dns,
}: MigrationSpec): readonly (readonly [at: string, project: string])[] {
  const zones = dns.kind === "cloudDns" ? Object.entries(dns.zones) : [];
  const all = new Map<string, string | undefined>([["/project", project]]);
  if (dns.kind === "cloudDns") all.set("/dns/project", dns.project);
  for (const [domain, zone] of zones) {
    if (typeof zone !== "string") all.set(pointerTo("/dns/zones", domain, "project"), zone.project);
  }
  for (const [index, certificate] of certificates.entries())
    all.set(pointerTo("/certificates", index, "project"), formOf(certificate).project);
  return [...all].flatMap(([at, value]) => (value === undefined ? [] : [[at, value] as const]));
}
