export { checkPlan, type PlanVerdict } from "./check-plan";
export { type PlanDanger, type PlanDangerCode, planDangers } from "./dangers";
export type { HostnameEffect } from "./effects";
export type { KnownMigration } from "./known-migrations";
export { readTerraformPlan, type TerraformPlan } from "./plan-json";
export type { KnownOutsidePlan } from "./retirement-rules";
