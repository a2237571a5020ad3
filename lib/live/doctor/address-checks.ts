import type { LiveAddress } from "../../google";
import { traitsOf } from "../../plan";
import { type ComputeScope, lastPart } from "../../resource-names";
import { gcloud } from "../../text/command-line";
import { computeFlags, computePath } from "./compute-names";
import { type DoctorFinding, doctorFinding } from "./model";
import type { DoctorSubject } from "./subject";

/** Returns the IP addresses of the rules to create, also of rules that name a reserved address. */
export function addressesOfRules(
  subject: Pick<DoctorSubject["balancer"], "rules" | "region">,
  project: string,
  addresses: readonly LiveAddress[],
): readonly string[] {
  return subject.rules.map(
    ({ address }) =>
      addresses.find((reserved) => isNamed(reserved, address, { ...subject, project }))?.address ?? address,
  );
}

function isNamed(reserved: LiveAddress, address: string, scope: ComputeScope): boolean {
  return reserved.address === address || reserved.id === computePath(address, "addresses", scope);
}

/** Checks the addresses of the forwarding rules to create against the project's reserved addresses. */
export function judgeAddresses(
  { rules, region, kind }: Pick<DoctorSubject["balancer"], "rules" | "region" | "kind">,
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
          return [doctorFinding("address-scope-mismatch", address, what, { command })];
        }
        // Terraform creates rules of the premium tier unless the configuration sets another tier.
        if (!traitsOf(kind).forwardingRules.acceptsStandardTier || reserved.networkTier !== "STANDARD") return [];
        const what = `${id} (${address}) has the network tier STANDARD; Terraform creates the forwarding rule in the tier PREMIUM`;
        return [doctorFinding("network-tier-mismatch", address, what, { command })];
      }),
  );
}
