export {
  createHttpClient,
  defaultMaxBodyBytes,
  type HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse,
  type RetryNotice,
} from "./client";
export { failureWords } from "./failure-words";
export { foreignRequestReason } from "./loopback-request";
export { printableUrl } from "./printable-url";
export { environmentFetch, proxyFor, proxyWords } from "./proxy";
export { BodyFailure, readBody } from "./response-body";
export type { RetryPolicy } from "./retry";
export { parseRefusal, printableMessage } from "./service-refusal";
