export { type FaultPlan, readFaultPlan } from "./fault-plan";
export { Faults } from "./faults";
