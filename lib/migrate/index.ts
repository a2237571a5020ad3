export * from "./inventory";
export * from "./verify";
export * from "./wait";
