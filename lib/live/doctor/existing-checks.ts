import type { LiveAddress, LiveCertificate } from "../../google";
import { traitsOf } from "../../plan";
import { type ComputeScope, lastPart } from "../../resource-names";
import { gcloud } from "../../text/command-line";
import { computeFlags, computePath, locationFlags } from "./compute-names";
import { type DoctorFinding, finding } from "./model";
import { notServed } from "./proxy-checks";
import type { DoctorSubject } from "./subject";

/** An existing resource, with its state if the resource is a certificate. */
type Live = { readonly name: string } & Partial<Pick<LiveCertificate, "state" | "expireTime" | "validation">>;

/** The check of references reports missing resources. */
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

export function judgeScopes(
  { kind, existingCertificates }: Pick<DoctorSubject, "kind" | "existingCertificates">,
  live: readonly LiveCertificate[],
): readonly DoctorFinding[] {
  return existingCertificates.flatMap(({ id }) => {
    const there = live.find(({ name }) => name === id);
    const scope = there?.scope ?? "DEFAULT";
    if (there === undefined || scope === traitsOf(kind).certificateScope) return [];
    const what = `${id} has the scope ${scope}, and ${kind} takes certificates of the scope ${traitsOf(kind).certificateScope}`;
    const command = gcloud("certificate-manager certificates describe", lastPart(id), ...locationFlags(id));
    return [finding("existing-scope-mismatch", id, what, { command })];
  });
}

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

/** Returns the IP addresses of the rules to create, also of rules that name a reserved address. */
export function addressesOfRules(
  subject: Pick<DoctorSubject, "rules" | "region">,
  project: string,
  addresses: readonly LiveAddress[],
): readonly string[] {
  return subject.rules.map(
    ({ address }) =>
      addresses.find((reserved) => isNamed(reserved, address, { project, ...subject }))?.address ?? address,
  );
}

function isNamed(reserved: LiveAddress, address: string, scope: ComputeScope): boolean {
  return reserved.address === address || reserved.id === computePath(address, "addresses", scope);
}

/** Checks the addresses of the forwarding rules to create against the project's reserved addresses. */
export function judgeAddresses(
  { rules, region, kind }: Pick<DoctorSubject, "rules" | "region" | "kind">,
  project: string,
  addresses: readonly LiveAddress[],
): readonly DoctorFinding[] {
  return rules.flatMap(({ address: named }) =>
    addresses
      .filter((reserved) => isNamed(reserved, named, { project, region }))
      .flatMap((reserved) => {
        const { id, address } = reserved;
        const command = gcloud("compute addresses describe", lastPart(id), ...computeFlags(id));
        if (reserved.region !== region) {
          const [its, wanted] = [reserved.region, region].map((place) =>
            place === undefined ? "global" : `in ${place}`,
          );
          const what = `${id} (${address}) is ${its}, and the load balancer is ${wanted}`;
          return [finding("address-scope-mismatch", address, what, { command })];
        }
        // Terraform creates rules of the premium tier unless the configuration sets another tier.
        if (!traitsOf(kind).acceptsStandardTier || reserved.networkTier !== "STANDARD") return [];
        const what = `${id} (${address}) has the network tier STANDARD; Terraform creates the forwarding rule in the tier PREMIUM`;
        return [finding("network-tier-mismatch", address, what, { command })];
      }),
  );
}
