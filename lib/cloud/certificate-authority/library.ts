/** Returns the library that writes X.509. Loads it when the first CA is created, because loading takes 100 ms. */
export function x509(): typeof import("@peculiar/x509") {
  // Must be loaded first: the library requires it while loading.
  require("reflect-metadata");
  return require("@peculiar/x509") as typeof import("@peculiar/x509");
}
