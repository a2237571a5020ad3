export { isInRange, type Media, parseSize, type UploadKind, uploadPath, uploadTypes } from "./media-upload";
export {
  checkRun,
  type Parameter,
  type ParameterProblem,
  type ParameterValue,
  type ReceivedParameters,
  type ReceivedValue,
  readQueryParameters,
} from "./parameters";
export { type PreparedRequest, prepareRequest, type RequestInput } from "./request";
export { isApiVersion, isHttpMethod, planRequests, type RequestPlan, stepsOfPath } from "./request-plan";
export { fillPath, writeParameters } from "./write-address";
