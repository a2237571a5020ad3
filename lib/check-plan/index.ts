export { checkPlan, type PlanVerdict } from "./check-plan";
export { type PlanDanger, type PlanDangerCode, planDangers } from "./dangers";
export { readTerraformPlan, type TerraformPlan } from "./plan-json";
