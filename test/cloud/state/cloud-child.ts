/**
 * Runs a cloud in a separate process that tests kill. Argument: its state file. Prints its endpoints to standard output
 * as one line of JSON.
 */
import { startCloud } from "../../../lib/cloud";

async function main(): Promise<void> {
  const [state = ""] = process.argv.slice(2);
  const pace = { firstAttemptMs: 1_000, retryMs: 5_000 };
  const { endpoints } = await startCloud({
    state,
    speed: 600,
    certificates: { managedKeyAlgorithm: "ecdsa-p256" },
    behavior: { pace },
  });
  process.stdout.write(`${JSON.stringify(endpoints)}\n`);
}

void main();
