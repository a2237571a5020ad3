export * from "./evaluate";
export * from "./gather";
export * from "./history";
export * from "./model";
export * from "./read";
