/**
 * API descriptions (specification 1): read, call, validate, compare and serve them.
 *
 * @packageDocumentation
 */
// Modules: `document` is the document format. `parse` and `shape` read it. `api-description` is the public class.
// `paths` are URLs and their templates, `patterns` the regular expressions in descriptions, `requests` the outgoing
// requests. `validate` checks values against schemas; `oddities` checks descriptions against the specification.
// `compare`, `client` and `service` depend on these.
export { ApiDescription, type Match } from "./api-description";
export * from "./calls";
export * from "./client";
export {
  type Change,
  type ChangeClass,
  type ChangeKind,
  type Compared,
  type Comparison,
  type ComparisonFinding,
  compareDescriptions,
  type DescriptionLike,
  type Reach,
} from "./compare";
export type { Deprecation } from "./deprecations";
export type {
  DescriptionDocument,
  DirectoryItem,
  DirectoryList,
  EndpointDocument,
  MediaUploadDocument,
  MethodDocument,
  NameMap,
  ResourceDocument,
  SchemaDocument,
  UploadProtocolDocument,
} from "./document";
export type { ExampleOptions } from "./example";
export { readFieldSelector } from "./field-selector";
export type { Finding, FindingCode } from "./findings";
export type { Method } from "./method";
export type { Oddity } from "./oddities";
export {
  isOwnDescriptionId,
  type OwnDescriptionId,
  ownDescription,
  ownDescriptionIds,
  ownEnumNumbers,
} from "./own-descriptions";
export { pathBelowRoot } from "./paths";
export type {
  EndpointChoice,
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
export {
  type BatchedRequest,
  type BatchedResponse,
  decodeBatch,
  decodeBatchResponse,
  type EncodedBatch,
  encodeBatch,
  encodeBatchResponse,
} from "./requests";
export * from "./service";
export type { ValidateOptions } from "./validate";
