export { type ProjectFinding, type ProjectFindingCode, projectFinding, projectFindings } from "./codes";
export type * from "./model";
export { namesServedByProxy, type ServedResources } from "./served-names";
