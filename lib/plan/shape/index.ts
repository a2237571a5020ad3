export { type Description, isOpaque, isPlain, shapeMistakes, type TokenReader } from "./mistakes";
export { isReference, referenceIn } from "./reference";
export { nearestCandidate } from "./suggest";
