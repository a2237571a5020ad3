export { comparePlans, type PlanDifference } from "./compare";
export { type PlanRow, planRows } from "./rows";
export { planTrees, type TreeNode, treeLines } from "./tree";
