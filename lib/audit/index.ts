export * from "./catalogue";
export * from "./messages";
export * from "./query";
export * from "./reading";
export * from "./service";
export * from "./tail";
