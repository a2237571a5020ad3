/** The library that writes X.509, loaded when the first authority is made: it takes a tenth of a second. */
export function x509(): typeof import("@peculiar/x509") {
  // Before the library, which asks for it while it loads.
  require("reflect-metadata");
  return require("@peculiar/x509") as typeof import("@peculiar/x509");
}
