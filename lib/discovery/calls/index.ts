export { ApiClient, type ApiClientOptions, type BatchCall, type BatchResult, type CallInput } from "./api-client";
export type { UploadInput } from "./media";
