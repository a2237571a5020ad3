export * from "./inventory";
