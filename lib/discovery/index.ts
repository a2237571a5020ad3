/**
 * API descriptions (specification 1): read, call, validate, compare and serve them.
 *
 * @packageDocumentation
 */
export { ApiDescription, type Match } from "./api-description";
export * from "./calls";
export * from "./client";
export type { ValueFinding, ValueFindingCode } from "./codes";
export * from "./compare";
export type { Deprecation } from "./deprecations";
export type * from "./document";
export type { ExampleOptions } from "./example";
export { readFieldSelector } from "./field-selector";
export type { Method } from "./method";
export type { Oddity } from "./oddities";
export * from "./own-descriptions";
export { type EndpointChoice, pathBelowRoot } from "./paths";
export type {
  Media,
  Parameter,
  ParameterProblem,
  ParameterValue,
  PreparedRequest,
  ReceivedParameters,
  ReceivedValue,
  RequestInput,
  UploadKind,
} from "./requests";
export * from "./requests/batch";
export * from "./service";
export type { ValidateOptions } from "./validate";
