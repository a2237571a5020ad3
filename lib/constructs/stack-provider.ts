import { ComputeTargetSslProxy } from "@cdktf/provider-google/lib/compute-target-ssl-proxy";
import { TerraformProvider, TerraformStack } from "cdktf";
import { type IConstruct, RootConstruct } from "constructs";
import { InputError } from "../errors";
import { isReference } from "../plan";
import { isProjectId, projectIdForm } from "../resource-names";
import { quote } from "../text/quote";
import { compareVersions, versionFor } from "../text/version";
import { identityIn } from "./reference";

/**
 * Returns the version of the google provider that applies the stack of a construct: the version of the installed
 * bindings, unless an override of `required_providers` requires another version.
 */
export function providerVersionFor(scope: IConstruct): string {
  return versionFor(requiredVersion(TerraformStack.of(scope)), bindingsVersion());
}

/** Returns whether the provider of a stack accepts a target SSL proxy with a map and certificates. */
export function sslProxyHoldsBoth(scope: IConstruct): boolean {
  return compareVersions(providerVersionFor(scope), "7.19.0") >= 0;
}

/** Returns whether the provider of a stack has write-only arguments for private keys. */
export function hasWriteOnlyKeys(scope: IConstruct): boolean {
  return compareVersions(providerVersionFor(scope), "7.45.0") >= 0;
}

interface Overrides {
  readonly terraform?: { readonly required_providers?: { readonly google?: string | { readonly version?: unknown } } };
}

/** Returns the constraint that `stack.addOverride("terraform.required_providers.google…")` sets. */
function requiredVersion(stack: TerraformStack): string | undefined {
  // cdktf has no public way to read overrides before the synthesis.
  const { rawOverrides } = stack as unknown as { readonly rawOverrides?: Overrides };
  const google = rawOverrides?.terraform?.required_providers?.google;
  const version = typeof google === "string" ? google : google?.version;
  return typeof version === "string" ? version : undefined;
}

let knownVersion: string | undefined;

/**
 * Returns the version for which the bindings were generated. Only constructs have it, so one is created outside of the
 * app; not in a second `App`, which would create the folder `stacks` in the working directory.
 */
function bindingsVersion(): string {
  if (knownVersion === undefined) {
    const elsewhere = new TerraformStack(new RootConstruct(), "provider-version");
    const { terraformGeneratorMetadata: metadata } = new ComputeTargetSslProxy(elsewhere, "proxy", {
      name: "proxy",
      backendService: "none",
    });
    knownVersion = metadata?.providerVersion ?? "0.0.0";
  }
  return knownVersion;
}

/** Compares the projects of a stack's resources, including references and the project of the google provider. */
export class StackProjects {
  readonly #stack: TerraformStack;

  constructor(stack: TerraformStack) {
    this.#stack = stack;
  }

  /** Returns the identity of a project, or of the provider's project; `null` if neither exists. */
  identityOf(project: string | undefined): string | null {
    return project === undefined ? this.#ofProvider() : identityIn(this.#stack, project);
  }

  /** Returns the suffix of construct ids outside the provider's project. @param identity result of `identityOf` */
  suffixOf(identity: string | null): string {
    return identity === null || identity === this.#ofProvider() ? "" : `-in-${identity}`;
  }

  /**
   * Refuses an invalid project of the provider. If the project is empty, the provider uses the environment.
   *
   * @throws InputError `project-invalid`
   */
  checkProvider(): void {
    const { path, project = "" } = this.#provider() ?? {};
    if (project === "" || isReference(project) || isProjectId(project)) return;
    const advice = `use the project's id, for example my-project-123456: ${projectIdForm}`;
    throw new InputError("project-invalid", `${path}: 'project' ${quote(project)} is not a project id; ${advice}`);
  }

  #ofProvider(): string | null {
    const provider = this.#provider();
    return provider === undefined ? null : identityIn(this.#stack, provider.project);
  }

  #provider(): { readonly path: string; readonly project: string } | undefined {
    for (const child of this.#stack.node.children) {
      if (!TerraformProvider.isTerraformProvider(child) || child.terraformResourceType !== "google") continue;
      const project: unknown = Reflect.get(child, "projectInput");
      if (child.alias === undefined && typeof project === "string") return { path: child.node.path, project };
    }
    return undefined;
  }
}
