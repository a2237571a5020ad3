import { CloudError } from "../cloud-error";
import { isObject, type Json } from "../front";
import { invalidEntity } from "./refusals";

/** The data of an item of a routing policy. */
export interface PolicyItem {
  readonly rrdatas: readonly string[];
  /** Place of the item, for example `routingPolicy.wrr.items[0]`. */
  readonly place: string;
}

const kinds = ["wrr", "geo"] as const;

/**
 * Reads a policy that selects by weight or by the client's location.
 *
 * @param place place of the policy
 * @throws CloudError 501 for policies with health checks, which the cloud does not emulate
 */
export function readPolicyItems(policy: Json, place: string): readonly PolicyItem[] {
  if (policy.primaryBackup !== undefined) throw byHealth();
  const given = kinds.filter((kind) => isObject(policy[kind]));
  const [kind] = given;
  if (kind === undefined || given.length > 1)
    throw invalidEntity(place, given.join(", "), "either 'wrr' or 'geo' is needed");
  const items = ((policy[kind] as Json).items ?? []) as readonly Json[];
  if (items.length === 0) throw invalidEntity(`${place}.${kind}.items`, "", "at least one item is needed");
  return items.map((item, index) => {
    if (item.healthCheckedTargets !== undefined) throw byHealth();
    return { rrdatas: (item.rrdatas ?? []) as readonly string[], place: `${place}.${kind}.items[${index}]` };
  });
}

function byHealth(): CloudError {
  return new CloudError("UNIMPLEMENTED", "the rehearsal cloud does not emulate routing policies with health checks");
}
