export type { Change, ChangeClass, ChangeKind, Compared, Comparison, ComparisonFinding, Reach } from "./changes";
export { compareDescriptions, type DescriptionLike } from "./compare";
