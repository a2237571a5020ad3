/** The part of Cloud Logging that a migration uses. */
export { createLoggingService } from "./service";
