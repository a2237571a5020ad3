/** Name of a kit: the npm package with `App` and `TerraformStack`. */
export type KitName = "cdktf" | "cdktn";

/** A kit that the constructs of this package support, with the packages that belong to it. */
export interface Kit {
  readonly name: KitName;
  /** Entry point of this package whose constructs are built on the kit. */
  readonly entry: string;
  /** Npm package with the kit's bindings of the google provider. */
  readonly bindings: string;
  /** Command that installs the kit and its bindings. cdktn refuses `constructs` 10.8, which npm installs by default. */
  readonly install: string;
}

export const kits: Readonly<Record<KitName, Kit>> = {
  cdktf: {
    name: "cdktf",
    entry: "cdktf-google-cert-migration",
    bindings: "@cdktf/provider-google",
    install: "npm install cdktf constructs @cdktf/provider-google",
  },
  cdktn: {
    name: "cdktn",
    entry: "cdktf-google-cert-migration/cdktn",
    bindings: "@cdktn/provider-google",
    install: "npm install cdktn constructs@10.7 @cdktn/provider-google",
  },
};

/**
 * Key of an app's context while `cert-migration synth` synthesizes a module. The root module can write external
 * records, so their traffic also waits for a verification.
 */
export const moduleContextKey = "cert-migration:module";

/**
 * Key of an app's context with which the stacks of migrations import every resource that exists: after the state of
 * Terraform is lost. Set it for one apply, for example with `CDKTF_CONTEXT_JSON`.
 */
export const importAllContextKey = "cert-migration:import-all";

/** Returns the kit that is not the given kit. */
export function otherKit(kit: Kit): Kit {
  return kit.name === "cdktf" ? kits.cdktn : kits.cdktf;
}
