import { measureParsing, measureRequests } from "./discovery";

/** Measures in its own process and prints JSON. */
async function main(): Promise<void> {
  const short = process.argv.includes("--short");
  process.stdout.write(JSON.stringify([...(await measureParsing(short)), ...(await measureRequests(short))]));
}

void main();
