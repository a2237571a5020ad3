export * from "./catalogue";
export * from "./client";
export * from "./freeze";
export * from "./messages";
export * from "./query";
export * from "./reading";
export * from "./service";
export * from "./tail";
