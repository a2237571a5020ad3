/** Loaded for PKCS#7 and PKCS#12 alone: it takes as long to load as a hundred certificates to read. */
export function forge(): typeof import("node-forge") {
  return require("node-forge") as typeof import("node-forge");
}
