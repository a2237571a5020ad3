export type { CharacterSet } from "./character-set";
export { keptByPattern } from "./kept-by-pattern";
export { type PatternBudget, type PatternMatcher, patternBudget, patternMatcher } from "./pattern";
export { patternExamples, patternSamples } from "./pattern-example";
export { type PatternNode, readPattern } from "./pattern-syntax";
