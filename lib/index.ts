export * from "./constructs";
export { InputError, type Problem } from "./errors";
export type * from "./plan";
