export { ActivitiesClient, type ActivitiesClientOptions, type ListOptions, type ListProgress } from "./client";
export { createRateLimiter, type RateLimiter, type RateLimiterOptions } from "./rate-limiter";
