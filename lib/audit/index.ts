/**
 * Administrative audit events (specification 2): a typed catalog, lenient and strict reading, the console's messages,
 * and documents of the Elastic Common Schema. Also a client, a tail that writes each event once, a change-freeze guard,
 * and the service itself for tests and rehearsals.
 *
 * @packageDocumentation
 */
export * from "./catalogue";
export * from "./client";
export * from "./ecs";
export * from "./freeze";
export * from "./messages";
export * from "./query";
export * from "./reading";
export * from "./service";
export * from "./tail";
