export { applyMask } from "./field-mask";
export { Front, type FrontOptions, json, type RequestFault, refusal, type WireAnswer, type WireRequest } from "./front";
export { type HttpServer, startHttpServer } from "./http-server";
export { type ListRequest, listPage, type Page } from "./listing";
export { createRequestLog, type LoggedRequest, type RequestLog } from "./request-log";
export { type Call, type CloudService, type Handler, invalidField, type Json, textParameter } from "./service";
