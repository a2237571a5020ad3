/**
 * Records what the google provider sends for a fixed set of stacks, and its schema: `npm run provider:record --
 * --provider FOLDER [--version VERSION] [--stack NAME]`.
 *
 * FOLDER is a filesystem mirror of providers, as Terraform's `providers mirror` writes it. What is written is in
 * `test/fixtures/provider/VERSION/`, for the conformance tests. With --stack, only that stack is recorded again.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { versionsIn } from "../rehearsal/provider-mirror";
import { realConnection } from "./connections";
import { fixtureFolder, readRecording, writeRecording } from "./fixtures";
import { recordStacks } from "./run-stacks";
import { readProviderSchema } from "./schema";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { provider: { type: "string" }, version: { type: "string" }, stack: { type: "string" } },
  });
  const mirror = values.provider;
  if (mirror === undefined)
    throw new Error(
      "--provider is missing: name a folder with the provider, as Terraform's 'providers mirror' writes it",
    );
  const versions = versionsIn(mirror).filter((version) => values.version === undefined || version === values.version);
  if (versions.length === 0) throw new Error(`${mirror} has no provider hashicorp/google ${values.version ?? ""}`);
  for (const version of versions) {
    const say = (line: string) => void process.stderr.write(`${version}: ${line}\n`);
    const folder = fixtureFolder(version);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "schema.json"), `${JSON.stringify(await readProviderSchema(mirror, version))}\n`);
    say("schema read");
    const recording = await recordStacks(realConnection(mirror, version), { overTls: true, only: values.stack, say });
    writeRecording(version, values.stack === undefined ? recording : { ...readRecording(version), ...recording });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
