export {
  type BatchedRequest,
  type BatchedResponse,
  decodeBatch,
  decodeBatchResponse,
  type EncodedBatch,
  encodeBatch,
  encodeBatchResponse,
} from "./batch";
export { type EndpointChoice, type RootAddress, rootAddress } from "./endpoints";
export { fillPath } from "./fill-address";
export { isInRange, type Media, parseSize, type UploadKind, uploadPath, uploadTypes } from "./media-upload";
export { checkRun, type Parameter, type ParameterProblem, type ParameterValue } from "./parameters";
export { type ReceivedParameters, type ReceivedValue, readQuery } from "./received-parameters";
export { type PreparedRequest, prepareRequest, type RequestInput } from "./request";
export { isApiVersion, isHttpMethod, planRequests, type RequestPlan, stepsOfPath } from "./request-plan";
export { writeParameters } from "./written-parameters";
