export * from "./inventory";
export * from "./plan-view";
export * from "./source";
export * from "./verify";
export * from "./wait";
