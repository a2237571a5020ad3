import { ComputeTargetSslProxy } from "@cdktf/provider-google/lib/compute-target-ssl-proxy";
import { TerraformStack } from "cdktf";
import { type IConstruct, RootConstruct } from "constructs";
import { compareVersions, versionFor } from "../text/version";

/**
 * Returns the version of the google provider that applies the stack of a construct: the version of the installed bindings, unless an override of
 * `required_providers` asks for another one.
 */
export function providerVersionFor(scope: IConstruct): string {
  return versionFor(requiredVersion(TerraformStack.of(scope)), bindingsVersion());
}

/** Reports whether the provider of a stack lets a target SSL proxy have a map and certificates together. */
export function sslProxyHoldsBoth(scope: IConstruct): boolean {
  return compareVersions(providerVersionFor(scope), "7.19.0") >= 0;
}

/** Reports whether the provider of a stack has write-only arguments for private keys. */
export function hasWriteOnlyKeys(scope: IConstruct): boolean {
  return compareVersions(providerVersionFor(scope), "7.45.0") >= 0;
}

/** Returns the constraint that `stack.addOverride("terraform.required_providers.google…")` sets. */
function requiredVersion(stack: TerraformStack): string | undefined {
  // cdktf has no public way to read overrides before the synthesis.
  const { rawOverrides } = stack as unknown as { readonly rawOverrides?: Overrides };
  const google = rawOverrides?.terraform?.required_providers?.google;
  const version = typeof google === "string" ? google : google?.version;
  return typeof version === "string" ? version : undefined;
}

interface Overrides {
  readonly terraform?: { readonly required_providers?: { readonly google?: string | { readonly version?: unknown } } };
}

let known: string | undefined;

/**
 * Returns the version for which the bindings were generated. Only constructs have it, so one is created outside of the
 * app; not in a second `App`, which would create the folder `stacks` in the working directory.
 */
function bindingsVersion(): string {
  if (known === undefined) {
    const elsewhere = new TerraformStack(new RootConstruct(), "provider-version");
    const { terraformGeneratorMetadata: metadata } = new ComputeTargetSslProxy(elsewhere, "proxy", {
      name: "proxy",
      backendService: "none",
    });
    known = metadata?.providerVersion ?? "0.0.0";
  }
  return known;
}
