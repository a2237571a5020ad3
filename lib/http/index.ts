export {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse,
  type RetryNotice,
} from "./client";
export { failureWords } from "./failure-words";
export { printableUrl } from "./printable-url";
export { environmentFetch, proxyFor, proxyWords } from "./proxy";
export type { RetryPolicy } from "./retry";
export { parseRefusal } from "./service-refusal";
