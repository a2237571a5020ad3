export * from "./render";
