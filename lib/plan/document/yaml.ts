/**
 * The YAML library, loaded when the first document is read or written: whoever states a migration in TypeScript doesn't pay for it.
 */
export function yaml(): typeof import("yaml") {
  return require("yaml") as typeof import("yaml");
}
