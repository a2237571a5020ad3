export { comparePlans, type PlanDifference, type PlanRow, planRows } from "./rows";
export { planTrees, type TreeNode, treeLines } from "./tree";
