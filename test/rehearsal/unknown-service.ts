import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startCloud } from "../../lib/cloud";
import { createClosing } from "../../lib/rehearsal/closing";
import { connectRealProvider } from "../../lib/rehearsal/real-provider";
import { withProviderArguments } from "../../lib/rehearsal/stack";
import { Terraform } from "../../lib/rehearsal/terraform";

/** A resource of a service that was added in provider 7, so the bindings have no endpoint for it. */
const resource = { google_vector_search_collection: { main: { location: "us-central1", collection_id: "main" } } };
const host = "vectorsearch.googleapis.com:443";
const firstMajor = 7;

/** Returns whether a version of the provider has the service. */
export function hasUnknownService(version: string): boolean {
  return Number.parseInt(version, 10) >= firstMajor;
}

/**
 * Applies a resource of a service that the bindings do not know, with the real provider.
 *
 * @param folder is created for Terraform, which finds the provider through `TF_CLI_CONFIG_FILE`
 * @returns whether the apply failed at the closed proxy, and no request reached the cloud
 */
export async function isUnknownServiceRefused(version: string, folder: string): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  const closing = createClosing();
  const said: string[] = [];
  try {
    const cloud = await startCloud({ servers: { https: true } });
    closing.add(() => cloud.stop());
    const connection = await connectRealProvider(cloud, { folder, say: (line) => said.push(line), closing });
    const terraform = new Terraform({
      program: "terraform",
      folder: join(folder, "terraform"),
      provider: { env: {}, real: { env: connection.environment }, strict: false },
      signals: { interrupt: new AbortController().signal },
    });
    const stack = {
      terraform: { required_providers: { google: { source: "hashicorp/google", version } } },
      provider: { google: [{ project: "rehearsal-project" }] },
      resource,
    };
    await terraform.write(withProviderArguments(stack, connection.providerArguments));
    const { exitCode, output } = await terraform.apply();
    const isRefused = exitCode !== 0 && output.includes("does not leave this machine") && output.includes(host);
    const changes = cloud.requests().filter(({ mutation }) => mutation);
    return isRefused && changes.length === 0 && said.some((line) => line.includes(host));
  } finally {
    await closing.close();
  }
}
