import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MigrationSpec } from "../plan";
import { installedKit } from "./kit";

/** Folders of the constructs by kit. The build writes the folder of CDK Terrain. */
const constructFolders = { cdktf: "constructs", cdktn: "cdktn-constructs" } as const;

/**
 * Synthesizes a stack of one migration with the installed kit and returns the configuration that Terraform would read.
 *
 * @param id construct id, which the addresses of the resources contain
 * @param provider constraint of the google provider's version. @default - the version of the installed bindings
 * @throws InputError `kit-missing`
 */
export function synthesizeSpec(
  spec: MigrationSpec,
  project: string,
  id = spec.name ?? "migration",
  provider?: string,
): Readonly<Record<string, unknown>> {
  const kit = installedKit();
  const { App, TerraformStack } = require(kit.name) as typeof import("cdktf");
  const { GoogleProvider } = require(
    `${kit.bindings}/lib/provider`,
  ) as typeof import("@cdktf/provider-google/lib/provider");
  const { ManagedCertMigration } = require(
    join(__dirname, "..", constructFolders[kit.name]),
  ) as typeof import("../constructs");
  const outdir = mkdtempSync(join(tmpdir(), "cert-migration-"));
  try {
    const app = new App({ outdir });
    const stack = new TerraformStack(app, "rehearsal");
    new GoogleProvider(stack, "google", { project });
    if (provider !== undefined) stack.addOverride("terraform.required_providers.google.version", provider);
    ManagedCertMigration.fromSpec(stack, id, spec);
    app.synth();
    return JSON.parse(readFileSync(join(outdir, "stacks", "rehearsal", "cdk.tf.json"), "utf8"));
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
