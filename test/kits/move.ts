import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { makeWorld, worldOf } from "../../lib/rehearsal/world";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { timed } from "./run";

export interface Move {
  /** Folder of a project in which `cert-migration` is installed, for the gates. */
  readonly project: string;
  /** Paths of two files cdk.tf.json of one stack, synthesized with one kit and with the other. */
  readonly from: string;
  readonly to: string;
  /** Version of the google provider that both require, for example `6.50.0`. */
  readonly providerVersion: string;
}

/**
 * Applies a stack as one kit writes it, and plans it as the other kit writes it.
 *
 * @throws Error if the plan has a change
 */
export async function applyThenPlan({ project, from, to, providerVersion }: Move): Promise<void> {
  const folder = join(project, "move");
  mkdirSync(folder);
  const write = (path: string) => {
    const stack = JSON.parse(readFileSync(path, "utf8"));
    // The state is in the working folder, whatever the folder of the synthesis.
    const { backend: _, ...terraform } = stack.terraform;
    if (terraform.required_providers.google.version !== providerVersion) {
      throw new Error(`${path} requires ${JSON.stringify(terraform.required_providers)} instead of ${providerVersion}`);
    }
    writeFileSync(join(folder, "cdk.tf.json"), JSON.stringify({ ...stack, terraform }));
    return stack;
  };
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const cloud = await startCloud({ speed: 60, behavior: { propagationMs: 0 } });
    closing.push(() => cloud.stop());
    const provider = await startTerraformProvider({
      cloudUrl: cloud.endpoints.http,
      requirement: { version: providerVersion },
    });
    closing.push(() => provider.close());
    const env = {
      ...process.env,
      CHECKPOINT_DISABLE: "1",
      TF_REATTACH_PROVIDERS: provider.reattachConfig,
      CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
      CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
    };
    const run = (...words: readonly string[]) =>
      timed(`terraform ${words[0]}`, ["terraform", ...words, "-input=false", "-no-color"], { folder, env });
    await makeWorld(worldOf(write(from)), { cloudUrl: cloud.endpoints.http, http: createHttpClient() });
    await run("init");
    await run("apply", "-auto-approve");
    write(to);
    const plan = await run("plan");
    if (!plan.includes("No changes.")) throw new Error(`the plan of the other kit has changes:\n${plan}`);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}
