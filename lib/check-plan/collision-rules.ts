import { danger, type PlanDanger } from "./dangers";
import { isMade, types } from "./kinds";
import type { World } from "./world";

/** Types of Certificate Manager, whose service refuses a second resource of the same name. */
const namedTypes = [types.authorization, types.certificate, types.map, types.entry];

/** Fields that together identify a resource in the service. */
const identity = ["project", "location", "map", "name"] as const;

/**
 * Finds resources that the plan creates twice under the same name, for example because a module has several instances
 * in one project. Resources whose names are not known yet are left out.
 */
export function collisionDangers(world: World): readonly PlanDanger[] {
  return namedTypes.flatMap((type) => {
    const first = new Map<string, string>();
    return world.changes(type).flatMap((change) => {
      const { address, after, deposed, unknown } = change;
      if (deposed || !isMade(change) || typeof after.name !== "string") return [];
      if (identity.some((field) => unknown[field])) return [];
      const key = JSON.stringify(identity.map((field) => after[field] ?? null));
      const other = first.get(key);
      first.set(key, other ?? address);
      if (other === undefined) return [];
      return [danger("created-twice", address, `${after.name} is also created as ${other}`)];
    });
  });
}
