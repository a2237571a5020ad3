export * from "./list";
export * from "./record-log";
export * from "./server";
export * from "./store";
