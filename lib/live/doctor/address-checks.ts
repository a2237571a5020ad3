import type { LiveAddress } from "../../google";
import { commandLine } from "../../text/command-line";
import { type DoctorFinding, finding } from "./model";
import type { DoctorSubject } from "./subject";

/** Holds the addresses of forwarding rules that are to be made against what is reserved. */
export function judgeAddresses(
  { rules, region, kind }: Pick<DoctorSubject, "rules" | "region" | "kind">,
  addresses: readonly LiveAddress[],
): readonly DoctorFinding[] {
  return rules.flatMap(({ address }) =>
    addresses
      .filter((reserved) => reserved.address === address)
      .flatMap((reserved) => {
        const command = describeAddress(reserved);
        if (reserved.region !== region) {
          const [its, wanted] = [reserved.region, region].map((place) =>
            place === undefined ? "global" : `in ${place}`,
          );
          const what = `${reserved.id} (${address}) is ${its}, and the load balancer is ${wanted}`;
          return [finding("address-scope-mismatch", address, what, { command })];
        }
        // Terraform makes rules of the premium tier unless it is told otherwise.
        if (kind !== "regionalExternal" || reserved.networkTier !== "STANDARD") return [];
        const what = `${reserved.id} (${address}) is of the tier STANDARD, and the forwarding rule is made for PREMIUM`;
        return [finding("network-tier-mismatch", address, what, { command })];
      }),
  );
}

function describeAddress({ id, region }: LiveAddress): string {
  const project = /^projects\/([^/]+)/.exec(id)?.[1] ?? "";
  const place = region === undefined ? "--global" : `--region=${region}`;
  const name = id.slice(id.lastIndexOf("/") + 1);
  return commandLine("gcloud", "compute", "addresses", "describe", name, `--project=${project}`, place);
}
