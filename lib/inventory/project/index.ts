export { type Assembled, type AssembledProject, assembleProject, type ProjectResources } from "./assemble";
export { type ProjectFinding, type ProjectFindingCode, projectFindings } from "./codes";
export { ownerOf } from "./describe-balancers";
export { judgeProject } from "./judge";
export type * from "./model";
export { type ReadProjectOptions, readProject } from "./read";
export { readProjectInventory } from "./read-inventory";
export { type ProbeOptions, probeProject, servedNames } from "./served-names";
export { type ProjectRow, projectTable } from "./table";
export {
  type ProjectMigration,
  type ProjectMigrationOptions,
  projectToMigration,
  whyWithoutMigration,
} from "./to-migration";
export { unreadNouns, wereRead } from "./unread";
