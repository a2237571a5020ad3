import { measureCloud } from "./cloud";

/** Measures the rehearsal cloud in its own processes and prints JSON. */
async function main(): Promise<void> {
  process.stdout.write(JSON.stringify(await measureCloud(process.argv.includes("--short"))));
}

void main();
