/**
 * API descriptions (specification 1): read them, call by them, check by them, compare them, serve them.
 *
 * @packageDocumentation
 */
export { ApiDescription, type Match } from "./api-description";
export {
  type BatchedRequest,
  type BatchedResponse,
  decodeBatch,
  decodeBatchResponse,
  type EncodedBatch,
  encodeBatch,
  encodeBatchResponse,
} from "./batch";
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
export type { EndpointChoice } from "./endpoints";
export type { ExampleOptions } from "./example";
export type { Finding, FindingCode } from "./findings";
export type { Media, UploadKind } from "./media-upload";
export type { Method } from "./method";
export type { Oddity } from "./oddities";
export {
  isOwnDescriptionId,
  type OwnDescriptionId,
  ownDescription,
  ownDescriptionIds,
  ownEnumNumbers,
} from "./own-descriptions";
export type { Parameter, ParameterProblem, ParameterValue } from "./parameters";
export type { ReceivedParameters, ReceivedValue } from "./received-parameters";
export type { PreparedRequest, RequestInput } from "./request";
export * from "./service";
export { pathBelowRoot } from "./service-path";
export type { ValidateOptions } from "./validate";
