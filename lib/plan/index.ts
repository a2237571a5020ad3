export type { Finding } from "../findings/finding";
export { withRemedy } from "../findings/finding";
export { checks } from "./checks";
export {
  type DocumentOrigin,
  type DocumentProblem,
  documentProblems,
  formatProblems,
  locate,
  type MigrationDocument,
  type ParsedMigration,
  type Position,
  parseMigrationDocument,
  suggest,
  type WriteOptions,
  writeMigrationDocument,
} from "./document";
export { type CheckCode, Findings } from "./findings";
export { defaultLoadBalancerKind, loadBalancerKinds, traitsOf } from "./load-balancer-kinds";
export type * from "./model";
export { resourceName } from "./names";
export { planMigration } from "./plan";
export { type PlannedIssuer, plannedIssuer } from "./planned-issuer";
export { hostnameReader, type PlanOptions } from "./planning";
export { isReference } from "./reference";
export { normalisePem } from "./self-managed";
export { serializePlan } from "./serialize";
export type * from "./spec";
export { splitMigration } from "./split";
export type { SplitMigration, SplitOptions, SplitStack } from "./split-model";
