import { ProjectService } from "@cdktf/provider-google/lib/project-service";
import {
  Lazy,
  TerraformElement,
  TerraformOutput,
  type TerraformResource,
  TerraformStack,
  TerraformVariable,
} from "cdktf";
import type { Construct } from "constructs";
import { InputError } from "../errors";
import { isReference } from "../plan";
import { AppCertificates } from "./app-certificates";
import type { MigrationOutput } from "./output";
import { addDependencies, addDependency, addressOf, defined, identityIn } from "./reference";
import { SharedAuthorizations } from "./shared-authorizations";
import { atSynthesis, ZoneUse } from "./stack-checks";
import { StackProjects } from "./stack-provider";

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
  readonly #stack: TerraformStack;
  readonly #projects: StackProjects;

  /** Returns the shared resources of the stack that contains a construct. */
  static of(scope: Construct): SharedResources {
    const stack = TerraformStack.of(scope);
    const found = stack.node.tryFindChild(sharedId);
    if (found === undefined) return new SharedResources(stack);
    if (found instanceof SharedResources) return found;
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
    this.authorizations = new SharedAuthorizations(this, this.#projects, (service, project) =>
      this.enableApi(service, project),
    );
    atSynthesis(stack, () => {
      this.#projects.checkProvider();
      this.authorizations.checkRaw();
      this.certificates.check();
      this.zones.report();
    });
    new TerraformOutput(this, "cert_migration", {
      staticId: true,
      description: "What the certificate migrations of this stack made, for the cert-migration command",
      value: Lazy.anyValue({
        produce: () => ({
          version: 1,
          migrations: Object.fromEntries([...this.#migrations].sort().map(([path, output]) => [path, output()])),
        }),
      }),
    });
  }

  /** Adds an entry to a map. A hostname has one entry in a map, and proxies with the map depend on the entry. */
  addEntry(owner: Construct, map: string, hostname: string, address: string): void {
    const identity = identityIn(this.#stack, map);
    const key = `${identity} ${hostname}`;
    const other = this.#entryOwners.get(key);
    if (other !== undefined) {
      const message = `'${hostname}' has an entry in the same map from ${other} and from ${owner.node.path}; keep it in one, or use two maps`;
      throw new InputError("entry-in-two-constructs", message);
    }
    this.#entryOwners.set(key, owner.node.path);
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

  /** Enables an API in a project, once. */
  enableApi(service: string, project: string | undefined): ProjectService {
    const identity = this.#projects.identityOf(project);
    const key = JSON.stringify([service, identity]);
    const known = this.#apis.get(key);
    if (known !== undefined) return known;
    const suffix = this.#projects.suffixOf(identity);
    const api = new ProjectService(
      this,
      `api-${service}${suffix}`,
      defined<ConstructorParameters<typeof ProjectService>[2]>({ service, project, disableOnDestroy: false }),
    );
    this.#apis.set(key, api);
    return api;
  }

  /**
   * Creates the sensitive variable of a private key, once.
   *
   * @param certificate description of the first certificate with the key
   * @param isWriteOnly whether the certificate uses the variable only in write-only arguments; the variable is
   * ephemeral
   *   if all certificates do
   */
  keyVariable(name: string, certificate: string, isWriteOnly: boolean): void {
    const id = `variable-${name}`;
    if (!isWriteOnly) this.#storedKeys.add(name);
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

  /** Adds a check block, which warns in every plan and never stops an apply. */
  check(name: string, condition: string, errorMessage: string): void {
    this.#checks[name] = { assert: [{ condition, error_message: errorMessage }] };
  }

  /** Adds a migration to the stack's output. Its values are read at synthesis. */
  addOutput(owner: Construct, output: () => MigrationOutput): void {
    this.#migrations.set(owner.node.path, output);
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
