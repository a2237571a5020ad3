export { decodeValue, encodePath, encodeSchema, encodeValue, type Message } from "./messages";
export { diagnose, type MethodHandler, startPluginServer } from "./server";
