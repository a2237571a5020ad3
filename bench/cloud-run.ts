import { measureCloud } from "./cloud";

/** Measures the rehearsal cloud, whose processes are all its own, and prints JSON. */
async function main(): Promise<void> {
  process.stdout.write(JSON.stringify(await measureCloud(process.argv.includes("--short"))));
}

void main();
