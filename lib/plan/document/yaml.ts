/** Loads the YAML library when the first document is read or written. Migrations in TypeScript do not need it. */
export function yaml(): typeof import("yaml") {
  return require("yaml") as typeof import("yaml");
}
