export { Faults } from "./faults";
export { type FaultPlan, readFaultPlan } from "./plan";
