import { countOf } from "../text/words";
import { danger, type PlanDanger } from "./dangers";
import { classicTypes, types, uploadedLeaf, uploadedPem } from "./kinds";
import type { Change, Held } from "./plan-json";
import type { World } from "./world";

const dayMs = 24 * 3_600_000;
/** From then on it is warned of; a spec with such a certificate is warned of as early. */
const soonDays = 30;

/** Checks the dates of uploaded certificates whose PEM the plan contains; Google does not renew them. */
export function validityDangers(world: World, now: Date): readonly PlanDanger[] {
  const kinds = [types.certificate, ...classicTypes];
  const brought = new Set(
    world
      .changes(...kinds)
      .filter(bringsCertificate)
      .map(({ address }) => address),
  );
  return world.heldAfter(...kinds).flatMap((held) => outOfDate(held, brought.has(held.address), now));
}

/** Whether what is uploaded is new; what is only replaced for another reason is not. */
function bringsCertificate({ action, deposed, before, after }: Change): boolean {
  return !deposed && action !== "delete" && uploadedPem(before) !== uploadedPem(after);
}

function outOfDate({ address, values }: Held, isBrought: boolean, now: Date): readonly PlanDanger[] {
  const leaf = uploadedLeaf(values);
  if (leaf === undefined) return [];
  const name = String(values.name ?? "the certificate");
  const [from, until] = [leaf.notBefore, leaf.notAfter].map((date) => date.toISOString());
  const hostnames = leaf.dnsNames;
  const leftMs = leaf.notAfter.getTime() - now.getTime();
  if (leftMs <= 0) {
    const code = isBrought ? "uploaded-certificate-not-valid" : "uploaded-certificate-expired";
    return [danger(code, address, `${name} expired at ${until}`, { hostnames })];
  }
  if (isBrought && leaf.notBefore > now) {
    return [danger("uploaded-certificate-not-valid", address, `${name} is not valid before ${from}`, { hostnames })];
  }
  if (leftMs > soonDays * dayMs) return [];
  const days = countOf(Math.floor(leftMs / dayMs), "day");
  return [
    danger("uploaded-certificate-expires-soon", address, `${name} expires at ${until}, in ${days}`, { hostnames }),
  ];
}
