export * from "./constructs";
export { InputError, type Problem } from "./errors";
