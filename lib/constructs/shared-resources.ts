import { ProjectService } from "@cdktf/provider-google/lib/project-service";
import {
  Lazy,
  TerraformElement,
  type TerraformProvider,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
} from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { InputError, type Problem } from "../errors";
import type { Fields } from "../json/fields";
import { isReference, type MigrationPlan } from "../plan";
import { AppCertificates } from "./app-certificates";
import { orderByDependencies, orderStacks } from "./dependencies";
import { isNamed, isOfOwnVersion, nameClass, versionsMixed } from "./kit";
import { LateOutput } from "./late-output";
import { importsAll, warnOfIdsOfTerraform, withImports } from "./lost-state";
import { migrationPath } from "./migration-path";
import { type MigrationProviders, providerName, withAlias } from "./migration-providers";
import { NameClaims } from "./name-claims";
import type { MigrationOutput } from "./output";
import { OwnLabels } from "./own-labels";
import { addDependencies, addDependency, addressOf, definedArguments, identityIn } from "./reference";
import { type ApiUser, SharedAuthorizations } from "./shared-authorizations";
import { SharedUsers } from "./shared-users";
import { ZoneUse } from "./stack-checks";
import { StackProjects, withoutProvider } from "./stack-provider";
import { atSynthesis, skipsValidation, whenPrepared, whenResolved, whenWritten } from "./synthesis-hooks";
import { resolveOnlyTokens } from "./token-parts";

const sharedId = "cert-migration-shared";
const minimumTerraform = ">= 1.5";
/** First version of Terraform in which the id of an `import` block can be an expression. */
const minimumTerraformForImportExpressions = ">= 1.6";
/** First version of Terraform and OpenTofu with write-only arguments. */
const minimumTerraformForWriteOnly = ">= 1.11";

/**
 * Resources that belong to a stack, not to one of its migrations: authorizations (one for each project, location and
 * domain), entries of maps, the output, import and check blocks. Addresses do not depend on the order of constructs.
 */
export class SharedResources extends TerraformElement {
  /** Authorizations with their CNAMEs. */
  readonly authorizations: SharedAuthorizations;
  readonly #entryOwners = new Map<string, string>();
  readonly #entriesOfMap = new Map<string, string[]>();
  readonly #attachedToMap = new Map<string, TerraformResource[]>();
  readonly #apis = new Map<string, ProjectService>();
  /** The migrations that use the shared resources. */
  readonly users = new SharedUsers();
  readonly #owners: Construct[] = [];
  readonly #labels = new OwnLabels();
  readonly #providers = new Set<TerraformProvider>();
  readonly #imports: { to: string; id: string }[] = [];
  readonly #checks: Record<string, { assert: { condition: string; error_message: string }[] }> = {};
  /** Variables of keys that Terraform stores in the state. */
  readonly #storedKeys = new Set<string>();
  #needsWriteOnly = false;
  readonly #migrations = new Map<string, () => MigrationOutput>();
  /** Zones of all migrations of the stack. */
  readonly zones = new ZoneUse();
  /** Existing certificates of all migrations of the stack. */
  readonly certificates: AppCertificates;
  /** Paths of the `CertificateAlerts`, in any stack of the app, that watch migrations of this stack. */
  readonly watchers = new Map<IConstruct, string>();
  /** Names of the resources of all migrations. */
  readonly names: NameClaims;
  readonly #stack: TerraformStack;
  readonly #projects: StackProjects;

  /** Returns the shared resources of the stack that contains a construct. */
  static of(scope: Construct): SharedResources {
    const stack = TerraformStack.of(scope);
    const found = stack.node.tryFindChild(sharedId);
    if (found === undefined) return new SharedResources(stack);
    // From this copy of the package, or from another.
    if (isNamed(found, "SharedResources")) {
      if (!isOfOwnVersion(found)) throw versionsMixed(scope, found);
      const shared = found as SharedResources;
      shared.refresh();
      return shared;
    }
    throw new InputError(
      "shared-id-taken",
      `${found.node.path}: the id '${sharedId}' is taken; give the construct another id`,
    );
  }

