import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "../errors";
import { importAllContextKey, type Kit, kits, moduleContextKey } from "../kits";
import type { MigrationSpec } from "../plan";
import { publicRootsContextKey } from "../rehearsed";
import { installedBindings } from "../terraform-provider/schema";

/** Folders of the constructs by kit. The build writes the folder of CDK Terrain. */
const constructFolders = { cdktf: "constructs", cdktn: "cdktn-constructs" } as const;

interface SynthesisOptions {
  /** Construct id, which the addresses of the resources contain. @default - the name of the migration */
  readonly id?: string;
  /** Constraint of the google provider's version. @default - the version of the installed bindings */
  readonly provider?: string;
  /** Whether the stack becomes a module, whose root module can write records. @default false */
  readonly isModule?: boolean;
  /** Whether the stack imports every resource that exists, after a lost state. @default false */
  readonly importsAll?: boolean;
  /** Certificates in PEM that count as roots of public CAs, in a rehearsal. @default - only the roots of public CAs */
  readonly publicRoots?: readonly string[];
}

/**
 * Synthesizes a stack of one migration with the installed kit and returns the configuration that Terraform would read.
 *
 * @param project project of the google provider
 */
export function synthesizeSpec(
  spec: MigrationSpec,
  project: string,
  {
    id = spec.name ?? "migration",
    provider,
    isModule = false,
    importsAll = false,
    publicRoots = [],
  }: SynthesisOptions = {},
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
    const context = {
      [moduleContextKey]: isModule,
      [importAllContextKey]: importsAll,
      [publicRootsContextKey]: publicRoots,
    };
    const app = new App({ outdir, context });
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

/**
 * Returns the kit with which the command synthesizes a spec: the kit that is installed with its bindings. Of two kits,
 * the kit whose bindings are for the higher version of the provider; of one version, CDK Terrain.
 *
 * @param searchIn folder from which packages are looked up. @default the folder of this package, whose constructs load
 * the kit
 */
export function installedKit(searchIn: string = __dirname): Kit {
  const all = Object.values(kits);
  for (const { packageName } of installedBindings([searchIn])) {
    const kit = all.find(({ bindings }) => bindings === packageName);
    if (kit === undefined || !isInstalled(kit.name, searchIn)) continue;
    if (isInstalled("constructs", searchIn)) return kit;
    const message = `'constructs' is not installed, and '${kit.name}' needs it; run 'npm install ${kit.name === "cdktn" ? "constructs@10.7" : "constructs"}'`;
    throw new InputError("kit-missing", message);
  }
  const state = all.map(({ name, bindings }) => {
    const missing = [name, bindings].filter((each) => !isInstalled(each, searchIn));
    return missing.map((each) => `'${each}'`).join(" and ");
  });
  const installs = all.map(({ install }) => `'${install}'`).join(" or ");
  const message = `no kit is installed with its bindings of the google provider (missing: ${state.join("; ")}); run ${installs}`;
  throw new InputError("kit-missing", message);
}

function isInstalled(name: string, searchIn: string): boolean {
  try {
    require.resolve(`${name}/package.json`, { paths: [searchIn] });
    return true;
  } catch {
    return false;
  }
}
