export { applyMask } from "./field-mask";
export { Front, type OtherAnswer, type RequestFault } from "./front";
export { startHttpServer } from "./http-server";
export { type ListPage, type ListRequest, listNamed, listPage, listRequestOf } from "./listing";
export { createRequestLog, type LoggedRequest } from "./request-log";
export {
  type Call,
  type CloudService,
  countParameter,
  type Handler,
  type Handlers,
  invalidField,
  isJsonObject,
  type Json,
  json,
  type MediaCall,
  refusal,
  textParameter,
  type WireAnswer,
  type WireRequest,
} from "./service";
