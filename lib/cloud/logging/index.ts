/** The part of Cloud Logging that a migration touches. */
export { createLoggingService } from "./service";
