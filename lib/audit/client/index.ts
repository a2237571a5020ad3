export * from "./client";
export * from "./rate-limiter";