  private constructor(stack: TerraformStack) {
    super(stack, sharedId);
    this.#stack = stack;
    this.#projects = new StackProjects(stack);
    this.certificates = new AppCertificates(stack);
    this.names = new NameClaims(stack, this.#projects);
    this.authorizations = new SharedAuthorizations(this, this.#projects, this.users, (service, user) =>
      this.enableApi(service, user),
    );
    atSynthesis(stack, () => {
      this.refresh();
      this.zones.report();
      this.users.warn();
      if (importsAll(this)) this.#warnOfIds();
      // Before all other aspects: the kit visits the stack first.
      this.#labels.read(this.#owners.flatMap(resourcesBelow).concat(this.users.resources));
    });
    whenPrepared(stack, () => orderStacks(stack));
    resolveOnlyTokens(stack, () => [...this.#owners, this].flatMap(elementsBelow));
    if (importsAll(this)) whenWritten(stack, (written) => this.#importAll(written));
    whenResolved(stack, () => {
      this.#labels.restore();
      const cycles = orderByDependencies(stack, this.users);
      if (skipsValidation(stack)) return;
      const problems = [...this.#problems(), ...cycles];
      if (problems.length > 0) throw new InputError(problems);
    });
  }

  /** Returns the mistakes across the constructs of the stack, after all aspects. */
  #problems(): readonly Problem[] {
    return [
      ...this.#projects.checkProviders([...this.#providers]),
      ...this.authorizations.checkRaw(),
      ...this.certificates.check(),
      ...withoutProvider(this.#stack, [...this.#owners, this]),
    ];
  }

  /** Searches the provider of the stack again if it was missing before. */
  refresh(): void {
    this.#projects.refresh();
  }

  /** Returns what in a plan contradicts other constructs of the app, before any resource of the plan exists. */
  collisions(owner: Construct, plan: MigrationPlan, providers: MigrationProviders): readonly Problem[] {
    return [...this.authorizations.collisions(owner, plan, providers), ...this.#entryCollisions(owner, plan)];
  }

  /** A hostname has one entry in a map. No other construct can have entries in a map that does not exist yet. */
  #entryCollisions(owner: Construct, { map, entries }: MigrationPlan): readonly Problem[] {
    if (map?.kind !== "existing") return [];
    const identity = identityIn(this.#stack, map.existingId);
    return entries.flatMap(({ hostname }): readonly Problem[] => {
      const claimedBy = this.#entryOwners.get(`${identity} ${hostname}`);
      if (claimedBy === undefined) return [];
      const message = `'${hostname}' has an entry in the same map from ${claimedBy} and from ${migrationPath(owner)}; keep it in one, or use two maps`;
      return [{ code: "entry-in-two-constructs", message }];
    });
  }

  /** Adds an entry to a map. Proxies with the map depend on the entry. */
  addEntry(owner: Construct, map: string, hostname: string, address: string): void {
    const identity = identityIn(this.#stack, map);
    this.#entryOwners.set(`${identity} ${hostname}`, migrationPath(owner));
    this.#precede(identity, address);
  }

  #precede(identity: string, address: string): void {
    const entries = this.#entriesOfMap.get(identity);
    if (entries === undefined) this.#entriesOfMap.set(identity, [address]);
    else entries.push(address);
    for (const proxy of this.#attachedToMap.get(identity) ?? []) addDependency(proxy, address);
  }

  /** Makes proxies with a map depend on a further resource. */
  holdMap(map: string, address: string): void {
    this.#precede(identityIn(this.#stack, map), address);
  }

  /** Makes a proxy depend on every entry of its map, including entries that are added later. */
  attachToMap(map: string, proxy: TerraformResource): void {
    const identity = identityIn(this.#stack, map);
    const proxies = this.#attachedToMap.get(identity) ?? [];
    if (!proxies.includes(proxy)) this.#attachedToMap.set(identity, [...proxies, proxy]);
    addDependencies(proxy, this.#entriesOfMap.get(identity) ?? []);
  }

  /** Adds a migration of the stack, with the providers that its props name. */
  add(owner: Construct, providers: MigrationProviders): void {
    this.#owners.push(owner);
    for (const provider of providers.all) this.#providers.add(provider);
  }

  /**
   * Enables an API in a project, once. Of the providers of several migrations, it has the provider with the first name,
   * so that the order of constructs has no effect.
   */
  enableApi(service: string, { owner, project, provider }: ApiUser): ProjectService {
    const key = JSON.stringify([service, this.#projects.addressIdentityOf(project, provider)]);
    const known = this.#apis.get(key);
    if (known !== undefined) {
      this.users.add(known, owner);
      if (providerName(provider) < providerName(withAlias(known.provider))) Object.assign(known, { provider });
      return known;
    }
    const suffix = this.#projects.suffixOf(project, provider);
    const api = new ProjectService(
      this,
      `api-${service}${suffix}`,
      definedArguments<ConstructorParameters<typeof ProjectService>[2]>({
        service,
        project,
        disableOnDestroy: false,
        provider,
      }),
    );
    this.#apis.set(key, api);
    this.users.add(api, owner);
    return api;
  }

  /**
   * Creates the sensitive variable of a private key, once.
   *
   * @param certificate description of the first certificate with the key
   * @param storage "writeOnly" if the certificate uses the variable only in write-only arguments; the variable is
   * ephemeral if all certificates do
   */
  keyVariable(name: string, certificate: string, storage: "state" | "writeOnly"): void {
    const id = `variable-${name}`;
    if (storage === "state") this.#storedKeys.add(name);
    if (this.node.tryFindChild(id) !== undefined) return;
    const variable = new TerraformVariable(this, id, {
      type: "string",
      sensitive: true,
      description: `Private key in PEM of the certificate for ${certificate}`,
    });
    variable.overrideLogicalId(name);
    const ephemeral = Lazy.anyValue({ produce: () => (this.#storedKeys.has(name) ? undefined : true) });
    variable.addOverride("ephemeral", ephemeral);
  }

  /** Requires a version of Terraform with write-only arguments. */
  requireWriteOnly(): void {
    this.#needsWriteOnly = true;
  }

  /** Adds an import block for an existing resource, without running the Terraform binary. */
  import(resource: TerraformResource, id: string): void {
    this.#imports.push({ to: addressOf(resource), id });
  }

  #warnOfIds(): void {
    const imported = new Set(this.#imports.map(({ to }) => to));
    warnOfIdsOfTerraform(this.#stack, [...this.#owners, this].flatMap(resourcesBelow), imported);
  }

  /** Returns the configuration of the stack with import blocks for all resources of the migrations. */
  #importAll(written: Fields): Fields {
    const own = new Set([...this.#owners, this].flatMap(resourcesBelow).map(addressOf));
    return withImports(written, own, {
      plain: minimumTerraform,
      withExpressions: minimumTerraformForImportExpressions,
    });
  }

  /** Adds a check block, which warns in every plan and never stops an apply. */
  check(name: string, condition: string, errorMessage: string): void {
    this.#checks[name] = { assert: [{ condition, error_message: errorMessage }] };
  }

  /** Adds a migration to the stack's output, which the first migration creates. Its values are read at synthesis. */
  addOutput(owner: Construct, output: () => MigrationOutput): void {
    if (this.#migrations.size === 0) this.#createOutput();
    this.#migrations.set(migrationPath(owner), output);
  }

  #createOutput(): void {
    const description = "What the certificate migrations of this stack made, for the cert-migration command";
    new LateOutput(this, "cert_migration", { staticId: true, description }, () => ({
      version: 1,
      migrations: Object.fromEntries([...this.#migrations].sort().map(([path, output]) => [path, output()])),
    }));
  }

  override toTerraform(): object {
    const imports = this.#imports.map(({ to, id }) => ({ to, id }));
    const needsExpressions = imports.some(({ id }) => isReference(id));
    const required = needsExpressions ? minimumTerraformForImportExpressions : minimumTerraform;
    return {
      terraform: { required_version: this.#needsWriteOnly ? minimumTerraformForWriteOnly : required },
      ...(imports.length === 0 ? {} : { import: imports }),
      ...(Object.keys(this.#checks).length === 0 ? {} : { check: this.#checks }),
    };
  }

  override toHclTerraform(): object {
    const message =
      "SYNTH_HCL_OUTPUT is set: import and check blocks of a migration can't be written as HCL by cdktf; unset it to synthesize JSON";
    throw new InputError("hcl-output-unsupported", message);
  }
}
nameClass(SharedResources, "SharedResources");

function elementsBelow(construct: Construct): readonly TerraformElement[] {
  return construct.node.findAll().filter(TerraformElement.isTerraformElement);
}

function resourcesBelow(construct: Construct): readonly TerraformResource[] {
  return construct.node.findAll().filter(TerraformResource.isTerraformResource);
}
