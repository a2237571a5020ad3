/**
 * Ends the process with exit code 2 if the version of Node is not supported. This module imports nothing and uses only
 * old syntax, so that any Node can load it before the rest of the program.
 */
const { engines } = require("../../package.json") as { readonly engines: { readonly node: string } };
const required = engines.node.replace(/^>=/, "");

/** Returns the numbers of a version, major first. */
function numbersOf(version: string): readonly number[] {
  return version.split(".").map(Number);
}

const found = process.versions.node;
const [major = 0, minor = 0] = numbersOf(found);
const [leastMajor = 0, leastMinor = 0] = numbersOf(required);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  const advice = "install it, or select it with your version manager";
  process.stderr.write(
    `error: Node ${found} is not supported; cert-migration needs Node ${required} or later: ${advice} [node-unsupported]\n`,
  );
  process.exit(2);
}

export {};
