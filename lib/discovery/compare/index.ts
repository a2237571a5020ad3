export type {
  ChangeClass,
  ChangeKind,
  ComparedDocuments,
  Comparison,
  ComparisonFinding,
  DescriptionChange,
  Reach,
} from "./changes";
export { compareDescriptions, type DescriptionLike } from "./compare";
