import { defined } from "../json/defined";
import { textsOf } from "../json/fields";
import { parseLocatedName, resourceNameIn } from "../resource-names";
import { commandLine } from "../text/command-line";
import { danger, listed, type PlanDanger } from "./dangers";
import { hasUnknown } from "./kinds";
import { isSame, resourceName } from "./names";
import type { Change } from "./plan-json";
import type { World } from "./world";

/** Who gets certificates, and which of these matter. */
interface Receiver {
  /** Hostname of an entry, or name of a proxy, for messages. */
  readonly what: string;
  /** Hostname of an entry: of certificates that may be meant, those for it count. */
  readonly name?: string;
  /** Ids of certificates that are there now. */
  readonly had: readonly string[];
  /** Hostnames whose handshakes fail. */
  readonly hostnames: readonly string[];
  /** Whether a certificate has to be active at once. @default - every one */
  readonly isNeeded?: (id: string) => boolean;
}

/** Certificates that an entry or a proxy gets before they can be served. */
export function certificatesBrought(
  { address, after, unknown }: Change,
  attribute: string,
  { what, name, had, hostnames, isNeeded = () => true }: Receiver,
  world: World,
): readonly PlanDanger[] {
  const inactive = world.hasOpenCondition(address) ? "repointed-behind-condition" : "repointed-to-inactive";
  const dangers: PlanDanger[] = [];
  for (const id of textsOf(after[attribute])) {
    if (had.some((one) => isSame(resourceName(one), resourceName(id))) || !isNeeded(id)) continue;
    const state = world.certificateState(id);
    if (state === "ACTIVE") continue;
    if (state === undefined) {
      const command = waitFor(id);
      const details = { hostnames, ...defined({ command }) };
      dangers.push(
        danger("repointed-to-unknown", address, `${what} gets ${id}, of which the plan knows nothing`, details),
      );
    } else if (!world.isGatedFor(address, [id])) {
      dangers.push(danger(inactive, address, `${what} gets ${id}, which is ${state}`, { hostnames }));
    }
  }
  if (!hasUnknown(unknown[attribute])) return dangers;
  const waiting = world.referredUnready(address, attribute, name);
  if (waiting !== undefined && (waiting.length === 0 || world.isGated(address, waiting))) return dangers;
  const named = listed(waiting ?? ["a certificate that is not known yet"]);
  const message = `${what} gets ${named} as soon as it is made, which is before it is issued`;
  return [...dangers, danger(inactive, address, message, { hostnames })];
}

/** Returns the command that shows whether a certificate of Certificate Manager is ACTIVE; there is no such command for Compute Engine. */
function waitFor(id: string): string | undefined {
  const name = resourceNameIn(id);
  if (parseLocatedName(name)?.collection !== "certificates") return undefined;
  return commandLine("cert-migration", "wait", "--certificate", name);
}
