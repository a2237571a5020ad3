import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { ProjectService } from "@cdktf/provider-google/lib/project-service";
import {
  Lazy,
  TerraformElement,
  TerraformOutput,
  TerraformProvider,
  type TerraformResource,
  TerraformStack,
  TerraformVariable,
} from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { InputError } from "../errors";
import { isReference, type PlannedAuthorization, type PlannedRecord, type PlannedZone } from "../plan";
import type { MigrationOutput } from "./output";
import { addressOf, defined, identityIn, referTo } from "./reference";

const sharedId = "cert-migration-shared";
const minimumTerraform = ">= 1.5";
/** Since then an `import` block may name what it imports by an expression. */
const minimumTerraformForImportExpressions = ">= 1.6";

interface SharedAuthorization {
  readonly planned: PlannedAuthorization;
  readonly resource: CertificateManagerDnsAuthorization;
  readonly constructs: string[];
  zone?: PlannedZone;
  record?: DnsRecordSet;
  /** What must come after the record. */
  readonly dependents: TerraformResource[];
}

interface ClaimedAuthorization {
  readonly stack: TerraformStack;
  readonly project: string | null;
  readonly planned: PlannedAuthorization;
  readonly construct: string;
}

/** Authorizations of all stacks of an app, by domain and location. */
const claimsOfApp = new WeakMap<IConstruct, Map<string, ClaimedAuthorization[]>>();

/**
 * What belongs to a stack rather than to one migration in it: one authorization for each project, location and domain, entries of maps, the
 * output, import and check blocks. Its addresses are the same whichever construct came first.
 */
export class SharedResources extends TerraformElement {
  readonly #authorizations = new Map<string, SharedAuthorization>();
  readonly #entryOwners = new Map<string, string>();
  readonly #entriesOfMap = new Map<string, string[]>();
  readonly #attachedToMap = new Map<string, TerraformResource[]>();
  readonly #apis = new Map<string, ProjectService>();
  readonly #imports: { to: string; id: string }[] = [];
  readonly #checks: Record<string, { assert: { condition: string; error_message: string }[] }> = {};
  readonly #migrations = new Map<string, () => MigrationOutput>();
  readonly #stack: TerraformStack;

  /** The one of the stack in which a construct is. */
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

  /** The authorization of a domain: made once in the stack, shared from then on. */
  authorize(
    owner: Construct,
    planned: PlannedAuthorization,
    options: AuthorizeOptions,
  ): CertificateManagerDnsAuthorization {
    const project = this.#projectIdentity(planned.project);
    const key = JSON.stringify([planned.domain, planned.location, project]);
    const known = this.#authorizations.get(key);
    const shared = known ?? this.#makeAuthorization(owner, planned, project, options);
    if (known === undefined) this.#authorizations.set(key, shared);
    else this.#join(known, owner, planned);
    return shared.resource;
  }

  /** Publishes the CNAME of an authorization, once. */
  publish(owner: Construct, record: PlannedRecord, options: AuthorizeOptions): DnsRecordSet | undefined {
    const shared = this.#find(record);
    const zone = record.zone;
    if (zone === undefined) return shared.record;
    if (shared.zone !== undefined && !this.#sameZone(shared.zone, zone)) {
      throw new InputError(
        "authorization-zones-differ",
        `the record of '${record.domain}' is published in zone '${shared.zone.name}' by ${shared.constructs.join(", ")} and in '${zone.name}' by ${owner.node.path}; give both the same zone`,
      );
    }
    if (shared.record !== undefined) return shared.record;
    const resource = new DnsRecordSet(
      this,
      `record-${this.#idOf(record.domain, record.location, this.#projectIdentity(record.project))}`,
      defined<ConstructorParameters<typeof DnsRecordSet>[2]>({
        managedZone: zone.name,
        name: referTo(shared.resource, "dns_resource_record[0].name"),
        type: "CNAME",
        ttl: record.ttlSeconds,
        rrdatas: [referTo(shared.resource, "dns_resource_record[0].data")],
        project: zone.project,
      }),
    );
    if (options.enableApis) addDependency(resource, addressOf(this.enableApi("dns.googleapis.com", zone.project)));
    shared.record = resource;
    shared.zone = zone;
    for (const dependent of shared.dependents) addDependency(dependent, addressOf(resource));
    return resource;
  }

  /** The CNAME of an authorization, where this stack writes it. */
  recordOf(record: PlannedRecord): DnsRecordSet | undefined {
    return this.#find(record).record;
  }

  /** Puts a certificate after the CNAME of each of its authorizations, whichever construct writes it. */
  orderAfterRecord(
    certificate: TerraformResource,
    record: Pick<PlannedRecord, "domain" | "location" | "project">,
  ): void {
    const shared = this.#find(record);
    shared.dependents.push(certificate);
    if (shared.record !== undefined) addDependency(certificate, addressOf(shared.record));
  }

