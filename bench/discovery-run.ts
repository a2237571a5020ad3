import { measureParsing, measureRequests } from "./discovery";

/** Measures in a process of its own and prints JSON. */
async function main(): Promise<void> {
  const short = process.argv.includes("--short");
  process.stdout.write(JSON.stringify([...(await measureParsing(short)), ...(await measureRequests(short))]));
}

void main();
