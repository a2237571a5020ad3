import { join } from "node:path";

/** `cert-migration` as the gate calls it: in a process that starts quickly, from wherever Terraform works. */
export const gateCommand = [
  process.execPath,
  "--require",
  require.resolve("tsx/cjs"),
  join(__dirname, "..", "..", "lib", "cli", "main.ts"),
]
  .map((word) => `"${word}"`)
  .join(" ");
