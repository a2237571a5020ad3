export { type ProjectFinding, type ProjectFindingCode, projectFindings } from "./codes";
export type * from "./model";
