import { ComputeTargetSslProxy } from "@cdktf/provider-google/lib/compute-target-ssl-proxy";
import { type TerraformElement, TerraformProvider, TerraformResource, TerraformStack } from "cdktf";
import { type IConstruct, RootConstruct } from "constructs";
import type { Problem } from "../errors";
import { fieldsOf } from "../json/fields";
import { isReference } from "../plan";
import { isProjectId, projectIdForm } from "../resource-names";
import { quote } from "../text/quote";
import { compareVersions, versionFor } from "../text/version";
import { migrationPath } from "./migration-path";
import { overridesOf } from "./overrides";
import { acrossStacks, identityIn } from "./reference";

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

/** Returns the constraint that `stack.addOverride("terraform.required_providers.google…")` sets. */
function requiredVersion(stack: TerraformStack): string | undefined {
  const { google } = fieldsOf(fieldsOf(overridesOf(stack).terraform).required_providers);
  const version = typeof google === "string" ? google : fieldsOf(google).version;
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

/** Returns an argument of a resource or provider that `addOverride` or the bindings set. */
export function argumentOf(element: TerraformElement, name: string): string | undefined {
  const value = overridesOf(element)[name] ?? Reflect.get(element, `${name}Input`);
  return typeof value === "string" ? value : undefined;
}

/** Compares the projects of a stack's resources, including references and the project of the google provider. */
export class StackProjects {
  readonly #stack: TerraformStack;
  #provider: TerraformProvider | undefined;
  #isSearched = false;

  constructor(stack: TerraformStack) {
    this.#stack = stack;
  }

  /** Searches the provider again if it was missing before. */
  refresh(): void {
    this.#isSearched = false;
  }

  /**
   * Returns the identity of a project, or of the provider's project; `null` if neither exists.
   *
   * @param provider provider with an alias; undefined for the stack's google provider
   */
  identityOf(project: string | undefined, provider?: TerraformProvider): string | null {
    const used = project ?? (provider === undefined ? this.providerProject : statedProjectOf(provider));
    return used === undefined ? null : identityIn(this.#stack, used);
  }

  /** The project of the stack's google provider; undefined if the provider uses the environment. */
  get providerProject(): string | undefined {
    const provider = this.#defaultProvider();
    return provider && statedProjectOf(provider);
  }

  /**
   * Returns the identity of a project as addresses of resources contain it: only providers directly below the stack
   * count, as in all earlier releases. Another rule would replace deployed resources.
   *
   * @param provider provider with an alias; undefined for the stack's google provider
   */
  addressIdentityOf(project: string | undefined, provider?: TerraformProvider): string | null {
    const used = project ?? (provider === undefined ? this.#projectInAddresses() : statedProjectOf(provider));
    return used === undefined ? null : identityIn(this.#stack, used);
  }

  /**
   * Returns the suffix of construct ids outside the project of the stack's google provider. A provider that takes its
   * project from the environment is distinguished by its alias.
   *
   * @param project undefined for the provider's
   * @param provider provider with an alias; undefined for the stack's google provider
   */
  suffixOf(project: string | undefined, provider?: TerraformProvider): string {
    const identity = this.addressIdentityOf(project, provider);
    if (identity === this.addressIdentityOf(undefined)) return "";
    if (identity !== null) return `-in-${identity}`;
    return provider === undefined ? "" : `-by-${provider.alias}`;
  }

  /**
   * Returns the problems of invalid projects of the stack's google provider and of the providers of migrations. If the
   * project is empty, the provider uses the environment.
   */
  checkProviders(used: readonly TerraformProvider[]): readonly Problem[] {
    const provider = this.#defaultProvider();
    return [...(provider === undefined ? [] : [provider]), ...used].flatMap(checkProject);
  }

  /** Returns the google provider without alias, which may be nested in constructs of the stack. */
  #defaultProvider(): TerraformProvider | undefined {
    if (this.#provider === undefined && !this.#isSearched) {
      this.#isSearched = true;
      const { children } = this.#stack.node;
      this.#provider = children.find(isDefaultProvider) ?? providersBelow(children).find(isDefaultProvider);
    }
    return this.#provider;
  }

  #projectInAddresses(): string | undefined {
    const projects = this.#stack.node.children
      .filter(isDefaultProvider)
      .map((provider): unknown => Reflect.get(provider, "projectInput"));
    return projects.find((project) => typeof project === "string");
  }
}

/**
 * Returns a problem for each migration with a google resource without provider, if all google providers of the stack
 * have an alias. Terraform would configure a further provider from the environment, perhaps of another project.
 *
 * @param owners migrations, and the shared resources of the stack
 */
export function withoutProvider(stack: TerraformStack, owners: readonly IConstruct[]): readonly Problem[] {
  const providers = providersBelow(stack.node.children);
  const aliases = providers.map(({ alias }) => alias);
  if (providers.length === 0 || aliases.includes(undefined)) return [];
  const places = owners.filter((owner) => owner.node.findAll().some(lacksProvider)).map(migrationPath);
  const names = aliases.map((alias) => `'google.${alias}'`).join(", ");
  return places.map((path) => {
    const message = `${path}: all google providers of the stack have an alias (${names}), and resources without 'provider' would use a provider that Terraform configures from the environment; pass one of them as 'provider', or add a google provider without alias`;
    return { code: "provider-without-alias-missing", message };
  });
}

function lacksProvider(node: IConstruct): boolean {
  if (!TerraformResource.isTerraformResource(node)) return false;
  return node.terraformResourceType.startsWith("google_") && node.provider === undefined;
}

/** Returns the google providers in constructs, but not in their nested stacks. */
function providersBelow(constructs: readonly IConstruct[]): readonly TerraformProvider[] {
  return constructs.flatMap((construct) => {
    if (isGoogleProvider(construct)) return [construct];
    return TerraformStack.isStack(construct) ? [] : providersBelow(construct.node.children);
  });
}

function isGoogleProvider(construct: IConstruct): construct is TerraformProvider {
  return TerraformProvider.isTerraformProvider(construct) && construct.terraformResourceType === "google";
}

function checkProject(provider: TerraformProvider): readonly Problem[] {
  const project = statedProjectOf(provider) ?? "";
  if (project === "" || isReference(project) || isProjectId(project)) return [];
  const advice = `use the project's id, for example my-project-123456: ${projectIdForm}`;
  const message = `${provider.node.path}: 'project' ${quote(project)} is not a project id; ${advice}`;
  return [{ code: "project-invalid", message }];
}

/** Returns the project that a provider states; undefined if it uses the environment. */
function statedProjectOf(provider: TerraformProvider): string | undefined {
  return argumentOf(provider, "project") || undefined;
}

/**
 * Returns the project of a provider of the stack of a construct.
 *
 * @param provider undefined for the stack's google provider
 */
export function projectOfProvider(scope: IConstruct, provider: TerraformProvider | undefined): string | undefined {
  return provider === undefined
    ? new StackProjects(TerraformStack.of(scope)).providerProject
    : statedProjectOf(provider);
}

function isDefaultProvider(construct: IConstruct): construct is TerraformProvider {
  return isGoogleProvider(construct) && construct.alias === undefined;
}

/** Returns the project that a resource states, for use in any stack of the app. */
export function ownProjectOf(resource: TerraformResource): string | undefined {
  const project = argumentOf(resource, "project") || undefined;
  return project && acrossStacks(TerraformStack.of(resource), project);
}

/**
 * Returns the project in which a resource is created, for use in any stack of the app: its own, or the project of its
 * provider; undefined if the provider uses the environment.
 */
export function projectOf(resource: TerraformResource): string | undefined {
  const resourceProject = ownProjectOf(resource);
  if (resourceProject !== undefined) return resourceProject;
  const stack = TerraformStack.of(resource);
  const project = projectOfProvider(stack, resource.provider);
  return project && acrossStacks(stack, project);
}
