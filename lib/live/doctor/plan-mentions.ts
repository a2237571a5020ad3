import { isReference, type MigrationPlan, type PlannedProxy } from "../../plan";
import { parseLocatedName, resourceNameIn } from "../../resource-names";
import { placeOf, projectOfPath } from "./compute-names";
import type { DoctorSubject } from "./subject";

export interface Mention {
  readonly text: string;
  readonly by: string;
  /** Project of a name without project. @default - the load balancer's project */
  readonly project?: string | undefined;
  readonly isGlobal?: boolean;
}

export function statedBy(proxy: PlannedProxy, attribute: string, text: string | null | undefined): readonly Mention[] {
  if (text === null || text === undefined || text === "") return [];
  const project = "project" in proxy.spec && literal(proxy.spec.project ?? "") ? proxy.spec.project : undefined;
  return [{ text, by: `${attribute} of the target proxy ${proxy.name}`, project }];
}

/** Returns the values of an attribute of the forwarding rules to create. */
export function statedByRules(
  { attachment }: MigrationPlan,
  attribute: "address" | "network" | "subnetwork",
): readonly Mention[] {
  return attachment.forwardingRules.flatMap(({ id, [attribute]: text }) =>
    text === undefined ? [] : [{ text, by: `${attribute} of the forwarding rule ${id}` }],
  );
}

export function mentionsOfDirectCertificates(plan: MigrationPlan): readonly Mention[] {
  return plan.attachment.proxies.flatMap((proxy) =>
    proxy.kind === "adoptedHttps" || proxy.kind === "adoptedSsl"
      ? (proxy.spec.sslCertificates ?? []).flatMap((text) => statedBy(proxy, "sslCertificates", text))
      : [],
  );
}

export function isOfCertificateManager(text: string): boolean {
  return parseLocatedName(resourceNameIn(text))?.collection === "certificates";
}

/** Returns the existing certificates that a migration uses: alone, in addition to others, or on adopted proxies. */
export function namedCertificates(
  { certificates: { existing: existingCertificates } }: DoctorSubject,
  plan: MigrationPlan | undefined,
): readonly string[] {
  const beside = (plan?.entries ?? []).flatMap(({ certificates }) => certificates);
  const direct = (plan === undefined ? [] : mentionsOfDirectCertificates(plan)).map(({ text }) => text);
  return unique(
    [...existingCertificates.map(({ id }) => id), ...[...beside, ...direct].filter(isOfCertificateManager)]
      .filter(literal)
      .map(resourceNameIn),
  );
}

/** Returns the projects that a migration names: projects of its resources, of its zones and of existing resources. */
export function projectsOf(subject: DoctorSubject, plan: MigrationPlan | undefined): readonly string[] {
  const named = [
    subject.project,
    subject.balancer.project,
    ...subject.dns.zones.map(({ project }) => project),
    ...[...subject.certificates.made, ...subject.balancer.proxies.map(({ id }) => id)].map(projectOfPath),
    plan?.project,
  ];
  return named.filter((project): project is string => project !== undefined && project !== "" && literal(project));
}

/** Returns `projects/P/locations/L` of a resource ID. */
export function parentIdOf(id: string): string {
  return placeOf(placeOf(id));
}

export function literal(text: string): boolean {
  return !isReference(text);
}

export function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
