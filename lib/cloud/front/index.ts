export { applyMask } from "./field-mask";
export { Front, json, type RequestFault, refusal, type WireAnswer, type WireRequest } from "./front";
export { startHttpServer } from "./http-server";
export { type ListRequest, listPage, listRequestOf, type Page } from "./listing";
export { createRequestLog, type LoggedRequest } from "./request-log";
export {
  type Call,
  type CloudService,
  countParameter,
  type Handler,
  invalidField,
  type Json,
  textParameter,
} from "./service";
