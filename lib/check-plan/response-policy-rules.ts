/** Rules of response policies: the answers of Cloud DNS for the clients of some networks, whatever the zones have. */
import { type Fields, fieldsOf, listOf, textsOf } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import { isDestroyed } from "./kinds";
import { bareName } from "./names";
import type { Change } from "./plan-json";
import type { RecordWorld } from "./record-deletions";
import { isTrafficRecord, type ServedNames } from "./served-names";

const ruleType = "google_dns_response_policy_rule";

export function responsePolicyDangers({ world, names }: RecordWorld): readonly PlanDanger[] {
  const changes = world.changes(ruleType).filter(({ deposed, action }) => !deposed && action !== "no-op");
  return changes.flatMap((change) => answersChanged(change, names));
}

function answersChanged(change: Change, names: ServedNames): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  const isGone = isDestroyed(change) && action === "delete";
  const name = bareName(isGone ? before.dns_name : after.dns_name);
  const hostnames = servedBy(name, names);
  if (hostnames.length === 0) return [];
  // Without an answer of the rule, clients get the answer of the zones.
  const was = answersOf(action === "create" ? {} : before) ?? names.resolvedBefore([name]);
  const gets = isGone ? names.resolved([name]) : (answersOf(after) ?? names.resolved([name]));
  const leads = (data: readonly string[]) => data.some((datum) => names.addresses.has(datum));
  const [had, has] = [names.resolvedBefore(was), names.resolved(gets)];
  if (listed([...had].sort()) === listed([...has].sort())) return [];
  const clients = "for the clients of the policy's networks";
  const isOpen = JSON.stringify(change.unknown.local_data ?? false).includes("true");
  if (leads(had) && !leads(has) && !isOpen) {
    const message = `${name} leads to ${listed(has)} ${clients}, where no forwarding rule of the plan listens`;
    return [danger("traffic-leaves", address, message, { hostnames })];
  }
  if (leads(had) && leads(has) && has.every((place) => names.addresses.has(place))) return [];
  const message = `${name} leads to ${isOpen ? "an address that is unknown before the apply" : listed(has)} ${clients}`;
  return [danger("response-policy-changed", address, message, { hostnames })];
}

/** Returns the served names for which a rule answers; `*.` stands for all names below. */
function servedBy(name: string, names: ServedNames): readonly string[] {
  if (!name.startsWith("*.")) return name === "" ? [] : names.namesThrough(name);
  const domain = name.slice(2);
  return names.inside(domain).filter((insideName) => insideName !== domain);
}

/** Returns the addresses and targets with which a rule answers; undefined if it answers as the zones do. */
function answersOf(values: Fields): readonly string[] | undefined {
  const { local_data: local, behavior } = values;
  if (behavior === "bypassResponsePolicy") return undefined;
  const sets = listOf(local).flatMap((block) => listOf(fieldsOf(block).local_datas).map(fieldsOf));
  const leading = sets.filter(isTrafficRecord);
  return leading.length === 0 ? undefined : leading.flatMap(({ rrdatas }) => textsOf(rrdatas));
}
