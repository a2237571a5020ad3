/** Loads node-forge, only for PKCS#7 and PKCS#12: loading it takes as long as reading a hundred certificates. */
export function forge(): typeof import("node-forge") {
  return require("node-forge") as typeof import("node-forge");
}
