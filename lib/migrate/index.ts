export * from "./inventory";
export * from "./wait";
