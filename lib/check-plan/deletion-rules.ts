import { danger, type PlanDanger } from "./dangers";
import { isCertificateType } from "./kinds";
import type { World } from "./world";

/** Certificates that the plan deletes and whose `deletion_policy`, which provider 7.33 has brought, forbids that. */
export function deletionDangers(world: World): readonly PlanDanger[] {
  return world.plan.changes.flatMap(({ address, type, action, before }) => {
    const isDeleted = action === "delete" || action === "createThenDelete" || action === "deleteThenCreate";
    if (!isDeleted || !isCertificateType(type) || before.deletion_policy !== "PREVENT") return [];
    const message = `${String(before.name)} is to be deleted, and its deletion_policy is PREVENT`;
    return [danger("certificate-deletion-prevented", address, message)];
  });
}
