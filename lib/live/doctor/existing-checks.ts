import type { LiveCertificate } from "../../google";
import { traitsOf } from "../../plan";
import { lastPart, locationIn, projectIn } from "../../resource-names";
import { commandLine } from "../../text/command-line";
import { type DoctorFinding, finding } from "./model";
import { notServed } from "./proxy-checks";
import type { DoctorSubject } from "./subject";

/** An existing resource, with its state if the resource is a certificate. */
type Live = { readonly name: string } & Partial<Pick<LiveCertificate, "state" | "expireTime" | "validation">>;

/**
 * Checks the states of the resources that the migration expects to exist. The check of references reports missing
 * resources.
 */
export function judgeExisting(ids: readonly string[], live: readonly Live[], now: Date): readonly DoctorFinding[] {
  const there = new Map(live.map((resource) => [resource.name, resource]));
  return ids.flatMap((id) => {
    const resource = there.get(id);
    if (resource === undefined) return [];
    const { state = "ACTIVE", expireTime, validation } = resource;
    // A certificate in renewal is also PROVISIONING, and serves its current version until that version expires.
    const isIssued = state === "ACTIVE" || (state === "PROVISIONING" && expireTime !== undefined);
    if (!isIssued && validation === "loadBalancer")
      return [finding("existing-awaits-traffic", id, `${id} is ${state} and has no DNS authorizations`)];
    if (!isIssued) return [finding("existing-not-active", id, `${id} is ${state}`)];
    if (expireTime === undefined || new Date(expireTime) > now) return [];
    return [finding("existing-not-active", id, `${id} expired at ${expireTime}`)];
  });
}

/** Checks whether the scopes of existing certificates match the kind of load balancer. */
export function judgeScopes(
  { kind, existingCertificates }: Pick<DoctorSubject, "kind" | "existingCertificates">,
  live: readonly LiveCertificate[],
): readonly DoctorFinding[] {
  return existingCertificates.flatMap(({ id }) => {
    const there = live.find(({ name }) => name === id);
    const scope = there?.scope ?? "DEFAULT";
    if (there === undefined || scope === traitsOf(kind).certificateScope) return [];
    const what = `${id} has the scope ${scope}, and ${kind} takes certificates of the scope ${traitsOf(kind).certificateScope}`;
    return [finding("existing-scope-mismatch", id, what, { command: describeCertificate(id) })];
  });
}

function describeCertificate(id: string): string {
  const place = [`--location=${locationIn(id)}`, `--project=${projectIn(id)}`];
  return commandLine("gcloud", "certificate-manager", "certificates", "describe", lastPart(id), ...place);
}

/** Compares the names that the migration expects of an existing certificate with the names in the certificate. */
export function judgeExistingNames(
  certificates: DoctorSubject["existingCertificates"],
  live: readonly LiveCertificate[],
): readonly DoctorFinding[] {
  return certificates.flatMap(({ id, domains }) => {
    const there = live.find(({ name }) => name === id);
    const lacking = there === undefined ? [] : notServed(domains, there.domains);
    if (there === undefined || lacking.length === 0) return [];
    const what = `${id} is for ${there.domains.join(", ")}, and not for ${lacking.join(", ")}`;
    return [finding("existing-names-missing", id, what)];
  });
}
