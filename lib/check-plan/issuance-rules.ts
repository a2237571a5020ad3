import { fieldsOf, listOf } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import { domainsOf, types } from "./kinds";
import { isSame, resourceName } from "./names";
import type { Change, Held } from "./plan-json";
import type { World } from "./world";

/** Private CAs: issuance configs by which certificates are renewed. */
export function issuanceDangers(world: World): readonly PlanDanger[] {
  return world.changes(types.issuanceConfig).flatMap((change) => issuanceConfigGone(change, world));
}

function issuanceConfigGone({ address, action, before }: Change, world: World): readonly PlanDanger[] {
  if (action !== "delete" && action !== "deleteThenCreate" && action !== "createThenDelete") return [];
  const { id, project, location, name } = before;
  const own =
    typeof id === "string"
      ? resourceName(id)
      : resourceName(`locations/${location ?? "global"}/certificateIssuanceConfigs/${name}`, project);
  const users = world.heldAfter(types.certificate).filter((certificate) => {
    const config = issuanceConfigOf(certificate);
    return config !== undefined && isSame(resourceName(config), own);
  });
  if (users.length === 0) return [];
  const hostnames = [...new Set(users.flatMap(({ values }) => domainsOf(values)))];
  return [
    danger("issuance-config-deleted", address, `${listed(users.map((one) => one.address))} uses it`, { hostnames }),
  ];
}

/** Returns the issuance config of a certificate; undefined without one, or if it is known only in the apply. */
function issuanceConfigOf({ values }: Held): string | undefined {
  const { issuance_config: config } = fieldsOf(listOf(values.managed)[0]);
  return typeof config === "string" && config !== "" ? config : undefined;
}
