export { decodeValue, encodePath, encodeSchema, encodeValue, type Message } from "./messages";
export { diagnose, type Handler, startPluginServer } from "./server";
