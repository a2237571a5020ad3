export * from "./check-plan";
export * from "./dns";
export * from "./inventory";
export * from "./plan-view";
export * from "./records";
export * from "./source";
export * from "./verify";
export * from "./wait";