  /** Adds an entry to a map; a hostname has one entry in a map, and proxies with that map come after it. */
  addEntry(owner: Construct, map: string, hostname: string, address: string): void {
    const identity = identityIn(this.#stack, map);
    const key = `${identity} ${hostname}`;
    const other = this.#entryOwners.get(key);
    if (other !== undefined) {
      throw new InputError(
        "entry-in-two-constructs",
        `'${hostname}' has an entry in the same map from ${other} and from ${owner.node.path}; keep it in one, or use two maps`,
      );
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

  /** Puts proxies with a map after something else that the map has to wait for. */
  holdMap(map: string, address: string): void {
    this.#precede(identityIn(this.#stack, map), address);
  }

  /** Puts a proxy after every entry of its map, also those that come later. */
  attachToMap(map: string, proxy: TerraformResource): void {
    const identity = identityIn(this.#stack, map);
    const proxies = this.#attachedToMap.get(identity) ?? [];
    if (!proxies.includes(proxy)) this.#attachedToMap.set(identity, [...proxies, proxy]);
    addDependencies(proxy, this.#entriesOfMap.get(identity) ?? []);
  }

  /** Switches an API on in a project, once. */
  enableApi(service: string, project: string | undefined): ProjectService {
    const identity = this.#projectIdentity(project);
    const key = JSON.stringify([service, identity]);
    const known = this.#apis.get(key);
    if (known !== undefined) return known;
    const suffix = this.#projectSuffix(identity);
    const api = new ProjectService(
      this,
      `api-${service}${suffix}`,
      defined<ConstructorParameters<typeof ProjectService>[2]>({ service, project, disableOnDestroy: false }),
    );
    this.#apis.set(key, api);
    return api;
  }

  /** Makes the sensitive variable of a private key, once. @param certificate what the first certificate with it is for */
  keyVariable(name: string, certificate: string): void {
    const id = `variable-${name}`;
    if (this.node.tryFindChild(id) !== undefined) return;
    const variable = new TerraformVariable(this, id, {
      type: "string",
      sensitive: true,
      description: `Private key in PEM of the certificate for ${certificate}`,
    });
    variable.overrideLogicalId(name);
  }

  /** Takes over a resource that was made elsewhere. The block is written without asking the Terraform binary. */
  import(resource: TerraformResource, id: string): void {
    this.#imports.push({ to: addressOf(resource), id });
  }

  /** Adds a check block: it warns at every plan and stops nothing. */
  check(name: string, condition: string, errorMessage: string): void {
    this.#checks[name] = { assert: [{ condition, error_message: errorMessage }] };
  }

  /** Adds a migration to the stack's output; what it says is asked for at synth. */
  addOutput(owner: Construct, output: () => MigrationOutput): void {
    this.#migrations.set(owner.node.path, output);
  }

  override toTerraform(): object {
    const imports = this.#imports.map(({ to, id }) => ({ to, id }));
    const needsExpressions = imports.some(({ id }) => isReference(id));
    return {
      terraform: { required_version: needsExpressions ? minimumTerraformForImportExpressions : minimumTerraform },
      ...(imports.length === 0 ? {} : { import: imports }),
      ...(Object.keys(this.#checks).length === 0 ? {} : { check: this.#checks }),
    };
  }

  override toHclTerraform(): object {
    throw new InputError(
      "hcl-output-unsupported",
      "SYNTH_HCL_OUTPUT is set: import and check blocks of a migration can't be written as HCL by cdktf; unset it to synthesize JSON",
    );
  }

  #makeAuthorization(
    owner: Construct,
    planned: PlannedAuthorization,
    project: string | null,
    { enableApis, timeouts }: AuthorizeOptions,
  ): SharedAuthorization {
    this.#claim(owner, planned, project);
    const resource = new CertificateManagerDnsAuthorization(
      this,
      `authorization-${this.#idOf(planned.domain, planned.location, project)}`,
      defined<ConstructorParameters<typeof CertificateManagerDnsAuthorization>[2]>({
        name: planned.name,
        domain: planned.domain,
        type: planned.type,
        location: planned.location,
        description: planned.description,
        labels: planned.labels === undefined ? undefined : { ...planned.labels },
        project: planned.project,
        timeouts,
        lifecycle: { createBeforeDestroy: true },
      }),
    );
    if (enableApis) {
      addDependency(resource, addressOf(this.enableApi("certificatemanager.googleapis.com", planned.project)));
    }
    return { planned, resource, constructs: [owner.node.path], dependents: [] };
  }

  /** A further construct shares an authorization: it has to agree with those before it. */
  #join(shared: SharedAuthorization, owner: Construct, planned: PlannedAuthorization): void {
    const others = shared.constructs.join(", ");
    if (shared.planned.type !== planned.type) {
      throw new InputError(
        "authorization-types-differ",
        `the authorization of '${planned.domain}' is a ${shared.planned.type} of ${others} and a ${planned.type} of ${owner.node.path}; give both the same 'authorizationType'`,
      );
    }
    const labels = { ...shared.resource.labelsInput };
    for (const [key, value] of Object.entries(planned.labels ?? {})) {
      if (labels[key] !== undefined && labels[key] !== value) {
        throw new InputError(
          "authorization-labels-differ",
          `the authorization of '${planned.domain}' has label '${key}' = '${labels[key]}' from ${others} and '${value}' from ${owner.node.path}; give both the same`,
        );
      }
      labels[key] = value;
    }
    if (Object.keys(labels).length > 0) shared.resource.labels = labels;
    // Texts that differ say something of one of the owners only.
    if (shared.resource.descriptionInput !== planned.description) {
      shared.resource.description = `Authorizes certificates for ${planned.domain}`;
    }
    if (!shared.constructs.includes(owner.node.path)) shared.constructs.push(owner.node.path);
  }

  /** Nothing is shared silently across stacks: what one stack makes for a domain, another has to refer to. */
  #claim(owner: Construct, planned: PlannedAuthorization, project: string | null): void {
    const app = this.node.root;
    const claims = claimsOfApp.get(app) ?? new Map<string, ClaimedAuthorization[]>();
    claimsOfApp.set(app, claims);
    const key = JSON.stringify([planned.domain, planned.location]);
    const others = claims.get(key) ?? [];
    for (const other of others) {
      const where = `'${planned.domain}' is authorized by ${other.construct} and by ${owner.node.path}, in two stacks`;
      if (other.project === project) {
        throw new InputError(
          "authorization-in-two-stacks",
          `${where}; pass the first one's id to the second as existingAuthorizations: { "${planned.domain}": … }`,
        );
      }
      if (other.planned.type === "FIXED_RECORD" && planned.type === "FIXED_RECORD") {
        throw new InputError(
          "fixed-record-in-two-projects",
          `${where} and two projects, both by the same CNAME with other data; use authorizationType PER_PROJECT_RECORD`,
        );
      }
    }
    claims.set(key, [...others, { stack: this.#stack, project, planned, construct: owner.node.path }]);
  }

  #find(record: Pick<PlannedRecord, "domain" | "location" | "project">): SharedAuthorization {
    const key = JSON.stringify([record.domain, record.location, this.#projectIdentity(record.project)]);
    return this.#authorizations.get(key) as SharedAuthorization;
  }

  #sameZone(a: PlannedZone, b: PlannedZone): boolean {
    return (
      identityIn(this.#stack, a.name) === identityIn(this.#stack, b.name) &&
      this.#projectIdentity(a.project) === this.#projectIdentity(b.project)
    );
  }

  #idOf(domain: string, location: string, project: string | null): string {
    return `${domain}${location === "global" ? "" : `-${location}`}${this.#projectSuffix(project)}`;
  }

  #projectSuffix(project: string | null): string {
    return project === null || project === this.#providerProject() ? "" : `-in-${project}`;
  }

  /** A project in a form that can be compared: the provider's own where none is named. */
  #projectIdentity(project: string | undefined): string | null {
    return project === undefined ? this.#providerProject() : identityIn(this.#stack, project);
  }

  #providerProject(): string | null {
    for (const child of this.#stack.node.children) {
      if (!TerraformProvider.isTerraformProvider(child) || child.terraformResourceType !== "google") continue;
      const project: unknown = Reflect.get(child, "projectInput");
      if (child.alias === undefined && typeof project === "string") return identityIn(this.#stack, project);
    }
    return null;
  }
}

/** What an authorization and its record take from the migration that asks for them. */
export interface AuthorizeOptions {
  readonly enableApis: boolean;
  readonly timeouts: { readonly create: string; readonly update: string; readonly delete: string } | undefined;
}

/** Puts one resource after another by its address. */
export function addDependency(resource: TerraformResource, address: string): void {
  if (resource.dependsOn === undefined) resource.dependsOn = [address];
  else if (!resource.dependsOn.includes(address)) resource.dependsOn.push(address);
}

/** Puts one resource after many others that it does not know of yet. */
export function addDependencies(resource: TerraformResource, addresses: readonly string[]): void {
  if (addresses.length > 0) resource.dependsOn = [...new Set([...(resource.dependsOn ?? []), ...addresses])];
}
