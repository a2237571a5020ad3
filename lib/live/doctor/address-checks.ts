import type { LiveAddress } from "../../google";
import { traitsOf } from "../../plan";
import { type ComputeScope, lastPart, projectIn } from "../../resource-names";
import { commandLine } from "../../text/command-line";
import { computePath } from "./compute-names";
import { type DoctorFinding, finding } from "./model";
import type { DoctorSubject } from "./subject";

/**
 * Returns the IP addresses of the forwarding rules to create, including addresses that a rule gives by the name of a
 * reserved address.
 */
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
        const { address } = reserved;
        const command = describeAddress(reserved);
        if (reserved.region !== region) {
          const [its, wanted] = [reserved.region, region].map((place) =>
            place === undefined ? "global" : `in ${place}`,
          );
          const what = `${reserved.id} (${address}) is ${its}, and the load balancer is ${wanted}`;
          return [finding("address-scope-mismatch", address, what, { command })];
        }
        // Terraform creates rules of the premium tier unless the configuration sets another tier.
        if (!traitsOf(kind).acceptsStandardTier || reserved.networkTier !== "STANDARD") return [];
        const what = `${reserved.id} (${address}) has the network tier STANDARD; Terraform creates the forwarding rule in the tier PREMIUM`;
        return [finding("network-tier-mismatch", address, what, { command })];
      }),
  );
}

function describeAddress({ id, region }: LiveAddress): string {
  const place = [`--project=${projectIn(id)}`, region === undefined ? "--global" : `--region=${region}`];
  return commandLine("gcloud", "compute", "addresses", "describe", lastPart(id), ...place);
}
