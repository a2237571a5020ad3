export { cachedByPattern, type PatternBudget, type PatternMatcher, patternBudget, patternMatcher } from "./pattern";
export { patternExamples, patternSamples } from "./pattern-example";
export type { CharacterSet } from "./pattern-syntax";
export { type PatternNode, readPattern } from "./pattern-syntax";
